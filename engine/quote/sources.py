"""The sources a proposal stands on, numbered in the order in which the paper needs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from engine.compare import Comparison
from engine.editions import EditionRange
from engine.figures import Basis, Figure, Grade, Source
from engine.hardware import Card, CardOption, Item, System
from engine.plan.types import Plan
from engine.prices import GuidePrice, PriceBasis
from engine.quote.document import Citation


@dataclass(frozen=True, slots=True)
class Use:
    """One figure's source and what it is used for."""

    source: Source
    grade: Grade
    basis: Basis
    subject: str


def cite(uses: Iterable[Use]) -> tuple[Citation, ...]:
    """One citation per source, with every grade, basis and subject it occurs with."""
    collected: dict[str, list[Use]] = {}
    for use in uses:
        collected.setdefault(use.source.id or use.source.title, []).append(use)
    return tuple(
        Citation(
            number=number,
            source=found[0].source,
            grades=tuple(sorted({use.grade for use in found})),
            bases=tuple(sorted({use.basis for use in found})),
            uses=tuple(dict.fromkeys(use.subject for use in found)),
        )
        for number, found in enumerate(collected.values(), start=1)
    )


def plan_uses(plan: Plan, items: Mapping[str, Item]) -> Iterator[Use]:
    """Sources of a plan: its card, its machine, the listing that joins them, its further items and its prices."""
    yield from card_uses(plan.card)
    yield from _figures(plan.system, plan.system.name)
    option = plan.system.option_for(plan.card.id)
    if option is not None:
        yield from _listed(option, plan.system.name)
    for position in plan.price.positions:
        if position.item_id in items:
            yield from _listed(items[position.item_id], position.name)
        yield from price_uses(position.unit, position.name)


def card_uses(card: Card) -> Iterator[Use]:
    """Sources of a card's figures."""
    yield from _figures(card, card.short_name)


def price_uses(price: GuidePrice, subject: str) -> Iterator[Use]:
    """Source of a price and of the rate it was converted at; the seller's own prices have no source to show."""
    if price.basis is PriceBasis.SELLER or price.price is None:
        return
    basis = Basis.PUBLISHED if price.basis is PriceBasis.PUBLISHED else Basis.ESTIMATED
    yield Use(price.price.source, price.price.grade, basis, subject)
    if price.rate is not None:
        yield Use(price.rate.source, price.rate.grade, Basis.PUBLISHED, f"{price.rate.base}/{price.rate.quote}")


def measured_uses(comparison: Comparison, cards: Mapping[str, Card]) -> Iterator[Use]:
    """Sources of what was measured of two editions side by side: third parties all of them, the shares are ours."""
    ranges: tuple[EditionRange[Any], ...] = (*comparison.served, *comparison.trained)
    for found in ranges:
        for card in (found.card_id, found.other_id):
            yield Use(found.source, Grade.C, Basis.DERIVED, cards[card].short_name)


def _listed(listed: CardOption | Item, subject: str) -> Iterator[Use]:
    yield Use(listed.source, listed.grade, listed.basis, subject)


def _figures(holder: Card | System, subject: str) -> Iterator[Use]:
    """Every figure among the fields. `details` is left out: the paper does not print it."""
    for entry in fields(holder):
        if entry.name not in {"details", "options"}:
            yield from _walk(getattr(holder, entry.name), subject)


def _walk(value: object, subject: str) -> Iterator[Use]:
    if isinstance(value, Figure):
        yield Use(value.source, value.grade, value.basis, subject)
    elif isinstance(value, tuple):
        for item in value:
            yield from _walk(item, subject)
    elif is_dataclass(value) and not isinstance(value, (type, Source)):
        for entry in fields(value):
            yield from _walk(getattr(value, entry.name), subject)

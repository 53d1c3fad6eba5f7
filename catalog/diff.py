"""What is different between two catalogues: entries, figures, prices, rates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from catalog.catalog import Catalog, Provenance
from engine.models import ModelSpec
from engine.prices import ExchangeRate, Price

Said = Provenance | Price | ExchangeRate | str | int | None
"""What stood or stands there; `catalog.diff_words` says it. None: nothing."""


class Kind(StrEnum):
    """What happened to an entry or a figure."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `field` is empty when a whole entry came or went."""

    kind: Kind
    part: str  # cards, systems, items, models, prices, rates
    item_id: str
    field: str
    before: Said
    after: Said


def diff(old: Catalog, new: Catalog) -> tuple[Change, ...]:
    """Every difference, by part and id."""
    return (
        *_entries(old, new, "cards", old.facts.cards, new.facts.cards),
        *_entries(old, new, "systems", old.facts.systems, new.facts.systems),
        *_entries(old, new, "items", old.facts.items, new.facts.items),
        *_models(old.facts.models, new.facts.models),
        *_prices(old.facts.prices, new.facts.prices),
        *_rates(old, new),
    )


def about(changes: Iterable[Change], item_ids: Iterable[str]) -> tuple[Change, ...]:
    """The changes that touch these ids, and every changed rate."""
    wanted = set(item_ids)
    return tuple(change for change in changes if change.item_id in wanted or change.part == "rates")


def _entries(
    old: Catalog, new: Catalog, part: str, before: Mapping[str, object], after: Mapping[str, object]
) -> Iterator[Change]:
    for item_id in [*before, *(key for key in after if key not in before)]:
        if item_id not in after:
            yield Change(Kind.REMOVED, part, item_id, "", _name(before[item_id]), None)
        elif item_id not in before:
            yield Change(Kind.ADDED, part, item_id, "", None, _name(after[item_id]))
        elif before[item_id] != after[item_id]:
            yield from _figures(old, new, part, item_id)


def _figures(old: Catalog, new: Catalog, part: str, item_id: str) -> Iterator[Change]:
    left, right = _values(old, item_id), _values(new, item_id)
    found = False
    for field in [*left, *(field for field in right if field not in left)]:
        before, after = left.get(field), right.get(field)
        if _figure_key(before) == _figure_key(after):
            continue
        found = True
        kind = Kind.ADDED if before is None else Kind.REMOVED if after is None else Kind.CHANGED
        yield Change(kind, part, item_id, field, before, after)
    if not found:
        yield Change(Kind.CHANGED, part, item_id, "", old.entry(item_id).name, new.entry(item_id).name)


def _values(catalog: Catalog, item_id: str) -> dict[str, Provenance | str]:
    """The name and every figure."""
    values: dict[str, Provenance | str] = {"name": catalog.entry(item_id).name}
    for row in catalog.all_provenance(item_id):
        if not row.field.startswith("prices."):
            values[row.field] = row
    return values


def _figure_key(said: Provenance | str | None) -> object:
    """What makes a figure another one: grade and source too, so that a changed source is a change."""
    if not isinstance(said, Provenance):
        return said
    return said.value, said.unit, said.source.title, said.grade


def _models(before: Mapping[str, ModelSpec], after: Mapping[str, ModelSpec]) -> Iterator[Change]:
    for model_id in [*before, *(key for key in after if key not in before)]:
        if model_id not in after:
            yield Change(Kind.REMOVED, "models", model_id, "", before[model_id].name, None)
        elif model_id not in before:
            yield Change(Kind.ADDED, "models", model_id, "", None, after[model_id].name)
        elif before[model_id] != after[model_id]:
            yield from _model_figures(model_id, before[model_id], after[model_id])


def _model_figures(model_id: str, left: ModelSpec, right: ModelSpec) -> Iterator[Change]:
    """What people ask of a model first; a model that differs only deeper is told as a whole."""
    pairs = (
        ("name", left.name, right.name),
        ("parameters", left.parameters, right.parameters),
        ("layers", left.layers, right.layers),
        ("hidden_size", left.hidden_size, right.hidden_size),
        ("vocab_size", left.vocab_size, right.vocab_size),
        ("max_position", left.max_position, right.max_position),
        ("licence", left.licence, right.licence),
    )
    told = [pair for pair in pairs if pair[1] != pair[2]]
    for field, before, after in told:
        yield Change(Kind.CHANGED, "models", model_id, field, before, after)
    if not told:
        yield Change(Kind.CHANGED, "models", model_id, "", left.name, right.name)


def _prices(before: Mapping[str, tuple[Price, ...]], after: Mapping[str, tuple[Price, ...]]) -> Iterator[Change]:
    for item_id in sorted(set(before) | set(after)):
        left = {_price_key(price): price for price in before.get(item_id, ())}
        right = {_price_key(price): price for price in after.get(item_id, ())}
        for key in sorted(left.keys() - right.keys()):
            yield Change(Kind.REMOVED, "prices", item_id, "price", left[key], None)
        for key in sorted(right.keys() - left.keys()):
            yield Change(Kind.ADDED, "prices", item_id, "price", None, right[key])


def _price_key(price: Price) -> tuple[str, ...]:
    until = "" if price.valid_until is None else price.valid_until.isoformat()
    flags = f"{price.includes_vat} {price.superseded}"
    amounts = (price.as_of, price.currency, f"{price.low.normalize():f}", f"{price.high.normalize():f}")
    return *amounts, price.kind.value, price.source.title, price.grade.value, until, flags


def _rates(old: Catalog, new: Catalog) -> Iterator[Change]:
    left = {_rate_key(rate): rate for rate in old.facts.rates}
    right = {_rate_key(rate): rate for rate in new.facts.rates}
    for key in sorted(left.keys() - right.keys()):
        yield Change(Kind.REMOVED, "rates", "exchange_rates", "rate", left[key], None)
    for key in sorted(right.keys() - left.keys()):
        yield Change(Kind.ADDED, "rates", "exchange_rates", "rate", None, right[key])


def _rate_key(rate: ExchangeRate) -> tuple[str, ...]:
    return rate.base, rate.quote, rate.as_of.isoformat(), f"{rate.rate.normalize():f}"


def _name(entry: object) -> str:
    return str(getattr(entry, "name", ""))

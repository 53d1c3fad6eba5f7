"""Where the figures of a picture come from, said beneath what a place of it says on hover. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.cost.compare import RentOrBuyReport
from engine.cost.sensitivity import CaseInput
from engine.cost.types import MONEY_KEYS, EconomicsKey
from engine.figures import Figure
from engine.hardware import Card
from engine.pictures.shapes import Picture, Spot
from engine.plan.types import Plan
from engine.wording.catalogue_texts import source_title
from engine.wording.labels import grade_mark
from engine.wording.renting import offered_card
from gui.context import Context
from gui.pages.assumption_table import SHARES
from gui.results.heat import SEPARATOR, read_target
from gui.texts import Texts

Origin = Callable[[Spot], list[str]]


def with_origins(picture: Picture, origin: Origin) -> Picture:
    """The picture whose places also say where their figures come from."""
    spots = tuple(
        replace(spot, tip="\n".join([spot.tip, *lines])) if spot.tip and (lines := origin(spot)) else spot
        for spot in picture.spots
    )
    return replace(picture, spots=spots)


def brief(figure: Figure[object], texts: Texts) -> str:
    """Basis, grade and title of a figure's source in one line."""
    return _brief(texts.label(figure.basis), grade_mark(figure.grade, texts.tr), source_title(figure.source, texts.tr))


def memory_origin(card: Card, texts: Texts) -> list[str]:
    """What a need and a card's usable memory rest on."""
    return [
        texts.gettext("Need: computed from the model's configuration and the recipe"),
        texts.gettext("Usable memory of {card}: {origin}").format(
            card=card.short_name, origin=brief(card.usable_bytes, texts)
        ),
    ]


def of_cards(context: Context) -> Origin:
    """The origins of pictures whose places name a card and a workload."""
    cards, texts = context.catalog.facts.cards, context.texts

    def origin(spot: Spot) -> list[str]:
        card = cards.get(read_target(spot.target)[0]) if SEPARATOR in spot.target else None
        return [] if card is None else memory_origin(card, texts)

    return origin


def plan_origin(plan: Plan, texts: Texts) -> str:
    """What time and cost of a plan rest on."""
    return texts.gettext("Time: computed from data sheets and measurements. Price: {basis}").format(
        basis=texts.label(plan.price.basis)
    )


def renting_origin(report: RentOrBuyReport, texts: Texts) -> str:
    """The offer that stands for renting and what the owned side rests on."""
    offer = None if report.comparison is None else report.comparison.decision.best_offer
    price = "" if report.plan is None else texts.label(report.plan.price.basis)
    owned = texts.gettext("Owning: price {basis}, running cost by the assumptions").format(basis=price)
    if offer is None:
        return owned
    chosen = offer.offer
    rented = texts.gettext("Renting: {provider}, {card}, {date}").format(
        provider=chosen.provider, card=offered_card(chosen, texts.tr), date=texts.recorded_date(chosen.as_of)
    )
    return f"{owned}\n{_brief(rented, grade_mark(chosen.grade, texts.tr), source_title(chosen.source, texts.tr))}"


def swing_origin(key: EconomicsKey | CaseInput, report: RentOrBuyReport, context: Context) -> str:
    """What the ends of an input rest on: an assumption's source, the offers, the plan."""
    texts, economics = context.texts, context.catalog.facts.economics
    if isinstance(key, EconomicsKey):
        default = economics.assumptions.get(key) if economics else None
        return "" if default is None else brief(default.figure, texts)
    if key is CaseInput.RENT:
        return renting_origin(report, texts).rpartition("\n")[2]
    if key is CaseInput.PURCHASE_PRICE and report.plan is not None:
        return texts.gettext("Price: {basis}").format(basis=texts.label(report.plan.price.basis))
    return texts.gettext("From this consultation")


def swing_value(key: EconomicsKey | CaseInput, value: float, currency: str, texts: Texts) -> str:
    """An end of an input with its unit."""
    if isinstance(key, EconomicsKey) and key in SHARES:
        return texts.percent(value)
    number = texts.significant(value)
    if key in MONEY_KEYS or key in (CaseInput.RENT, CaseInput.PURCHASE_PRICE):
        return f"{number}\u00a0{currency}"
    if key is CaseInput.USEFUL_HOURS:
        return f"{number}\u00a0h"
    return f"{number}\u00a0×" if key is CaseInput.SPEED_RATIO else number


def _brief(first: str, grade: str, source: str) -> str:
    return " · ".join((first, grade, source))

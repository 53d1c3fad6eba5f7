"""What changed between two revisions: sums, and positions that count, whatever happened to their words."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

from catalog.register.comparing import Difference, compare
from catalog.register.types import Revision, State
from engine.quote.draft import DraftLine, DraftSection, SectionRole
from engine.quote.form import quote_json
from engine.quote.release import release
from engine.units import Money
from tests.catalog.register.samples import draft

ONE = Revision(
    *(1, State.SUPERSEDED, date(2026, 11, 1), date(2026, 12, 1), "de"),
    *(Money(Decimal(100), "EUR"), Money(Decimal(119), "EUR"), "", 0, ""),
)
TWO = replace(ONE, revision=2, net=Money(Decimal("90.50"), "EUR"), gross=Money(Decimal("107.70"), "EUR"))


def _quote(*lines: DraftLine) -> str:
    made = draft(number="AN-1", sections=(DraftSection(SectionRole.FREE, lines),))
    return quote_json(release(made)).decode()


def test_that_sums_are_compared_with_their_sign() -> None:
    assert compare(ONE, TWO) == Difference(1, 2, Money(Decimal("-9.50"), "EUR"), Money(Decimal("-11.30"), "EUR"))


def test_that_sums_of_two_currencies_or_without_price_are_not_compared() -> None:
    dollars = replace(TWO, net=Money(Decimal(90), "USD"), gross=None)
    assert compare(ONE, dollars) == Difference(1, 2, None, None)


def test_that_positions_are_found_again_by_item_or_title_and_order() -> None:
    card = DraftLine("a", "Karte", item_id="h200_nvl", unit_price=Decimal(10))
    same = DraftLine("b", "Schulung", unit_price=Decimal(5))
    gone = DraftLine("c", "Fracht", unit_price=Decimal(1))
    before = _quote(card, same, same, gone)
    after = _quote(replace(card, title="Karte H200", quantity=Decimal(2)), replace(same, description="neu"), same)
    found = compare(ONE, TWO, before, after)
    assert (found.added, found.removed, found.changed) == ((), ("Fracht",), ("Karte H200",))
    dearer = compare(ONE, TWO, before, _quote(card, same, replace(same, unit_price=Decimal(6)), gone))
    assert (dearer.added, dearer.removed, dearer.changed) == ((), (), ("Schulung",))

"""Which own prices differ from today's catalogue, by how much, and what the sums become."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from catalog.consultation.document import Consultation
from catalog.consultation.price_update import price_changes, sums, with_prices
from catalog.consultation.quote_rows import LineRow, SectionRow
from engine.prices import PriceBasis
from engine.quote.draft import LineKind
from engine.units import Money
from tests.catalog.register.conftest import Case, case, planned  # noqa: F401  # fixtures of the register's tests
from tests.catalog.register.samples import SELLER


@pytest.fixture
def priced(case: Case) -> Case:  # noqa: F811  # the fixture
    """Cards at 7,000.00 in the consultation's own price list; two of them stand in the quotation at 6,500.00."""
    assert case.recommendation.chosen is not None
    card = case.recommendation.chosen.card.id
    own = {card: Money(Decimal(7000), "EUR")}
    recommendation = replace(case.recommendation, scenario=replace(case.recommendation.scenario, price_overrides=own))
    lines = (
        _line("cards", card, price=Decimal(6500), quantity=Decimal(2), discount_percent=Decimal(10)),
        _line("asked", card, on_request=True),
        _line("follows", card),
        _line("same", card, price=Decimal(7000)),
        _line("option", card, price=Decimal(1), kind=LineKind.OPTIONAL),
        _line("included", card, kind=LineKind.INCLUDED),
        _line("free", "", price=Decimal(5)),
        _line("unknown", "no-such-item", price=Decimal(5)),
    )
    sections = (SectionRow(lines=lines), SectionRow(lines=(_line("gone", card, price=Decimal(2)),), struck=True))
    return replace(case, consultation=_with(case.consultation, sections), recommendation=recommendation)


def _line(id_: str, item: str, **changes: Any) -> LineRow:
    return LineRow(id=id_, title=id_, item=item, **changes)


def _with(consultation: Consultation, sections: tuple[SectionRow, ...] | None) -> Consultation:
    quote = consultation.quote.model_copy(update={"sections": sections})
    return consultation.model_copy(update={"quote": quote})


def test_that_only_own_prices_that_differ_are_named_with_before_and_after(priced: Case) -> None:
    """2 * 6500 * 0.9 = 11,700.00; 2 * 7000 * 0.9 = 12,600.00; so 900.00 more."""
    changes = {
        change.line_id: change for change in price_changes(priced.consultation, priced.recommendation, priced.facts)
    }
    assert set(changes) == {"cards", "asked", "option"}
    cards = changes["cards"]
    assert (cards.before, cards.after) == (Money(Decimal(6500), "EUR"), Money(Decimal("7000.00"), "EUR"))
    assert cards.total_change == Money(Decimal("900.00"), "EUR")
    assert (changes["asked"].before, changes["asked"].total_change) == (None, None)
    assert (cards.counts, changes["option"].counts) == (True, False)
    assert cards.sellers_own


def test_that_guide_prices_are_told_from_the_sellers_own(priced: Case, case: Case) -> None:  # noqa: F811
    found = price_changes(priced.consultation, case.recommendation, case.facts)
    assert found
    assert {change.origin.basis for change in found} & {PriceBasis.SELLER} == set()
    assert not any(change.sellers_own for change in found)
    assert all(change.origin.as_of for change in found)


def test_that_what_is_taken_over_moves_the_sum_by_the_change_and_nothing_else(priced: Case) -> None:
    changes = price_changes(priced.consultation, priced.recommendation, priced.facts)
    cards = next(change for change in changes if change.line_id == "cards")
    before = sums(priced.consultation, priced.recommendation, priced.facts, SELLER)
    after = sums(priced.consultation, priced.recommendation, priced.facts, SELLER, (cards,))
    assert after.net.amount - before.net.amount == Decimal("900.00")
    assert after.gaps == before.gaps
    everything = sums(priced.consultation, priced.recommendation, priced.facts, SELLER, changes)
    assert everything.net.amount - after.net.amount == Decimal("7000.00")  # the line that was on request
    assert everything.complete
    changed = with_prices(priced.consultation.quote, (cards,))
    untouched = [
        line.id for line, old in zip(changed.lines, priced.consultation.quote.lines, strict=True) if line == old
    ]
    assert [line.id for line in changed.lines if line.id not in untouched] == ["cards"]


def test_that_nothing_is_left_to_update_afterwards(priced: Case) -> None:
    changes = price_changes(priced.consultation, priced.recommendation, priced.facts)
    quote = with_prices(priced.consultation.quote, changes)
    assert not price_changes(
        priced.consultation.model_copy(update={"quote": quote}), priced.recommendation, priced.facts
    )
    assert {line.id: line.on_request for line in quote.lines}["asked"] is False


def test_that_positions_that_follow_the_recommendation_have_nothing_to_update(priced: Case) -> None:
    following = _with(priced.consultation, None)
    assert price_changes(following, priced.recommendation, priced.facts) == ()
    assert with_prices(following.quote, ()) == following.quote

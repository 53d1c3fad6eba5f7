"""The stored proposal: nothing is lost on disk, positions follow or keep, prices come from where they should."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from catalog.catalog import Catalog
from catalog.consultation.document import Consultation
from catalog.consultation.files import parse_text, to_text
from catalog.consultation.open import open_consultation
from catalog.consultation.quote_draft import following, is_outdated, plan_sections, taken_over, to_draft
from catalog.consultation.quote_rows import InternalRow, LineRow, QuoteRow, SectionRow, TermsRow
from engine.errors import InvalidInputError
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation
from engine.quote.build import release_quote
from engine.quote.draft import LineKind, SectionRole, margin
from engine.quote.parties import Seller
from engine.quote.vat import Supply

EXAMPLE = Path(__file__).parents[2] / "examples" / "lora-department-rack.passform.yaml"
TODAY = date(2026, 11, 30)


@pytest.fixture(scope="module")
def opened() -> tuple[Consultation, Catalog, Recommendation]:
    found = open_consultation(EXAMPLE, TODAY)
    return found.consultation, found.catalog, recommend(found.scenario, found.catalog.facts)


def with_quote(document: Consultation, quote: QuoteRow) -> Consultation:
    return document.model_copy(update={"quote": quote})


def service(**changes: object) -> LineRow:
    return LineRow.model_validate(
        {"id": "s1", "title": "Einrichtung", "supply": Supply.SERVICE, "price": "1200.00"} | changes
    )


def test_that_a_consultation_without_edited_positions_stores_none(
    opened: tuple[Consultation, Catalog, Recommendation],
) -> None:
    assert "quote" not in to_text(opened[0])


def test_that_edited_positions_survive_the_file() -> None:
    quote = QuoteRow(
        number="A-7",
        currency="EUR",
        plan="x",
        discount_percent=Decimal("2.5"),
        sections=(
            SectionRow(
                role=SectionRole.SERVICES,
                title="Dienste",
                lines=(service(internal=InternalRow(purchase_price=Decimal("800.00"), supplier="Lieferant")),),
            ),
        ),
        terms=TermsRow(payment="30 Tage netto"),
    )
    document = Consultation(quote=quote)
    assert parse_text(to_text(document), "a.yaml") == document


def test_that_untouched_positions_are_the_plans(opened: tuple[Consultation, Catalog, Recommendation]) -> None:
    document, catalog, recommendation = opened
    draft = to_draft(document, recommendation, catalog.facts, Seller())
    stored = with_quote(document, taken_over(document, recommendation, catalog.facts, Seller()))
    again = to_draft(stored, recommendation, catalog.facts, Seller())
    shown = [(line.title, line.quantity, line.unit_price, line.kind) for s in draft.sections for line in s.lines]
    assert [
        (line.title, line.quantity, line.unit_price, line.kind) for s in again.sections for line in s.lines
    ] == shown
    assert shown


def test_that_own_lines_enter_the_sum_and_internal_ones_stay_inside(
    opened: tuple[Consultation, Catalog, Recommendation],
) -> None:
    """Hand calculation: 2 x 1,200.00 less 10 % = 2,160.00; less 5 % on the document = 2,052.00."""
    document, catalog, recommendation = opened
    line = service(
        quantity=2, discount_percent=10, internal=InternalRow(purchase_price=Decimal(800), supplier="GEHEIM-LIEFERANT")
    )
    quote = QuoteRow(
        currency="EUR",
        discount_percent=Decimal(5),
        sections=(SectionRow(role=SectionRole.SERVICES, lines=(line,)),),
    )
    stored = with_quote(document, quote)
    made = release_quote(to_draft(stored, recommendation, catalog.facts, Seller()), recommendation, catalog.facts)
    assert made.totals.net.amount == Decimal("2052.00")
    assert "GEHEIM-LIEFERANT" not in repr(made)
    earned = margin(to_draft(stored, recommendation, catalog.facts, Seller()))
    assert earned.amount.amount == Decimal("452.00")  # 2,052.00 - 2 x 800.00


def test_that_own_prices_of_another_currency_are_refused(
    opened: tuple[Consultation, Catalog, Recommendation],
) -> None:
    document, catalog, recommendation = opened
    stored = with_quote(document, QuoteRow(currency="USD", sections=()))
    with pytest.raises(InvalidInputError, match="USD"):
        to_draft(stored, recommendation, catalog.facts, Seller())


def test_that_positions_the_seller_has_are_never_taken_over_again(
    opened: tuple[Consultation, Catalog, Recommendation],
) -> None:
    document, catalog, recommendation = opened
    own = QuoteRow(sections=(SectionRow(role=SectionRole.SERVICES, lines=(service(),)),))
    assert taken_over(with_quote(document, own), recommendation, catalog.facts, Seller()) == own


def test_that_a_new_plan_finds_its_place_in_a_proposal_without_a_system(
    opened: tuple[Consultation, Catalog, Recommendation],
) -> None:
    """The seller's own lines keep their ids, even where the plan's lines would be called the same."""
    document, catalog, recommendation = opened
    fresh = plan_sections(document, recommendation, catalog.facts, Seller())
    first = fresh[0].lines[0].id
    own = (service(id=first), service(id=f"{first}-2"))
    stored = QuoteRow(plan="another", sections=(SectionRow(role=SectionRole.SERVICES, lines=own),))
    now = following(stored, fresh, recommendation)
    assert [section.role for section in now.sections or ()] == [SectionRole.SYSTEM, SectionRole.SERVICES]
    planned = [line.id for line in now.lines if line.planned]
    assert planned == [f"{first}-3", *(line.id for line in fresh[0].lines[1:])]
    assert [line.id for line in now.lines if not line.planned] == [first, f"{first}-2"]


def test_that_a_new_plan_replaces_planned_lines_and_keeps_the_sellers(
    opened: tuple[Consultation, Catalog, Recommendation],
) -> None:
    document, catalog, recommendation = opened
    fresh = plan_sections(document, recommendation, catalog.facts, Seller())
    first = fresh[0].lines[0]
    gone = LineRow(id="old", title="Old card", item="nvidia_a100_80gb_pcie", planned=True)
    alternative = LineRow(id="alt", title="Instead", kind=LineKind.ALTERNATIVE, base="old")
    own = service()
    edited = first.model_copy(update={"price": Decimal("99.00"), "quantity": Decimal(7)})
    stored = QuoteRow(
        plan="another", sections=(SectionRow(role=SectionRole.SYSTEM, lines=(own, gone, alternative, edited)),)
    )
    assert is_outdated(stored, recommendation)
    now = following(stored, fresh, recommendation)
    assert not is_outdated(now, recommendation)
    ids = [line.id for line in now.lines]
    assert "old" not in ids
    assert "alt" not in ids
    assert ids[: len(fresh[0].lines)] == [line.id for line in fresh[0].lines]
    assert ids[-1] == "s1"
    kept = next(line for line in now.lines if line.id == first.id)
    assert (kept.price, kept.quantity) == (Decimal("99.00"), first.quantity)

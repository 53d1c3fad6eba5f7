"""From the stored proposal and the recommendation to the engine's draft, and back for a first edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from catalog.consultation.customer import to_customer
from catalog.consultation.document import Consultation
from catalog.consultation.quote_rows import LineRow, QuoteRow, SectionRow, TermsRow
from engine.errors import InvalidInputError
from engine.facts import Facts
from engine.plan.types import Plan, Recommendation
from engine.prices import PriceAge, PriceBasis
from engine.pricing import guide_price
from engine.quote.build import build_draft, price_origin
from engine.quote.draft import DraftLine, DraftSection, Internal, PriceOrigin, QuoteDraft, SectionRole, Terms
from engine.quote.parties import Seller
from engine.quote.vat import Supply, propose
from engine.units import Money

HUNDRED = 100


def to_draft(
    consultation: Consultation,
    recommendation: Recommendation,
    facts: Facts,
    seller: Seller,
    language: str = "",
) -> QuoteDraft:
    """The draft of the paper: the plan's positions, or the stored ones, with the stored texts and terms.

    Raises `InvalidInputError` when nothing fits, or when own prices were entered in another currency.
    """
    stored, scenario = consultation.quote, recommendation.scenario
    if stored.currency and stored.currency != consultation.currency:
        raise InvalidInputError(
            "The positions are priced in {theirs}, the consultation is in {ours}. "
            "Please change the currency back or let the positions follow the recommendation.",
            theirs=stored.currency,
            ours=consultation.currency,
        )
    customer, as_of = to_customer(consultation), scenario.as_of
    draft = build_draft(
        recommendation,
        facts,
        seller,
        customer,
        language or consultation.language,
        as_of,
        kind=stored.kind,
        number=stored.number,
        terms=_terms(stored.terms, seller),
    )
    if stored.sections is not None:
        prices = _Prices(facts, scenario.currency, as_of, scenario.price_overrides)
        draft = replace(draft, sections=tuple(_section(section, prices) for section in stored.sections))
    vat = propose(seller, customer, _supplies(draft), facts.vat_rates, as_of)
    return replace(
        draft,
        vat=replace(vat, confirmed=stored.vat_confirmed),
        document_discount=stored.discount_percent / HUNDRED,
        subject=stored.subject,
        introduction=stored.introduction,
        closing=stored.closing,
        tender=stored.tender,
        show_line_prices=stored.show_line_prices,
        left_out=frozenset(stored.left_out),
    )


def taken_over(consultation: Consultation, recommendation: Recommendation, facts: Facts, seller: Seller) -> QuoteRow:
    """The stored proposal with positions of its own: those it has, or the recommendation's as they stand."""
    stored = consultation.quote
    if stored.sections is not None:
        return stored
    sections = plan_sections(consultation, recommendation, facts, seller)
    return _amended(stored, sections=sections, plan=_plan(recommendation))


def plan_sections(
    consultation: Consultation, recommendation: Recommendation, facts: Facts, seller: Seller
) -> tuple[SectionRow, ...]:
    """The recommendation's positions as they would be stored."""
    draft = build_draft(
        recommendation, facts, seller, to_customer(consultation), consultation.language, recommendation.scenario.as_of
    )
    return tuple(
        SectionRow(role=section.role, title=section.title, lines=tuple(_line_row(line) for line in section.lines))
        for section in draft.sections
    )


def is_outdated(stored: QuoteRow, recommendation: Recommendation) -> bool:
    """Whether stored positions were taken from another plan than the one recommended now."""
    return stored.sections is not None and stored.plan != _plan(recommendation)


def following(stored: QuoteRow, sections: tuple[SectionRow, ...], recommendation: Recommendation) -> QuoteRow:
    """The stored proposal with the plan's lines brought up to date: what the seller added or changed stays.

    Lines taken from the earlier plan whose item the new one does not have are dropped, with their alternatives.
    """
    wanted = {line.item: line for section in sections for line in section.lines}
    missing = dict(wanted)
    kept: list[SectionRow] = []
    for section in stored.sections or ():
        lines = []
        for line in section.lines:
            if not line.planned:
                lines.append(line)
            elif line.item in missing:
                new = missing.pop(line.item)
                lines.append(line.model_copy(update={"quantity": new.quantity, "kind": new.kind}))
        kept.append(_with_lines(section, lines))
    taken = {line.id for section in kept for line in section.lines}
    added = [line if line.id not in taken else _renamed(line, taken) for line in missing.values()]
    place = next((index for index, section in enumerate(kept) if section.role is SectionRole.SYSTEM), None)
    if place is None:
        kept.insert(0, SectionRow(role=SectionRole.SYSTEM, lines=tuple(added)))
    else:
        order = list(wanted)
        lines = [*kept[place].lines, *added]
        lines.sort(key=lambda line: order.index(line.item) if line.planned and line.item in wanted else len(order))
        kept[place] = _with_lines(kept[place], lines)
    known = {line.id for section in kept for line in section.lines}
    cleaned = tuple(
        _with_lines(section, [line for line in section.lines if not line.base or line.base in known])
        for section in kept
    )
    return _amended(stored, sections=cleaned, plan=_plan(recommendation))


def _renamed(line: LineRow, taken: set[str]) -> LineRow:
    number = 2
    while f"{line.id}-{number}" in taken:
        number += 1
    return line.model_copy(update={"id": f"{line.id}-{number}"})


def _plan(recommendation: Recommendation) -> str:
    plan: Plan | None = recommendation.chosen
    return "" if plan is None else plan.id


def _amended(stored: QuoteRow, **changes: object) -> QuoteRow:
    return stored.model_copy(update=changes)


def _with_lines(section: SectionRow, lines: Sequence[LineRow]) -> SectionRow:
    return section.model_copy(update={"lines": tuple(lines)})


class _Prices:
    """Guide prices of the items of a proposal."""

    def __init__(self, facts: Facts, currency: str, as_of: date, own: Mapping[str, Money]) -> None:
        self._facts, self._currency, self._as_of, self._own = facts, currency, as_of, own

    def of(self, row: LineRow) -> tuple[PriceOrigin | None, Decimal | None]:
        """Origin and unit price of a line; None and None for a line without a price."""
        if row.price is not None:
            return PriceOrigin(PriceBasis.SELLER, as_of=self._as_of.isoformat(), age=PriceAge.FRESH), row.price
        if not row.item or row.on_request or row.item not in self._facts.priceable_ids:
            return None, None
        guide = guide_price(row.item, self._facts, self._currency, self._as_of, self._own)
        return price_origin(guide, self._as_of), None if guide.net is None else guide.net.amount

    def money(self, amount: Decimal | None) -> Money | None:
        """An amount in the proposal's currency."""
        return None if amount is None else Money(amount, self._currency)


def _terms(row: TermsRow, seller: Seller) -> Terms:
    """The conditions; what the proposal does not say about its validity, the seller's profile does."""
    entered = row.model_dump()
    return Terms(**{**entered, "validity_days": row.validity_days or seller.validity_days})


def _section(row: SectionRow, prices: _Prices) -> DraftSection:
    return DraftSection(
        role=row.role,
        lines=tuple(_line(line, prices) for line in row.lines),
        title=row.title,
        page_break_before=row.page_break_before,
        show_prices=row.show_prices,
        struck=row.struck,
    )


def _line(row: LineRow, prices: _Prices) -> DraftLine:
    origin, unit_price = prices.of(row)
    inner = row.internal
    return DraftLine(
        id=row.id,
        title=row.title,
        kind=row.kind,
        supply=row.supply,
        quantity=row.quantity,
        measure=row.measure,
        unit_price=unit_price,
        discount=row.discount_percent / HUNDRED,
        description=row.description,
        base_id=row.base,
        item_id=row.item,
        origin=origin,
        internal=Internal(
            purchase_price=prices.money(inner.purchase_price),
            supplier=inner.supplier,
            supplier_number=inner.supplier_number,
            deal_registration=inner.deal_registration,
            note=inner.note,
        ),
    )


def _line_row(line: DraftLine) -> LineRow:
    return LineRow(
        id=line.id,
        title=line.title,
        kind=line.kind,
        supply=line.supply,
        quantity=line.quantity,
        item=line.item_id,
        planned=True,
    )


def _supplies(draft: QuoteDraft) -> set[Supply]:
    return {line.supply for section in draft.sections if not section.struck for line in section.lines}

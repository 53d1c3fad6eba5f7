"""From draft to finished quote: numbering, sums, obstacles. The only way a `Quote` comes into being."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from engine.errors import InvalidInputError
from engine.fit import Verdict
from engine.prices import PriceBasis
from engine.quote.document import Advice, Obstacle, Quote, QuoteLine, QuoteSection, Variant
from engine.quote.draft import DocumentKind, DraftLine, DraftSection, LineKind, QuoteDraft
from engine.quote.totals import Charge, Totals, line_net, sum_up
from engine.units import Money, round_money


class QuoteNotReadyError(InvalidInputError):
    """An offer was asked for while something stands in its way; `obstacles` says what."""

    def __init__(self, obstacles: tuple[Obstacle, ...]) -> None:
        super().__init__(
            "This cannot be an offer yet: {obstacles}", obstacles=", ".join(item.value for item in obstacles)
        )
        self.obstacles = obstacles


def release(
    draft: QuoteDraft,
    advice: Advice | None = None,
    variants: tuple[Variant, ...] = (),
    names: Mapping[str, str] | None = None,
    *,
    preview: bool = False,
) -> Quote:
    """Number the lines, compute the sums and keep nothing that is internal.

    `preview` shows what would be issued, marked as a draft: without a number, and whatever is still missing.
    Raises `QuoteNotReadyError` when the draft asks for an offer that cannot be one yet and `InvalidInputError` for a
    discount outside 0 to 100 % or an alternative without its base line.
    """
    visible = [section for section in draft.sections if not section.struck]
    numbers = line_numbers(visible)
    sections = tuple(_section(str(index), section, draft, numbers) for index, section in enumerate(visible, start=1))
    lines = [line for section in sections for line in section.lines]
    totals = sum_up(charges_of(lines, draft), draft.currency, draft.document_discount)
    obstacles = _obstacles(draft, lines, advice)
    if draft.kind is DocumentKind.OFFER and obstacles and not preview:
        raise QuoteNotReadyError(obstacles)
    terms = draft.terms
    if draft.kind is DocumentKind.OFFER and not terms.full_text:
        terms = replace(terms, full_text=dict(draft.seller.general_terms).get(draft.language, ""))
    if draft.tender:
        terms = replace(
            terms, payment="", delivery="", retention_of_title="", where_readable="", full_text="", binding=True
        )
    return Quote(
        kind=draft.kind,
        number="" if preview else draft.number,
        revision=1 if preview else draft.revision,
        language=draft.language,
        currency=draft.currency,
        as_of=draft.as_of,
        valid_until=draft.as_of + timedelta(days=terms.validity_days),
        seller=draft.seller,
        customer=draft.customer,
        sections=sections,
        totals=totals,
        options_net=_with_options(sections, draft),
        terms=terms,
        subject=draft.subject,
        introduction=draft.introduction,
        closing=draft.closing,
        left_out=draft.left_out,
        tender=draft.tender,
        show_line_prices=draft.show_line_prices,
        document_discount=draft.document_discount,
        vat_questions=draft.vat.questions,
        vat_confirmed=draft.vat.confirmed,
        variants=variants,
        advice=advice,
        obstacles=obstacles,
        seller_missing=draft.seller.missing(),
        preview=preview,
        names=dict(names or {}),
    )


def line_numbers(sections: Iterable[DraftSection]) -> dict[str, str]:
    """Numbers 1.1, 1.2 ... by line id; an alternative carries its base line's number and a letter."""
    numbers: dict[str, str] = {}
    alternatives: list[DraftLine] = []
    for section_number, section in enumerate(sections, start=1):
        position = 0
        for line in section.lines:
            if line.kind is LineKind.TEXT:
                continue
            if line.kind is LineKind.ALTERNATIVE:
                alternatives.append(line)
                continue
            position += 1
            numbers[line.id] = f"{section_number}.{position}"
    letters: dict[str, int] = {}
    for line in alternatives:
        if line.base_id not in numbers:
            raise InvalidInputError("The alternative {title} names no base position.", title=line.title)
        letters[line.base_id] = letters.get(line.base_id, 0) + 1
        numbers[line.id] = numbers[line.base_id] + _letter(letters[line.base_id])
    return numbers


def charges_of(lines: Iterable[QuoteLine], draft: QuoteDraft) -> list[Charge]:
    """What the base lines add to the sums."""
    return [_charge(line, draft) for line in lines if line.counts]


def _charge(line: QuoteLine, draft: QuoteDraft) -> Charge:
    case = line.vat_case
    before = None if line.unit_price is None else round_money(line.quantity * line.unit_price.amount)
    return Charge(
        label=line.number,
        net=None if line.total is None else line.total.amount,
        before_discount=before,
        case=case,
        rate=Decimal(0) if case is None else draft.vat.rate_of(case),
    )


def _with_options(sections: Iterable[QuoteSection], draft: QuoteDraft) -> Money | None:
    """Net with every option; None without any, and where it would tell the price of one that a section hides."""
    listed = [(section, line) for section in sections for line in section.lines]
    options = [section for section, line in listed if line.kind is LineKind.OPTIONAL]
    if not options or not all(section.show_prices for section in options):
        return None
    charges = [_charge(line, draft) for _, line in listed if line.counts or line.kind is LineKind.OPTIONAL]
    totals: Totals = sum_up(charges, draft.currency, draft.document_discount)
    return totals.net


def _section(number: str, section: DraftSection, draft: QuoteDraft, numbers: dict[str, str]) -> QuoteSection:
    lines = tuple(_line(line, draft, numbers) for line in section.lines)
    counted = [line for line in lines if line.counts]
    subtotal = sum((line.total.amount for line in counted if line.total is not None), Decimal(0))
    return QuoteSection(
        number=number,
        role=section.role,
        title=section.title,
        lines=lines,
        subtotal=Money(subtotal, draft.currency),
        gaps=tuple(line.number for line in counted if line.total is None),
        page_break_before=section.page_break_before,
        show_prices=section.show_prices,
    )


def _line(line: DraftLine, draft: QuoteDraft, numbers: dict[str, str]) -> QuoteLine:
    unit, total = line.unit_price, None
    if line.kind is LineKind.INCLUDED:
        unit = Decimal(0)
    if unit is not None and line.kind is not LineKind.TEXT:
        total = Money(line_net(line.quantity, unit, line.discount), draft.currency)
    return QuoteLine(
        number=numbers.get(line.id, ""),
        kind=line.kind,
        supply=line.supply,
        title=line.title,
        description=line.description,
        quantity=line.quantity,
        measure=line.measure,
        unit_price=None if unit is None else Money(unit, draft.currency),
        discount=line.discount,
        total=total,
        vat_case=draft.vat.case_of(line.supply),
        base_number=numbers.get(line.base_id, "") if line.kind is LineKind.ALTERNATIVE else "",
        item_id=line.item_id,
        origin=line.origin,
    )


def _obstacles(draft: QuoteDraft, lines: list[QuoteLine], advice: Advice | None) -> tuple[Obstacle, ...]:
    base = [line for line in lines if line.counts]
    sellers_own = all(line.origin is None or line.origin.basis is PriceBasis.SELLER for line in base)
    checks = {
        Obstacle.SELLER_INCOMPLETE: bool(draft.seller.missing()),
        Obstacle.NO_NUMBER: not draft.number,
        Obstacle.CUSTOMER_INCOMPLETE: not (draft.customer.company and draft.customer.lines),
        Obstacle.NO_LINES: not base,
        Obstacle.PRICE_ON_REQUEST: any(line.total is None for line in base),
        Obstacle.PRICE_NOT_SELLERS: not sellers_own,
        Obstacle.VAT_OPEN: bool(draft.vat.questions),
        Obstacle.VAT_UNCONFIRMED: not draft.vat.confirmed,
        Obstacle.CARDS_MISSING: advice is not None and _lacks_cards(lines, advice),
        Obstacle.FITS_NOT: advice is not None and advice.chosen.verdict in {Verdict.NO, Verdict.UNCERTAIN},
    }
    return tuple(obstacle for obstacle, stands in checks.items() if stands)


def _lacks_cards(lines: list[QuoteLine], advice: Advice) -> bool:
    """Whether cards of the catalogue are sold, but not all that carry the tasks; bundles of the seller's own pass."""
    cards = {glance.card.id for glance in advice.standings}
    sold = [line for line in lines if line.item_id in cards and line.kind in {LineKind.BASE, LineKind.INCLUDED}]
    right = sum(line.quantity for line in sold if line.item_id == advice.chosen.card.id)
    return bool(sold) and right < advice.chosen.cards


def _letter(count: int) -> str:
    """a, b, ..., z, aa, ab, ..."""
    text = ""
    while count:
        count, index = divmod(count - 1, 26)
        text = chr(ord("a") + index) + text
    return text

"""What the editor shows of a proposal: numbers, prices, sums and the margin, from the one calculation. No Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from catalog.consultation.document import Consultation
from catalog.consultation.quote_draft import is_outdated, taken_over, to_draft
from catalog.consultation.quote_rows import LineRow, QuoteRow, SectionRow
from engine.errors import PassformError
from engine.facts import Facts
from engine.plan.types import Recommendation
from engine.quote.document import Quote, QuoteLine
from engine.quote.draft import DocumentKind, LineKind, Margin, QuoteDraft, margin
from engine.quote.parties import Seller
from engine.quote.release import release
from engine.units import Money
from engine.wording.catalogue_texts import item_name
from engine.wording.prices import origin_text
from engine.wording.quotes import missing_for_offer, quantity_text, vat_text, word
from gui.texts import Texts

NONE = "–"


@dataclass(frozen=True, slots=True)
class LineView:
    """A line as the table shows it."""

    number: str
    title: str
    kind: str
    quantity: str
    unit_price: str
    discount: str
    total: str
    purchase: str
    margin: str
    origin: str  # what stands behind the price


@dataclass(frozen=True, slots=True)
class SectionView:
    """A section's heading and sum."""

    number: str
    title: str
    subtotal: str


@dataclass(frozen=True, slots=True)
class ProposalView:
    """The whole proposal. `problem` says why there are no sums; the lines show all the same."""

    quote: QuoteRow  # with positions, also while they follow the recommendation
    follows: bool  # nothing was changed by hand yet
    outdated: bool  # another system is recommended now than the positions were taken from
    sections: tuple[SectionView, ...]
    lines: dict[str, LineView]
    sums: tuple[tuple[str, str], ...] = ()
    earned: tuple[tuple[str, str], ...] = ()  # for the seller alone
    missing: tuple[str, ...] = ()  # what keeps it from being an offer
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Made:
    draft: QuoteDraft
    quote: Quote
    numbers: dict[str, QuoteLine] = field(default_factory=dict)


def proposal_view(
    document: Consultation, recommendation: Recommendation, facts: Facts, seller: Seller, texts: Texts
) -> ProposalView:
    """Everything the editor shows. Raises `PassformError` when nothing fits, so that there is nothing to propose."""
    row = taken_over(document, recommendation, facts, seller)
    stored = document.model_copy(update={"quote": row})
    follows = document.quote.sections is None
    outdated = is_outdated(document.quote, recommendation)
    try:
        made = _made(stored, recommendation, facts, seller)
    except PassformError as error:
        sections = tuple(SectionView("", _title(one, texts), "") for one in row.sections or ())
        lines = {line.id: _bare(line, texts) for line in row.lines}
        return ProposalView(row, follows, outdated, sections, lines, problem=texts.error(error))
    return ProposalView(
        row,
        follows,
        outdated,
        tuple(_sections(row, made.quote, texts)),
        {line.id: _line(line, made, texts) for line in row.lines},
        tuple(_sums(made.quote, texts)),
        tuple(_earned(margin(made.draft), row, texts)),
        missing_for_offer(made.quote, texts.tr),
    )


def _made(document: Consultation, recommendation: Recommendation, facts: Facts, seller: Seller) -> _Made:
    draft = to_draft(document, recommendation, facts, seller)
    quote = release(replace(draft, kind=DocumentKind.RECOMMENDATION))
    visible = [line for section in draft.sections if not section.struck for line in section.lines]
    return _Made(draft, quote, {line.id: made for line, made in zip(visible, quote.lines, strict=True)})


def _sections(row: QuoteRow, quote: Quote, texts: Texts) -> Iterator[SectionView]:
    made = iter(quote.sections)
    for section in row.sections or ():
        if section.struck:
            yield SectionView("", texts.gettext("{title} (struck out)").format(title=_title(section, texts)), "")
            continue
        found = next(made)
        total = texts.exact_money(found.subtotal)
        if found.gaps:
            total = f"{total} *" if found.subtotal.amount else texts.gettext("on request")
        yield SectionView(found.number, _title(section, texts), total)


def _line(line: LineRow, made: _Made, texts: Texts) -> LineView:
    found = made.numbers.get(line.id)
    if found is None or line.kind is LineKind.TEXT:
        return _bare(line, texts)
    request = texts.gettext("on request")
    unit = request if found.unit_price is None else texts.exact_money(found.unit_price)
    total = request if found.total is None else texts.exact_money(found.total)
    if not found.counts and found.kind is not LineKind.INCLUDED:
        total = f"({total})"
    bought = line.internal.purchase_price
    earned = NONE
    if bought is not None and found.total is not None:
        earned = texts.exact_money(Money(found.total.amount - line.quantity * bought, made.quote.currency))
    return LineView(
        number=found.number,
        title=item_name(line.title, texts.tr),
        kind=word(line.kind, texts.tr),
        quantity=quantity_text(line.quantity, line.measure, texts.tr, texts.language),
        unit_price=unit,
        discount=texts.percent(float(line.discount_percent) / 100) if line.discount_percent else "",
        total=total,
        purchase=NONE if bought is None else texts.exact_money(Money(bought, made.quote.currency)),
        margin=earned,
        origin="" if found.origin is None else origin_text(found.origin, texts.tr, texts.language),
    )


def _bare(line: LineRow, texts: Texts) -> LineView:
    shown = "" if line.kind is LineKind.TEXT else quantity_text(line.quantity, line.measure, texts.tr, texts.language)
    return LineView("", line.title, word(line.kind, texts.tr), shown, "", "", "", "", "", "")


def _title(section: SectionRow, texts: Texts) -> str:
    return section.title or word(section.role, texts.tr)


def _sums(quote: Quote, texts: Texts) -> Iterator[tuple[str, str]]:
    totals = quote.totals
    _ = texts.gettext
    if totals.discount.amount:
        yield _("Before discounts"), texts.exact_money(totals.before_discount)
        yield _("Discounts"), texts.exact_money(totals.discount)
    yield _("Net"), _("on request") if totals.nothing_priced else texts.exact_money(totals.net)
    for one in totals.vat or ():
        yield vat_text(one, texts.tr, texts.language), texts.exact_money(one.vat)
    if totals.gross is not None and not totals.nothing_priced:
        yield _("Gross"), texts.exact_money(totals.gross)
    if totals.vat is None:
        yield _("VAT"), _("not clarified yet")
    if totals.gaps:
        yield _("Without, because on request"), ", ".join(totals.gaps)
    if quote.options_net is not None:
        yield _("Net with all options"), texts.exact_money(quote.options_net)


def _earned(earned: Margin, row: QuoteRow, texts: Texts) -> Iterator[tuple[str, str]]:
    _ = texts.gettext
    if not any(line.internal.purchase_price is not None for line in row.lines):
        return
    yield _("Purchase"), texts.exact_money(earned.cost)
    share = (
        "" if not earned.revenue.amount else f" ({texts.percent(float(earned.amount.amount / earned.revenue.amount))})"
    )
    yield _("Margin"), texts.exact_money(earned.amount) + share
    if earned.uncovered:
        titles = {line.id: line.title for line in row.lines}
        yield _("Without purchase price"), ", ".join(titles.get(one, one) for one in earned.uncovered)

"""What of a consultation the customer may have: the part that travels inside the PDF.

Built by naming what goes along. A field that nobody named here stays with the seller.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from catalog.consultation.document import Consultation, WorkloadRow
from catalog.consultation.quote_rows import LineRow, QuoteRow, SectionRow, TermsRow
from catalog.consultation.serving import ServingRow
from engine.prices import PriceBasis
from engine.quote.document import Quote

UNCHANGED = frozenset(
    {
        *("schema_number", "customer", "language", "currency", "site", "must_have", "budget", "priority"),
        *("horizon_years", "headroom_percent", "stack", "calibrations", "ownership"),
        "catalogue",
    }
)
"""The customer's own facts and what the paper prints anyway."""
CHANGED = frozenset({"date", "workloads", "serving", "prices", "quote"})
"""Carried as far as the paper shows them."""
HELD_BACK = frozenset({"title", "notes"})
"""The seller's name for the project, and his notes."""


def customer_side(consultation: Consultation, quote: Quote) -> Consultation:
    """The consultation as the customer may read it in a file that came with `quote`.

    Prices are those the paper prints. Paths to model configurations stay; `attachments` replaces them.
    """
    kept = {name: getattr(consultation, name) for name in UNCHANGED}
    return Consultation(
        **kept,
        date=quote.as_of,
        workloads=_named(consultation.workloads, quote),
        serving=consultation.serving,
        prices={
            item: amount for item, amount in consultation.prices.items() if item in _items_with_shown_own_prices(quote)
        },
        quote=_quote(consultation.quote, quote),
    )


def with_configs(
    consultation: Consultation, workload_configs: Iterable[str | None], serving_configs: Iterable[str | None]
) -> Consultation:
    """The consultation with other paths to its model configurations, one per row."""
    workloads = tuple(
        row.model_copy(update={"config": config})
        for row, config in zip(consultation.workloads, workload_configs, strict=True)
    )
    serving = tuple(
        row.model_copy(update={"config": config})
        for row, config in zip(consultation.serving, serving_configs, strict=True)
    )
    return consultation.model_copy(update={"workloads": workloads, "serving": serving})


def config_rows(consultation: Consultation) -> tuple[WorkloadRow | ServingRow, ...]:
    """Every row that names a model."""
    return (*consultation.workloads, *consultation.serving)


def _named(rows: tuple[WorkloadRow, ...], quote: Quote) -> tuple[WorkloadRow, ...]:
    """Rows under the names the paper prints: an unnamed row of an own model is called after its folder."""
    names = () if quote.advice is None else tuple(item.name for item in quote.advice.scenario.workloads)
    if len(names) != len(rows):
        return rows
    return tuple(row.model_copy(update={"name": name}) for row, name in zip(rows, names, strict=True))


def _items_with_shown_own_prices(quote: Quote) -> set[str]:
    return {
        line.item_id
        for line in quote.shown_lines
        if line.item_id and line.origin is not None and line.origin.basis is PriceBasis.SELLER
    }


def _quote(stored: QuoteRow, quote: Quote) -> QuoteRow:
    sections = stored.sections
    return QuoteRow(
        kind=quote.kind,
        number=quote.number,
        currency=stored.currency,
        plan=stored.plan,
        sections=None if sections is None else _sections(sections, shown=quote.show_line_prices),
        discount_percent=stored.discount_percent,
        subject=quote.subject,
        introduction=quote.introduction,
        closing=quote.closing,
        tender=quote.tender,
        archivable=stored.archivable,
        show_line_prices=quote.show_line_prices,
        left_out=stored.left_out,
        # Who reopens it answers for the VAT treatment himself.
        vat_confirmed=False,
        terms=TermsRow(**{name: getattr(quote.terms, name) for name in TermsRow.model_fields}),
    )


def _sections(sections: tuple[SectionRow, ...], *, shown: bool) -> tuple[SectionRow, ...]:
    """Sections that are printed, with ids that say nothing."""
    printed = [section for section in sections if not section.struck]
    ids = {line.id: f"line-{index}" for index, line in enumerate(_lines(printed), start=1)}
    return tuple(
        SectionRow(
            role=section.role,
            title=section.title,
            lines=tuple(_line(line, ids, shown=shown and section.show_prices) for line in section.lines),
            page_break_before=section.page_break_before,
            show_prices=section.show_prices,
        )
        for section in printed
    )


def _lines(sections: Iterable[SectionRow]) -> Iterable[LineRow]:
    return (line for section in sections for line in section.lines)


def _line(line: LineRow, ids: dict[str, str], *, shown: bool) -> LineRow:
    return LineRow(
        id=ids[line.id],
        title=line.title,
        kind=line.kind,
        supply=line.supply,
        quantity=line.quantity,
        measure=line.measure,
        price=line.price if shown else None,
        on_request=line.on_request,
        discount_percent=line.discount_percent if shown else Decimal(0),
        description=line.description,
        base=ids.get(line.base, ""),
        item=line.item,
    )

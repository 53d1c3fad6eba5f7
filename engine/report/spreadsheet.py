"""The quote's lines and sums as a spreadsheet (XLSX) and as comma-separated text (CSV), from the same calculation."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from decimal import Decimal
from io import StringIO
from typing import BinaryIO

from engine.quote.document import Quote
from engine.quote.draft import LineKind
from engine.report.workbook import Cell, Look, Value, write_workbook
from engine.wording.catalogue_texts import item_name
from engine.wording.descriptions import line_description
from engine.wording.quotes import unit_text, vat_text, word
from engine.wording.translator import Language, Translator

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20", "|", "%")
"""Beginnings that some spreadsheet takes for a formula or a command, full-width forms included."""
WIDTHS = (8, 14, 48, 60, 10, 12, 10, 16, 16)
DISCOUNT_COLUMN, FIRST_MONEY_COLUMN = 6, 7


def write_xlsx(quote: Quote, language: str, tr: Translator, stream: BinaryIO) -> None:
    """Write one sheet: head, lines, sums. Numbers are numbers; texts are never taken for formulas."""
    rows = [
        [Cell(value, _look(value, column, head=number == 0)) for column, value in enumerate(row)]
        for number, row in enumerate(_rows(quote, Language(language), tr))
    ]
    write_workbook(rows, word(quote.kind, tr), WIDTHS, quote.seller.name or "Passform", quote.as_of, stream)


def _look(value: Value, column: int, *, head: bool) -> Look:
    if head:
        return Look.BOLD
    if not isinstance(value, Decimal):
        return Look.PLAIN
    if column == DISCOUNT_COLUMN:
        return Look.PERCENT
    return Look.MONEY if column >= FIRST_MONEY_COLUMN else Look.PLAIN


def csv_text(quote: Quote, language: str, tr: Translator) -> str:
    """Semicolons and decimal commas in German, commas and points in English; texts that look like formulas quoted."""
    german = Language(language) == Language.DE
    out = StringIO()
    writer = csv.writer(out, delimiter=";" if german else ",", lineterminator="\r\n")
    for row in _rows(quote, Language(language), tr):
        writer.writerow([_csv_cell(value, german=german) for value in row])
    return out.getvalue()


def _rows(quote: Quote, language: Language, tr: Translator) -> Iterator[Sequence[Value]]:
    _ = tr.gettext
    yield (
        *(_("Pos."), _("Kind"), _("Title"), _("Description"), _("Quantity"), _("Unit"), _("Discount")),
        *(f"{_('Unit price')} {quote.currency}", f"{_('Total')} {quote.currency}"),
    )
    for section in quote.sections:
        shown = quote.shows_prices_of(section)
        yield (section.number, "", section.title or word(section.role, tr))
        for line in section.lines:
            described = line_description(quote, line, tr, language)
            if line.kind is LineKind.TEXT:
                yield ("", word(line.kind, tr), item_name(line.title, tr), described)
                continue
            unit: Value = None if line.unit_price is None else line.unit_price.amount
            total: Value = None if line.total is None else line.total.amount
            if line.total is None:
                unit = total = _("on request")
            yield (
                *(line.number, word(line.kind, tr), item_name(line.title, tr), described),
                *(line.quantity, unit_text(line.quantity, line.measure, tr)),
                *((line.discount or None, unit, total) if shown else (None, None, None)),
            )
        if not shown and len(quote.sections) > 1 and section.subtotal.amount:  # without it the sum cannot be followed
            title = section.title or word(section.role, tr)
            text = _("Subtotal {number} {title}").format(number=section.number, title=title)
            yield (*("",) * 7, text, section.subtotal.amount)
    yield from _sum_rows(quote, language, tr)


def _sum_rows(quote: Quote, language: Language, tr: Translator) -> Iterator[Sequence[Value]]:
    _, totals = tr.gettext, quote.totals
    blank = ("",) * 7
    if totals.nothing_priced:
        yield (*blank, _("Sum, net"), _("on request"))
        return
    if totals.discount.amount:
        yield (*blank, _("Sum before discount"), totals.before_discount.amount)
        yield (*blank, _("Discount"), -totals.discount.amount)
    net = _("Sum of the priced positions, net") if totals.gaps else _("Sum, net")
    yield (*blank, net, totals.net.amount)
    for item in totals.vat or ():
        yield (*blank, vat_text(item, tr, language), item.vat.amount)
    if totals.gross is not None:
        gross = _("Sum of the priced positions, gross") if totals.gaps else _("Sum, gross")
        yield (*blank, gross, totals.gross.amount)
    if totals.gaps:
        # In the column of words: a spreadsheet would take "2.1" for an amount or a day.
        yield (*blank, f"{_('on request')}: {', '.join(totals.gaps)}")


def _csv_cell(value: Value, *, german: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, Decimal):
        text = f"{value:f}"
        return text.replace(".", ",") if german else text
    return "'" + value if value.lstrip(" ").startswith(FORMULA_SIGNS) else value

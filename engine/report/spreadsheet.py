"""The quote's lines and sums as a spreadsheet (XLSX) and as comma-separated text (CSV), from the same calculation."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from datetime import datetime, time
from decimal import Decimal
from io import StringIO
from typing import BinaryIO

from engine.quote.document import Quote
from engine.quote.draft import LineKind
from engine.wording.descriptions import line_description
from engine.wording.items import item_name
from engine.wording.quotes import vat_text, word
from engine.wording.translator import Language, Translator

Value = str | Decimal | None
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
WIDTHS = (8, 14, 48, 60, 10, 12, 10, 16, 16)
MONEY_FORMAT = "#,##0.00"


def write_xlsx(quote: Quote, language: str, tr: Translator, stream: BinaryIO) -> None:
    """Write one sheet: head, lines, sums. Numbers are numbers; texts are never taken for formulas."""
    from openpyxl import Workbook  # noqa: PLC0415  # only when a spreadsheet is asked for
    from openpyxl.styles import Font  # noqa: PLC0415  # as above

    book = Workbook()
    sheet = book.active
    sheet.title = word(quote.kind, tr)[:31]
    for number, row in enumerate(_rows(quote, Language(language), tr), start=1):
        for column, value in enumerate(row, start=1):
            if value is None:
                continue
            cell = sheet.cell(number, column, _printable(value) if isinstance(value, str) else value)
            if isinstance(value, str):
                cell.data_type = "s"
            elif column > 7:
                cell.number_format = MONEY_FORMAT
    for index, width in enumerate(WIDTHS):
        sheet.column_dimensions["ABCDEFGHI"[index]].width = width
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    sheet.freeze_panes = "A2"
    moment = datetime.combine(quote.as_of, time())  # the file format knows no time zone
    book.properties.creator = quote.seller.name or "Passform"
    book.properties.created = book.properties.modified = moment
    book.save(stream)


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
        yield (section.number, "", section.title or word(section.role, tr))
        for line in section.lines:
            described = line_description(quote, line, tr, language)
            if line.kind is LineKind.TEXT:
                yield ("", word(line.kind, tr), item_name(line.title, tr), described)
                continue
            shown = quote.show_line_prices
            unit: Value = None if line.unit_price is None else line.unit_price.amount
            total: Value = None if line.total is None else line.total.amount
            if line.total is None:
                unit = total = _("on request")
            yield (
                *(line.number, word(line.kind, tr), item_name(line.title, tr), described),
                *(line.quantity, word(line.measure, tr), line.discount or None),
                *((unit, total) if shown else (None, None)),
            )
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
        yield (*blank, _("Sum, gross"), totals.gross.amount)
    if totals.gaps:
        yield (*blank, _("on request"), ", ".join(totals.gaps))


def _printable(text: str) -> str:
    """Without the control characters a spreadsheet file cannot hold."""
    return "".join(sign for sign in text if sign in "\n\t" or ord(sign) >= 32)


def _csv_cell(value: Value, *, german: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, Decimal):
        text = f"{value:f}"
        return text.replace(".", ",") if german else text
    return "'" + value if value.startswith(FORMULA_SIGNS) else value

"""The result of reading a list, in words."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.catalog import shown
from catalog.prices_import.preview import Preview, RemarkKind, Row, Status
from engine.wording.translator import Translator, mark

_STATUS = {
    Status.READY: mark("ready"),
    Status.CONFIRM: mark("please confirm"),
    Status.UNKNOWN: mark("no entry of the catalogue is near"),
    Status.ON_REQUEST: mark("on request, no price"),
    Status.BAD_AMOUNT: mark("the amount cannot be read"),
    Status.NO_CURRENCY: mark("no currency is named"),
    Status.BAD_FIELD: mark("the field {field} cannot be read"),
    Status.DUPLICATE: mark("already in line {line} with another amount"),
    Status.REPEATED: mark("already in line {line} with the same amount"),
    Status.BLANK: mark("blank"),
    Status.LEFT_OUT: mark("left out"),
}
_DETAIL = {
    "empty": mark("the cell is empty"),
    "formula": mark("the cell is computed and no value was saved with it"),
    "date": mark("the cell holds a date"),
    "not-a-number": mark("the cell holds no number"),
    "not-positive": mark("the amount is not above zero"),
    "too-large": mark("the amount is too large"),
    "name": mark("the name may mean several entries"),
    "amount": mark("the point may separate thousands or cents"),
    "used": mark("the name speaks of a used piece"),
    "several": mark("the name speaks of several pieces"),
    "part": mark("the name speaks of a part or service for the product"),
    "far": mark("the amount is far from the price known so far"),
    "cut": mark("the row has more cells than the headings; the amount may be cut at its comma"),
    "pieces": mark("the number of pieces the price is for cannot be read"),
    "known": mark("the catalogue holds exactly this price"),
}


def status_words(row: Row, tr: Translator) -> str:
    """What became of a row, with the reason."""
    words = tr.gettext(_STATUS[row.status])
    if row.status in {Status.DUPLICATE, Status.REPEATED}:
        return words.format(line=row.detail)
    if row.status is Status.BAD_FIELD:
        return words.format(field=row.detail)
    detail = _DETAIL.get(row.detail)
    return words if detail is None else f"{words}: {tr.gettext(detail)}"


def _amount(row: Row) -> str:
    record = row.record
    text = shown(row.amount) if record is None or record.low == record.high else f"{record.low} – {record.high}"
    return f"{text} {row.currency}".strip()


_REMARKS = {
    RemarkKind.PRICE_COLUMN: mark("Prices are taken from the column {used}, not from {names}."),
    RemarkKind.DISCOUNT: mark("The column {names} is not applied to the prices."),
    RemarkKind.OTHER_SHEETS: mark("Only the sheet {used} is read; these look like price lists too: {names}."),
    RemarkKind.HIDDEN_SHEETS: mark("Hidden sheets are not read: {names}."),
}


def remark_words(preview: Preview, tr: Translator) -> Iterator[str]:
    """What the user should know about the whole list, a sentence each."""
    for remark in preview.remarks:
        names = ", ".join(" ".join(name.split())[:60] for name in remark.names)
        yield tr.gettext(_REMARKS[remark.kind]).format(used=" ".join(remark.used.split())[:60], names=names)


def report(preview: Preview, tr: Translator) -> Iterator[str]:
    """What concerns the whole list, one line per row that is not blank, and the sums."""
    yield from remark_words(preview, tr)
    for row in preview.rows:
        if row.status is Status.BLANK:
            continue
        amount = row.amount_text if row.amount is None else _amount(row)
        named = row.name or row.part_number
        target = f" -> {row.item_id}" if row.item_id else ""
        yield f"{row.line:>6}  {named[:60]}{target}  {amount[:40]}  {status_words(row, tr)}"
    counted = preview.count(*(status for status in Status if status is not Status.BLANK))
    yield tr.gettext("{rows} rows, {ready} ready, {confirm} to confirm, {rest} reported.").format(
        rows=counted,
        ready=preview.count(Status.READY),
        confirm=preview.count(Status.CONFIRM),
        rest=counted - preview.count(Status.READY, Status.CONFIRM),
    )

"""What a price list would do, row by row. Nothing is changed until `apply.apply`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum
from pathlib import Path

from catalog.prices_import.amounts import Amount, Style, amount_of, currency_in, style_of, trimmed
from catalog.prices_import.cells import Cell, Line, Sheet
from catalog.prices_import.columns import DISCOUNT, PIECES, Mapped, Role, find_columns, price_column, role_of
from catalog.prices_import.dates import date_in, parsed_date
from catalog.prices_import.files import read_file
from catalog.prices_import.limits import PriceListError
from catalog.prices_import.matching import Match, Matcher
from catalog.prices_import.own_export import Exported, exported, is_own_export
from catalog.prices_import.usual import UsualPrices
from engine.facts import Facts
from engine.prices import Price
from engine.progress import Progress, silent

STEP = 200  # rows between two calls of the progress function
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}/\d{1,2}/\d{4}|\d{4}/\d{2}/\d{2}")
_STATED = re.compile(r"stand|preisliste vom|price list of|as of|date|datum|gültig ab|valid from", re.IGNORECASE)
_UNTIL = re.compile(r"gültig bis|valid until|valid to", re.IGNORECASE)


class Status(StrEnum):
    """What became of a row. The value is stable."""

    READY = "ready"
    CONFIRM = "confirm"  # the name may mean several ids, or the amount two numbers
    UNKNOWN = "unknown"  # no id is near
    ON_REQUEST = "on-request"
    BAD_AMOUNT = "bad-amount"
    NO_CURRENCY = "no-currency"
    BAD_FIELD = "bad-field"  # of the program's own export
    DUPLICATE = "duplicate"  # the same id with another amount further up
    REPEATED = "repeated"  # the same id with the same amount further up
    BLANK = "blank"  # blank, a heading within the list, a remark
    LEFT_OUT = "left-out"  # by the user


class Vat(StrEnum):
    """How the amounts of a list are meant."""

    NET = "net"
    GROSS = "gross"
    UNSTATED = "unstated"
    BY_ROW = "by-row"  # the program's own export: every row says it


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user decides for a whole list. `None`: as found."""

    columns: Mapped | None = None
    currency: str = ""  # where neither cell nor heading names one
    vat: Vat | None = None
    vat_country: str = "DE"
    as_of: date | None = None
    valid_until: date | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the list and what it would do."""

    line: int
    status: Status
    name: str
    part_number: str
    amount_text: str
    item_id: str = ""
    amount: Decimal | None = None
    currency: str = ""
    match: Match | None = None
    detail: str = ""  # code of what is wrong or in doubt, the line of the duplicate, or the field that is wrong
    as_of: date | None = None
    valid_until: date | None = None
    record: Price | None = None  # of the program's own export: everything about the price, `amount` being its low end


class RemarkKind(StrEnum):
    """What the user should know about a whole list."""

    PRICE_COLUMN = "price-column"  # of several columns of prices this one is used
    DISCOUNT = "discount"  # a column of discounts is not applied
    OTHER_SHEETS = "other-sheets"
    HIDDEN_SHEETS = "hidden-sheets"


@dataclass(frozen=True, slots=True)
class Remark:
    """One remark: the column that is used, or the names it is about."""

    kind: RemarkKind
    used: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """The list as it was understood."""

    file: str
    sheet: Sheet
    columns: Mapped
    style: Style
    vat: Vat
    vat_country: str
    as_of: date
    rows: tuple[Row, ...]
    confirmed: Mapping[str, str] = field(default_factory=dict)  # names the user confirmed, with their id
    remarks: tuple[Remark, ...] = ()  # what the user should know about the whole list

    def count(self, *statuses: Status) -> int:
        """Rows of these statuses."""
        return sum(row.status in statuses for row in self.rows)

    @property
    def ready(self) -> tuple[Row, ...]:
        """The rows that `apply` takes."""
        return tuple(row for row in self.rows if row.status is Status.READY)

    def with_choice(self, line: int, item_id: str | None) -> Preview:
        """The user's word on one row: the id that is meant, or None to leave the row out."""
        rows = []
        confirmed = dict(self.confirmed)
        for row in self.rows:
            if row.line != line:
                rows.append(row)
            elif item_id is None:
                rows.append(replace(row, status=Status.LEFT_OUT))
            elif row.amount is None or not row.currency:
                rows.append(replace(row, item_id=item_id))
            else:
                rows.append(replace(row, item_id=item_id, status=Status.READY))
                if row.name:
                    confirmed[row.name] = item_id
        return replace(self, rows=tuple(rows), confirmed=confirmed)


def read_list(
    path: Path,
    facts: Facts,
    today: date,
    settings: Settings | None = None,
    remembered: Mapping[str, str] | None = None,
    progress: Progress = silent,
) -> Preview:
    """Read a list and say what it would do. Raises `PriceListError`, and `CancelledError` when `progress` does."""
    return preview(read_file(path), path.name, facts, today, settings, remembered, progress)


def preview(
    sheet: Sheet,
    name: str,
    facts: Facts,
    today: date,
    settings: Settings | None = None,
    remembered: Mapping[str, str] | None = None,
    progress: Progress = silent,
) -> Preview:
    """What the cells of a list would do, with the user's settings."""
    wanted = settings or Settings()
    columns = wanted.columns or find_columns(sheet)
    if columns is None:
        raise PriceListError("{file}: no column with names and none with prices was found.", file=name)
    if is_own_export(columns.headings):
        return _own_export(sheet, name, columns, facts, wanted.as_of or today)
    priced = price_column(columns)
    if priced is None:
        raise PriceListError("{file}: no column with prices was found.", file=name)
    role, column = priced
    body = sheet.lines[columns.first_row :]
    head = sheet.lines[: columns.first_row]
    above = (*head, *(line for line in body if sum(bool(cell.text) for cell in line.cells) == 1))
    reading = _Reading(
        columns=columns,
        price_column=column,
        style=style_of(line.at(column).text for line in body if isinstance(line.at(column).value, str)),
        currency=_heading_currency(columns.headings, column, head) or wanted.currency,
        as_of=wanted.as_of or _stated_date(above, _STATED, today) or today,
        valid_until=wanted.valid_until or _stated_date(above, _UNTIL, None),
        pieces=_pieces(columns.headings[column]) if column < len(columns.headings) else 1,
        usual=UsualPrices(facts, today),
    )
    matcher = Matcher(facts, remembered)
    rows: list[Row] = []
    for number, line in enumerate(body):
        if number % STEP == 0:
            progress(number, len(body))
        rows.append(_row(line, reading, matcher))
    progress(len(body), len(body))
    return Preview(
        file=name,
        sheet=sheet,
        columns=columns,
        style=reading.style,
        vat=wanted.vat or {Role.NET: Vat.NET, Role.GROSS: Vat.GROSS}.get(role) or _stated_vat(columns, column, head),
        vat_country=wanted.vat_country,
        as_of=reading.as_of,
        rows=tuple(_without_doubles(rows)),
        remarks=tuple(_remarks(sheet, columns, column)),
    )


def _remarks(sheet: Sheet, columns: Mapped, price: int) -> Iterator[Remark]:
    headings = columns.headings
    if columns.rivals:
        names = tuple(headings[column] for column in columns.rivals if column != price)
        yield Remark(RemarkKind.PRICE_COLUMN, headings[price] if price < len(headings) else "", names)
    discounts = tuple(heading for heading in headings if DISCOUNT.search(heading))
    if discounts:
        yield Remark(RemarkKind.DISCOUNT, names=discounts)
    if sheet.other_sheets:
        yield Remark(RemarkKind.OTHER_SHEETS, sheet.name.rpartition(" / ")[2], sheet.other_sheets)
    if sheet.hidden_sheets:
        yield Remark(RemarkKind.HIDDEN_SHEETS, names=sheet.hidden_sheets)


def _own_export(sheet: Sheet, name: str, columns: Mapped, facts: Facts, as_of: date) -> Preview:
    matcher = Matcher(facts)
    rows = tuple(_own_row(row, matcher) for row in exported(sheet.lines[columns.first_row :], columns.headings, facts))
    return Preview(name, sheet, columns, Style.POINT, Vat.BY_ROW, "", as_of, rows)


def _own_row(exported_row: Exported, matcher: Matcher) -> Row:
    item_id, record = exported_row.item_id, exported_row.record
    row = Row(exported_row.line.number, Status.BAD_FIELD, item_id, "", exported_row.amount_text)
    if record is None:
        return replace(row, detail=exported_row.problem)
    row = replace(row, amount=record.low, currency=record.currency, valid_until=record.valid_until, record=record)
    match = matcher.match(item_id, (), "")
    if match is None:
        return replace(row, status=Status.UNKNOWN)
    detail = "known" if exported_row.known else ""
    return replace(row, status=Status.READY, item_id=item_id, match=match, detail=detail)


@dataclass(frozen=True, slots=True)
class _Reading:
    columns: Mapped
    price_column: int
    style: Style
    currency: str
    as_of: date
    valid_until: date | None
    pieces: int  # the prices are for, by the heading
    usual: UsualPrices


def _row(line: Line, reading: _Reading, matcher: Matcher) -> Row:
    columns = reading.columns.columns
    name = _text(line, columns.get(Role.NAME))
    part = _text(line, columns.get(Role.PART_NUMBER))
    own_id = _text(line, columns.get(Role.ID))
    cell = line.at(reading.price_column)
    row = Row(line.number, Status.BLANK, name or own_id, part, cell.text)
    if line.is_blank or not (name or part or own_id) or _is_heading(line, reading):
        return row
    amount = _per_piece(amount_of(cell, reading.style), line, reading)
    match = matcher.match(own_id, [part] if part else [], name or own_id)
    currency = amount.currency or currency_in(_text(line, columns.get(Role.CURRENCY))) or reading.currency
    status, detail = _status(amount, match, currency, line, cell)
    if status is Status.READY and match is not None and reading.usual.is_far(match.item_id, amount.value, currency):
        status, detail = Status.CONFIRM, "far"
    return replace(
        row,
        status=status,
        detail=detail,
        item_id="" if match is None else match.item_id,
        amount=amount.value,
        currency=currency,
        match=match,
        as_of=date_in(line.at(columns[Role.AS_OF])) if Role.AS_OF in columns else None,
        valid_until=(date_in(line.at(columns[Role.VALID_UNTIL])) if Role.VALID_UNTIL in columns else None)
        or reading.valid_until,
    )


def _status(amount: Amount, match: Match | None, currency: str, line: Line, cell: Cell) -> tuple[Status, str]:
    if amount.on_request:
        return Status.ON_REQUEST, ""
    if amount.value is None:
        alone = amount.problem == "empty" and sum(bool(other.text) for other in line.cells) <= 1
        return (Status.BLANK, "") if alone and not cell.formula else (Status.BAD_AMOUNT, amount.problem)
    if match is None:
        return Status.UNKNOWN, ""
    if not currency:
        return Status.NO_CURRENCY, ""
    if not match.is_sure:
        return Status.CONFIRM, match.doubt or "name"
    return (Status.CONFIRM, "amount") if amount.ambiguous else (Status.READY, "")


def _per_piece(amount: Amount, line: Line, reading: _Reading) -> Amount:
    """The amount for one piece, where heading or row say that it is for more; a row cut at its comma has none."""
    beyond = line.cells[len(reading.columns.headings) :]
    cents = line.at(reading.price_column + 1).text
    if amount.value is not None and any(cell.text for cell in beyond) and re.fullmatch(r"\d\d", cents):
        return replace(amount, value=None, problem="cut")
    pieces = reading.pieces
    column = reading.columns.columns.get(Role.PER)
    digits = re.sub(r"[^\d.,]", "", _text(line, column))
    if digits:
        number = amount_of(Cell(digits), Style.UNKNOWN).value
        if number is None or number != number.to_integral_value():
            return replace(amount, value=None, problem="pieces")
        pieces = int(number)
    return amount if amount.value is None or pieces == 1 else replace(amount, value=trimmed(amount.value / pieces))


def _pieces(heading: str) -> int:
    found = PIECES.search(heading)
    return 1 if found is None else max(1, int((found.group(1) or found.group(2)).replace(".", "")))


def _is_heading(line: Line, reading: _Reading) -> bool:
    """The heading row once more, as lists of several pages repeat it."""
    texts = {cell.text for cell in line.cells if cell.text}
    known = {heading for heading in reading.columns.headings if heading}
    if len(texts) < 2 or len(texts & known) * 2 < len(texts):
        return False
    return all(role_of(text) is not None for text in texts & known)


def _without_doubles(rows: Iterable[Row]) -> Iterable[Row]:
    """The first row of an id counts; a later one is named with the line of the first."""
    first: dict[str, Row] = {}
    for row in rows:
        if row.status is not Status.READY:
            yield row
            continue
        known = first.setdefault(row.item_id, row)
        if known is row:
            yield row
        else:
            same = (known.amount, known.currency) == (row.amount, row.currency)
            yield replace(row, status=Status.REPEATED if same else Status.DUPLICATE, detail=str(known.line))


def _text(line: Line, column: int | None) -> str:
    return "" if column is None else line.at(column).text


def _heading_currency(headings: tuple[str, ...], column: int, head: Iterable[Line]) -> str:
    if column < len(headings):
        named = currency_in(headings[column])
        if named:
            return named
    found = {currency_in(cell.text) for line in head for cell in line.cells if 0 < len(cell.text) <= 120} - {""}
    return found.pop() if len(found) == 1 else ""


def _stated_vat(columns: Mapped, price: int, head: Iterable[Line]) -> Vat:
    above = [line for number, line in enumerate(head) if number not in columns.header_rows]
    silent = columns.flags_and_days | ({*columns.rivals} - {price})
    headings = [text for column, text in enumerate(columns.headings) if column not in silent]
    texts = [*headings, *(cell.text for line in above for cell in line.cells if cell.text)]
    roles = {role_of(text) for text in texts if len(text) <= 120} | {_sentence_vat(text) for text in texts}
    if Role.NET in roles and Role.GROSS not in roles:
        return Vat.NET
    return Vat.GROSS if Role.GROSS in roles and Role.NET not in roles else Vat.UNSTATED


def _sentence_vat(text: str) -> Role | None:
    if re.search(r"zzgl|exkl|excl|netto|ohne\s*mwst", text, re.IGNORECASE):
        return Role.NET
    return Role.GROSS if re.search(r"inkl|incl|brutto", text, re.IGNORECASE) else None


def _stated_date(head: Iterable[Line], pattern: re.Pattern[str], latest: date | None) -> date | None:
    """A date in the lines above the headings that says what it is."""
    for line in head:
        joined = " ".join(cell.text for cell in line.cells if cell.text)
        if pattern.search(joined) and (pattern is _UNTIL or not _UNTIL.search(joined)):
            found = _DATE.search(joined)
            day = None if found is None else parsed_date(found.group())
            if day is not None and (latest is None or day <= latest):
                return day
    return None

"""Which column holds what: found by its heading, shown in the preview, changed by the user."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from catalog.prices_import.cells import Cell, Line, Sheet

SEARCHED_LINES = 40
SEARCHED_CELLS = 200  # of a column, to tell amounts from flags and days


class Role(StrEnum):
    """What a column can hold."""

    ID = "id"
    PART_NUMBER = "part-number"
    NAME = "name"
    NET = "net"
    GROSS = "gross"
    PRICE = "price"  # VAT not stated
    CURRENCY = "currency"
    AS_OF = "as-of"
    VALID_UNTIL = "valid-until"


@dataclass(frozen=True, slots=True)
class Mapped:
    """The columns of a list. `first_row` is the index of the first row after the headings."""

    columns: Mapping[Role, int]
    headings: tuple[str, ...]
    first_row: int
    header_rows: tuple[int, ...]
    flags_and_days: frozenset[int] = frozenset()  # columns whose heading speaks of prices and whose cells hold none

    def with_column(self, role: Role, column: int | None) -> Mapped:
        """The same mapping with one role given to another column, or to none."""
        columns = {known: place for known, place in self.columns.items() if known is not role}
        if column is not None:
            columns[role] = column
        return replace(self, columns=columns)


_PATTERNS: tuple[tuple[Role, re.Pattern[str]], ...] = tuple(
    (role, re.compile(pattern, re.IGNORECASE))
    for role, pattern in (
        (Role.VALID_UNTIL, r"g(ü|ue)ltig\s*bis|valid\s*(until|to|till)|valid_until|ablauf|expir"),
        (Role.AS_OF, r"^stand|g(ü|ue)ltig\s*(ab|seit)|valid\s*from|as[_ ]of|preisdatum|price\s*date|^datum$|^date$"),
        (Role.NET, r"netto|\bnet\b|ohne\s*mwst|exkl|excl|zzgl|\bhek\b|ex\s*vat"),
        (Role.GROSS, r"brutto|\bgross\b|inkl|incl|mit\s*mwst|inc\.?\s*vat|\buvp\b"),
        (Role.CURRENCY, r"^w(ä|ae)hrung|^currency|^whg\.?$|^curr\.?$|^waehr"),
        (Role.ID, r"^(passform[- _]?)?id$|^item$|^item[_ ]id$|katalog-?id"),
        (
            Role.PART_NUMBER,
            r"art(ikel|\.)?\s*[-.]?\s*(nr|nummer|no)|part\s*(number|no|nr|#)|\bsku\b|\bmpn\b|hersteller-?\s*nr|bestell-?\s*nr|"
            r"herstellernummer|material(nummer|nr)|\bp/?n\b|part_number|item\s*(no|number)|^pn$",
        ),
        (Role.PRICE, r"preis|price|^low$|\bvk\b|\bek\b|betrag|amount|kosten|cost|\beur\b|\busd\b|\bchf\b|€"),
        (
            Role.NAME,
            r"bezeichnung|beschreibung|produkt|product|^artikel$|^name$|description|model(l)?$|text|^item name|"
            r"grafikkarte|gpu",
        ),
    )
)
_PRICED = frozenset({Role.NET, Role.GROSS, Role.PRICE})
_FLAG_OR_DAY = re.compile(
    r"ja|nein|yes|no|true|false|wahr|falsch|[jnyx01]|"
    r"\d{4}[-/]\d{1,2}([-/]\d{1,2})?|\d{1,2}[./]\d{1,2}[./](\d{4}|\d{2})",
    re.IGNORECASE,
)
_NOT_PRICES = re.compile(
    r"menge|qty|quantity|stück|bestand|lager|stock|rabatt|discount|mwst\s*%|vat\s*%|steuersatz", re.IGNORECASE
)


def find_columns(sheet: Sheet) -> Mapped | None:
    """The best heading row among the first rows, joined with a second heading row below; None when there is none."""
    best: tuple[int, int] | None = None
    for index, line in enumerate(sheet.lines[:SEARCHED_LINES]):
        score = _score(line)
        if score > 0 and (best is None or score > best[0]):
            best = (score, index)
    if best is None:
        return None
    index = best[1]
    rows = _header_rows(sheet, index)
    headings = _joined([sheet.lines[row] for row in rows])
    others = _flags_and_days(headings, sheet.lines[rows[-1] + 1 :])
    columns = roles_of("" if column in others else heading for column, heading in enumerate(headings))
    if not _is_usable(columns):
        return None
    return Mapped(columns, headings, rows[-1] + 1, tuple(rows), others)


def roles_of(headings: Iterable[str]) -> dict[Role, int]:
    """The role of each heading; the first column of a role counts."""
    columns: dict[Role, int] = {}
    for column, heading in enumerate(headings):
        role = role_of(heading)
        if role is not None and role not in columns:
            columns[role] = column
    return columns


def role_of(heading: str) -> Role | None:
    """What a heading says its column holds."""
    heading = heading.strip()
    if not heading or len(heading) > 80 or _NOT_PRICES.search(heading):
        return None
    return next((role for role, pattern in _PATTERNS if pattern.search(heading)), None)


def _flags_and_days(headings: tuple[str, ...], body: Sequence[Line]) -> frozenset[int]:
    """Columns that a heading such as "price incl. VAT?" or "price changed" makes look like amounts."""
    return frozenset(
        column
        for column, heading in enumerate(headings)
        if role_of(heading) in _PRICED and _holds_no_amounts(line.at(column) for line in body[:SEARCHED_CELLS])
    )


def _holds_no_amounts(cells: Iterable[Cell]) -> bool:
    filled = [cell for cell in cells if cell.text]
    return bool(filled) and all(isinstance(cell.value, date) or _FLAG_OR_DAY.fullmatch(cell.text) for cell in filled)


def price_column(mapped: Mapped) -> tuple[Role, int] | None:
    """The column the amounts come from: net before unstated before gross."""
    return next(
        ((role, mapped.columns[role]) for role in (Role.NET, Role.PRICE, Role.GROSS) if role in mapped.columns), None
    )


def _is_usable(columns: Mapping[Role, int]) -> bool:
    named = {Role.ID, Role.PART_NUMBER, Role.NAME} & set(columns)
    priced = _PRICED & set(columns)
    return bool(named and priced)


def _score(line: Line) -> int:
    roles = {role_of(cell.text) for cell in line.cells} - {None}
    named = bool(roles & {Role.ID, Role.PART_NUMBER, Role.NAME})
    priced = bool(roles & _PRICED)
    if _holds_numbers(line):
        return 0
    return len(roles) + 3 * (named + priced) if named or priced else 0


def _holds_numbers(line: Line) -> bool:
    return any(isinstance(cell.value, str) is False and cell.text for cell in line.cells) or any(
        re.fullmatch(r"[\d.,'’\s€$]{3,}", cell.text) for cell in line.cells
    )


def _header_rows(sheet: Sheet, index: int) -> list[int]:
    """A heading may be spread over two rows: merged cells above, their parts below, or the other way round."""
    rows = [index]
    after, before = index + 1, index - 1
    if after < len(sheet.lines) and _continues(sheet.lines[after]):
        rows.append(after)
    elif before >= 0 and _continues(sheet.lines[before]) and len(_filled(sheet.lines[before])) > 1:
        rows.insert(0, before)
    return rows


def _continues(line: Line) -> bool:
    filled = _filled(line)
    if not filled or _holds_numbers(line):
        return False
    return all(len(cell.text) <= 30 for cell in filled) and any(role_of(cell.text) for cell in filled)


def _filled(line: Line) -> list[Cell]:
    return [cell for cell in line.cells if cell.text]


def _joined(lines: list[Line]) -> tuple[str, ...]:
    width = max(len(line.cells) for line in lines)
    parts: list[list[str]] = [[] for _ in range(width)]
    for depth, line in enumerate(lines):
        carried = ""
        for column in range(width):
            text = line.at(column).text
            carried = text or carried
            spread = carried if depth == 0 and len(lines) > 1 and _below_is_filled(lines, column) else text
            if spread:
                parts[column].append(spread)
    return tuple(" ".join(part) for part in parts)


def _below_is_filled(lines: list[Line], column: int) -> bool:
    return any(line.at(column).text for line in lines[1:])

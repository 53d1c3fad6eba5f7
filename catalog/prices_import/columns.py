"""Which column holds what: found by its heading, shown in the preview, changed by the user."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from catalog.prices_import.amounts import CURRENCIES, is_on_request, looks_like_amount
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
    PER = "per"  # pieces the price is for
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
    rivals: tuple[int, ...] = ()  # further columns of prices, which are not used

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
        (Role.PER, r"^(pe|preis-?einheit|price\s*unit|per|je|pro|preis\s*(je|pro)|price\s*per)\.?$"),
        (Role.NET, r"netto|\bnet\b|ohne\s*mwst|exkl|excl|zzgl|\bh?ek\b|\beinkauf|ex\s*vat|\bdealer\s*price"),
        (Role.GROSS, r"brutto|\bgross\b|inkl|incl|mit\s*mwst|inc\.?\s*vat|\buvp\b"),
        (Role.CURRENCY, r"^w(ä|ae)hrung|^currency|^whg\.?$|^curr?\.?$|^waehr|^valuta$|^devise"),
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
            r"grafikkarte|gpu|^typ(e|bezeichnung)?$|^titel$|^title$|^ware$|^position$",
        ),
    )
)
_PRICE_ORDER = (Role.NET, Role.PRICE, Role.GROSS)
_PRICED = frozenset(_PRICE_ORDER)
_FLAG_OR_DAY = re.compile(
    r"ja|nein|yes|no|true|false|wahr|falsch|[jnyx01]|"
    r"\d{4}[-/]\d{1,2}([-/]\d{1,2})?|\d{1,2}[./]\d{1,2}[./](\d{4}|\d{2})",
    re.IGNORECASE,
)
_NOT_PRICES = re.compile(
    r"menge|qty|quantity|stück(?!\s*-?preis)|bestand|lager|stock|rabatt|discount|mwst\s*%|vat\s*%|steuersatz|"
    r"preis(gruppe|liste$|art|basis|code|klasse)|price\s*(group|class|code|list$)",
    re.IGNORECASE,
)
_PRICE_FOR_PIECES = re.compile(r"(preis|price|netto|\bnet\b).*\b(je|pro|per|für|for)\s*\d", re.IGNORECASE)
PIECES = re.compile(
    r"\b(?:je|pro|per)\s*(10|100|1\.?000)\b|\b(?:je|pro|per|für|for)\s*(\d[\d.]*)\s*(?:stk|stück|st|pcs|pieces|units)\b",
    re.IGNORECASE,
)
"""The number of pieces a heading says its prices are for."""
DISCOUNT = re.compile(r"rabatt|discount|nachlass", re.IGNORECASE)
_PRODUCT = re.compile(r"\bRTX\b|\b[A-Z]{1,3}\d{2,4}[A-Z]{0,2}\b")
_RANKS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bvk\b|verkauf|endkunde|end\s*customer|sales\s*price|resell|ihr\b|\byour\b|einzel|\bunit\b|stück-?\s*preis|kundenpreis",
        r"",
        r"\bh?ek\b|einkauf|dealer|purchase|cost\b",
        r"\buvp\b|\bliste|\blist\b|msrp|\brrp\b|\balt(er)?\b|\bold\b|statt",
        r"gesamt|total|summe|\bsum\b|zeilen|positionswert|line\s*(price|amount)|versand|shipping|fracht|freight|pfand|urheber|miete|leasing|\brent\b|monat|month",
    )
)
"""Which of several columns of prices is meant: the customer's price for one piece, before any, cost, list, totals."""


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
    columns, rivals = roles_of("" if column in others else heading for column, heading in enumerate(headings))
    if not _is_usable(columns):
        return None
    if Role.CURRENCY not in columns:
        named = _currency_column(sheet.lines[rows[-1] + 1 :], set(columns.values()) | set(rivals))
        columns |= {} if named is None else {Role.CURRENCY: named}
    return Mapped(columns, headings, rows[-1] + 1, tuple(rows), others, rivals)


def roles_of(headings: Iterable[str]) -> tuple[dict[Role, int], tuple[int, ...]]:
    """The role of each heading, the first column of a role; of several columns of prices the one that is meant.

    Also returns the columns of prices that are not.
    """
    columns: dict[Role, int] = {}
    priced: list[tuple[int, int, int, int, Role]] = []
    for column, heading in enumerate(headings):
        role = role_of(heading)
        if role in _PRICED:
            priced.append((_rank(heading), -_year(heading), _PRICE_ORDER.index(role), column, role))
        elif role is not None and role not in columns:
            columns[role] = column
    if priced:
        *_, column, role = min(priced)
        columns[role] = column
    chosen = columns.get(min(priced)[-1]) if priced else None
    return columns, tuple(sorted(column for *_, column, _role in priced if column != chosen))


def _rank(heading: str) -> int:
    """The last kind of price the heading speaks of; the second kind when it speaks of none."""
    named = [number for number, pattern in enumerate(_RANKS) if pattern.pattern and pattern.search(heading)]
    return max(named, default=1)


def _year(heading: str) -> int:
    """Of the prices of two years those of the later one are meant."""
    found = re.search(r"\b20\d\d\b", heading)
    return 0 if found is None else int(found.group())


def _currency_column(body: Sequence[Line], taken: set[int]) -> int | None:
    """A column that holds nothing but currencies, whatever its heading says."""
    width = max((len(line.cells) for line in body[:SEARCHED_CELLS]), default=0)
    for column in range(width):
        texts = {line.at(column).text.lower().rstrip(".") for line in body[:SEARCHED_CELLS]} - {""}
        if column not in taken and texts and texts <= CURRENCIES.keys():
            return column
    return None


def role_of(heading: str) -> Role | None:
    """What a heading says its column holds."""
    heading = heading.replace("_", " ").strip()
    if not heading or len(heading) > 80:
        return None
    if _NOT_PRICES.search(heading) and not _PRICE_FOR_PIECES.search(heading):
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
    return next(((role, mapped.columns[role]) for role in _PRICE_ORDER if role in mapped.columns), None)


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
        re.fullmatch(r"[\d.,'’\s€$]{3,}", cell.text) or looks_like_amount(cell.text) for cell in line.cells
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
    if not filled or _holds_numbers(line) or any(_is_of_a_product(cell.text) for cell in filled):
        return False
    return all(len(cell.text) <= 30 for cell in filled) and any(role_of(cell.text) for cell in filled)


def _is_of_a_product(text: str) -> bool:
    """A product's name, or what stands in place of its price: no heading, though it may hold a heading's word."""
    return is_on_request(text) or _PRODUCT.search(text) is not None


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

"""Amounts as resellers write them: decimal comma or point, thousands marks, currency before, after or elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from catalog.prices_import.cells import Cell

CURRENCIES = {
    "€": "EUR",
    "eur": "EUR",
    "euro": "EUR",
    "$": "USD",
    "us$": "USD",
    "usd": "USD",
    "£": "GBP",
    "gbp": "GBP",
    "chf": "CHF",
    "sfr": "CHF",
    "fr": "CHF",
    "pln": "PLN",
    "zł": "PLN",
    "czk": "CZK",
    "sek": "SEK",
    "dkk": "DKK",
}
_ON_REQUEST = re.compile(
    r"^((preis|price)?\s*(bitte\s*)?(auf|nach|up)?\s*(on\s*)?(anfrage|request|application|enquiry)|a\.?\s*a\.?|anfragen|"
    r"p\.?o\.?[ar]\.?|call|tba|tbd|#?n\.?/?a\.?|#nv|k\.?\s*a\.?|tagespreis|market\s*price|-+|–|—|\?)!?$",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(r"^[-−–]\s*[\d.,'’\s]*\d|^\([\d.,'’\s]*\d[\d.,'’\s]*\)$|^[\d.,'’\s]*\d,\d\d\s*[-−]$")
_PER_PIECE = re.compile(
    r"\s*(/|\bje\b|\bpro\b|\bper\b)\s*(stk|stck|stück|st|pc|pce|piece|unit|each|ea|karte|card)\.?$", re.IGNORECASE
)
_WITHOUT_VAT = re.compile(
    r"[\s,(]*(netto|\bnet\b|(zzgl|exkl|excl|ohne|plus|ex)\.?\s*(\d{1,2}\s*%\s*)?(mwst|ust|vat|tax)\.?)[\s)]*$",
    re.IGNORECASE,
)
_FOOTNOTE = re.compile(r"(?<=[\d€$£a-z.])\s*[*¹²³†]+\)?$", re.IGNORECASE)
_CURRENCY = re.compile(
    r"(?<![a-zł])(us\$|€|\$|£|eur(?:o)?|usd|gbp|chf|sfr\.?|fr\.?|pln|zł|czk|sek|dkk)(?![a-z])", re.IGNORECASE
)
_NUMBER = re.compile(r"^[+]?\d[\d.,'’\s]*$")
_SCIENTIFIC = re.compile(r"^\d+(?:[.,]\d+)?e[+]?\d{1,2}$", re.IGNORECASE)
_ROUND_END = re.compile(r"[.,]\s*[-–—]+$")
_BLANKS = dict.fromkeys(map(ord, "\u00a0\u202f\u2007\u2009"), " ")
LONGEST = 160  # signs of a cell with an amount and every remark that is left out of it
HIGHEST = Decimal(100_000_000)


class Style(StrEnum):
    """What separates the cents."""

    COMMA = "comma"
    POINT = "point"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Amount:
    """What an amount cell says. `value` None: see `problem`."""

    value: Decimal | None
    currency: str = ""
    on_request: bool = False
    ambiguous: bool = False  # "1.234" without any other row that tells point from comma
    problem: str = ""


def currency_in(text: str) -> str:
    """The currency named in a text, or nothing."""
    found = _CURRENCY.search(text)
    return "" if found is None else CURRENCIES[found.group(1).lower().rstrip(".")]


def style_of(texts: Iterable[str]) -> Style:
    """What separates the cents in a column: decided by the cells that leave no doubt."""
    votes: Counter[Style] = Counter()
    for text in texts:
        digits = _digits(text)
        comma, point = digits.rfind(","), digits.rfind(".")
        if comma >= 0 and point >= 0:
            votes[Style.COMMA if comma > point else Style.POINT] += 1
        elif digits.count(",") > 1 or digits.count(".") > 1:
            votes[Style.POINT if "," in digits else Style.COMMA] += 1
        else:
            tail = re.search(r"([.,])(\d+)$", digits)
            if tail is not None and len(tail.group(2)) != 3:
                votes[Style.COMMA if tail.group(1) == "," else Style.POINT] += 1
    if not votes:
        return Style.UNKNOWN
    (first, count), *rest = votes.most_common()
    return Style.UNKNOWN if rest and rest[0][1] == count else first


def amount_of(cell: Cell, style: Style) -> Amount:
    """The amount in a cell, read in the style of its column."""
    if isinstance(cell.value, Decimal):
        return _checked(Amount(cell.value, cell.currency))
    if isinstance(cell.value, date):
        return Amount(None, problem="date")
    text = _tidy(cell.text).lstrip("'").strip()
    if not text:
        return Amount(None, problem="formula" if cell.formula else "empty")
    if len(text) > LONGEST:
        return Amount(None, problem="not-a-number")
    if is_on_request(text):
        return Amount(None, on_request=True)
    currency = currency_in(text) or cell.currency
    bare = _without_currency(_without_remarks(text))
    if _NEGATIVE.match(bare):
        return Amount(None, currency, problem="not-positive")
    if rounded := _ROUND_END.search(bare):  # "1.234,-": what stands before the dash separates the cents
        style = Style.COMMA if rounded.group().startswith(",") else Style.POINT
        bare = bare[: rounded.start()].strip()
    bare = re.sub(r"^(?:ab|from|ca\.?)\s+", "", bare, flags=re.IGNORECASE)
    if _SCIENTIFIC.match(bare):
        return _checked(Amount(Decimal(bare.replace(",", ".")), currency))
    if not _NUMBER.match(bare):
        return Amount(None, currency, problem="not-a-number")
    return _checked(_from_digits(bare, currency, style))


def _tidy(text: str) -> str:
    """The text with single blanks: the patterns look for blanks everywhere, and a cell can hold thousands."""
    return " ".join(text.translate(_BLANKS).split())


def _without_remarks(text: str) -> str:
    """The text without "per piece", "net" and signs of footnotes behind the amount; "gross" stays, as it changes it."""
    for _ in range(3):
        for remark in (_FOOTNOTE, _PER_PIECE, _WITHOUT_VAT):
            text = remark.sub("", text)
    return text.strip()


def is_on_request(text: str) -> bool:
    """Whether a cell says in place of an amount that there is none yet."""
    tidy = _tidy(text)
    return len(tidy) <= LONGEST and _ON_REQUEST.match(tidy) is not None


def looks_like_amount(text: str) -> bool:
    """Whether a cell holds an amount of at least three digits rather than a heading."""
    return sum(sign.isdigit() for sign in text) >= 3 and amount_of(Cell(text), Style.UNKNOWN).value is not None


def _without_currency(text: str) -> str:
    """The text without a currency before or after the number; one in the middle stays and makes it no number."""
    for _ in range(2):  # "EUR 12 €"
        found = next((place for place in _CURRENCY.finditer(text) if _at_an_end(place, text)), None)
        if found is None:
            break
        text = (text[: found.start()] + " " + text[found.end() :]).strip()
    return text


def _at_an_end(place: re.Match[str], text: str) -> bool:
    return not text[: place.start()].strip() or not text[place.end() :].strip(" .")


def _from_digits(bare: str, currency: str, style: Style) -> Amount:
    digits = _digits(bare)
    comma, point = digits.rfind(","), digits.rfind(".")
    if comma >= 0 and point >= 0:
        separator = "," if comma > point else "."
    elif comma < 0 and point < 0:
        return Amount(Decimal(digits), currency)
    else:
        mark = "," if comma >= 0 else "."
        if digits.count(mark) > 1:
            separator = ""
        elif len(digits) - digits.rfind(mark) - 1 == 3:
            wanted = {Style.COMMA: ",", Style.POINT: "."}.get(style)
            return _three_digits(digits, mark, wanted, currency)
        else:
            separator = mark
    return _joined(digits, separator, currency)


def _three_digits(digits: str, mark: str, cents: str | None, currency: str) -> Amount:
    """One mark and three digits after it: thousands, unless the column uses that mark for cents."""
    if cents == mark:
        return Amount(_joined(digits, mark, currency).value, currency, ambiguous=True)
    read = _joined(digits, "", currency)
    return Amount(read.value, currency, ambiguous=cents is None, problem=read.problem)


def _joined(digits: str, separator: str, currency: str) -> Amount:
    whole, _, fraction = digits.rpartition(separator) if separator else (digits, "", "")
    groups = re.split(r"[.,]", whole)
    if not groups[0] or any(len(group) != 3 for group in groups[1:]) or (not fraction.isdigit() and separator):
        return Amount(None, currency, problem="not-a-number")
    try:
        return Amount(Decimal("".join(groups) + ("." + fraction if separator else "")), currency)
    except InvalidOperation:
        return Amount(None, currency, problem="not-a-number")


def _digits(text: str) -> str:
    bare = _CURRENCY.sub("", text.translate(_BLANKS))
    return re.sub(r"[\s'’+]", "", _ROUND_END.sub("", bare.strip()))


def _checked(amount: Amount) -> Amount:
    if amount.value is None:
        return amount
    if amount.value <= 0:
        return Amount(None, amount.currency, problem="not-positive")
    if amount.value > HIGHEST:
        return Amount(None, amount.currency, problem="too-large")
    return Amount(trimmed(amount.value), amount.currency, ambiguous=amount.ambiguous)


def trimmed(value: Decimal) -> Decimal:
    """At most four decimal places, without trailing zeros and without an exponent."""
    short = value.quantize(Decimal("0.0001")).normalize()
    return short.quantize(Decimal(1)) if short == short.to_integral_value() else short

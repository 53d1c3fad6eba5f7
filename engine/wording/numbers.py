"""Numbers, money, sizes, times and dates as a German or English reader expects them.

Every number and its unit are joined by a no-break space, so that a line never ends between them. German groups
thousands with a point, English with a comma. Rounding is half up on the decimal value, never on a binary float's
neighbour, so that the same figure reads the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from engine.units import GB, GIB, Money, round_money
from engine.wording.translator import Language

NO_BREAK_SPACE = "\u00a0"
MINUS = "\u2212"
EN_DASH = "\u2013"

_DECIMAL_MARK = {Language.DE: ",", Language.EN: "."}
_GROUP_MARK = {Language.DE: ".", Language.EN: ","}
_MONTHS = {
    Language.DE: (
        *("Januar", "Februar", "März", "April", "Mai", "Juni"),
        *("Juli", "August", "September", "Oktober", "November", "Dezember"),
    ),
    Language.EN: (
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    ),
}
Number = int | float | Decimal


def number(value: Number, places: int, language: Language) -> str:
    """A number with a fixed count of decimal places, thousands grouped; a rounded-away minus sign is dropped."""
    rounded = _exact(value).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    digits = f"{abs(rounded):f}"
    whole, _, fraction = digits.partition(".")
    grouped = f"{int(whole):,}".replace(",", _GROUP_MARK[language])
    sign = MINUS if rounded < 0 else ""
    return sign + grouped + (_DECIMAL_MARK[language] + fraction if fraction else "")


def integer(value: int, language: Language) -> str:
    """A whole number, thousands grouped."""
    return number(value, 0, language)


def significant(value: Number, language: Language, digits: int = 3) -> str:
    """An estimate to at most `digits` significant digits: 144.421 is 144, 72.21 is 72.2, 1128.9 is 1,130."""
    exact = _exact(value)
    if exact == 0:
        return "0"
    places = digits - 1 - exact.adjusted()
    rounded = exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    places = digits - 1 - rounded.adjusted()  # 99.96 rounds up to 100 and then needs one place less
    return number(rounded.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP), max(places, 0), language)


def plain(value: Number, language: Language) -> str:
    """A published figure as it was published: all its digits, no trailing zeros."""
    exact = _exact(value).normalize()
    exponent = exact.as_tuple().exponent
    return number(exact, max(0, -exponent) if isinstance(exponent, int) else 0, language)


PUBLISHED_DIGITS, RATE_DIGITS = 10, 6
"""No rate is published with more than ten digits: such a one was computed over a third currency, and gets six."""


def exchange_rate(value: Number, language: Language) -> str:
    """A rate as published, all its digits; one computed over a third currency cut: 0.831072639... is 0.831073."""
    exact = _exact(value)
    if len(exact.as_tuple().digits) <= PUBLISHED_DIGITS:
        return plain(exact, language)
    step = Decimal(1).scaleb(exact.adjusted() + 1 - RATE_DIGITS)
    return plain(exact.quantize(step, rounding=ROUND_HALF_UP), language)


def with_unit(text: str, unit: str) -> str:
    """Join a formatted number and its unit so that they never part."""
    return text + NO_BREAK_SPACE + unit if unit else text


def money(amount: Money, language: Language) -> str:
    """An amount to the cent: `1.573,45 EUR` in German, `EUR 1,573.45` in English."""
    return in_currency(number(round_money(amount.amount), 2, language), amount.currency, language)


def money_whole(amount: Money, language: Language) -> str:
    """A guide figure for screens and estimates: without cents, except where they are most of it."""
    return in_currency(number(amount.amount, _places(amount.amount), language), amount.currency, language)


def _places(amount: Decimal) -> int:
    """Cents below ten only: a run for 0.31 does not cost nothing."""
    return 2 if abs(amount) < 10 and amount != amount.to_integral_value() else 0


def gigabytes(size_bytes: int, language: Language, digits: int = 3) -> str:
    """Decimal gigabytes as an estimate: `72,2 GB`."""
    return with_unit(significant(Decimal(size_bytes) / GB, language, digits), "GB")


def gigabytes_exact(size_bytes: int, language: Language, places: int = 3) -> str:
    """Decimal gigabytes with fixed places, for annex and columns."""
    return with_unit(number(Decimal(size_bytes) / GB, places, language), "GB")


def gibibytes(size_bytes: int, language: Language, places: int = 1) -> str:
    """Binary gibibytes, the unit of `nvidia-smi` and PyTorch."""
    return with_unit(number(Decimal(size_bytes) / GIB, places, language), "GiB")


def byte_count(size_bytes: int, language: Language) -> str:
    """A whole number of bytes."""
    return with_unit(integer(size_bytes, language), "B")


def seconds(value_s: float, language: Language) -> str:
    """A duration of a step: milliseconds below 0.1 s, seconds to three digits above."""
    if 0 < value_s < 0.1:
        return with_unit(significant(value_s * 1000, language, 2), "ms")
    return with_unit(significant(value_s, language, 3 if value_s >= 100 else 2), "s")


def hours(value_h: float, language: Language) -> str:
    """A duration of a run: minutes below one hour, one decimal below ten hours, whole hours above."""
    if value_h < 1:
        return with_unit(significant(value_h * 60, language, 2), "min")
    return with_unit(number(value_h, 1 if value_h < 9.95 else 0, language), "h")


def percent(fraction: Number, language: Language, places: int = 0) -> str:
    """A share: 0.15 is `15 %`. English takes the sign without a space. What is not zero is never shown as zero."""
    share = _exact(fraction) * 100
    text = number(share, places, language)
    if share and round(share, places) == 0:
        text = significant(share, language, 1)
    return with_unit(text, "%") if language == Language.DE else text + "%"


def watts(value_w: Number, language: Language) -> str:
    """Power; kilowatts from 10 kW on."""
    if _exact(value_w) >= 10_000:
        return with_unit(significant(_exact(value_w) / 1000, language), "kW")
    return with_unit(number(value_w, 0, language), "W")


def rate_gb_per_s(value: Number, language: Language) -> str:
    """A link or memory rate in decimal gigabytes per second."""
    return with_unit(plain(value, language), "GB/s")


def rack_units(value: Number, language: Language) -> str:
    """Height in a rack: `2 HE` in German, `2 U` in English."""
    return with_unit(plain(value, language), "HE" if language == Language.DE else "U")


def parameters(count: int, language: Language) -> str:
    """A model size: `70,6 Mrd.` in German, `70.6 billion` in English; below a billion in millions."""
    if count >= 10**9:
        unit = {Language.DE: "Mrd.", Language.EN: "billion"}[language]
        return with_unit(significant(Decimal(count) / 10**9, language), unit)
    unit = {Language.DE: "Mio.", Language.EN: "million"}[language]
    return with_unit(significant(Decimal(count) / 10**6, language), unit)


def band(low: Number, high: Number, shown: Callable[[Number], str]) -> str:
    """A range such as `6–14 h`: the unit is written once when both ends share it."""
    first, last = shown(low), shown(high)
    if first == last:
        return first
    head, _, unit = first.rpartition(NO_BREAK_SPACE)
    if unit and last.endswith(NO_BREAK_SPACE + unit) and head:
        return head + EN_DASH + last
    if first.endswith("%") and last.endswith("%"):
        return first.removesuffix("%") + EN_DASH + last
    if first[-1:].isdigit() and last[-1:].isdigit() and last[:1].isdigit():
        return first + EN_DASH + last
    return f"{first}{NO_BREAK_SPACE}{EN_DASH}{NO_BREAK_SPACE}{last}"


def money_band(low: Money, high: Money, language: Language) -> str:
    """A range of guide amounts in one currency, the currency written once."""
    first, last = (number(end.amount, _places(end.amount), language) for end in (low, high))
    text = first if first == last else first + EN_DASH + last
    return in_currency(text, low.currency, language)


def long_date(day: date, language: Language) -> str:
    """`30.11.2026` in German, `30 November 2026` in English."""
    if language == Language.DE:
        return f"{day.day:02d}.{day.month:02d}.{day.year:04d}"
    return f"{day.day}{NO_BREAK_SPACE}{_MONTHS[language][day.month - 1]}{NO_BREAK_SPACE}{day.year:04d}"


def recorded_date(text: str, language: Language) -> str:
    """A date as a source records it: a full ISO date, a year and month, or a year; anything else stays as it is."""
    parts = text.split("-")
    if not all(part.isascii() and part.isdigit() for part in parts):
        return text
    try:
        if len(parts) == 3:
            return long_date(date(int(parts[0]), int(parts[1]), int(parts[2])), language)
        if len(parts) == 2 and 1 <= int(parts[1]) <= 12:
            return f"{_MONTHS[language][int(parts[1]) - 1]}{NO_BREAK_SPACE}{int(parts[0]):04d}"
    except ValueError:
        return text
    return text


def in_currency(text: str, currency: str, language: Language) -> str:
    """Put the currency where the language wants it."""
    if language == Language.DE:
        return text + NO_BREAK_SPACE + currency
    return currency + NO_BREAK_SPACE + text


def _exact(value: Number) -> Decimal:
    """The decimal a reader sees for this value: the shortest that names a float, not its binary expansion."""
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)

"""What people type into number fields: `8.192`, `8k`, `20 Mio.`, `1,5`. No Qt."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from engine.wording.translator import Language

MULTIPLES = {
    "": 1,
    "k": 10**3,
    "tsd": 10**3,
    "m": 10**6,
    "mio": 10**6,
    "million": 10**6,
    "g": 10**9,
    "b": 10**9,
    "bn": 10**9,
    "mrd": 10**9,
    "billion": 10**9,
}
SEPARATORS = {Language.DE: (".", ","), Language.EN: (",", ".")}
WORDED = re.compile(r"([0-9.,'\s]+)([a-z]*)\.?")


def parse_decimal(text: str, language: Language) -> Decimal | None:
    """The number somebody meant, or None. Group marks must stand in groups of three: `1.5` is no German 15."""
    compact = re.sub(r"\s", "", text.replace("\u00a0", " ").replace("\u202f", " "))
    match = WORDED.fullmatch(compact.lower())
    if match is None or match[2] not in MULTIPLES:
        return None
    digits = _plain_digits(match[1], language)
    if digits is None:
        return None
    try:
        return Decimal(digits) * MULTIPLES[match[2]]
    except InvalidOperation:
        return None


def parse_integer(text: str, language: Language) -> int | None:
    """A whole number, or None. `1,5 Mio.` is whole, `1,5` is not."""
    value = parse_decimal(text, language)
    if value is None or value != value.to_integral_value():
        return None
    return int(value)


def _plain_digits(text: str, language: Language) -> str | None:
    group, point = SEPARATORS[language]
    whole, mark, fraction = text.replace("'", group).partition(point)
    if mark and not fraction.isdigit():
        return None
    groups = whole.split(group)
    if not all(part.isdigit() for part in groups):
        return None
    if len(groups) > 1 and (len(groups[0]) > 3 or any(len(part) != 3 for part in groups[1:])):
        return None
    return "".join(groups) + (f".{fraction}" if mark else "")

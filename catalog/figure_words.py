"""Figures and prices of the catalogue in the reader's language: for the window, the command line and exports."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType

from catalog.catalog import Provenance
from catalog.field_words import unit_name
from engine.hardware import Cooling
from engine.prices import ExchangeRate, Price
from engine.units import Money
from engine.wording import labels, numbers
from engine.wording.catalogue_texts import item_name, source_title, topology_text
from engine.wording.translator import Language, Translator, mark

_SETS: Mapping[str, type[StrEnum]] = MappingProxyType({"cooling": Cooling})
"""Figures whose value is a member of a closed set."""
_WORDS = frozenset(
    {
        mark("supported"),
        mark("not supported"),
        mark("not listed"),
        mark("not stated"),
        mark("none"),
        mark("end of life"),
        mark("withdrawn"),
    }
)
"""Values that are words of ours; what a datasheet says in a sentence stays as it is."""


def value_words(found: Provenance, tr: Translator, language: Language) -> str:
    """The value of a figure without its unit."""
    if found.value in ("yes", "no"):
        return tr.gettext("yes") if found.value == "yes" else tr.gettext("no")
    if found.field.startswith("options."):
        return _listed(found.value, tr)
    if found.field in _SETS:
        return labels.label(_SETS[found.field](found.value), tr)
    if found.field == "topology":
        return topology_text(found.value, tr)
    plain = found.value.replace(".", "", 1)
    if found.unit and plain.isascii() and plain.isdigit():
        return numbers.plain(Decimal(found.value), language)
    return value_word(item_name(found.value, tr), tr)


def value_word(value: str, tr: Translator) -> str:
    """A value that is a word of ours in the reader's language; any other as it is."""
    return tr.gettext(value) if value in _WORDS else value


def figure_words(found: Provenance, tr: Translator, language: Language) -> str:
    """The value of a figure with its unit."""
    unit = "" if found.field.startswith("options.") else found.unit
    return numbers.with_unit(value_words(found, tr, language), unit_name(unit, tr))


def amount_words(price: Price, language: Language) -> str:
    """An amount or a range with its currency, to the cent."""
    low = numbers.money(Money(price.low, price.currency), language)
    high = numbers.money(Money(price.high, price.currency), language)
    return low if price.low == price.high else f"{low} – {high}"


def price_words(price: Price, tr: Translator, language: Language) -> str:
    """One price record in a line: amount, VAT, kind, date, validity, source."""
    vat = tr.gettext("gross") if price.includes_vat else tr.gettext("net")
    parts = [
        f"{amount_words(price, language)} {vat}",
        labels.label(price.kind, tr),
        numbers.recorded_date(price.as_of, language),
    ]
    if price.valid_until is not None:
        until = numbers.long_date(price.valid_until, language)
        parts.append(tr.gettext("valid until {date}").format(date=until))
    if price.superseded:
        parts.append(tr.gettext("not used"))
    return " · ".join([*parts, source_title(price.source, tr), price.grade.value])


def rate_words(rate: ExchangeRate, language: Language) -> str:
    """One exchange rate with its day."""
    day = numbers.long_date(rate.as_of, language)
    return f"1 {rate.base} = {numbers.plain(rate.rate, language)} {rate.quote} ({day})"


def _listed(value: str, tr: Translator) -> str:
    """`4 at 450 W`, `count not stated`: as the catalogue keeps them, in the reader's language."""
    count, _, cap = value.partition(" at ")
    if not count.isdigit():
        text = tr.gettext("count not stated")
    else:
        text = tr.ngettext("up to {count} card", "up to {count} cards", int(count)).format(count=count)
    return tr.gettext("{count} at {power}").format(count=text, power=cap) if cap else text

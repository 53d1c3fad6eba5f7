"""Differences between two catalogues in the reader's language: for the window, the command line and exports."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.catalog import Provenance
from catalog.diff import Change, Kind, Said
from catalog.field_words import field_name
from catalog.figure_words import figure_words, price_words, rate_words
from engine.prices import ExchangeRate, Price
from engine.wording import numbers
from engine.wording.catalogue_texts import source_title
from engine.wording.translator import Language, Translator

NO_NAMES: Mapping[str, str] = {}


def said(value: Said, tr: Translator, language: Language) -> str:
    """What stood or stands there, with its source and grade; empty for nothing."""
    match value:
        case None:
            return ""
        case Provenance():
            return f"{figure_words(value, tr, language)} [{source_title(value.source, tr)}, {value.grade.value}]"
        case Price():
            return price_words(value, tr, language)
        case ExchangeRate():
            return rate_words(value, language)
        case int():
            return numbers.integer(value, language)
    return value


def field_words(change: Change, tr: Translator, names: Mapping[str, str] = NO_NAMES) -> str:
    """What differs in the entry. `names` are what people call the entries that a field may name."""
    if change.part == "prices":
        return tr.gettext("Price")
    if change.part == "rates":
        return tr.gettext("Exchange rate")
    if not change.field:
        return tr.gettext("whole entry")
    member = change.field.partition(".")[2].partition("#")[0] if change.field.startswith("options.") else ""
    return field_name(change.field, tr, names.get(member, ""))


def entry_words(change: Change, tr: Translator, names: Mapping[str, str] = NO_NAMES) -> str:
    """The entry that differs: its name where there is one, else its id."""
    return tr.gettext("Exchange rates") if change.part == "rates" else names.get(change.item_id, change.item_id)


def line(change: Change, tr: Translator, language: Language) -> str:
    """One line for the command line."""
    name = entry_words(change, tr)
    if change.field and change.part != "rates":
        name = f"{name}, {field_words(change, tr)}"
    before, after = said(change.before, tr, language), said(change.after, tr, language)
    if change.kind is Kind.ADDED:
        return tr.gettext("+ {name}: {after}").format(name=name, after=after)
    if change.kind is Kind.REMOVED:
        return tr.gettext("- {name}: {before}").format(name=name, before=before)
    return tr.gettext("~ {name}: {before} -> {after}").format(name=name, before=before, after=after)

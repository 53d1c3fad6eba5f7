"""Fills a message with the numbers of a reason or a note: each number is formatted by the unit its key ends in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from enum import StrEnum
from string import Formatter
from typing import NamedTuple

from engine.memory.remedies import RemedyKind
from engine.methods import Attention, Checkpointing, Loss, Method, Offload, Optimizer, Precision, Sharding, StateRecipe
from engine.serving.formats import FormatProblem
from engine.serving.memory import StartProblem
from engine.units import Money
from engine.wording import numbers
from engine.wording.catalogue_texts import item_name
from engine.wording.comparison import figure_in_sentence
from engine.wording.labels import label, memory_part
from engine.wording.translator import Language, Translator
from engine.workload import MustHave, Place

Value = str | int | float

_SETS: dict[str, tuple[type[StrEnum], ...]] = {
    "feature": (MustHave,),
    "method": (Method, Optimizer),  # what a card cannot run may be either
    "place": (Place,),
    "remedy": (RemedyKind,),
    "problem": (FormatProblem, StartProblem),
    "sharding": (Sharding,),
    "offload": (Offload,),
    "optimizer": (Optimizer,),
    "states": (StateRecipe,),
    "recipe": (StateRecipe,),
    "checkpointing": (Checkpointing,),
    "attention": (Attention,),
    "loss": (Loss,),
    "precision": (Precision,),
}


class Reader(NamedTuple):
    """Whom the words are for."""

    tr: Translator
    language: Language
    names: Mapping[str, str]  # what a catalogue id is called, where a value is an id


def placeholders(message: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(message) if name}


def first_fillable(messages: Iterable[str], known: Iterable[str]) -> str:
    """The first message whose every placeholder is known; StopIteration never: the last has none."""
    keys = set(known)
    return next(message for message in messages if placeholders(message) <= keys)


def fill(messages: Iterable[str], values: Mapping[str, Value], reader: Reader) -> str:
    """Translate the richest message the values suffice for, and fill it in."""
    known = {**_differences(values), **values}
    message = reader.tr.gettext(first_fillable(messages, known))
    return message.format(**{key: shown(key, known[key], known, reader) for key in placeholders(message)})


def shown(key: str, value: Value, values: Mapping[str, Value], reader: Reader) -> str:
    """One value as a reader sees it."""
    if isinstance(value, str) and not key.endswith("_amount"):
        return _word(key, value, reader)
    amount = Decimal(str(value))
    language = reader.language
    if key.endswith("_amount"):
        return numbers.money_whole(Money(amount, str(values.get("currency", ""))), language)
    if key in {"cards", "instances", "years"} or key.endswith("_cards"):
        return _counted(key, int(amount), reader)
    for suffix, formatted in _FORMATS:
        if key.endswith(suffix):
            return formatted(amount, language)
    if isinstance(value, int):
        return numbers.integer(value, language)
    return numbers.significant(amount, language)


def _counted(key: str, count: int, reader: Reader) -> str:
    text = reader.tr.ngettext("{count} card", "{count} cards", count)
    if key == "instances":
        text = reader.tr.ngettext("{count} MIG instance", "{count} MIG instances", count)
    if key == "years":
        text = reader.tr.ngettext("{count} year", "{count} years", count)
    return text.format(count=numbers.integer(count, reader.language))


def _word(key: str, value: str, reader: Reader) -> str:
    if key == "part":
        return memory_part(value, reader.tr)
    if key == "figure":
        return figure_in_sentence(value, reader.tr)
    for members in _SETS.get(key, ()):
        if value in {member.value for member in members}:
            return label(members(value), reader.tr)
    return item_name(reader.names.get(value, value), reader.tr)


def _differences(values: Mapping[str, Value]) -> dict[str, Value]:
    """What is missing: need minus what there is, for every unit both are given in."""
    missing: dict[str, Value] = {}
    for key, need in values.items():
        if not key.startswith("need_"):
            continue
        unit = key.removeprefix("need_")
        for limit_key in (f"limit_{unit}", f"usable_{unit}"):
            limit = values.get(limit_key)
            if isinstance(need, int | float) and isinstance(limit, int | float):
                missing[f"missing_{unit}"] = need - limit
    return missing


def _unit(unit: str) -> Callable[[Decimal, Language], str]:
    return lambda amount, language: numbers.with_unit(numbers.plain(amount, language), unit)


def _percent(amount: Decimal, language: Language) -> str:
    return numbers.percent(amount, language)


# Longer endings first: `gb_per_s` is no duration.
_FORMATS: tuple[tuple[str, Callable[[Decimal, Language], str]], ...] = (
    ("gb_per_s", numbers.rate_gb_per_s),
    ("_bytes", lambda amount, language: numbers.gigabytes(int(amount), language)),
    ("_gb", _unit("GB")),
    ("_db_a", _unit("dB(A)")),
    ("_units", numbers.rack_units),
    ("_share", _percent),
    ("headroom", _percent),
    ("utilisation", _percent),
    ("_w", numbers.watts),
    ("_hours", lambda amount, language: numbers.hours(float(amount), language)),
    ("_h", lambda amount, language: numbers.hours(float(amount), language)),
    ("_s", lambda amount, language: numbers.seconds(float(amount), language)),
)

"""What `evidence --speed` and `evidence --inference` print alike: groups, largest errors, records left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TextIO

from engine.evidence import Unscored
from engine.units import FloatBand
from engine.wording import numbers
from engine.wording.translator import Language, Translator

WORST_SHOWN = 5


class Group(Protocol):
    """Errors of a group of records: counts, and fractions."""

    @property
    def records(self) -> int: ...
    @property
    def median_error(self) -> float: ...
    @property
    def error_90(self) -> float: ...
    @property
    def inside_band(self) -> float: ...


class Published(Protocol):
    """A record that was scored."""

    @property
    def id(self) -> str: ...


class Scored(Protocol):
    """One record's computed over its published rate, and how far that is from 1."""

    @property
    def record(self) -> Published: ...
    @property
    def ratio(self) -> float: ...
    @property
    def error(self) -> float: ...


class Banded(Scored, Protocol):
    """A record with its computed rate and the printed band, in tokens/s."""

    @property
    def predicted(self) -> float: ...
    @property
    def band(self) -> FloatBand: ...
    @property
    def inside_band(self) -> bool: ...


def record_form(entry: Banded, source: str, published: float) -> dict[str, Any]:
    """A scored record as plain JSON data: rates in tokens/s, the ratio computed over published."""
    return {
        "id": entry.record.id,
        "source": source,
        "published": published,
        "predicted": {
            "low": round(entry.band.low, 1),
            "expected": round(entry.predicted, 1),
            "high": round(entry.band.high, 1),
        },
        "ratio": round(entry.ratio, 4),
        "inside_band": entry.inside_band,
    }


def unscored_form(unscored: Iterable[Unscored]) -> list[dict[str, str]]:
    """Records left out as plain JSON data, with the code of the reason."""
    return [{"id": left.record_id, "reason": left.reason} for left in unscored]


def write_groups(groups: Mapping[str, Group], tr: Translator, language: Language, out: TextIO) -> None:
    """One line a group, names flush left."""
    width = max(len(name) for name in groups)
    for name, group in groups.items():
        out.write(f"  {name:<{width}}  {_line(group, tr, language)}\n")


def write_worst(scores: Iterable[Scored], tr: Translator, language: Language, out: TextIO) -> None:
    """The records with the largest errors, largest first: computed over published."""
    worst = sorted(scores, key=lambda entry: entry.error, reverse=True)[:WORST_SHOWN]
    out.write(tr.gettext("Largest errors:") + "\n")
    out.writelines(f"  {entry.record.id}: {numbers.percent(entry.ratio, language)}\n" for entry in worst)


def write_unscored(
    unscored: Iterable[Unscored], words: Callable[[str, Translator], str], tr: Translator, out: TextIO
) -> None:
    """How many records were left out for each reason; `words` says a reason's code."""
    reasons = [left.reason for left in unscored]
    for reason in sorted(set(reasons)):
        count = reasons.count(reason)
        template = tr.ngettext("{count} record not scored: {reason}", "{count} records not scored: {reason}", count)
        out.write(template.format(count=count, reason=words(reason, tr)) + "\n")


def _line(group: Group, tr: Translator, language: Language) -> str:
    template = tr.gettext(
        "{records} records, median error {median}, nine in ten within {most}, {inside} inside the printed band"
    )
    return template.format(
        records=numbers.integer(group.records, language),
        median=numbers.percent(group.median_error, language, 1),
        most=numbers.percent(group.error_90, language, 1),
        inside=numbers.percent(group.inside_band, language),
    )

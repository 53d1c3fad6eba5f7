"""How a document's number is written: a small pattern language, checked before it is used."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass

from catalog.register.types import RegisterError

MAX_LENGTH = 40
FIELDS = {"year": r"", "counter": r"(0[1-9]d)?", "initials": r""}
"""Allowed fields and the forms each may take after its colon."""
LITERAL = re.compile(r"[A-Za-z0-9 ./_#-]*")


@dataclass(frozen=True, slots=True)
class NumberPattern:
    """For example `AN-{year}-{counter:04d}`. Raises `RegisterError` for a pattern that could repeat a number."""

    text: str

    def __post_init__(self) -> None:
        names = list(self._fields())
        for needed in ("year", "counter"):
            if names.count(needed) != 1:
                raise RegisterError(
                    "The number pattern {pattern} needs {field} exactly once, or numbers would repeat.",
                    pattern=self.text,
                    field="{" + needed + "}",
                )
        if len(self.write(9999, 999_999, "XXXX")) > MAX_LENGTH:
            raise RegisterError(
                "The number pattern {pattern} gives more than {limit} characters.", pattern=self.text, limit=MAX_LENGTH
            )

    def write(self, year: int, counter: int, initials: str = "") -> str:
        """The number. The counter grows past its width rather than start again."""
        return self.text.format(year=year, counter=counter, initials=initials)

    def _fields(self) -> list[str]:
        found = []
        try:
            parts = list(string.Formatter().parse(self.text))
        except ValueError as error:
            raise self._unknown(self.text) from error
        for literal, name, form, conversion in parts:
            if not LITERAL.fullmatch(literal):
                raise self._unknown(literal)
            if name is None:
                continue
            if name not in FIELDS or conversion or not re.fullmatch(FIELDS[name], form or ""):
                raise self._unknown("{" + name + (f":{form}" if form else "") + "}")
            found.append(name)
        if _adjacent(parts):
            raise self._unknown(self.text)
        return found

    def _unknown(self, part: str) -> RegisterError:
        return RegisterError(
            "The number pattern {pattern} cannot be used at {part}. It may hold letters, digits, . / _ # - and the "
            "fields {fields}.",
            pattern=self.text,
            part=part,
            fields="{year} {counter} {counter:04d} {initials}",
        )


def _adjacent(parts: list[tuple[str, str | None, str | None, str | None]]) -> bool:
    """Whether two fields touch: year 2026 and counter 1 must not read like year 202 and counter 61."""
    return any(not literal and index and name is not None for index, (literal, name, _, _) in enumerate(parts))


def initials_of(name: str) -> str:
    """First letters of a person's names, at most four: `Karin Kontakt` gives KK."""
    return "".join(word[0] for word in re.findall(r"[^\W\d_]+", name))[:4].upper()

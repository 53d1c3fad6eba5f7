"""What is wrong, doubtful or worth knowing about the catalogue, each with its place."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How much a finding matters."""

    ERROR = "error"  # the entry is left out or cannot be trusted
    WARNING = "warning"  # works, but somebody should look
    NOTE = "note"  # known and marked


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `template` is an English sentence with named placeholders, translated on demand."""

    level: Level
    code: str  # stable, for filters and tests
    file: str
    line: int  # 0: no line, the finding is about several places
    field: str  # path inside the file, dots between the steps
    template: str
    values: dict[str, object] = dataclasses.field(default_factory=dict)

    def text(self, translate: Callable[[str], str] = str) -> str:
        """The sentence without its place."""
        wording = translate(self.template)
        return wording.format(**self.values) if self.values else wording

    def located(self, translate: Callable[[str], str] = str) -> str:
        """The sentence with file, line and field in front."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        middle = f" {self.field}:" if self.field else ""
        return f"{place}:{middle} {self.text(translate)}"


def worst(findings: Iterable[Finding]) -> Level | None:
    """The highest level among the findings."""
    levels = {finding.level for finding in findings}
    return next((level for level in Level if level in levels), None)

"""Reads `data/economics.yaml`: the assumptions of the cost side, each with its origin."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from catalog.compiled import Store
from catalog.data_file import DataPart, Number, SourceRow, file_problem
from catalog.data_reader import read_data
from engine.cost.types import Assumption, Economics, EconomicsKey
from engine.figures import Basis, Figure, Grade

ECONOMICS_FILE = Path(__file__).parent / "data" / "economics.yaml"


class AssumptionRow(DataPart):
    """One default."""

    value: Number
    unit: str
    low: Number | None = None
    high: Number | None = None
    source: str
    grade: Grade
    basis: Basis
    note: str = ""
    contradicts: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _range_holds_the_value(self) -> AssumptionRow:
        if not self.lowest <= self.value <= self.highest:
            raise ValueError("the value must lie between low and high")
        return self

    @property
    def lowest(self) -> Decimal:
        """Lower end the sensitivity tries."""
        return self.value if self.low is None else self.low

    @property
    def highest(self) -> Decimal:
        """Upper end the sensitivity tries."""
        return self.value if self.high is None else self.high


class NoteRow(DataPart):
    """A pointer that enters no sum."""

    id: str
    text: str
    source: str
    grade: Grade
    basis: Basis


class EconomicsFile(DataPart):
    """The whole file, schema 1."""

    schema_number: Annotated[Literal[1], Field(alias="schema")]
    version: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    sources: dict[str, SourceRow]
    assumptions: dict[EconomicsKey, AssumptionRow]
    notes: tuple[NoteRow, ...] = ()

    @model_validator(mode="after")
    def _complete_and_sourced(self) -> EconomicsFile:
        # Utilisation has no default on purpose: it follows from the planned load or is the customer's own.
        missing = set(EconomicsKey) - set(self.assumptions) - {EconomicsKey.UTILISATION}
        if missing:
            raise file_problem("assumptions without a default", missing)
        used = {row.source for row in self.assumptions.values()} | {note.source for note in self.notes}
        unknown = used - set(self.sources)
        if unknown:
            raise file_problem("sources that are not listed", unknown)
        return self


def load_economics(path: Path = ECONOMICS_FILE, store: Store | None = None) -> Economics:
    """Read and validate the file. Raises `FileFormatError` with file, line and field."""
    data = read_data(path, EconomicsFile, store)
    sources = {key: row.source(key) for key, row in data.sources.items()}
    return Economics(
        version=data.version,
        currency=data.currency,
        assumptions={
            key: Assumption(
                figure=Figure(
                    row.value, row.unit, sources[row.source], row.grade, row.basis, row.note, row.contradicts
                ),
                low=row.lowest,
                high=row.highest,
            )
            for key, row in data.assumptions.items()
        },
        notes=tuple(
            Figure(note.text, "", sources[note.source], note.grade, note.basis, note.id) for note in data.notes
        ),
    )

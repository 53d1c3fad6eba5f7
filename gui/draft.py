"""Changes of a consultation, each giving a new, valid document. No Qt.

A document is immutable, so a snapshot for undo is the document itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from catalog.consultation.document import Consultation, OwnershipRow, RecipeSettings, WorkloadRow
from catalog.validation_words import problem_words
from engine.cost.types import EconomicsKey
from engine.errors import InvalidInputError
from engine.methods import Method
from engine.models import ModelSpec
from engine.wording.translator import mark

DEFAULT_SEQUENCE_LENGTH = 4096

AnyPart = TypeVar("AnyPart", bound=BaseModel)


class Severity(StrEnum):
    """How much a problem matters."""

    ERROR = "error"  # nothing can be computed
    HINT = "hint"  # worth a look


@dataclass(frozen=True, slots=True)
class Problem:
    """What is missing or odd: the field it belongs to and a message template with its values."""

    field: str
    severity: Severity
    template: str
    values: tuple[tuple[str, object], ...] = ()


def amended(part: AnyPart, **changes: object) -> AnyPart:
    """The part with some fields replaced, validated. Raises `InvalidInputError` with what would be right."""
    fields = {name: getattr(part, name) for name in type(part).model_fields}
    try:
        return type(part).model_validate({**fields, **changes})
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        raise InvalidInputError("{problem}", problem=problem_words(problem)) from error


def row_for(model: ModelSpec, config: str | None = None) -> WorkloadRow:
    """A first row for a model: LoRA at 4,096 tokens, or at the model's limit where that is lower.

    `config` is the path to the model's `config.json` when it is not in the catalogue.
    """
    length = min(DEFAULT_SEQUENCE_LENGTH, model.max_position or DEFAULT_SEQUENCE_LENGTH)
    return WorkloadRow(model=None if config else model.id, config=config, method=Method.LORA, sequence_length=length)


def with_row(document: Consultation, row: WorkloadRow, index: int | None = None) -> Consultation:
    """Insert a row, at the end unless told where."""
    rows = list(document.workloads)
    rows.insert(len(rows) if index is None else index, row)
    return _with_rows(document, rows)


def with_rows(document: Consultation, added: Sequence[WorkloadRow], index: int) -> Consultation:
    """Insert several rows at once."""
    rows = list(document.workloads)
    rows[index:index] = added
    return _with_rows(document, rows)


def without_rows(document: Consultation, indexes: Sequence[int]) -> Consultation:
    """Remove rows."""
    gone = set(indexes)
    return _with_rows(document, [row for index, row in enumerate(document.workloads) if index not in gone])


def moved_row(document: Consultation, index: int, target: int) -> Consultation:
    """Move a row to another place."""
    rows = list(document.workloads)
    rows.insert(target, rows.pop(index))
    return _with_rows(document, rows)


def amended_row(document: Consultation, index: int, **changes: object) -> Consultation:
    """Change fields of a row. Raises `InvalidInputError`."""
    rows = list(document.workloads)
    before = rows[index].name
    rows[index] = amended(rows[index], **changes)
    return _renamed(_with_rows(document, rows), before, rows[index].name)


def amended_recipe(document: Consultation, index: int, **changes: object) -> Consultation:
    """Change recipe settings of a row. Raises `InvalidInputError`."""
    recipe: RecipeSettings = amended(document.workloads[index].recipe, **changes)
    return amended_row(document, index, recipe=recipe)


def with_price(document: Consultation, item_id: str, amount: Decimal | None) -> Consultation:
    """Set the seller's own net price of an item, or take it away. Raises `InvalidInputError`."""
    prices = {key: value for key, value in document.prices.items() if key != item_id}
    if amount is not None:
        prices[item_id] = amount
    return amended(document, prices=prices)


def with_assumption(document: Consultation, key: EconomicsKey, value: Decimal | None) -> Consultation:
    """Set the customer's own value of an assumption about cost, or take it away. Raises `InvalidInputError`."""
    kept = {other: known for other, known in document.ownership.assumptions.items() if other is not key}
    if value is not None:
        kept[key] = value
    ownership: OwnershipRow = amended(document.ownership, assumptions=kept)
    return amended(document, ownership=ownership)


def problems(
    document: Consultation, models: Sequence[ModelSpec | None], served: Sequence[ModelSpec | None] = ()
) -> list[Problem]:
    """What keeps the document from being computed, and what is odd.

    `models` are the models of the trained rows and `served` those of the served ones, None if unknown.
    """
    found = []
    if not document.workloads and not document.serving:
        found.append(Problem("workloads", Severity.ERROR, mark("Add a model to get a recommendation.")))
    for index, (row, model) in enumerate(zip(document.workloads, models, strict=True)):
        if model is None:
            name = row.config or row.model or ""
            values = (("name", name),)
            found.append(Problem(f"workloads.{index}.model", Severity.ERROR, mark("{name} is not known."), values))
        elif model.max_position is not None and row.sequence_length > model.max_position:
            found.append(
                Problem(
                    f"workloads.{index}.sequence_length",
                    Severity.HINT,
                    mark("{model} was trained for at most {limit} tokens."),
                    (("model", model.name), ("limit", model.max_position)),
                )
            )
    for index, (entry, model) in enumerate(zip(document.serving, served, strict=True)):
        if model is None:
            unknown = (("name", entry.config or entry.model or ""),)
            found.append(Problem(f"serving.{index}.model", Severity.ERROR, mark("{name} is not known."), unknown))
        elif model.max_position is not None and entry.prompt_max + entry.output_max > model.max_position:
            found.append(
                Problem(
                    f"serving.{index}.prompt_max",
                    Severity.HINT,
                    mark("{model} was trained for at most {limit} tokens."),
                    (("model", model.name), ("limit", model.max_position)),
                )
            )
    return found


def _renamed(document: Consultation, before: str, after: str) -> Consultation:
    """Let the test runs that name a row follow its new name; an empty name stands for the model's and names nothing."""
    if not before or not after or before == after:
        return document
    runs = tuple(
        run.model_copy(update={"workload": after}) if run.workload == before else run for run in document.calibrations
    )
    return document if runs == document.calibrations else document.model_copy(update={"calibrations": runs})


def _with_rows(document: Consultation, rows: Sequence[WorkloadRow]) -> Consultation:
    return document.model_copy(update={"workloads": tuple(rows)})

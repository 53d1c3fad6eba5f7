"""Changes of the rows that serve a model, each giving a new, valid document. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.consultation.document import Consultation
from catalog.consultation.serving import ServingRow
from engine.models import ModelSpec
from engine.serving.types import LoadKind
from gui.draft import amended

PROMPT, LONGEST_PROMPT, OUTPUT, LONGEST_OUTPUT = 1000, 8000, 500, 2000
OUTPUT_SHARE = 5  # a short model's answers take at most one part in five of its positions
USERS, REQUESTS_PER_S, REQUESTS_PER_NIGHT = 10, 1.0, 10_000
LOAD_FIELDS = {
    LoadKind.USERS: "users",
    LoadKind.RATE: "requests_per_s",
    LoadKind.BATCH: "requests_per_night",
}
_FIRST_LOADS = {LoadKind.USERS: USERS, LoadKind.RATE: REQUESTS_PER_S, LoadKind.BATCH: REQUESTS_PER_NIGHT}


def serving_row_for(model: ModelSpec, config: str | None = None, name: str = "") -> ServingRow:
    """A first row for a model: ten requests at once, lengths as a chat has them, shorter where the model ends earlier.

    `config` is the path to the model's `config.json` when it is not in the catalogue.
    """
    positions = model.max_position or LONGEST_PROMPT + LONGEST_OUTPUT
    longest_output = max(1, min(LONGEST_OUTPUT, positions // OUTPUT_SHARE))
    longest_prompt = max(1, min(LONGEST_PROMPT, positions - longest_output))
    return ServingRow(
        name=name,
        model=None if config else model.id,
        config=config,
        prompt_mean=min(PROMPT, longest_prompt),
        prompt_max=longest_prompt,
        output_mean=min(OUTPUT, longest_output),
        output_max=longest_output,
        users=USERS,
    )


def load_kind(row: ServingRow) -> LoadKind:
    """How the row gives its load."""
    return next(kind for kind, field in LOAD_FIELDS.items() if getattr(row, field) is not None)


def with_load_kind(document: Consultation, index: int, kind: LoadKind) -> Consultation:
    """Give a row's load another kind, with a first figure."""
    if kind is load_kind(document.serving[index]):
        return document
    changes = {field: _FIRST_LOADS[kind] if other is kind else None for other, field in LOAD_FIELDS.items()}
    return amended_serving(document, index, **changes)


def with_serving(document: Consultation, added: Sequence[ServingRow], index: int | None = None) -> Consultation:
    """Insert rows, at the end unless told where."""
    rows = list(document.serving)
    at = len(rows) if index is None else index
    rows[at:at] = added
    return _with_rows(document, rows)


def without_serving(document: Consultation, indexes: Sequence[int]) -> Consultation:
    """Remove rows."""
    gone = set(indexes)
    return _with_rows(document, [row for index, row in enumerate(document.serving) if index not in gone])


def moved_serving(document: Consultation, index: int, target: int) -> Consultation:
    """Move a row to another place."""
    rows = list(document.serving)
    rows.insert(target, rows.pop(index))
    return _with_rows(document, rows)


def amended_serving(document: Consultation, index: int, **changes: object) -> Consultation:
    """Change fields of a row. Raises `InvalidInputError`."""
    rows = list(document.serving)
    rows[index] = amended(rows[index], **changes)
    return _with_rows(document, rows)


def _with_rows(document: Consultation, rows: Sequence[ServingRow]) -> Consultation:
    return amended(document, serving=tuple(rows))

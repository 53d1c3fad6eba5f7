"""`price_ages.yaml` of the user's folder: from when on a price is marked as old, and from when on as expired.

The window and the command line both read it through `load_catalog`, which hands the limits on with the facts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from catalog.disk import make_folder, write_atomically
from catalog.text_files import is_given
from catalog.validated import read_located, validated
from engine.errors import PassformError
from engine.prices import DEFAULT_LIMITS, AgeLimits

FILE_NAME = "price_ages.yaml"
MOST_DAYS = 3_650


class PriceAgesError(PassformError):
    """The limits are not in order; the message says what would be right."""


Days = Annotated[int, Field(ge=1, le=MOST_DAYS, strict=True)]


class PriceAgesRow(BaseModel):
    """`price_ages.yaml`: up to how many days a price counts as fresh, and up to how many as old."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_number: Annotated[Literal[1], Field(alias="schema")]
    fresh_days: Days = DEFAULT_LIMITS.fresh_days
    old_days: Days = DEFAULT_LIMITS.old_days


def load_age_limits(folder: Path) -> AgeLimits:
    """The user's limits; the defaults without a file. Raises `FileFormatError` with its line, `PriceAgesError`."""
    path = folder / FILE_NAME
    if not is_given(path):
        return DEFAULT_LIMITS
    row = validated(PriceAgesRow, read_located(path))
    return checked(row.fresh_days, row.old_days)


def checked(fresh_days: int, old_days: int) -> AgeLimits:
    """Limits that are in order. Raises `PriceAgesError`."""
    if not 1 <= fresh_days < old_days <= MOST_DAYS:
        raise PriceAgesError(
            "Whole days from 1 to {most} are needed, and a price must be fresh for fewer days than it takes to expire.",
            most=MOST_DAYS,
        )
    return AgeLimits(fresh_days, old_days)


def save_age_limits(folder: Path, limits: AgeLimits) -> None:
    """Write the limits. Raises `PriceAgesError`, or `DiskError` when the disk refuses."""
    right = checked(limits.fresh_days, limits.old_days)
    text = f"schema: 1\nfresh_days: {right.fresh_days}\nold_days: {right.old_days}\n"
    make_folder(folder)
    write_atomically(text.encode("ascii"), folder / FILE_NAME)

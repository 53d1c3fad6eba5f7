"""`register.yaml` of the user's folder: where the register lies and how numbers are written."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from catalog.register.database import Database, database_at, sqlite_database
from catalog.register.numbering import NumberPattern
from catalog.text_files import is_given, read_text
from catalog.user_folder import user_folder
from catalog.validated import validated
from catalog.yaml_nodes import parse
from engine.quote.draft import DocumentKind

FILE_NAME = "register.yaml"
DATABASE_NAME = "register.sqlite"
VARIABLE = "PASSFORM_REGISTER"
"""An environment variable with the database's URL, for those who keep its password out of files."""
MAX_BYTES = 100_000


OFFERS = NumberPattern("AN-{year}-{counter:04d}")
RECOMMENDATIONS = NumberPattern("KE-{year}-{counter:04d}")


@dataclass(frozen=True, slots=True)
class RegisterSettings:
    """How a seller's documents are numbered and kept. `address` empty: a file in the user's folder."""

    offer_pattern: NumberPattern = OFFERS
    recommendation_pattern: NumberPattern = RECOMMENDATIONS
    address: str = ""
    follow_up_days: int = 0  # 0: no follow-up date of its own accord

    def pattern(self, kind: DocumentKind) -> NumberPattern:
        """The pattern of a kind of document."""
        return self.offer_pattern if kind is DocumentKind.OFFER else self.recommendation_pattern

    def follow_up(self, today: date) -> date | None:
        """When to ask about a document issued today."""
        return today + timedelta(days=self.follow_up_days) if self.follow_up_days else None


class _NumbersRow(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    offer: Annotated[str, Field(max_length=80)] = OFFERS.text
    recommendation: Annotated[str, Field(max_length=80)] = RECOMMENDATIONS.text


class SettingsRow(BaseModel):
    """`register.yaml`: where issued documents are kept and how they are numbered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_number: Annotated[Literal[1], Field(alias="schema")]
    numbers: _NumbersRow = _NumbersRow()
    database: Annotated[str, Field(max_length=2_000)] = ""
    follow_up_days: Annotated[int, Field(ge=0, le=365)] = 0


def load_settings(folder: Path | None = None) -> RegisterSettings:
    """The settings; defaults without a file. Raises `FileFormatError` with line and field, or `RegisterError`."""
    path = (folder or user_folder()) / FILE_NAME
    address = os.environ.get(VARIABLE, "")
    if not is_given(path):
        return RegisterSettings(address=address)
    row = validated(SettingsRow, parse(read_text(path, MAX_BYTES), path.name))
    return RegisterSettings(
        offer_pattern=NumberPattern(row.numbers.offer),
        recommendation_pattern=NumberPattern(row.numbers.recommendation),
        address=address or row.database,
        follow_up_days=row.follow_up_days,
    )


def open_database(settings: RegisterSettings, folder: Path | None = None) -> Database:
    """The database the settings name. Raises `RegisterError` when it cannot be used."""
    if settings.address:
        return database_at(settings.address)
    return sqlite_database((folder or user_folder()) / DATABASE_NAME)

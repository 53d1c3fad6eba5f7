"""Parts that the shapes of all data files share."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic_core import PydanticCustomError

from engine.figures import Source


def _quoted(value: object) -> object:
    """Take numbers as quoted strings or whole numbers; a binary float has already lost its digits."""
    if isinstance(value, float | bool):
        raise ValueError('write the number in quotes, for example "1234.50"')
    return value


Number = Annotated[Decimal, BeforeValidator(_quoted)]


class DataPart(BaseModel):
    """Base of every part of a data file: nothing unknown, nothing changed later."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_alias=True, validate_by_name=True)


class SourceRow(DataPart):
    """Where figures were read."""

    title: str
    url: str
    document_date: str
    read_date: str = ""
    read_via: str = ""

    def source(self, key: str) -> Source:
        """The engine's source, under the file's own key."""
        return Source(key, self.title, self.url, self.document_date, self.read_date, self.read_via)


def file_problem(what: str, names: Iterable[str]) -> PydanticCustomError:
    """What is wrong with a bundled file as a whole, naming the entries concerned."""
    return PydanticCustomError("file_problem", "{what}: {names}", {"what": what, "names": ", ".join(sorted(names))})

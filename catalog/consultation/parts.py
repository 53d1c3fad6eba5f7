"""What every part of a consultation file is made of: amounts, texts, currencies, frozen parts without unknown keys."""

from __future__ import annotations

import datetime
from decimal import Decimal
from functools import cache
from typing import Annotated, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticCustomError


def _exact_decimal(value: object) -> object:
    """Take money and rates as quoted strings or whole numbers; a binary float has already lost its cents."""
    if isinstance(value, float):
        raise ValueError('write the number in quotes, for example "1234.50"')
    if isinstance(value, bool):
        raise ValueError("a number is needed")
    return value


Amount = Annotated[
    Decimal,
    BeforeValidator(_exact_decimal),
    Field(ge=0, max_digits=15, decimal_places=4),
    PlainSerializer(lambda value: format(value, "f"), return_type=str),
]
Text = Annotated[str, Field(max_length=500)]
LongText = Annotated[str, Field(max_length=20_000)]
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]


class Part(BaseModel):
    """Base of every part of the document."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    @field_validator("*", mode="before")
    @classmethod
    def _as_it_says(cls, value: object, info: ValidationInfo) -> object:
        """Refuse what pydantic would turn into another thing: yes into 1, and 86400 into a day of 1970."""
        if type(value) is bool:
            if not _takes(cls, str(info.field_name), bool):
                raise PydanticCustomError("decimal_type", "a number is needed")
        elif type(value) in {int, float} and _takes(cls, str(info.field_name), datetime.date):
            raise PydanticCustomError("date_type", "a date is needed")
        return value


@cache
def _takes(part: type[Part], field: str, kind: type) -> bool:
    """Whether a field may hold a value of a kind."""
    return _holds(part.model_fields[field].annotation, kind)


def _holds(annotation: object, kind: type) -> bool:
    return annotation is kind or any(_holds(inner, kind) for inner in get_args(annotation))

"""What every part of a consultation file is made of: amounts, texts, currencies, frozen parts without unknown keys."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer


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

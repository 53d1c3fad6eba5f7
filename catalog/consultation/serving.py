"""Rows of the consultation that serve a model, and their way to the engine."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, model_validator

from engine.models import ModelSpec
from engine.serving.check import MOST_ADAPTERS, MOST_RANK, MOST_REQUESTS, MOST_TOKENS, MOST_USERS, check_setup
from engine.serving.types import (
    CacheFormat,
    EngineSettings,
    Lengths,
    LoadKind,
    ServeLimits,
    ServeLoad,
    ServeSetup,
    ServingEngine,
    WeightFormat,
)
from engine.units import Money
from engine.workload import ServingSharing, ServingWorkload


def exact_decimal(value: object) -> object:
    """Take money as quoted strings or whole numbers; a binary float has already lost its cents."""
    if isinstance(value, float):
        raise ValueError('write the number in quotes, for example "1234.50"')
    if isinstance(value, bool):
        raise ValueError("a number is needed")
    return value


Text = Annotated[str, Field(max_length=500)]
Tokens = Annotated[int, Field(ge=1, le=MOST_TOKENS)]
Price = Annotated[
    Decimal,
    BeforeValidator(exact_decimal),
    Field(gt=0, max_digits=12, decimal_places=4),
    PlainSerializer(lambda value: format(value, "f"), return_type=str),
]
Positive = Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)]


class ServingRow(BaseModel):
    """One model as it is served. Exactly one of users, requests_per_s and requests_per_night gives the load."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    name: Text = ""
    model: Text | None = None
    config: Text | None = None
    weights: WeightFormat = WeightFormat.BF16
    cache: CacheFormat = CacheFormat.BF16
    engine: ServingEngine = ServingEngine.VLLM
    prompt_mean: Tokens = 1000
    prompt_max: Tokens = 8000
    output_mean: Tokens = 500
    output_max: Tokens = 2000
    users: Annotated[int, Field(ge=1, le=MOST_USERS)] | None = None
    requests_per_s: Positive | None = None
    requests_per_night: Annotated[int, Field(ge=1, le=MOST_REQUESTS)] | None = None
    night_hours: Annotated[float, Field(gt=0, le=24)] = 8.0
    first_token_s: Positive | None = None
    tokens_per_s_per_user: Positive | None = None
    adapters: Annotated[int, Field(ge=0, le=MOST_ADAPTERS)] = 0
    adapter_rank: Annotated[int, Field(ge=1, le=MOST_RANK)] = 16
    memory_percent: Annotated[int, Field(ge=1, le=100)] | None = None
    max_sequences: Annotated[int, Field(ge=1, le=MOST_USERS)] | None = None
    batched_tokens: Tokens | None = None
    service_hours_per_day: Annotated[float, Field(gt=0, le=24)] = 24.0
    days_per_month: Annotated[float, Field(gt=0, le=30.5)] = 30.4
    utilisation_percent: Annotated[int, Field(ge=1, le=100)] = 30
    sharing: ServingSharing = ServingSharing.AUTO
    api_price_per_million: Price | None = None
    api_price_date: datetime.date | None = None

    @model_validator(mode="after")
    def _one_model_and_load(self) -> ServingRow:
        if (self.model is None) == (self.config is None):
            raise ValueError("give either model (a catalogue id) or config (a path to a config.json)")
        if sum(load is not None for load in (self.users, self.requests_per_s, self.requests_per_night)) != 1:
            raise ValueError("give one of users, requests_per_s and requests_per_night")
        if self.prompt_mean > self.prompt_max or self.output_mean > self.output_max:
            raise ValueError("a mean length must not exceed the maximum length")
        if (self.api_price_per_million is None) != (self.api_price_date is None):
            raise ValueError("give api_price_per_million together with api_price_date")
        return self


def to_serving(row: ServingRow, find: Callable[[ServingRow], ModelSpec], currency: str) -> ServingWorkload:
    """The engine's row; `find` gives its model, prices are in `currency`.

    Raises `InvalidInputError` for what cannot be served.
    """
    model = find(row)
    setup = ServeSetup(
        model=model,
        lengths=Lengths(row.prompt_mean, row.prompt_max, row.output_mean, row.output_max),
        load=_load(row),
        weights=row.weights,
        cache=row.cache,
        engine=row.engine,
        limits=ServeLimits(row.first_token_s, row.tokens_per_s_per_user),
        adapters=row.adapters,
        adapter_rank=row.adapter_rank,
        settings=EngineSettings(
            None if row.memory_percent is None else row.memory_percent / 100, row.max_sequences, row.batched_tokens
        ),
    )
    check_setup(setup)
    return ServingWorkload(
        name=row.name or model.name,
        setup=setup,
        service_h_per_day=row.service_hours_per_day,
        days_per_month=row.days_per_month,
        utilisation=row.utilisation_percent / 100,
        sharing=row.sharing,
        api_price=None if row.api_price_per_million is None else Money(row.api_price_per_million, currency),
        api_price_as_of="" if row.api_price_date is None else row.api_price_date.isoformat(),
    )


def _load(row: ServingRow) -> ServeLoad:
    if row.users is not None:
        return ServeLoad(LoadKind.USERS, users=row.users)
    if row.requests_per_s is not None:
        return ServeLoad(LoadKind.RATE, requests_per_s=row.requests_per_s)
    return ServeLoad(LoadKind.BATCH, requests_per_night=row.requests_per_night or 1, night_h=row.night_hours)

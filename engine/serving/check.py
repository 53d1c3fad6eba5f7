"""Refuses what cannot be served, with the field and the allowed values in the message."""

from __future__ import annotations

from math import isfinite

from engine.errors import InvalidInputError
from engine.serving.types import LoadKind, ServeSetup

MOST_TOKENS = 10_000_000
MOST_USERS = 1_000_000
MOST_REQUESTS_PER_S = 1_000_000.0
MOST_REQUESTS = 10**9
MOST_ADAPTERS = 10_000
MOST_RANK = 65_536
MOST_HOURS = 24.0


def check_setup(setup: ServeSetup) -> None:
    """Raise `InvalidInputError` naming the first field that is out of its range."""
    lengths = setup.lengths
    for field, value in (
        ("prompt_mean", lengths.prompt_mean),
        ("prompt_max", lengths.prompt_max),
        ("output_mean", lengths.output_mean),
        ("output_max", lengths.output_max),
    ):
        _between(field, value, 1, MOST_TOKENS)
    if lengths.prompt_mean > lengths.prompt_max or lengths.output_mean > lengths.output_max:
        raise InvalidInputError("A mean length must not exceed the maximum length.")
    _check_load(setup)
    _between("adapters", setup.adapters, 0, MOST_ADAPTERS)
    _between("adapter_rank", setup.adapter_rank, 1, MOST_RANK)
    settings, limits = setup.settings, setup.limits
    if settings.memory_share is not None and not 0 < settings.memory_share <= 1:
        raise InvalidInputError("{field} must be above 0 and at most {most}.", field="memory_share", most=1)
    if settings.max_sequences is not None:
        _between("max_sequences", settings.max_sequences, 1, MOST_USERS)
    if settings.batched_tokens is not None:
        _between("batched_tokens", settings.batched_tokens, 1, MOST_TOKENS)
    for field, limit in (
        ("first_token_s", limits.first_token_s),
        ("tokens_per_s_per_user", limits.tokens_per_s_per_user),
    ):
        if limit is not None and not (isfinite(limit) and limit > 0):
            raise InvalidInputError("{field} must be above 0.", field=field)


def _check_load(setup: ServeSetup) -> None:
    load = setup.load
    match load.kind:
        case LoadKind.USERS:
            _between("users", load.users, 1, MOST_USERS)
        case LoadKind.RATE:
            if not 0 < load.requests_per_s <= MOST_REQUESTS_PER_S:
                raise InvalidInputError(
                    "{field} must be above 0 and at most {most}.",
                    field="requests_per_s",
                    most=int(MOST_REQUESTS_PER_S),
                )
        case LoadKind.BATCH:
            _between("requests_per_night", load.requests_per_night, 1, MOST_REQUESTS)
            if not 0 < load.night_h <= MOST_HOURS:
                raise InvalidInputError(
                    "{field} must be above 0 and at most {most}.", field="night_h", most=int(MOST_HOURS)
                )


def _between(field: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise InvalidInputError("{field} must be from {low} to {high}.", field=field, low=low, high=high)

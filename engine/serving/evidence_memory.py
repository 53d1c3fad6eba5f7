"""The memory formulas against start-up logs: cache bytes per token, and the pool left for the cache."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from engine.models import ModelSpec
from engine.serving.facts import ServingFacts
from engine.serving.formats import BYTES_PER_CACHED_VALUE
from engine.serving.machine import ServingCard
from engine.serving.memory import activation_bytes, cache_pool
from engine.serving.shape import serving_shape
from engine.serving.types import (
    CacheFormat,
    EngineSettings,
    Lengths,
    ServeSetup,
    ServingEngine,
    WeightFormat,
)

PER_TOKEN_LIMIT = 0.01
UNSTATED_SEQUENCES = 256  # of the logs that name no limit (vLLM's default of that version)


@dataclass(frozen=True, slots=True)
class StartRecord:
    """What an engine printed when it started. None: not printed."""

    id: str
    source: str
    model: ModelSpec
    weights: WeightFormat
    cache: CacheFormat
    engine: ServingEngine
    tensor: int
    card: ServingCard | None
    visible_bytes: int | None
    memory_share: float | None
    batched_tokens: int | None
    max_sequences: int | None
    weight_bytes: int | None
    cache_bytes: int | None  # of one card
    cache_tokens: int | None

    @property
    def bounds_only(self) -> bool:
        """Whether the printed bytes only bound the tokens' size from above.

        vLLM makes the number of blocks of the poorest rank the number of all (`get_kv_cache_configs`, and the
        minimum over workers before), while the bytes in a quoted log are one rank's own.
        """
        return self.tensor > 1 and self.engine is ServingEngine.VLLM


@dataclass(frozen=True, slots=True)
class PerTokenScore:
    """Cache bytes per token and card: as printed and as computed."""

    record: StartRecord
    printed: float
    computed: float

    @property
    def error(self) -> float:
        """Relative error; 0 for a bound that is kept."""
        if self.record.bounds_only and self.computed <= self.printed:
            return 0.0
        return abs(self.computed / self.printed - 1)


@dataclass(frozen=True, slots=True)
class PoolScore:
    """Bytes left for the cache on one card: as printed and as computed."""

    record: StartRecord
    printed: int
    computed: int

    @property
    def error(self) -> float:
        """Absolute relative error."""
        return abs(self.computed / self.printed - 1)


@dataclass(frozen=True, slots=True)
class MemoryScore:
    """How well start-up logs are met. Medians are None without a record."""

    per_token: tuple[PerTokenScore, ...]
    per_token_within: int  # records within the limit, bounds left aside
    per_token_exact: int  # records that state the size exactly
    bounds_kept: int
    bounds: int
    pools: tuple[PoolScore, ...]
    pool_median: float | None
    pool_worst: float | None


def score_memory(records: Iterable[StartRecord], facts: ServingFacts) -> MemoryScore:
    """Compare every log that prints bytes and tokens of a full-attention model, and every log with its settings."""
    listed = tuple(records)
    per_token = tuple(size for record in listed if (size := _per_token(record)) is not None)
    exact = [size for size in per_token if not size.record.bounds_only]
    bounds = [size for size in per_token if size.record.bounds_only]
    pools = tuple(pool for record in listed if (pool := _pool(record, facts)) is not None)
    errors = [pool.error for pool in pools]
    return MemoryScore(
        per_token=per_token,
        per_token_within=_within(exact),
        per_token_exact=len(exact),
        bounds_kept=_within(bounds),
        bounds=len(bounds),
        pools=pools,
        pool_median=median(errors) if errors else None,
        pool_worst=max(errors, default=None),
    )


def _within(scores: Sequence[PerTokenScore]) -> int:
    return sum(score.error <= PER_TOKEN_LIMIT for score in scores)


def _per_token(record: StartRecord) -> PerTokenScore | None:
    shape = serving_shape(record.model)
    if record.cache_bytes is None or record.cache_tokens is None:
        return None
    if shape.is_hybrid or shape.has_windows:  # their logs' tokens are concurrency times length, not pool over size
        return None
    ranks = 1 if shape.is_latent else min(record.tensor, *(group.kv_heads for group in shape.caches))
    computed = shape.cache_elements(1) * BYTES_PER_CACHED_VALUE[record.cache] / ranks
    return PerTokenScore(record, record.cache_bytes / record.cache_tokens, computed)


def _pool(record: StartRecord, facts: ServingFacts) -> PoolScore | None:
    """The pool by the engine's own rule from the settings of the log; weights as printed, graphs outside the budget.

    Only logs that state memory share and batched tokens, of engines that count no graphs (vLLM before 0.21).
    """
    engine, constants = facts.engines.get(record.engine), facts.memory
    complete = None not in (record.memory_share, record.batched_tokens, record.visible_bytes, record.weight_bytes)
    if not complete or record.cache_bytes is None or engine is None or constants is None:
        return None
    batched = record.batched_tokens or 0
    shape = serving_shape(record.model)
    activation = activation_bytes(shape, batched, record.max_sequences or UNSTATED_SEQUENCES, record.tensor)
    start_up = (record.weight_bytes or 0) + activation + constants.activation_floor
    setup = ServeSetup(
        record.model,
        Lengths(1, 1, 1, 1),
        weights=record.weights,
        cache=record.cache,
        engine=record.engine,
        settings=EngineSettings(memory_share=record.memory_share),
    )
    pool = cache_pool(setup, engine, record.visible_bytes or 0, start_up, activation)
    return PoolScore(record, record.cache_bytes, pool)

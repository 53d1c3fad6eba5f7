"""Inputs of serving: what is served, to whom, within which limits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.models import ModelSpec


class WeightFormat(StrEnum):
    """How the weights are stored while serving."""

    BF16 = "bf16"
    FP8 = "fp8"
    INT8 = "int8"
    NVFP4 = "nvfp4"
    MXFP4 = "mxfp4"
    AWQ = "int4-awq"
    GPTQ = "int4-gptq"
    Q8_0 = "q8_0"
    Q4_K_M = "q4_k_m"


class CacheFormat(StrEnum):
    """How keys and values are stored."""

    BF16 = "bf16"
    FP8 = "fp8"


class ServingEngine(StrEnum):
    """The inference server."""

    VLLM = "vllm"
    SGLANG = "sglang"
    TENSORRT_LLM = "tensorrt-llm"
    LLAMA_CPP = "llama.cpp"


class LoadKind(StrEnum):
    """How requests arrive."""

    USERS = "users"  # a fixed number in flight
    RATE = "rate"  # requests per second
    BATCH = "batch"  # a job per night, all requests queued


@dataclass(frozen=True, slots=True)
class ServeLoad:
    """The load of one served model. Only the fields of its kind count."""

    kind: LoadKind = LoadKind.USERS
    users: int = 1  # requests in flight
    requests_per_s: float = 0.0
    requests_per_night: int = 0
    night_h: float = 8.0  # hours the nightly job may take


@dataclass(frozen=True, slots=True)
class ServeLimits:
    """What a user accepts; None: not limited."""

    first_token_s: float | None = None
    tokens_per_s_per_user: float | None = None


@dataclass(frozen=True, slots=True)
class Lengths:
    """Tokens of a request: the mean decides throughput, the maximum what is guaranteed."""

    prompt_mean: int
    prompt_max: int
    output_mean: int
    output_max: int

    @property
    def mean_total(self) -> int:
        """Tokens of a mean request when it ends."""
        return self.prompt_mean + self.output_mean

    @property
    def max_total(self) -> int:
        """Tokens of the longest request when it ends."""
        return self.prompt_max + self.output_max


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Settings of the inference server; None takes its default."""

    memory_share: float | None = None  # gpu_memory_utilization, mem_fraction_static or the free share, by engine
    max_sequences: int | None = None
    batched_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ServeSetup:
    """One model as it is served. `adapters` counts adapters loaded apart; a merged one costs nothing: 0."""

    model: ModelSpec
    lengths: Lengths
    load: ServeLoad = ServeLoad()
    weights: WeightFormat = WeightFormat.BF16
    cache: CacheFormat = CacheFormat.BF16
    engine: ServingEngine = ServingEngine.VLLM
    limits: ServeLimits = ServeLimits()
    adapters: int = 0
    adapter_rank: int = 16
    settings: EngineSettings = EngineSettings()


@dataclass(frozen=True, slots=True)
class ServeLayout:
    """Copies of the model, each split over pipeline stages and tensor ranks."""

    replicas: int = 1
    pipeline: int = 1
    tensor: int = 1

    @property
    def cards_per_replica(self) -> int:
        """Cards one copy occupies."""
        return self.pipeline * self.tensor

    @property
    def cards(self) -> int:
        """Cards of all copies."""
        return self.replicas * self.cards_per_replica


ONE_CARD = ServeLayout()

"""What the serving model takes from the catalogue: fitted constants, engine defaults, published measurements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.figures import Figure, Source
from engine.serving.formats import ComputeClass
from engine.serving.types import ServingEngine, WeightFormat
from engine.units import GIB


@dataclass(frozen=True, slots=True)
class ServingCoefficients:
    """The fitted constants. They trade off against each other: none of them is a physical figure on its own."""

    bandwidth_share: float  # of the data-sheet bandwidth
    compute_share: Mapping[ComputeClass, float]  # of the dense data-sheet rate, while decoding
    prefill_gain: float  # prefill over decode efficiency
    prefill_gain_weight_only: float
    start_s: Mapping[ServingEngine, float]  # per step
    layer_s: float
    expert_layer_s: float  # on top, per layer of a model with experts
    recurrent_layer_s: float  # on top, per layer with a recurrent state
    sequence_s: float  # per sequence and step: sampling, scheduling
    exchange_nvlink_s: float  # latency of one all-reduce
    exchange_pcie_s: float
    pcie_share: float  # of the theoretical rate
    expert_compute: float  # efficiency of the small expert products against dense ones
    expert_bandwidth: float
    offline_sequences: float  # sequences per card a queue keeps in flight where no setting says so
    offline_growth: float  # exponent over the cards of one copy


@dataclass(frozen=True, slots=True)
class Widths:
    """Factors of the printed ranges, both ways; from leaving whole sources out."""

    dense: float
    experts: float
    hybrid: float
    measured: float  # the same model, engine and split were measured on this card


@dataclass(frozen=True, slots=True)
class Anchor:
    """A published measurement and what the formula says for it. Lengths in tokens, `users` per copy of the model."""

    record_id: str
    source: Source
    card_id: str
    model: str
    parameters: int
    active_parameters: int
    experts: bool
    weights: WeightFormat
    compute: ComputeClass
    engine: ServingEngine
    prompt: int
    output: int
    offline: bool
    users: float
    tensor: int
    pipeline: int
    tokens_per_s: float  # of one copy
    ratio: float  # measured over computed
    software: str  # engine and version as the source names them; two versions are two setups


@dataclass(frozen=True, slots=True)
class EngineDefaults:
    """How an inference server divides memory. `memory_share` counts what the engine's own setting counts."""

    memory_share: float
    max_sequences_large: int  # on cards with at least `LARGE_CARD_BYTES`
    max_sequences_small: int
    batched_tokens_large: int
    batched_tokens_small: int
    figure: Figure[str]


@dataclass(frozen=True, slots=True)
class MemoryConstants:
    """Bytes at start-up that no formula gives."""

    hidden_from_engine: int  # driver total minus what CUDA offers
    activation_floor: int
    non_torch_one_card: int
    non_torch_many: int  # with NCCL
    graphs: int
    figure: Figure[str]


@dataclass(frozen=True, slots=True)
class ServingFacts:
    """Everything the serving model takes from the catalogue."""

    coefficients: ServingCoefficients | None = None
    widths: Widths | None = None
    memory: MemoryConstants | None = None
    engines: Mapping[ServingEngine, EngineDefaults] = field(default_factory=dict)
    anchors: Mapping[str, tuple[Anchor, ...]] = field(default_factory=dict)  # by card id
    sources: Mapping[str, Source] = field(default_factory=dict)
    assumptions: Mapping[str, Figure[float]] = field(default_factory=dict)


LARGE_CARD_BYTES = 70 * GIB  # vLLM's own border between its two sets of defaults
NO_SERVING_FACTS = ServingFacts()

"""Inputs and results of the speed model, and the facts it stands on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.figures import Figure, Source
from engine.hardware import Card, LinkKind
from engine.memory.own_peak import OwnPeak
from engine.memory.types import TrainingSetup
from engine.methods import Method
from engine.units import FloatBand


class StackClass(StrEnum):
    """How well the training software is tuned. It decides more than the card: factor 3.4 on the same eight H100."""

    PLAIN_HF = "plain-hf"  # Hugging Face Trainer or DeepSpeed scripts, bitsandbytes or GPTQ
    TUNED_PYTORCH = "tuned-pytorch"  # flash attention, packing, fused kernels or compile
    VENDOR_TUNED = "vendor-tuned"  # NeMo or Megatron with FP8 or FP4 and a tuned parallel layout


class ComputeFormat(StrEnum):
    """Number format of the matrix work; independent of how the weights are stored."""

    BF16 = "bf16"
    FP8 = "fp8"
    FP4 = "fp4"


class Fabric(StrEnum):
    """The network between machines."""

    INFINIBAND = "infiniband"
    ROCE = "roce"


class SpeedNote(StrEnum):
    """Remarks about a step time; sentences are made in `engine.wording`."""

    RATE_SCALED = "rate-scaled"  # the card's matrix rate is scaled from a sister card, not measured
    NO_CARD_RECORD = "no-card-record"  # no published fine-tuning measurement for this card
    INCOMPLETE_RECORD = "incomplete-record"  # one is published, but without the configuration to compare it by
    NO_INSTANCE_RECORD = "no-instance-record"  # nobody published a training measured on a MIG instance
    SHARDED_OVER_PCIE = "sharded-over-pcie"
    OFFLOADED = "offloaded"
    SHORT_MICRO_BATCH = "short-micro-batch"
    STACK_ASSUMED = "stack-assumed"
    MIXTURE_OF_EXPERTS = "mixture-of-experts"
    POWER_TABLE_BORROWED = "power-table-borrowed"  # another edition's table, scaled
    POWER_BELOW_TABLE = "power-below-table"  # the cap is outside the measured range; the rate is extrapolated
    PADDED = "padded"  # samples are not packed
    CALIBRATED = "calibrated"  # narrowed by the customer's own test run
    ACROSS_NODES = "across-nodes"  # the run crosses a network between machines
    PREFERENCE_PAIRS = "preference-pairs"  # DPO's reference pass is counted, but never measured here
    LONG_SEQUENCE = "long-sequence"  # attention at this length was measured slower, or not at all, on this generation
    SHORT_QUANTISED = "short-quantised"  # 4-bit weights unpacked for few tokens: measured slower than computed
    CALIBRATED_ELSEWHERE = "calibrated-elsewhere"  # moved by the customer's own test run of another kind


@dataclass(frozen=True, slots=True)
class Link:
    """The path between the cards of one run. Rates are GB/s (10^9) per direction and card.

    `islands` above 1: cards form groups of `cards / islands` joined by this link, and `outer` joins the groups.
    """

    kind: LinkKind
    theoretical_gb_per_s: float
    effective_low_gb_per_s: float
    effective_expected_gb_per_s: float
    effective_high_gb_per_s: float
    islands: int = 1
    outer: Link | None = None
    measured: bool = False  # the effective rate is a published or customer's measurement of this machine


NO_LINK = Link(LinkKind.NONE, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Calibration:
    """A customer's own test run: what was measured and what the model says for the same run, in tokens/s.

    `alike`: the run to be timed is of the same kind (card, method, size), so its band is the narrowest. `covers` names
    what widens a band but was part of the test run as well.
    """

    measured_tokens_per_s: float
    modelled_tokens_per_s: float
    name: str = ""
    alike: bool = True
    covers: frozenset[SpeedNote] = frozenset()

    @property
    def factor(self) -> float:
        """Measured speed over modelled speed."""
        return self.measured_tokens_per_s / self.modelled_tokens_per_s


@dataclass(frozen=True, slots=True)
class SpeedSetup:
    """One run as it is timed. `trainable_parameters` is the memory estimate's figure."""

    training: TrainingSetup
    card: Card
    trainable_parameters: int
    link: Link = NO_LINK
    stack: StackClass = StackClass.TUNED_PYTORCH
    stack_known: bool = True  # False: assumed, and the band says so
    compute: ComputeFormat = ComputeFormat.BF16
    power_cap_w: int | None = None
    host_factor: float = 1.0  # speed of this host with this layout against the best measured one
    calibration: Calibration | None = None


@dataclass(frozen=True, slots=True)
class OwnRun:
    """A test run of the customer's own: what ran where, what he measured, and what the model says for it, in tokens/s.

    `notes` are the remarks the model makes about it: what widens a band was part of the test run. `peak` is shown
    beside the memory estimate and moves nothing.
    """

    name: str
    setup: SpeedSetup
    measured_tokens_per_s: float
    modelled_tokens_per_s: float
    notes: frozenset[SpeedNote]
    peak: OwnPeak | None = None


@dataclass(frozen=True, slots=True)
class CardRates:
    """Sustained matrix rates of one card in TFLOPS. `scaled` names the formats nobody measured on this card."""

    bf16: Figure[float]
    fp8: Figure[float] | None = None
    fp4: Figure[float] | None = None
    scaled: frozenset[ComputeFormat] = frozenset()


@dataclass(frozen=True, slots=True)
class PowerPoint:
    """Matrix rate at a power limit, relative to the edition's rate at its full power."""

    limit_w: int
    relative_rate: float


@dataclass(frozen=True, slots=True)
class PowerTable:
    """A measured sweep of one edition, rising in watts."""

    card_id: str
    architecture: str
    points: tuple[PowerPoint, ...]
    figure: Figure[str]


@dataclass(frozen=True, slots=True)
class StackCoefficients:
    """What was fitted for one stack class."""

    matmul_efficiency: float  # share of the card's measured matrix rate
    activation_bytes: float  # bytes moved per token, layer, unit of width and pass beside the matrix work
    launch_s: float  # floor per layer and pass


@dataclass(frozen=True, slots=True)
class Coefficients:
    """The fitted constants of the speed model."""

    stacks: Mapping[StackClass, StackCoefficients]
    attention_efficiency: float  # share of the BF16 matrix rate reached by causal flash attention
    dequantisation_bytes: float  # bytes moved per 4-bit weight and pass
    exposed_share: float  # share of the shorter of compute and communication that is not hidden


@dataclass(frozen=True, slots=True)
class LinkRate:
    """Effective collective rates as a share of the theoretical rate of a link kind."""

    kind: LinkKind
    low: float
    expected: float
    high: float
    figure: Figure[str]


@dataclass(frozen=True, slots=True)
class FabricRate:
    """Effective rate of a network as a share of its theoretical one."""

    fabric: Fabric
    low: float
    expected: float
    high: float
    figure: Figure[str]


@dataclass(frozen=True, slots=True)
class MachineLink:
    """A machine whose collectives were measured, or whose speed against a sister machine was."""

    system_id: str
    card_id: str | None  # None: every card
    pcie_gb_per_s: float | None  # all-reduce bus bandwidth
    sharded_factor: float  # step speed for layouts that exchange inside a pass, 1 = best measured machine
    data_parallel_factor: float
    figure: Figure[str]


@dataclass(frozen=True, slots=True)
class CardRecord:
    """A published training measurement on a card, to be named beside the times computed for it."""

    card_id: str
    record_id: str
    model: str
    matrix_parameters: int
    method: Method
    stack: StackClass
    compute: ComputeFormat
    cards: int
    sequence_length: int
    micro_batch: int
    tokens_per_s_per_card: float
    source: Source


@dataclass(frozen=True, slots=True)
class SpeedFacts:
    """Everything the speed model takes from the catalogue."""

    coefficients: Coefficients | None = None
    rates: Mapping[str, CardRates] = field(default_factory=dict)
    scaled_share: Mapping[str, float] = field(default_factory=dict)  # architecture -> measured / data sheet
    power: Mapping[str, PowerTable] = field(default_factory=dict)
    links: Mapping[LinkKind, LinkRate] = field(default_factory=dict)
    pcie_pair: LinkRate | None = None  # two cards alone exchange faster than a ring of many
    fabrics: Mapping[Fabric, FabricRate] = field(default_factory=dict)
    machines: tuple[MachineLink, ...] = ()
    records: Mapping[str, tuple[CardRecord, ...]] = field(default_factory=dict)
    editions: tuple[CardRecord, ...] = ()  # of one product in one setup, laid out alike by the same people
    incomplete_records: Mapping[str, Figure[str]] = field(default_factory=dict)  # card id -> what was published
    assumptions: Mapping[str, Figure[float]] = field(default_factory=dict)  # host and disk rates, shares


NO_SPEED_FACTS = SpeedFacts()


@dataclass(frozen=True, slots=True)
class StepTerms:
    """Seconds of one optimiser step by cause (expected values). Communication is before overlap."""

    matmul_s: float
    attention_s: float
    memory_bound_s: float
    launch_s: float
    dequantisation_s: float
    gather_s: float
    gradient_s: float
    optimizer_s: float
    offload_s: float
    exposed_communication_s: float  # what of gather and gradient is not hidden behind compute

    @property
    def compute_s(self) -> float:
        """Everything the card itself does."""
        return (
            self.matmul_s
            + self.attention_s
            + self.memory_bound_s
            + self.launch_s
            + self.dequantisation_s
            + self.optimizer_s
        )

    @property
    def total_s(self) -> float:
        """The step."""
        return self.compute_s + self.offload_s + self.exposed_communication_s


@dataclass(frozen=True, slots=True)
class RunTime:
    """A whole run. `hours` counts everything between start and the last checkpoint, without failed runs."""

    hours: FloatBand
    tokens_per_second: FloatBand  # while training
    training_h: float
    evaluation_h: float
    checkpoint_h: float
    start_up_h: float
    optimiser_steps: int
    hours_with_failures: FloatBand  # hours times (1 + failed share): what the month must provide


@dataclass(frozen=True, slots=True)
class StepTime:
    """Seconds of one optimiser step and where they go (expected values); the band is on the total."""

    total_s: FloatBand
    compute_s: float
    communication_s: float
    lower_bound_link_s: float  # bytes over the theoretical link rate, nothing else
    link: LinkKind
    link_bytes: int  # received per card and step
    tokens_per_step: int = 0  # of all cards of the run
    terms: StepTerms | None = None  # seconds by cause, before host factor and calibration
    notes: tuple[SpeedNote, ...] = ()  # what widens or narrows the band, and what was assumed
    record: CardRecord | None = None  # nearest published measurement on this card; None: there is none
    calibration: Calibration | None = None  # the customer's own test run that moved this time

"""Inputs and results of cluster planning."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.fit import Verdict
from engine.hardware import Card
from engine.memory.types import MemoryEstimate
from engine.methods import Recipe
from engine.models import ModelSpec
from engine.speed.types import (
    Calibration,
    ComputeFormat,
    Fabric,
    Link,
    OwnRun,
    RunTime,
    SpeedNote,
    StackClass,
)
from engine.units import ByteBand, FloatBand


class ShardScope(StrEnum):
    """Over which cards weights, gradients and optimiser states are divided."""

    OPTIMIZER = "optimizer"  # ZeRO-1 over all replicas: only optimiser states
    NODE = "node"  # fully sharded inside a node, replicated across nodes
    ALL = "all"  # fully sharded over all replicas


@dataclass(frozen=True, slots=True)
class NodeType:
    """A machine of the cluster. `network_gb_per_s` is per card and direction (400 Gbit/s are 50)."""

    id: str
    card: Card
    cards: int
    inner: Link
    fabric: Fabric
    network_gb_per_s: float


@dataclass(frozen=True, slots=True)
class ClusterJob:
    """What is to be trained. `batch_tokens` are the tokens of one optimiser step over the whole cluster."""

    model: ModelSpec
    recipe: Recipe
    sequence_length: int
    tokens: int
    batch_tokens: int
    deadline_h: float | None = None  # checked at the slow end
    stack: StackClass = StackClass.TUNED_PYTORCH
    stack_known: bool = True
    compute: ComputeFormat = ComputeFormat.BF16
    headroom: float = 0.15
    most_nodes: int = 64
    checkpoint_every_h: float = 1.0
    storage_gb_per_s: float | None = None  # None: the catalogue's assumption for a disk
    own_runs: tuple[OwnRun, ...] = ()  # the customer's test runs inside one machine


@dataclass(frozen=True, slots=True)
class ParallelLayout:
    """How cards share the work: `tensor` x `pipeline` x `replicas` cards."""

    tensor: int
    pipeline: int
    replicas: int
    scope: ShardScope

    @property
    def cards(self) -> int:
        """All cards."""
        return self.tensor * self.pipeline * self.replicas


@dataclass(frozen=True, slots=True)
class ClusterMemory:
    """The fullest card of the cluster.

    `figure` is the engine's estimate of its pipeline stage with peak and need of one card of the tensor group; the
    parts inside it are those of the stage.
    """

    figure: MemoryEstimate
    in_flight_bytes: int  # activations of further micro-batches that wait in the pipeline

    @property
    def required(self) -> ByteBand:
        """What the card must have."""
        return self.figure.required


@dataclass(frozen=True, slots=True)
class ClusterStep:
    """One optimiser step of the cluster: expected seconds by cause, traffic per card."""

    total_s: FloatBand
    compute_s: float
    inside_s: float  # exchange inside nodes, before overlap
    across_s: float  # exchange across nodes, before overlap
    bubble_s: float  # cards waiting for the pipeline to fill and drain
    optimizer_s: float
    inside_bytes: int  # received per card and step from cards of the same node
    across_bytes: int  # received per card and step over the network
    least_across_s: float  # those bytes at the network's theoretical rate
    tokens_per_step: int
    model_flop_share: float | None  # useful FLOP over the data sheet's dense BF16 rate (MFU)


class QuestionCode(StrEnum):
    """What a provider or integrator has to answer before money is committed."""

    FABRIC_RATE = "fabric-rate"  # network per card, and whether the fabric is non-blocking at this node count
    GPU_DIRECT = "gpu-direct"  # RDMA straight into the card's memory
    ALL_GATHER_RATE = "all-gather-rate"  # measured with NCCL tests on the offered nodes
    ALL_REDUCE_RATE = "all-reduce-rate"
    INSIDE_LINK = "inside-link"  # NVLink or NVSwitch inside the node, topology visible
    PLACEMENT = "placement"  # all nodes in one block of the fabric, guaranteed
    CHECKPOINT_STORAGE = "checkpoint-storage"  # write rate under load, and restore
    FAILURES = "failures"  # spare nodes, preemption, who replaces what in which time
    SUPPORT = "support"  # reaction time for NCCL faults
    TEST_RUN = "test-run"  # a benchmark of the customer's job before the commitment


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its numbers; keys end in their unit."""

    code: QuestionCode
    values: tuple[tuple[str, str | int | float], ...] = ()


@dataclass(frozen=True, slots=True)
class NetworkNeed:
    """The network that keeps the cards busy: less than it and the step grows by more than `tolerated_share`."""

    least_gb_per_s: float  # per card and direction, as data sheets state it
    tolerated_share: float
    enough: bool  # the node type's network carries it
    checkpoint_bytes: int
    storage_gb_per_s: float  # to write a checkpoint within `tolerated_share` of its interval


@dataclass(frozen=True, slots=True)
class ClusterPlan:
    """The quickest layout on a number of nodes."""

    nodes: int
    node: NodeType
    layout: ParallelLayout
    micro_batch: int
    micro_batches: int
    memory: ClusterMemory
    verdict: Verdict
    step: ClusterStep
    run: RunTime
    network: NetworkNeed
    questions: tuple[Question, ...]
    notes: tuple[SpeedNote, ...]
    meets_deadline: bool
    calibration: Calibration | None = None  # the customer's own test run that moved this time

    @property
    def cards(self) -> int:
        """Cards in all."""
        return self.nodes * self.node.cards


class ClusterGap(StrEnum):
    """Why there is no plan."""

    NO_RATE = "no-rate"  # the card's matrix rate or the link's rate is unknown
    MEMORY = "memory"  # no layout fits on the most nodes allowed
    DEADLINE = "deadline"  # it fits, but not in time on the most nodes allowed
    BATCH = "batch"  # the batch is smaller than one sequence per group of cards


@dataclass(frozen=True, slots=True)
class ClusterOutlook:
    """The chosen plan and the quickest plan for every node count tried, for the curve of time over nodes."""

    chosen: ClusterPlan | None
    options: tuple[ClusterPlan, ...]
    gap: ClusterGap | None

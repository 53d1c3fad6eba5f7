"""Inputs and results of the memory estimate."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.methods import SINGLE_CARD, Layout, Recipe
from engine.models import ModelSpec
from engine.units import ByteBand


class Phase(StrEnum):
    """The moments of a training step at which memory can peak."""

    LOAD = "load"
    FORWARD = "forward"
    LOSS = "loss"
    BACKWARD = "backward"
    STEP = "step"


@dataclass(frozen=True, slots=True)
class TrainingSetup:
    """One run as it is sized. `micro_batch` counts sequences per card and forward pass."""

    model: ModelSpec
    recipe: Recipe
    sequence_length: int
    micro_batch: int = 1
    layout: Layout = SINGLE_CARD

    @property
    def tokens_per_micro_batch(self) -> int:
        """Tokens one card processes per forward pass."""
        return self.sequence_length * self.micro_batch


@dataclass(frozen=True, slots=True)
class CardBytes:
    """The parts of one card's memory at the limiting phase's inputs. Order is the order in every picture."""

    weights: int
    adapters: int
    gradients: int
    master_weights: int
    optimizer: int
    activations: int
    logits: int
    workspace: int
    communication: int

    @property
    def model_states(self) -> int:
        """Weights, adapters, gradients, master weights and optimiser states (the ZeRO paper's model states)."""
        return self.weights + self.adapters + self.gradients + self.master_weights + self.optimizer


@dataclass(frozen=True, slots=True)
class PhaseBytes:
    """Live bytes on one card at each phase (what `max_memory_allocated` would show)."""

    load: int
    forward: int
    loss: int
    backward: int
    step: int

    @property
    def limiting(self) -> Phase:
        """The phase that needs most; the earliest of equals."""
        values = {phase: getattr(self, phase.value) for phase in Phase}
        return max(values, key=lambda phase: values[phase])


@dataclass(frozen=True, slots=True)
class Note:
    """A remark about an estimate: a code and its numbers; sentences are made in `engine.wording`."""

    code: str
    values: tuple[tuple[str, str | int | float], ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """What a run needs on each card, and on the host."""

    setup: TrainingSetup
    parameters: int
    trainable_parameters: int
    card: CardBytes
    phases: PhaseBytes
    allocated_peak: int  # live bytes, the maximum of the phases
    runtime_context: int  # CUDA context, library handles, NCCL
    allocator_reserve: int  # cached and fragmented blocks on top of the live bytes
    required: ByteBand  # what the card must have: allocated peak + context + reserve; headroom not included
    host: int  # host memory floor
    host_high: int  # cautious host memory
    states: CardBytes  # model states as usually counted: all gradients at once, no activations
    driver_shows: int  # what the driver's tool displays when there is room to spare: more than the run must have
    notes: tuple[Note, ...] = ()

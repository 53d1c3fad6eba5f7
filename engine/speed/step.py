"""The time of one optimiser step of a catalogue setup."""

from __future__ import annotations

from dataclasses import dataclass

from engine.hardware import Card, LinkKind
from engine.memory.estimate import SEQUENCES_PER_PAIR
from engine.memory.types import TrainingSetup
from engine.methods import Layout, Objective, Offload, Recipe, Sharding
from engine.speed.bands import Width, band, nearest_record, notes_for, width_for
from engine.speed.power import power_factor
from engine.speed.rates import matmul_rate
from engine.speed.shape import ModelShape, shape_of
from engine.speed.terms import GB, MachineRates, StepWork, least_exchange_s, received_bytes, step_terms
from engine.speed.types import (
    CardRecord,
    ComputeFormat,
    Link,
    SpeedFacts,
    SpeedNote,
    SpeedSetup,
    StackClass,
    StepTerms,
    StepTime,
)
from engine.speed.work import BF16_BYTES, StepJob, gradient_bytes_each, weight_bytes, work_of

HOST_UPDATE_BYTES = 28  # read and written per trained parameter by an AdamW step in host memory
_ONE_REPLICA = (Sharding.NONE, Sharding.TENSOR)
_STREAMED = (Offload.ALL, Offload.NVME)


@dataclass(frozen=True, slots=True)
class CardSpeed:
    """What one card delivers at its power limit, and what has to be said about it."""

    matmul_flop_per_s: float
    bf16_flop_per_s: float
    memory_bytes_per_s: float
    notes: tuple[SpeedNote, ...]


@dataclass(frozen=True, slots=True)
class StepLoad:
    """What one optimiser step has to do, whichever cards do it. `cards` exchange with each other."""

    work: StepWork
    cards: int
    tokens_per_step: int  # of all cards of the run
    matrix_parameters: int


@dataclass(frozen=True, slots=True)
class Remarks:
    """What is said about a time, and how wide it is printed for that."""

    notes: tuple[SpeedNote, ...]
    width: Width
    record: CardRecord | None


def step_time(setup: SpeedSetup, facts: SpeedFacts) -> StepTime | None:
    """Seconds of one optimiser step with band, parts and remarks.

    None when no compute rate was published for the card, or no rate for the link the layout needs: nothing is invented.
    """
    speed = card_speed(setup.card, setup.compute, setup.power_cap_w, facts)
    load = None if speed is None else step_load(setup.training, setup.trainable_parameters, setup.card, facts)
    terms = None if speed is None or load is None else seconds_by_cause(load, speed, setup.link, setup.stack, facts)
    if speed is None or load is None or terms is None:
        return None
    return described(setup, load, remarks_on(setup, load, speed, facts), terms, facts)


def card_speed(card: Card, compute: ComputeFormat, power_cap_w: int | None, facts: SpeedFacts) -> CardSpeed | None:
    """The card's rates at a power limit; None when one was not published."""
    rate = matmul_rate(card, compute, facts)
    bf16 = rate if compute is ComputeFormat.BF16 else matmul_rate(card, ComputeFormat.BF16, facts)
    if rate is None or bf16 is None or card.bandwidth_gb_per_s is None:
        return None
    power, power_note = power_factor(card, power_cap_w, facts)
    notes = (SpeedNote.RATE_SCALED,) if rate.scaled else ()
    return CardSpeed(
        rate.flop_per_s * power,
        bf16.flop_per_s * power,
        float(card.bandwidth_gb_per_s.value) * GB,
        notes if power_note is None else (*notes, power_note),
    )


def step_load(training: TrainingSetup, trainable_parameters: int, card: Card, facts: SpeedFacts) -> StepLoad | None:
    """The step as work. The card matters only where something is offloaded; None when a rate for that is missing."""
    layout = training.layout
    cards = 1 if layout.sharding is Sharding.NONE else layout.shard_cards
    shape = shape_of(training.model)
    offload_s = _offload_s(training.recipe, trainable_parameters, card, shape, cards, facts)
    if offload_s is None:
        return None
    job = StepJob(
        training.recipe,
        layout,
        cards,
        tokens_per_micro_batch(training),
        training.sequence_length,
        trainable_parameters,
        offload_s,
    )
    return StepLoad(work_of(job, shape), cards, tokens_per_step(training), shape.matrix_parameters)


def seconds_by_cause(
    load: StepLoad, speed: CardSpeed, link: Link, stack: StackClass, facts: SpeedFacts
) -> StepTerms | None:
    """Expected seconds, before what slows the whole step; None without coefficients or without a rate for the link."""
    if facts.coefficients is None or (load.cards > 1 and link.effective_expected_gb_per_s <= 0):
        return None
    rates = MachineRates(speed.matmul_flop_per_s, speed.bf16_flop_per_s, speed.memory_bytes_per_s, link, load.cards)
    return step_terms(load.work, rates, stack, facts.coefficients)


def slowdown(setup: SpeedSetup, facts: SpeedFacts) -> float:
    """What the whole step takes longer by: the host, DoRA, and what the customer's own test run showed."""
    factor = 1 / setup.host_factor
    if setup.training.recipe.dora:
        factor /= facts.assumptions["dora_speed"].value
    if setup.calibration is not None:
        factor = factor / setup.calibration.factor
    return factor


def remarks_on(setup: SpeedSetup, load: StepLoad, speed: CardSpeed, facts: SpeedFacts) -> Remarks:
    """What of a setup widens its band, and the record to name beside it.

    Without a customer's own test run that depends on the card, on how the software is known, on the power limit, and
    on whether a pass crosses PCIe; on nothing else of link and machine.
    """
    notes = (*notes_for(setup, facts), *speed.notes)
    return Remarks(notes, width_for(notes, setup.calibration), nearest_record(setup, load.matrix_parameters, facts))


def described(setup: SpeedSetup, load: StepLoad, said: Remarks, terms: StepTerms, facts: SpeedFacts) -> StepTime:
    """The step's seconds with their band and everything that has to be said about them."""
    work, cards = load.work, load.cards
    slower = slowdown(setup, facts)
    inside = received_bytes(work.micro_batches * work.gather_bytes + work.gradient_bytes, cards)
    return StepTime(
        total_s=band(terms.total_s * slower, said.width),
        compute_s=(terms.compute_s + terms.offload_s) * slower,
        communication_s=terms.exposed_communication_s * slower,
        lower_bound_link_s=least_exchange_s(work, setup.link, cards),
        link=setup.link.kind if cards > 1 else LinkKind.NONE,
        link_bytes=round(inside + work.replica_bytes),
        tokens_per_step=load.tokens_per_step,
        terms=terms,
        notes=said.notes,
        record=said.record,
        calibration=setup.calibration,
    )


def tokens_per_step(training: TrainingSetup) -> int:
    """Tokens all cards of the run process per optimiser step."""
    replicas = _replicas(training.layout)
    return tokens_per_micro_batch(training) * training.recipe.gradient_accumulation * replicas


def tokens_per_micro_batch(training: TrainingSetup) -> int:
    """Tokens of one forward pass; DPO's micro-batch counts pairs of two sequences, as the memory estimate does."""
    pairs = training.recipe.objective is Objective.DPO
    return training.tokens_per_micro_batch * (SEQUENCES_PER_PAIR if pairs else 1)


def _replicas(layout: Layout) -> int:
    """Cards that work on different tokens."""
    return 1 if layout.sharding in _ONE_REPLICA else layout.cards


def _offload_s(
    recipe: Recipe, trained: int, card: Card, shape: ModelShape, cards: int, facts: SpeedFacts
) -> float | None:
    """Seconds per step spent on the way to the host and in it; None when a rate is missing.

    Gradients go down and updated weights come back once per step, the update reads and writes every state in host
    memory, streamed weights cross PCIe in every pass, states on NVMe are read and written once.
    """
    if recipe.offload is Offload.NONE:
        return 0.0
    pcie, rates = card.pcie_gb_per_s, facts.assumptions
    if pcie is None or not {"host_copy_share", "host_memory_gb_per_s", "nvme_gb_per_s"} <= rates.keys():
        return None
    copy = float(pcie.value) * GB * rates["host_copy_share"].value
    there_and_back = trained * (gradient_bytes_each(recipe) + BF16_BYTES) / cards / copy
    update = trained * HOST_UPDATE_BYTES / (rates["host_memory_gb_per_s"].value * GB)
    total = there_and_back + update
    if recipe.offload in _STREAMED:
        streamed = 2 * weight_bytes(recipe, shape) / cards
        total += recipe.gradient_accumulation * streamed / copy
    if recipe.offload is Offload.NVME:
        total += trained * HOST_UPDATE_BYTES / (rates["nvme_gb_per_s"].value * GB)
    return total

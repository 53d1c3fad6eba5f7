"""The time of one optimiser step of a catalogue setup."""

from __future__ import annotations

from engine.hardware import LinkKind
from engine.memory.estimate import SEQUENCES_PER_PAIR
from engine.memory.types import TrainingSetup
from engine.methods import Layout, Objective, Offload, Sharding
from engine.plan.types import StepTime
from engine.speed.bands import band, nearest_record, notes_for, width_for
from engine.speed.power import power_factor
from engine.speed.rates import matmul_rate
from engine.speed.shape import ModelShape, shape_of
from engine.speed.terms import GB, MachineRates, least_exchange_s, received_bytes, step_terms
from engine.speed.types import ComputeFormat, SpeedFacts, SpeedNote, SpeedSetup
from engine.speed.work import BF16_BYTES, StepJob, gradient_bytes_each, weight_bytes, work_of

HOST_UPDATE_BYTES = 28  # read and written per trained parameter by an AdamW step in host memory
_ONE_REPLICA = (Sharding.NONE, Sharding.TENSOR)
_STREAMED = (Offload.ALL, Offload.NVME)


def step_time(setup: SpeedSetup, facts: SpeedFacts) -> StepTime | None:
    """Seconds of one optimiser step with band, parts and remarks.

    None when no compute rate was published for the card, or no rate for the link the layout needs: nothing is invented.
    """
    coefficients, card = facts.coefficients, setup.card
    rate = matmul_rate(card, setup.compute, facts)
    bf16 = rate if setup.compute is ComputeFormat.BF16 else matmul_rate(card, ComputeFormat.BF16, facts)
    if coefficients is None or rate is None or bf16 is None or card.bandwidth_gb_per_s is None:
        return None
    layout = setup.training.layout
    cards = 1 if layout.sharding is Sharding.NONE else layout.shard_cards
    if cards > 1 and setup.link.effective_expected_gb_per_s <= 0:
        return None
    shape = shape_of(setup.training.model)
    offload_s = _offload_s(setup, shape, cards, facts)
    if offload_s is None:
        return None
    power, power_note = power_factor(card, setup.power_cap_w, facts)
    training = setup.training
    job = StepJob(
        training.recipe,
        layout,
        cards,
        tokens_per_micro_batch(training),
        training.sequence_length,
        setup.trainable_parameters,
        offload_s,
    )
    work = work_of(job, shape)
    machine = MachineRates(
        rate.flop_per_s * power,
        bf16.flop_per_s * power,
        float(card.bandwidth_gb_per_s.value) * GB,
        setup.link,
        cards,
    )
    terms = step_terms(work, machine, setup.stack, coefficients)
    notes = notes_for(setup, facts)
    if rate.scaled:
        notes = (*notes, SpeedNote.RATE_SCALED)
    if power_note is not None:
        notes = (*notes, power_note)
    slowdown = 1 / setup.host_factor
    if training.recipe.dora:
        slowdown /= facts.assumptions["dora_speed"].value
    if setup.calibration is not None:
        slowdown = slowdown / setup.calibration.factor
    inside = received_bytes(work.micro_batches * work.gather_bytes + work.gradient_bytes, cards)
    return StepTime(
        total_s=band(terms.total_s * slowdown, width_for(notes, setup.calibration)),
        compute_s=(terms.compute_s + terms.offload_s) * slowdown,
        communication_s=terms.exposed_communication_s * slowdown,
        lower_bound_link_s=least_exchange_s(work, setup.link, cards),
        link=setup.link.kind if cards > 1 else LinkKind.NONE,
        link_bytes=round(inside + work.replica_bytes),
        tokens_per_step=tokens_per_step(setup.training),
        terms=terms,
        notes=notes,
        record=nearest_record(setup, shape.matrix_parameters, facts),
        calibration=setup.calibration,
    )


def missing_figure(setup: SpeedSetup, facts: SpeedFacts) -> str | None:
    """Why `step_time` gives None: the catalogue field that is not published. None when nothing is missing."""
    card, layout = setup.card, setup.training.layout
    if matmul_rate(card, ComputeFormat.BF16, facts) is None:
        return "bf16_dense_tflops"
    if matmul_rate(card, setup.compute, facts) is None:
        return f"{setup.compute.value}_dense_tflops"
    if card.bandwidth_gb_per_s is None:
        return "bandwidth_gb_per_s"
    exchanges = layout.cards > 1 and layout.sharding is not Sharding.NONE
    if exchanges and setup.link.effective_expected_gb_per_s <= 0:
        return "pcie_gb_per_s"
    if setup.training.recipe.offload is not Offload.NONE and card.pcie_gb_per_s is None:
        return "pcie_gb_per_s"
    return None


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


def _offload_s(setup: SpeedSetup, shape: ModelShape, cards: int, facts: SpeedFacts) -> float | None:
    """Seconds per step spent on the way to the host and in it; None when a rate is missing.

    Gradients go down and updated weights come back once per step, the update reads and writes every state in host
    memory, streamed weights cross PCIe in every pass, states on NVMe are read and written once.
    """
    recipe = setup.training.recipe
    if recipe.offload is Offload.NONE:
        return 0.0
    pcie, rates = setup.card.pcie_gb_per_s, facts.assumptions
    if pcie is None or not {"host_copy_share", "host_memory_gb_per_s", "nvme_gb_per_s"} <= rates.keys():
        return None
    copy = float(pcie.value) * GB * rates["host_copy_share"].value
    trained = setup.trainable_parameters
    there_and_back = trained * (gradient_bytes_each(recipe) + BF16_BYTES) / cards / copy
    update = trained * HOST_UPDATE_BYTES / (rates["host_memory_gb_per_s"].value * GB)
    total = there_and_back + update
    if recipe.offload in _STREAMED:
        streamed = 2 * weight_bytes(recipe, shape) / cards
        total += recipe.gradient_accumulation * streamed / copy
    if recipe.offload is Offload.NVME:
        total += trained * HOST_UPDATE_BYTES / (rates["nvme_gb_per_s"].value * GB)
    return total

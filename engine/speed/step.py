"""The time of one optimiser step of a catalogue setup."""

from __future__ import annotations

from engine.hardware import LinkKind
from engine.memory.types import TrainingSetup
from engine.methods import Checkpointing, Layout, Method, Objective, Offload, Precision, Sharding, StateRecipe
from engine.plan.types import StepTime
from engine.speed.bands import band, notes_for, width_for
from engine.speed.power import power_factor
from engine.speed.rates import matmul_rate
from engine.speed.shape import NF4_BYTES, ModelShape, shape_of
from engine.speed.terms import GB, MachineRates, StepWork, received_bytes, step_terms
from engine.speed.types import ComputeFormat, SpeedFacts, SpeedNote, SpeedSetup

BF16_BYTES = 2
FP32_BYTES = 4
UPDATE_BYTES = {  # read and written per trained parameter by one AdamW step: weight, gradient, two moments, copy
    StateRecipe.BF16_MASTER: 28,
    StateRecipe.BF16: 14,
    StateRecipe.AMP: 28,
    StateRecipe.FP32_GRADIENTS: 30,
    StateRecipe.FSDP_MIXED: 28,
    StateRecipe.BF16_8BIT: 16,
}
HOST_UPDATE_BYTES = 28  # the same count for an update in host memory
_REPLICATED = frozenset({Sharding.DDP, Sharding.ZERO1, Sharding.ZERO2})
_STREAMED = frozenset({Offload.ALL, Offload.NVME})


def step_time(setup: SpeedSetup, facts: SpeedFacts) -> StepTime | None:
    """Seconds of one optimiser step with band, parts and remarks.

    None when no compute rate was published for the card, or no rate for the link the layout needs: nothing is invented.
    """
    coefficients, card = facts.coefficients, setup.card
    rate = matmul_rate(card, setup.compute, facts)
    bf16 = matmul_rate(card, ComputeFormat.BF16, facts)
    if coefficients is None or rate is None or bf16 is None or card.bandwidth_gb_per_s is None:
        return None
    layout = setup.training.layout
    cards = 1 if layout.sharding is Sharding.NONE else layout.cards
    if cards > 1 and setup.link.effective_expected_gb_per_s <= 0:
        return None
    shape = shape_of(setup.training.model)
    offload_s = _offload_s(setup, shape, cards, facts)
    if offload_s is None:
        return None
    power, power_note = power_factor(card, setup.power_cap_w, facts)
    work = work_of(setup.training, shape, setup.trainable_parameters, cards, offload_s)
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
    if setup.calibration is not None:
        slowdown = slowdown / setup.calibration.factor
    link_bytes = received_bytes(work.micro_batches * work.gather_bytes + work.gradient_bytes, cards)
    return StepTime(
        total_s=band(terms.total_s * slowdown, width_for(notes)),
        compute_s=(terms.compute_s + terms.offload_s) * slowdown,
        communication_s=terms.exposed_communication_s * slowdown,
        lower_bound_link_s=link_bytes / (setup.link.theoretical_gb_per_s * GB) if cards > 1 else 0.0,
        link=setup.link.kind if cards > 1 else LinkKind.NONE,
        link_bytes=round(link_bytes),
        tokens_per_step=tokens_per_step(setup.training),
        terms=terms,
        notes=notes,
        record=facts.records.get(card.id),
    )


def tokens_per_step(training: TrainingSetup) -> int:
    """Tokens all cards of the run process per optimiser step."""
    replicas = _replicas(training.layout)
    return training.tokens_per_micro_batch * training.recipe.gradient_accumulation * replicas


def _replicas(layout: Layout) -> int:
    """Cards that work on different tokens."""
    return 1 if layout.sharding in {Sharding.NONE, Sharding.TENSOR} else layout.cards


def flop_factors(training: TrainingSetup) -> tuple[int, int, int]:
    """FLOP per matrix parameter and token, attention passes, and passes over the layers.

    Full training 6 and LoRA 4 (frozen weights need no gradient of their own: NVIDIA's published rates count 3.9 N and
    6.1 N for the same model), two more when the forward pass is recomputed, two more for DPO's reference pass.
    """
    full = training.recipe.method is Method.FULL
    extra = int(training.recipe.checkpointing is not Checkpointing.OFF)
    extra += int(training.recipe.objective is Objective.DPO)
    return (6 if full else 4) + 2 * extra, 3 + extra, (3 if full else 2) + extra


def weight_bytes(training: TrainingSetup, shape: ModelShape) -> float:
    """Bytes of all weights as they travel when sharded: 4-bit stays packed, the rest in compute precision."""
    recipe = training.recipe
    if recipe.method is Method.QLORA:
        rest = shape.stored_parameters - shape.quantisable_parameters
        return shape.quantisable_parameters * NF4_BYTES + rest * BF16_BYTES
    wide = recipe.method is Method.FULL and recipe.states is StateRecipe.AMP
    return float(shape.stored_parameters * (FP32_BYTES if wide else BF16_BYTES))


def gradient_bytes_each(training: TrainingSetup) -> int:
    """Bytes per trained parameter that gradients have on the link."""
    recipe = training.recipe
    if recipe.method is not Method.FULL:
        return FP32_BYTES if recipe.adapter_dtype is Precision.FP32 else BF16_BYTES
    return FP32_BYTES if recipe.states in {StateRecipe.AMP, StateRecipe.FP32_GRADIENTS} else BF16_BYTES


def work_of(training: TrainingSetup, shape: ModelShape, trainable: int, cards: int, offload_s: float) -> StepWork:
    """A setup in numbers, per card."""
    recipe, sharding = training.recipe, training.layout.sharding
    per_parameter, attention_passes, passes = flop_factors(training)
    split = cards if sharding is Sharding.TENSOR else 1
    matrix = per_parameter * shape.matrix_parameters
    if recipe.method is not Method.FULL:
        matrix += 6 * trainable
    gradients = float(trainable * gradient_bytes_each(training))
    inside, once = _exchange(training, shape, gradients)
    update = UPDATE_BYTES[recipe.states] * trainable
    on_card = recipe.offload is Offload.NONE
    return StepWork(
        tokens=training.tokens_per_micro_batch,
        matrix_flop_per_token=matrix / split,
        attention_flop_per_token=4 * attention_passes * shape.attention_work(training.sequence_length) / split,
        layers=shape.layers,
        width=shape.width / split,
        passes=passes,
        dequantised_parameters=shape.quantisable_parameters / split if recipe.method is Method.QLORA else 0,
        micro_batches=recipe.gradient_accumulation,
        gather_bytes=inside,
        gradient_bytes=once,
        optimizer_bytes=update / (1 if sharding in {Sharding.NONE, Sharding.DDP} else cards) if on_card else 0,
        offload_s=offload_s,
    )


def _exchange(training: TrainingSetup, shape: ModelShape, gradients: float) -> tuple[float, float]:
    """Whole tensors exchanged inside every micro-batch, and once per step.

    FSDP gathers the weights before the forward and before the backward pass and scatters gradients once per micro-batch
    (PyTorch FSDP, full shard). Replicas reduce gradients once per step: a reduce-scatter and an all-gather. Tensor
    parallelism reduces two activations per layer and pass, each as reduce-scatter and all-gather (Megatron-LM).
    """
    match training.layout.sharding:
        case Sharding.FSDP:
            return 2 * weight_bytes(training, shape) + gradients, 0.0
        case Sharding.TENSOR:
            activation = training.tokens_per_micro_batch * shape.width * BF16_BYTES
            directions = 2 + int(training.recipe.checkpointing is not Checkpointing.OFF)
            return 2.0 * 2 * directions * shape.layers * activation, 0.0
        case sharding if sharding in _REPLICATED:
            return 0.0, 2 * gradients
        case _:
            return 0.0, 0.0


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
    there_and_back = trained * (gradient_bytes_each(setup.training) + BF16_BYTES) / cards / copy
    update = trained * HOST_UPDATE_BYTES / (rates["host_memory_gb_per_s"].value * GB)
    total = there_and_back + update
    if recipe.offload in _STREAMED:
        streamed = 2 * weight_bytes(setup.training, shape) / cards
        total += recipe.gradient_accumulation * streamed / copy
    if recipe.offload is Offload.NVME:
        total += trained * HOST_UPDATE_BYTES / (rates["nvme_gb_per_s"].value * GB)
    return total

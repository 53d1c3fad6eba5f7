"""The memory estimate: what a training run needs on each card, by phase."""

from __future__ import annotations

from engine.memory.aggregate import aggregate
from engine.memory.host import host_bytes
from engine.memory.limits import check
from engine.memory.phases import Candidate, Candidates, candidates
from engine.memory.reserve import driver_shows, requirement
from engine.memory.sharding import Shares, communication_bytes, part, pins_inputs, shares
from engine.memory.states import States, model_states
from engine.memory.tensor_parallel import tensor_slice
from engine.memory.trace.extent import evaluate
from engine.memory.trace.layers import TraceOptions
from engine.memory.trace.profile import LossOptions
from engine.memory.types import CardBytes, MemoryEstimate, Phase, PhaseBytes, TrainingSetup
from engine.methods import (
    Attention,
    Checkpointing,
    Layout,
    Method,
    Objective,
    Offload,
    Precision,
    Recipe,
    Sharding,
    StateRecipe,
)

SEQUENCES_PER_PAIR = 2  # a preference pair is two sequences, chosen and rejected


def estimate(setup: TrainingSetup) -> MemoryEstimate:
    """Bytes on each card and on the host; InvalidInputError when the setup cannot be computed."""
    check(setup)
    recipe, layout = setup.recipe, setup.layout
    states = model_states(setup.model, recipe)
    traced = setup.model
    if layout.sharding is Sharding.TENSOR and layout.cards > 1:
        traced = tensor_slice(traced, layout.cards)
    loss = LossOptions(recipe.loss, recipe.keeps_outputs, recipe.logit_bytes)
    moments = candidates(traced, trace_options(recipe), loss, recipe.checkpointing)
    resident = _resident(setup, states)
    tokens = setup.tokens_per_micro_batch * (SEQUENCES_PER_PAIR if recipe.objective is Objective.DPO else 1)
    evaluation = _Evaluation(
        resident,
        states,
        moments,
        recipe,
        shares(layout),
        tokens,
        setup.sequence_length,
        aggregate(setup.model).largest_packed_matrix,
        pins_inputs=pins_inputs(recipe, layout),
    )
    phases = PhaseBytes(
        evaluation.load_bytes,
        evaluation.best(moments.forward),
        evaluation.best(moments.loss),
        evaluation.best(evaluation.backward),
        evaluation.step_bytes,
    )
    card = evaluation.parts(phases.limiting)
    peak = getattr(phases, phases.limiting.value)
    need = requirement(peak, layout)
    host = host_bytes(recipe, states, evaluation.offloaded_checkpoints() * layout.cards)
    return MemoryEstimate(
        setup,
        setup.model.parameters,
        states.trained_parameters,
        card,
        phases,
        peak,
        need.context,
        need.reserve,
        need.required,
        host.floor,
        host.cautious,
        _nominal(states, recipe, layout),
        driver_shows(peak, evaluation.logits(), layout),
    )


def trace_options(recipe: Recipe) -> TraceOptions:
    """What of a recipe changes the bytes of a layer."""
    full = recipe.method is Method.FULL
    amp = full and recipe.states is StateRecipe.AMP
    autocast = recipe.autocast if recipe.autocast is not None else amp or not full
    nf4 = recipe.method is Method.QLORA
    return TraceOptions(
        trains_base=full,
        weight_width=4 if amp else 2,
        autocast=autocast,
        rank=0 if full else recipe.rank,
        targets=() if full else recipe.targets,
        adapter_width=0 if full else 4 if recipe.adapter_dtype is Precision.FP32 else 2,
        dora=recipe.dora and not full,
        nf4=nf4,
        upcast=nf4 and recipe.kbit_upcast,
        eager=recipe.attention is Attention.EAGER,
        dropout=recipe.adapter_dropout and not full,
        fused_kernels=recipe.fused_kernels,
        keeps_inputs=recipe.keeps_linear_inputs,
    )


def _nominal(states: States, recipe: Recipe, layout: Layout) -> CardBytes:
    """Model states per card as the literature counts them: all gradients at once, nothing else."""
    share = shares(layout)
    full = recipe.method is Method.FULL
    trained = part(states.trained_weights, share.weights)
    return CardBytes(
        weights=trained if full else part(states.frozen_weights, share.weights),
        adapters=0 if full else trained,
        gradients=part(states.gradients, share.gradients),
        master_weights=part(states.master_weights, share.optimizer),
        optimizer=part(states.optimizer, share.optimizer),
        activations=0,
        logits=0,
        workspace=0,
        communication=0,
    )


def _resident(setup: TrainingSetup, states: States) -> CardBytes:
    """What lies on the card throughout the step, gradients left out."""
    recipe, layout = setup.recipe, setup.layout
    nominal = _nominal(states, recipe, layout)
    share = shares(layout)
    away = recipe.offload is not Offload.NONE
    without_weights = recipe.offload in (Offload.ALL, Offload.NVME)
    buffers = communication_bytes(recipe, layout, aggregate(setup.model), states.gradients)
    return CardBytes(
        weights=0 if without_weights else nominal.weights + part(states.reference, share.weights),
        adapters=0 if without_weights else nominal.adapters,
        gradients=0,
        master_weights=0 if away else nominal.master_weights,
        optimizer=0 if away else nominal.optimizer,
        activations=0,
        logits=0,
        workspace=0 if away else part(states.scales, share.optimizer),
        communication=buffers,
    )


class _Evaluation:
    """The candidates of a step, evaluated for one micro-batch on one card."""

    def __init__(
        self,
        resident: CardBytes,
        states: States,
        moments: Candidates,
        recipe: Recipe,
        share: Shares,
        tokens: int,
        sequence: int,
        largest_packed_matrix: int,
        *,
        pins_inputs: bool,
    ) -> None:
        self.largest_packed_matrix = largest_packed_matrix
        self.resident = resident
        self.states = states
        self.moments = moments
        self.recipe = recipe
        self.share = share
        self.tokens = tokens
        self.sequence = sequence
        self.base = resident.model_states + resident.workspace + resident.communication
        self.all_gradients = 0 if recipe.offload is not Offload.NONE else part(states.gradients, share.gradients)
        self.accumulated = self.all_gradients if recipe.gradient_accumulation > 1 else 0
        traced = moments.gradient_bytes or 1
        self.finished_share = 0.0 if self.accumulated else self.all_gradients / traced
        # Gathered weights and gradient buckets are gone when the optimiser steps.
        self.step_bytes = (
            self.base - resident.communication + self.all_gradients + part(states.step_temporaries, share.optimizer)
        )
        self.backward = moments.pinned if pins_inputs else moments.backward
        self.load_bytes = resident.weights + resident.adapters + self.load_workspace()

    def load_workspace(self) -> int:
        """Quantising on the card: the 16-bit original of a matrix beside its packed form, one matrix at a time."""
        return 2 * self.largest_packed_matrix if self.recipe.method is Method.QLORA else 0

    def size(self, one: Candidate) -> int:
        """Bytes at this moment."""
        constant, per_token, per_pair = one.size
        return (
            self.base
            + self.accumulated
            + int(one.finished_gradients * self.finished_share)
            + constant
            + self.tokens * (per_token + self.sequence * per_pair)
        )

    def best(self, found: tuple[Candidate, ...]) -> int:
        """Bytes at the largest of these moments."""
        return max(self.size(one) for one in found)

    def logits(self) -> int:
        """The most bytes that logits take."""
        return max(evaluate(one.logits, self.tokens, self.sequence) for one in self.moments.loss)

    def offloaded_checkpoints(self) -> int:
        """Layer inputs that wait in host memory."""
        if self.recipe.checkpointing is not Checkpointing.OFFLOADED:
            return 0
        return evaluate(self.moments.checkpoints, self.tokens, self.sequence)

    def parts(self, phase: Phase) -> CardBytes:
        """The parts of the memory bar at the limiting moment."""
        resident = self.resident
        if phase is Phase.LOAD:
            return _with(resident, 0, 0, 0, self.load_workspace(), bare=True)
        if phase is Phase.STEP:
            copies = self.step_bytes - self.base + resident.communication - self.all_gradients
            return _with(resident, self.all_gradients, 0, 0, copies, communicates=False)
        found = {
            Phase.FORWARD: self.moments.forward,
            Phase.LOSS: self.moments.loss,
            Phase.BACKWARD: self.backward,
        }[phase]
        one = max(found, key=self.size)
        live = self.size(one) - self.base
        gradients = (
            self.accumulated
            + int(one.finished_gradients * self.finished_share)
            + evaluate(one.gradients, self.tokens, self.sequence)
        )
        logits = evaluate(one.logits, self.tokens, self.sequence)
        rest = live - gradients - logits
        activations = min(rest, evaluate(one.kept, self.tokens, self.sequence))
        return _with(resident, gradients, activations, logits, rest - activations)


def _with(
    resident: CardBytes,
    gradients: int,
    activations: int,
    logits: int,
    workspace: int,
    *,
    bare: bool = False,
    communicates: bool = True,
) -> CardBytes:
    return CardBytes(
        weights=resident.weights,
        adapters=resident.adapters,
        gradients=gradients,
        master_weights=0 if bare else resident.master_weights,
        optimizer=0 if bare else resident.optimizer,
        activations=activations,
        logits=logits,
        workspace=workspace + (0 if bare else resident.workspace),
        communication=resident.communication if communicates and not bare else 0,
    )

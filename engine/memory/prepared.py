"""Everything about a run that depends on neither sequence length nor micro-batch, computed once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.memory.aggregate import PerModel, aggregate
from engine.memory.limits import check_layout, check_recipe
from engine.memory.phases import Candidate, Candidates, candidates
from engine.memory.sharding import Shares, communication_bytes, part, pins_inputs, shares
from engine.memory.states import States, model_states
from engine.memory.tensor_parallel import tensor_slice
from engine.memory.trace.extent import Extent
from engine.memory.trace.layers import TraceOptions
from engine.memory.trace.profile import LossOptions
from engine.memory.types import CardBytes
from engine.methods import Attention, Layout, Method, Offload, Precision, Recipe, Sharding, StateRecipe
from engine.models import ModelSpec

Moments = tuple[tuple[int, int, int, Candidate], ...]  # constant, per token, per token and position, what it is


@dataclass(frozen=True, slots=True)
class Prepared:
    """A model under one recipe and layout."""

    parameters: int
    states: States
    nominal: CardBytes  # model states as the literature counts them
    resident: CardBytes  # what lies on the card throughout the step, gradients left out
    base: int  # bytes of `resident`
    accumulated: int  # gradients that exist before the step's backward pass begins
    finished_share: float  # of traced gradients of finished layers, what stays on this card
    forward: Moments
    loss: Moments
    backward: Moments
    load_bytes: int
    load_card: CardBytes
    step_bytes: int
    step_card: CardBytes
    checkpoints: Extent

    def gradients_before(self, one: Candidate) -> int:
        """Gradients on the card beside those of the layer at work."""
        return self.accumulated + int(one.finished_gradients * self.finished_share)


def _prepare(model: ModelSpec, recipe: Recipe, layout: Layout) -> Prepared:
    check_recipe(recipe)
    check_layout(layout, model)
    states, share = model_states(model, recipe), shares(layout)
    found = _moments(model, recipe, layout)
    nominal = _nominal(states, recipe, share)
    resident = _resident(model, states, recipe, layout, nominal)
    base = resident.model_states + resident.workspace + resident.communication
    gradients = 0 if recipe.offload is not Offload.NONE else part(states.gradients, share.gradients)
    accumulated = gradients if recipe.gradient_accumulation > 1 else 0
    finished = 0.0 if accumulated else gradients / (found.gradient_bytes or 1)
    backward = found.pinned if pins_inputs(recipe, layout) else found.backward
    copies = part(states.step_temporaries, share.optimizer)
    step_card = _rest(resident, gradients=gradients, workspace=resident.workspace + copies)
    # While quantising, the 16-bit original of one matrix lies beside its packed form.
    original = 2 * aggregate(model).largest_packed_matrix if recipe.method is Method.QLORA else 0
    load_card = _rest(resident, gradients=0, workspace=original, trains=False)

    def ready(found_moments: tuple[Candidate, ...]) -> Moments:
        before = base + accumulated
        return tuple(
            (before + int(one.finished_gradients * finished) + one.size[0], one.size[1], one.size[2], one)
            for one in found_moments
        )

    return Prepared(
        model.parameters,
        states,
        nominal,
        resident,
        base,
        accumulated,
        finished,
        ready(found.forward),
        ready(found.loss),
        ready(backward),
        load_card.model_states + load_card.workspace,
        load_card,
        step_card.model_states + step_card.workspace,
        step_card,
        found.checkpoints,
    )


prepared: PerModel[Prepared] = PerModel(_prepare)


def _moments(model: ModelSpec, recipe: Recipe, layout: Layout) -> Candidates:
    traced = tensor_slice(model, layout.cards) if layout.sharding is Sharding.TENSOR else model
    loss = LossOptions(recipe.loss, recipe.keeps_outputs, recipe.logit_bytes)
    return candidates(traced, trace_options(recipe), loss, recipe.checkpointing)


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
        adapter_width=4 if recipe.adapter_dtype is Precision.FP32 else 2,
        dora=recipe.dora and not full,
        nf4=nf4,
        upcast=nf4 and recipe.kbit_upcast,
        eager=recipe.attention is Attention.EAGER,
        dropout=recipe.adapter_dropout and not full,
        fused_kernels=recipe.fused_kernels,
        fused_activation=recipe.fused_activation or recipe.fused_kernels,
        keeps_inputs=recipe.keeps_linear_inputs,
        trains_embeddings=recipe.trains_embeddings and not full,
        trains_head=recipe.trains_head and not full,
        keeps_unpacked=recipe.keeps_unpacked,
    )


def _nominal(states: States, recipe: Recipe, share: Shares) -> CardBytes:
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


def _resident(model: ModelSpec, states: States, recipe: Recipe, layout: Layout, nominal: CardBytes) -> CardBytes:
    share = shares(layout)
    away = recipe.offload is not Offload.NONE
    without_weights = recipe.offload in (Offload.ALL, Offload.NVME)
    return replace(
        nominal,
        weights=0 if without_weights else nominal.weights + part(states.reference, share.weights),
        adapters=0 if without_weights else nominal.adapters,
        gradients=0,
        master_weights=0 if away else nominal.master_weights,
        optimizer=0 if away else nominal.optimizer,
        workspace=0 if away else part(states.scales, share.optimizer),
        communication=communication_bytes(recipe, layout, aggregate(model), states.gradients),
    )


def _rest(resident: CardBytes, *, gradients: int, workspace: int, trains: bool = True) -> CardBytes:
    """The card when no layer runs: gathered weights and gradient buckets are gone; before training, moments as well."""
    return replace(
        resident,
        gradients=gradients,
        master_weights=resident.master_weights if trains else 0,
        optimizer=resident.optimizer if trains else 0,
        workspace=workspace,
        communication=0,
    )

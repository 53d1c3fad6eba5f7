"""The memory estimate: what a training run needs on each card, by phase."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from engine.memory.host import host_bytes
from engine.memory.limits import check_lengths, check_recipe
from engine.memory.phases import Candidate
from engine.memory.prepared import Prepared, prepared
from engine.memory.remarks import remarks
from engine.memory.reserve import driver_shows, requirement
from engine.memory.trace.extent import evaluate
from engine.memory.types import CardBytes, MemoryEstimate, PhaseBytes, TrainingSetup
from engine.methods import Checkpointing, Objective, Recipe

FEWEST_SEVERAL = 2  # micro-batches of a step
SEQUENCES_PER_PAIR = 2  # a preference pair is two sequences, chosen and rejected


def estimate(setup: TrainingSetup) -> MemoryEstimate:
    """Bytes on each card and on the host; InvalidInputError when the setup cannot be computed.

    The largest phase decides; its parts add up to the allocated peak. Parts that depend on neither length nor batch
    are computed once per model, recipe and layout.
    """
    check_lengths(setup)
    recipe, layout, sequence = _accumulating(setup.recipe), setup.layout, setup.sequence_length
    ready = prepared(setup.model, recipe, layout)
    tokens = setup.tokens_per_micro_batch * (SEQUENCES_PER_PAIR if recipe.objective is Objective.DPO else 1)
    forward, most_forward = _largest(ready.forward, tokens, sequence)
    loss, most_loss = _largest(ready.loss, tokens, sequence)
    backward, most_backward = _largest(ready.backward, tokens, sequence)
    phases = PhaseBytes(ready.load_bytes, forward, loss, backward, ready.step_bytes)
    peak = max(ready.load_bytes, forward, loss, backward, ready.step_bytes)
    if peak == ready.load_bytes:
        card = ready.load_card
    elif peak == forward:
        card = _parts(ready, most_forward, forward, tokens, sequence)
    elif peak == loss:
        card = _parts(ready, most_loss, loss, tokens, sequence)
    elif peak == backward:
        card = _parts(ready, most_backward, backward, tokens, sequence)
    else:
        card = ready.step_card
    need = requirement(peak, layout)
    logits = max(evaluate(one.logits, tokens, sequence) for _, _, _, one in ready.loss)
    offloaded = 0
    if recipe.checkpointing is Checkpointing.OFFLOADED:
        offloaded = evaluate(ready.checkpoints, tokens, sequence) * layout.cards
    host = host_bytes(recipe, ready.states, offloaded)
    return MemoryEstimate(
        setup,
        ready.parameters,
        ready.states.trained_parameters,
        card,
        phases,
        peak,
        need.context,
        need.reserve,
        need.required,
        host.floor,
        host.cautious,
        ready.nominal,
        driver_shows(peak, logits, layout),
        remarks(setup),
    )


@lru_cache(maxsize=256)
def _accumulating(recipe: Recipe) -> Recipe:
    """The recipe with the fewest micro-batches that give the same bytes: gradients wait for another one or do not."""
    check_recipe(recipe)
    several = recipe.gradient_accumulation > FEWEST_SEVERAL
    return replace(recipe, gradient_accumulation=FEWEST_SEVERAL) if several else recipe


def _largest(moments: tuple[tuple[int, int, int, Candidate], ...], tokens: int, sequence: int) -> tuple[int, Candidate]:
    """The largest of these moments for a micro-batch, and its bytes."""
    sizes = [constant + tokens * (per_token + sequence * per_pair) for constant, per_token, per_pair, _ in moments]
    most = max(sizes)
    return most, moments[sizes.index(most)][3]


def _parts(ready: Prepared, one: Candidate, size: int, tokens: int, sequence: int) -> CardBytes:
    """The parts of the memory bar at the limiting moment; what is neither kept nor named is workspace."""
    resident = ready.resident
    gradients = ready.gradients_before(one) + evaluate(one.gradients, tokens, sequence)
    logits = evaluate(one.logits, tokens, sequence)
    rest = size - ready.base - gradients - logits
    activations = min(rest, evaluate(one.kept, tokens, sequence))
    return CardBytes(
        weights=resident.weights,
        adapters=resident.adapters,
        gradients=gradients,
        master_weights=resident.master_weights,
        optimizer=resident.optimizer,
        activations=activations,
        logits=logits,
        workspace=resident.workspace + rest - activations,
        communication=resident.communication,
    )

"""Remarks about an estimate: what a reader must know to take the figure for what it is."""

from __future__ import annotations

from engine.checkpoints import Preparation, preparation
from engine.memory.aggregate import PerModel
from engine.memory.trace.style import APPROXIMATE
from engine.memory.types import Note, TrainingSetup
from engine.methods import Method, Offload, Recipe, StateRecipe
from engine.models import MixerKind, ModelSpec, Role


def _remarks(model: ModelSpec, recipe: Recipe) -> tuple[Note, ...]:
    notes = []
    if not model.recognised:
        notes.append(Note("model-computed-from-dimensions", (("model_type", model.model_type),)))
    if model.recognised and model.model_type in APPROXIMATE:
        notes.append(Note("activations-approximate", (("model_type", model.model_type),)))
    if model.vision_parameters:
        notes.append(Note("vision-part-not-trained", (("parameters", model.vision_parameters),)))
    if recipe.method is Method.QLORA and _has_fused_experts(model):
        notes.append(Note("experts-stay-16-bit"))
    if any(block.mixer in (MixerKind.LINEAR_ATTENTION, MixerKind.STATE_SPACE) for block in model.blocks):
        notes.append(Note("recurrent-layers-without-kernels"))
    notes += _checkpoint(model, recipe.method)
    if recipe.method is Method.FULL and recipe.states is StateRecipe.BF16:
        notes.append(Note("pure-bf16"))
    if recipe.offload is Offload.NVME:
        notes.append(Note("nvme-host-buffers-assumed"))
    return tuple(notes)


_known: PerModel[tuple[Note, ...]] = PerModel(_remarks)


def remarks(setup: TrainingSetup) -> tuple[Note, ...]:
    """The remarks that apply, in a fixed order."""
    return _known(setup.model, setup.recipe)


def _checkpoint(model: ModelSpec, method: Method) -> tuple[Note, ...]:
    """What the format of the published checkpoint means for this method; nothing where it is trained as it lies."""
    form = (("format", model.checkpoint_format),)
    match preparation(model.checkpoint_format, method):
        case Preparation.DEQUANTISE:
            return (Note("quantised-checkpoint", form),)
        case Preparation.ADAPTERS_ON_QUANTISED:
            return (Note("adapters-on-quantised-checkpoint", form),)
        case Preparation.OTHER_CHECKPOINT:
            return (Note("checkpoint-not-trainable", form),)
        case Preparation.UNKNOWN:
            return (Note("checkpoint-format-unknown"),)
        case _:
            return ()


def _has_fused_experts(model: ModelSpec) -> bool:
    return any(
        linear.fused_parameter and linear.role is Role.EXPERT for block in model.blocks for linear in block.linears
    )

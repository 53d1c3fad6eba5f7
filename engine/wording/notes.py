"""One sentence for every note of the memory estimate."""

from __future__ import annotations

from collections.abc import Mapping

from engine.memory.types import Note
from engine.wording.filling import Reader, fill
from engine.wording.translator import Language, Translator, mark

MESSAGES: Mapping[str, tuple[str, ...]] = {
    "model-computed-from-dimensions": (
        mark("The model type {model_type} is not known: computed from its dimensions as if it were built like Llama."),
    ),
    "activations-approximate": (
        mark(
            "Layers of type {model_type} are computed as if they were built like Llama's: activations are approximate."
        ),
    ),
    "vision-part-not-trained": (mark("The vision part with {parameters} parameters is not trained and not counted."),),
    "experts-stay-16-bit": (
        mark(
            "The experts are no linear layers in this library version and stay in 16 bit: QLoRA needs hardly less than "
            "LoRA here."
        ),
    ),
    "recurrent-layers-without-kernels": (
        mark("Recurrent layers are counted without their kernel packages, which would need less."),
    ),
    "quantised-checkpoint": (
        mark("The published checkpoint is in {format}; for training it is counted converted to 16 bit."),
    ),
    "adapters-on-quantised-checkpoint": (
        mark(
            "The published checkpoint is in {format} and can carry adapters as it lies; counted here is a run from the "
            "16-bit checkpoint."
        ),
    ),
    "checkpoint-not-trainable": (
        mark(
            "The published checkpoint is in {format}, rounded too far to be trained in full: take the maker's 16-bit "
            "checkpoint, which is counted here."
        ),
    ),
    "checkpoint-format-unknown": (
        mark(
            "What the published checkpoint's number format means for training is not known; counted here is a 16-bit "
            "checkpoint."
        ),
    ),
    "pure-bf16": (
        mark(
            "Weights, gradients and moments all in bf16: small updates are lost to rounding, check the training result."
        ),
    ),
    "nvme-host-buffers-assumed": (
        mark("With NVMe offload the host buffers are an assumption from DeepSpeed's default sub-group size."),
    ),
}


def note_sentence(note: Note, tr: Translator, language: Language | str) -> str:
    """Say a note in the reader's language. KeyError for a code without words; a test guards that there is none."""
    return fill(MESSAGES[note.code], dict(note.values), Reader(tr, Language(language), {}))

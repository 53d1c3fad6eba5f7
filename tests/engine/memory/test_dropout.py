"""Dropout that a model's own configuration asks for: a mask of one byte per element on the card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.huggingface import ConfigError, model_from_config
from engine.memory.estimate import estimate
from engine.memory.types import TrainingSetup
from engine.methods import Attention, Checkpointing, Method, Recipe
from engine.models import ModelSpec

TOKENS = 1024
LAYERS = 4
CONFIG = {
    "model_type": "llama",
    "hidden_size": 1024,
    "intermediate_size": 2048,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": 8,
    "num_key_value_heads": 8,
    "vocab_size": 1000,
    "max_position_embeddings": 4096,
    "tie_word_embeddings": False,
}


def _model(**changes: object) -> ModelSpec:
    return model_from_config({**CONFIG, **changes}, id="m", name="m")


def _forward(model: ModelSpec, attention: Attention) -> int:
    recipe = Recipe(Method.LORA, attention=attention, checkpointing=Checkpointing.OFF)
    return estimate(TrainingSetup(model, recipe, TOKENS)).phases.forward


def test_that_eager_attention_keeps_a_mask() -> None:
    # Per layer heads x tokens^2 bytes of mask; the dropped weights take the place of the undropped ones.
    grown = _forward(_model(attention_dropout=0.1), Attention.EAGER) - _forward(_model(), Attention.EAGER)
    assert grown == LAYERS * 8 * TOKENS**2


def test_that_fused_attention_keeps_no_mask() -> None:
    assert _forward(_model(attention_dropout=0.1), Attention.FLASH) == _forward(_model(), Attention.FLASH)


def test_that_residual_dropout_keeps_a_mask_per_half() -> None:
    plain, dropped = _model(), _model(residual_dropout=0.1)
    assert dropped.parameters == plain.parameters
    assert replace(dropped.blocks[0], residual_dropout=False) == plain.blocks[0]
    # The forward pass peaks inside the last layer, before its second half has dropped anything out.
    masks = (_forward(dropped, Attention.FLASH) - _forward(plain, Attention.FLASH)) / (TOKENS * 1024)
    assert masks == LAYERS * 2 - 1


@pytest.mark.parametrize("share", [-0.1, 1, 7, True, "much", float("nan")])
def test_that_a_dropout_that_is_no_share_is_refused(share: object) -> None:
    with pytest.raises(ConfigError, match="attention_dropout"):
        _model(attention_dropout=share)

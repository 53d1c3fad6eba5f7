"""Exact traces of training steps: the shape of a record and the setup it was traced with."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from catalog.evidence_models import EvidenceModels, UnmappableError
from engine.memory.types import TrainingSetup
from engine.methods import Attention, Checkpointing, Loss, Method, Optimizer, Precision, Recipe, StateRecipe
from engine.models import ModelSpec

METHODS: dict[str, tuple[Method, StateRecipe]] = {
    "full_bf16": (Method.FULL, StateRecipe.BF16),
    "full_bf16_master": (Method.FULL, StateRecipe.BF16_MASTER),
    "full_amp": (Method.FULL, StateRecipe.AMP),
    "lora": (Method.LORA, StateRecipe.BF16_MASTER),
    "qlora": (Method.QLORA, StateRecipe.BF16_MASTER),
}
OPTIMIZERS = {
    "adamw_fused": Optimizer.ADAMW_FUSED,
    "adamw_foreach": Optimizer.ADAMW_FOREACH,
    "adamw_8bit": Optimizer.ADAMW_8BIT,
}


class OracleOptions(BaseModel):
    """What was traced."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    method: Literal["full_bf16", "full_bf16_master", "full_amp", "lora", "qlora"]
    seq: int = Field(ge=1, le=2**24)
    batch: int = Field(default=1, ge=1, le=2**16)
    checkpointing: bool = True
    attention: Literal["flash", "sdpa", "eager"] = "flash"
    loss: Literal["hf", "chunked"] = "hf"
    optimizer: Literal["adamw_fused", "adamw_foreach", "adamw_8bit"] = "adamw_fused"
    rank: int = Field(default=16, ge=1, le=2**14)
    autocast: bool | None = None
    adapter_dtype: Literal["float32", "bfloat16"] = "float32"
    kbit_upcast: bool = False
    layers: int | None = Field(default=None, ge=1)
    keep_outputs: bool = False


class OracleRow(BaseModel):
    """One trace."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    model: str = ""
    config: dict[str, object] | None = None
    options: OracleOptions
    autocast: bool | None = None
    peak: int | None = Field(default=None, ge=1)
    error: str | None = None


def oracle_setup(row: OracleRow, models: EvidenceModels) -> TrainingSetup:
    """The traced run; UnmappableError when the model is not known or cannot be cut to the traced depth."""
    options = row.options
    config = row.config if row.config is None or options.layers is None else _cut(row.config, options.layers)
    model = models.find(row.model, config)
    if row.config is None and options.layers is not None:
        model = _shallower(model, options.layers)
    method, states = METHODS[options.method]
    optimizer = Optimizer.ADAMW_FUSED if options.method == "full_bf16_master" else OPTIMIZERS[options.optimizer]
    recipe = Recipe(
        method,
        states=states,
        optimizer=optimizer,
        rank=options.rank,
        adapter_dtype=Precision.FP32 if options.adapter_dtype == "float32" else Precision.BF16,
        kbit_upcast=options.kbit_upcast,
        checkpointing=Checkpointing.ON if options.checkpointing else Checkpointing.OFF,
        attention=Attention(options.attention),
        loss=Loss.PLAIN if options.loss == "hf" else Loss.CHUNKED,
        autocast=options.autocast if options.autocast is not None else row.autocast,
        keeps_outputs=options.keep_outputs,
    )
    return TrainingSetup(model, recipe, options.seq, options.batch)


def _cut(config: Mapping[str, object], layers: int) -> dict[str, object]:
    """The configuration with fewer layers: lists with one entry for each layer are cut as well."""
    shallow = copy.deepcopy(dict(config))
    inner = shallow.get("text_config")
    text = inner if isinstance(inner, dict) else shallow
    full = text.get("num_hidden_layers")
    text["num_hidden_layers"] = layers
    for name, value in text.items():
        if isinstance(value, list) and len(value) == full:
            text[name] = value[:layers]
    return shallow


def _shallower(model: ModelSpec, layers: int) -> ModelSpec:
    if len(model.blocks) != 1:
        raise UnmappableError(
            "{model} has layers of several kinds and was traced at {layers}.", model=model.id, layers=layers
        )
    return replace(model, blocks=(replace(model.blocks[0], count=layers),))

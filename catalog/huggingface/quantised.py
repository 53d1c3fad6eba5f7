"""Which number format a checkpoint is stored in, and what that means for training."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.huggingface.errors import ConfigError, shown
from engine.models import CheckpointFormat

METHODS: Mapping[str, CheckpointFormat] = {
    "fp8": CheckpointFormat.FP8,
    "fbgemm_fp8": CheckpointFormat.FP8,
    "finegrained_fp8": CheckpointFormat.FP8,
    "mxfp4": CheckpointFormat.MXFP4,
    "gptq": CheckpointFormat.GPTQ,
    "awq": CheckpointFormat.AWQ,
    "auto-round": CheckpointFormat.GPTQ,
    "bitsandbytes": CheckpointFormat.BITSANDBYTES,
    "nvfp4": CheckpointFormat.NVFP4,
}


def checkpoint_format(config: Mapping[str, object]) -> CheckpointFormat:
    """The format named in `quantization_config` (or the older `compression_config`), NONE without one.

    A method that is not known here is OTHER: the checkpoint is quantised, how is not known.
    """
    section = config.get("quantization_config") or config.get("compression_config")
    if section is None:
        return CheckpointFormat.NONE
    if not isinstance(section, Mapping):
        raise ConfigError("{field} must be an object, not {value}.", field="quantization_config", value=shown(section))
    method = section.get("quant_method")
    if not isinstance(method, str):
        return _without_method(section)
    name = method.lower().replace("_", "-")
    if name in ("compressed-tensors", "modelopt", "quark", "torchao"):
        return _by_format(section)
    return METHODS.get(name, METHODS.get(name.replace("-", "_"), CheckpointFormat.OTHER))


def _without_method(section: Mapping[str, object]) -> CheckpointFormat:
    if section.get("load_in_4bit") is True or section.get("load_in_8bit") is True:
        return CheckpointFormat.BITSANDBYTES
    return CheckpointFormat.OTHER


def _by_format(section: Mapping[str, object]) -> CheckpointFormat:
    """Formats that carry their number type in another field: compressed-tensors' groups, ModelOpt's algorithm."""
    words = [section.get("format"), section.get("quant_algo")]
    groups = section.get("config_groups")
    kinds: list[tuple[object, object]] = []
    if isinstance(groups, Mapping):
        for group in groups.values():
            weights = group.get("weights") if isinstance(group, Mapping) else None
            if isinstance(weights, Mapping):
                kinds.append((weights.get("type"), weights.get("num_bits")))
    text = " ".join(word.lower() for word in words if isinstance(word, str))
    if "nvfp4" in text:
        return CheckpointFormat.NVFP4
    if "mxfp4" in text:
        return CheckpointFormat.MXFP4
    if "fp8" in text or "float-quantized" in text or ("float", 8) in kinds:
        return CheckpointFormat.FP8
    if ("float", 4) in kinds:
        return CheckpointFormat.NVFP4
    return CheckpointFormat.COMPRESSED_TENSORS

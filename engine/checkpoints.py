"""What must happen to a quantised checkpoint before a method can train it.

Source: transformers 5.24.0, `quantizers/quantizer_*.py` (`is_trainable`, `dequantize`) and `trainer_utils`, which
refuses full fine-tuning of quantised weights. FP8 counts as not trainable as it lies: two of its three loaders say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from engine.methods import Method
from engine.models import CheckpointFormat


class Preparation(StrEnum):
    """What a method needs of a checkpoint. The value is stable and public."""

    NONE = "none"  # it is trained as it lies
    DEQUANTISE = "dequantise"  # to 16 bit first, at two bytes per parameter
    ADAPTERS_ON_QUANTISED = "adapters-on-quantised"  # adapters beside weights that stay in their own format
    OTHER_CHECKPOINT = "other-checkpoint"  # rounded too far to be trained: take the maker's 16-bit checkpoint
    UNKNOWN = "unknown"


_ALL_DEQUANTISED = dict.fromkeys(Method, Preparation.DEQUANTISE)
_ADAPTERS_ONLY = {
    Method.FULL: Preparation.OTHER_CHECKPOINT,
    Method.LORA: Preparation.ADAPTERS_ON_QUANTISED,
    Method.QLORA: Preparation.ADAPTERS_ON_QUANTISED,
}
PREPARATIONS: Mapping[CheckpointFormat, Mapping[Method, Preparation]] = MappingProxyType(
    {
        CheckpointFormat.NONE: dict.fromkeys(Method, Preparation.NONE),
        CheckpointFormat.FP8: _ALL_DEQUANTISED,
        CheckpointFormat.MXFP4: _ALL_DEQUANTISED,
        CheckpointFormat.NVFP4: _ALL_DEQUANTISED,
        CheckpointFormat.GPTQ: _ADAPTERS_ONLY,
        CheckpointFormat.AWQ: _ADAPTERS_ONLY,
        CheckpointFormat.COMPRESSED_TENSORS: _ADAPTERS_ONLY,
        CheckpointFormat.BITSANDBYTES: {**_ADAPTERS_ONLY, Method.QLORA: Preparation.NONE},
        CheckpointFormat.OTHER: dict.fromkeys(Method, Preparation.UNKNOWN),
    }
)


def preparation(checkpoint: CheckpointFormat, method: Method) -> Preparation:
    """What `method` needs of a checkpoint in this format."""
    return PREPARATIONS[checkpoint][method]

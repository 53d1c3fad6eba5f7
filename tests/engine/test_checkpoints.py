"""What a quantised checkpoint means for each method."""

from __future__ import annotations

import pytest

from engine.checkpoints import Preparation, preparation
from engine.methods import Method
from engine.models import CheckpointFormat


def test_that_every_format_says_something_for_every_method() -> None:
    for checkpoint in CheckpointFormat:
        for method in Method:
            assert isinstance(preparation(checkpoint, method), Preparation)


@pytest.mark.parametrize(
    ("checkpoint", "method", "expected"),
    [
        (CheckpointFormat.NONE, Method.FULL, Preparation.NONE),
        # gpt-oss is published in MXFP4, which the library cannot train
        (CheckpointFormat.MXFP4, Method.LORA, Preparation.DEQUANTISE),
        # DeepSeek-V3 is published in FP8
        (CheckpointFormat.FP8, Method.QLORA, Preparation.DEQUANTISE),
        (CheckpointFormat.GPTQ, Method.FULL, Preparation.OTHER_CHECKPOINT),
        (CheckpointFormat.AWQ, Method.LORA, Preparation.ADAPTERS_ON_QUANTISED),
        (CheckpointFormat.BITSANDBYTES, Method.QLORA, Preparation.NONE),
        (CheckpointFormat.OTHER, Method.LORA, Preparation.UNKNOWN),
    ],
)
def test_that_a_method_asks_for_the_right_preparation(
    checkpoint: CheckpointFormat, method: Method, expected: Preparation
) -> None:
    assert preparation(checkpoint, method) is expected

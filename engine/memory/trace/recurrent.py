"""Hybrid layers: gated delta rule (Qwen3-Next) and Mamba-2 state space, in the library's own PyTorch form."""

from __future__ import annotations

from engine.memory.trace.layers import Builder
from engine.memory.trace.style import Style
from engine.memory.trace.tape import Tensor
from engine.models import Block, Role


def linear_attention(builder: Builder, x: Tensor, block: Block, style: Style) -> Tensor:
    matrices = [linear for linear in block.linears if linear.role is Role.MIXER]
    return builder.linear(builder.linear(x, matrices[0]), matrices[-1])


def state_space(builder: Builder, x: Tensor, block: Block) -> Tensor:
    matrices = [linear for linear in block.linears if linear.role is Role.MIXER]
    return builder.linear(builder.linear(x, matrices[0]), matrices[-1])

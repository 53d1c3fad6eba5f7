"""Building blocks of decoder layers: linear layers with adapters, norms, rotary positions, attention, feed-forward.

Each function has the variable scopes of the Hugging Face module of the same purpose, because a local variable that
still names a tensor keeps its bytes alive.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.memory.trace import ops
from engine.memory.trace.extent import Extent, per_pair, per_token
from engine.memory.trace.tape import BF16, FP32, Tape, Tensor
from engine.models import AttentionShape, Linear, MlpShape


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """What changes the bytes of a layer beside its shape."""

    trains_base: bool
    weight_width: int  # bytes per stored weight: 2, or 4 under autocast with fp32 weights
    autocast: bool
    rank: int  # 0 without adapters
    targets: tuple[str, ...]
    adapter_width: int
    dora: bool
    nf4: bool
    upcast: bool  # everything that is not quantised is fp32 (PEFT's k-bit preparation)
    eager: bool


class Builder:
    """Makes the operators of one layer with the recipe's number formats."""

    def __init__(self, tape: Tape, options: TraceOptions, adapted: frozenset[Linear]) -> None:
        self.tape = tape
        self.options = options
        self.adapted = adapted  # matrices with an adapter

    @property
    def plain_width(self) -> int:
        """Bytes per weight of norms and other parameters that are never quantised."""
        return FP32 if self.options.upcast else self.options.weight_width

    def parameter(self, elements: int) -> Tensor:
        """A norm vector, bias or other parameter that is no linear layer."""
        return self.tape.weight(elements, self.plain_width, trained=self.options.trains_base)

    def product(self, x: Tensor, weight: Tensor, outputs: int, inputs: int) -> Tensor:
        """A matrix product, in bf16 under autocast."""
        if self.options.autocast:
            x = ops.cast(self.tape, x, BF16)
            weight = ops.cast_weight(self.tape, weight, BF16)
        return ops.matmul(self.tape, x, weight, outputs, inputs)

    def linear(self, x: Tensor, linear: Linear) -> Tensor:
        """A linear layer of the base model with its adapter."""
        result = self._base(x, linear)
        if linear not in self.adapted:
            return result
        width = result.width
        upcast = ops.cast(
            self.tape, x, self.options.adapter_width
        )  # x itself stays alive: the call's arguments hold it
        result = ops.add(self.tape, result, self._adapter(upcast, linear))
        return ops.cast(self.tape, result, width)

    def _base(self, x: Tensor, linear: Linear) -> Tensor:
        if self.options.nf4 and not linear.fused_parameter:
            if self.options.autocast:
                x = ops.cast(self.tape, x, BF16)
            return ops.nf4_matmul(self.tape, x, linear.inputs * linear.outputs, linear.outputs, linear.inputs)
        weight = self.tape.weight(linear.inputs * linear.outputs, self.plain_width, trained=self.options.trains_base)
        return self.product(x, weight, linear.outputs, linear.inputs)

    def _adapter(self, x: Tensor, linear: Linear) -> Tensor:
        rank, width = self.options.rank, self.options.adapter_width
        first = self.tape.weight(rank * linear.inputs, width, trained=True)
        second = self.tape.weight(rank * linear.outputs, width, trained=True)
        low = self.product(x, first, rank, linear.inputs)
        return ops.scale(self.tape, self.product(low, second, linear.outputs, rank))

    def rms_norm(self, x: Tensor, width: int, *, plus_one: bool = False) -> Tensor:
        """Root-mean-square norm over vectors of `width` elements, computed in fp32.

        `plus_one`: the Gemma way, which multiplies by `1 + weight` in fp32 and casts at the end.
        """
        tape, before, argument = self.tape, x.width, x
        x = ops.cast(tape, argument, FP32)
        rows: Extent = (x.elements[0] // width, x.elements[1] // width, x.elements[2] // width)
        if plus_one:
            normed = ops.mul(tape, x, _reciprocal(tape, x, rows))
            weight = ops.copy(tape, ops.cast(tape, self.parameter(width), FP32))
            normed = ops.mul(tape, normed, weight)
            return ops.cast(tape, normed, before)
        x = ops.mul(tape, x, _reciprocal(tape, x, rows))
        return ops.mul(tape, self.parameter(width), ops.cast(tape, x, before))

    def rotary(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """Rotary positions on a query or key: two products and their sum, one half swapped and negated."""
        tape = self.tape
        half: Extent = (x.elements[0] // 2, x.elements[1] // 2, x.elements[2] // 2)
        direct = ops.mul(tape, x, cos)
        turned = ops.mul(tape, _rotate_half(tape, x, half), sin)
        return ops.add(tape, direct, turned)

    def mix(self, q: Tensor, k: Tensor, v: Tensor, shape: AttentionShape) -> tuple[Tensor, Tensor | None]:
        """Attention over prepared queries, keys and values."""
        if self.options.eager:
            return self._eager(q, k, v, shape)
        if self.options.autocast:
            q, k, v = (ops.cast(self.tape, x, BF16) for x in (q, k, v))
        dims = (shape.head_dim, shape.value_dim)
        return ops.flash(self.tape, q, k, v, shape.heads, shape.kv_heads, dims), None

    def _eager(self, q: Tensor, k: Tensor, v: Tensor, shape: AttentionShape) -> tuple[Tensor, Tensor | None]:
        tape, autocast = self.tape, self.options.autocast
        keys, values = (_repeat(tape, x, shape) for x in (k, v))
        scores_size = per_pair(shape.heads)
        if autocast:
            q, keys = ops.cast(tape, q, BF16), ops.cast(tape, keys, BF16)
        scores = ops.scale(tape, ops.batched_matmul(tape, q, keys, scores_size))
        if shape.softcap:
            scores = ops.scale(tape, ops.elementwise(tape, ops.scale(tape, scores), keeps_input=False))
        scores = ops.add(tape, scores, Tensor(None, per_pair(1), scores.width, None, 0))  # the mask all layers share
        scores = ops.cast(tape, ops.softmax(tape, ops.cast(tape, scores, FP32), FP32), q.width)
        if autocast:
            values = ops.cast(tape, values, BF16)
        out = ops.batched_matmul(tape, scores, values, per_token(shape.heads * shape.value_dim))
        return ops.copy(tape, out), scores

    def gated_mlp(self, x: Tensor, gate: Linear, up: Linear, down: Linear) -> Tensor:
        """`down(silu(gate(x)) * up(x))`."""
        tape = self.tape
        return self.linear(
            ops.mul(tape, ops.elementwise(tape, self.linear(x, gate), keeps_input=True), self.linear(x, up)), down
        )

    def fused_gated_mlp(self, x: Tensor, gate_up: Linear, down: Linear, shape: MlpShape) -> Tensor:
        """The same with gate and up in one matrix whose output is split."""
        tape = self.tape
        both = self.linear(x, gate_up)
        gate, up = ops.split(tape, both, per_token(shape.intermediate), per_token(shape.intermediate))
        up = ops.mul(tape, up, ops.elementwise(tape, gate, keeps_input=True))
        return self.linear(up, down)

    def plain_mlp(self, x: Tensor, up: Linear, down: Linear) -> Tensor:
        """`down(act(up(x)))` without a gate."""
        x = ops.elementwise(self.tape, self.linear(x, up), keeps_input=True)
        return self.linear(x, down)


def _reciprocal(tape: Tape, x: Tensor, rows: Extent) -> Tensor:
    variance = ops.mean(tape, ops.power(tape, x), rows)
    return ops.elementwise(tape, ops.copy(tape, variance), keeps_input=False)


def _rotate_half(tape: Tape, x: Tensor, half: Extent) -> Tensor:
    first = ops.narrow(tape, x, half)
    second = ops.narrow(tape, x, half)
    return ops.concatenate(tape, ops.copy(tape, second), first)


def _repeat(tape: Tape, x: Tensor, shape: AttentionShape) -> Tensor:
    """Keys or values copied for every query head that shares them."""
    if shape.heads == shape.kv_heads:
        return x
    groups = shape.heads // shape.kv_heads
    out = tape.new((x.elements[0] * groups, x.elements[1] * groups, x.elements[2] * groups), x.width)
    small, width = x.elements, x.width
    return tape.record(out, (x,), lambda _: (tape.new(small, width),))

"""Building blocks of decoder layers: linear layers with adapters, norms, rotary positions, attention, feed-forward.

Each function has the variable scopes of the Hugging Face module of the same purpose, because a local variable that
still names a tensor keeps its bytes alive.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.memory.trace import ops
from engine.memory.trace.extent import ZERO, Extent, constant, per_pair, per_token, times
from engine.memory.trace.style import NormKind, Rotary, Style
from engine.memory.trace.tape import BF16, FP32, Tape, Tensor
from engine.models import AttentionShape, Linear


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
    dropout: bool = False
    fused_kernels: bool = False
    fused_activation: bool = False
    keeps_inputs: bool = False  # of frozen matrices, as some frameworks do
    trains_embeddings: bool = False  # copies of their own beside adapters
    trains_head: bool = False
    keeps_unpacked: bool = False  # 4-bit weights as unpacked for the forward pass


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
        # x itself stays alive as well: the arguments of the call hold it.
        upcast = ops.cast(self.tape, x, self.options.adapter_width)
        if self.options.dropout:
            upcast = ops.dropout(self.tape, upcast)
        added = self._adapter(upcast, linear)
        if self.options.dora:
            added = self._magnitude(result, added, linear)
        result = ops.add(self.tape, result, added)
        return ops.cast(self.tape, result, width)

    def _magnitude(self, base: Tensor, added: Tensor, linear: Linear) -> Tensor:
        """DoRA: both outputs scaled by magnitude over norm.

        The norm needs the merged weight for a moment: the adapters applied to a unit matrix, and their sum with the
        unpacked weight (PEFT, lora/dora.py).
        """
        tape = self.tape
        merged = constant(linear.inputs * linear.outputs)
        temporaries = [
            tape.new(constant(linear.inputs**2), self.options.adapter_width),
            *(tape.new(merged, width) for width in (BF16, BF16, BF16)),
        ]
        temporaries.clear()
        magnitude = tape.weight(linear.outputs, self.options.adapter_width, trained=True)
        return ops.add(tape, ops.mul(tape, base, magnitude), ops.mul(tape, added, magnitude))

    def _base(self, x: Tensor, linear: Linear) -> Tensor:
        if self.options.nf4 and not linear.fused_parameter:
            if self.options.autocast:
                x = ops.cast(self.tape, x, BF16)
            if self.options.keeps_inputs:
                x = ops.hold(self.tape, ops.copy(self.tape, x))
            if self.options.keeps_unpacked:
                return self.product(x, self._unpacked(linear), linear.outputs, linear.inputs)
            return ops.nf4_matmul(self.tape, x, linear.inputs * linear.outputs, linear.outputs, linear.inputs)
        if self.options.keeps_inputs:
            x = ops.hold(self.tape, x)
        weight = self.tape.weight(linear.inputs * linear.outputs, self.plain_width, trained=self.options.trains_base)
        return self.product(x, weight, linear.outputs, linear.inputs)

    def _unpacked(self, linear: Linear) -> Tensor:
        """A whole 16-bit copy of a 4-bit weight, made by integer operators on the way."""
        size = constant(linear.inputs * linear.outputs)
        integers = self.tape.new(size, FP32)
        unpacked = self.tape.new(size, BF16)
        del integers
        return unpacked

    def _adapter(self, x: Tensor, linear: Linear) -> Tensor:
        rank, width = self.options.rank, self.options.adapter_width
        first = self.tape.weight(rank * linear.inputs, width, trained=True)
        second = self.tape.weight(rank * linear.outputs, width, trained=True)
        low = self.product(x, first, rank, linear.inputs)
        return ops.scale(self.tape, self.product(low, second, linear.outputs, rank))

    def norm(self, x: Tensor, width: int, kind: NormKind, *, weighted: bool = True) -> Tensor:
        """A norm over vectors of `width` elements, computed in fp32 unless PyTorch fuses it."""
        if kind is NormKind.FUSED_FP32:
            wide = ops.cast(self.tape, x, FP32)
            normed = ops.fused_norm(self.tape, wide, Tensor(None, ZERO, FP32), _rows(x, width))
            return ops.cast(self.tape, normed, x.width)
        if kind is NormKind.FUSED_LAYER_NORM or self.options.fused_kernels:
            return ops.fused_norm(self.tape, x, self.parameter(width), _rows(x, width))
        tape, before, argument = self.tape, x.width, x
        x = ops.cast(tape, argument, FP32)
        rows = _rows(x, width)
        if kind is NormKind.CENTRED:
            x = ops.subtract_mean(tape, x, rows)
        x = ops.mul(tape, x, _reciprocal(tape, x, rows))
        if not weighted:
            return ops.cast(tape, x, before)
        if kind is NormKind.RMS:
            return ops.mul(tape, self.parameter(width), ops.cast(tape, x, before))
        weight = self.parameter(width)
        if kind is NormKind.RMS_PLUS_ONE:
            weight = ops.copy(tape, ops.cast(tape, weight, FP32))
        return ops.cast(tape, ops.mul(tape, x, weight), before)

    def rotary(self, x: Tensor, cos: Tensor, sin: Tensor, style: Style) -> Tensor:
        """Rotary positions on a query or key: two products and their sum, one half swapped and negated."""
        tape, before = self.tape, x.width
        if style.rotary is Rotary.PARTIAL:
            return self._partly_turned(x, cos, sin, style.rotary_share)
        if style.rotary is Rotary.CASTING:
            x = ops.cast(tape, x, FP32)
        if style.rotary is Rotary.PROMOTING:
            cos, sin = (Tensor(None, table.elements, FP32) for table in (cos, sin))
        return ops.cast(tape, self._turned(x, cos, sin), before)

    def _turned(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        tape = self.tape
        half: Extent = (x.elements[0] // 2, x.elements[1] // 2, x.elements[2] // 2)
        direct = ops.mul(tape, x, cos)
        turned = ops.mul(tape, _rotate_half(tape, x, half), sin)
        return ops.add(tape, direct, turned)

    def _partly_turned(self, x: Tensor, cos: Tensor, sin: Tensor, share: float) -> Tensor:
        turned = per_token(int(x.elements[1] * share))
        first = ops.narrow(self.tape, x, turned)
        rest = ops.narrow(self.tape, x, per_token(x.elements[1] - turned[1]))
        return ops.concatenate(self.tape, self._turned(first, cos, sin), rest)

    def mix(self, q: Tensor, k: Tensor, v: Tensor, shape: AttentionShape, style: Style) -> tuple[Tensor, Tensor | None]:
        """Attention over prepared queries, keys and values."""
        if self.options.eager:
            return self._eager(q, k, v, shape, style)
        if self.options.autocast:
            q, k, v = (ops.cast(self.tape, x, BF16) for x in (q, k, v))
        dims = (shape.head_dim, shape.value_dim)
        return ops.flash(self.tape, q, k, v, shape.heads, shape.kv_heads, dims), None

    def _eager(
        self, q: Tensor, k: Tensor, v: Tensor, shape: AttentionShape, style: Style
    ) -> tuple[Tensor, Tensor | None]:
        tape, autocast = self.tape, self.options.autocast
        keys, values = (_repeat(tape, x, shape) for x in (k, v))
        scores_size = per_pair(shape.heads)
        if autocast:
            q, keys = ops.cast(tape, q, BF16), ops.cast(tape, keys, BF16)
        scores = ops.scale(tape, ops.batched_matmul(tape, q, keys, scores_size))
        if shape.softcap:
            scores = ops.scale(tape, ops.elementwise(tape, ops.scale(tape, scores), keeps_input=False))
        scores = ops.add(tape, scores, Tensor(None, per_pair(1), scores.width))  # the mask all layers share
        if shape.sinks:
            scores = self._with_sinks(scores)
        elif style.half_softmax:
            scores = ops.softmax(tape, scores, scores.width)
        else:
            scores = ops.cast(tape, ops.softmax(tape, ops.cast(tape, scores, FP32), FP32), q.width)
        if shape.dropout:
            scores = ops.dropout(tape, scores)
        if autocast:
            values = ops.cast(tape, values, BF16)
        out = ops.batched_matmul(tape, scores, values, per_token(shape.heads * shape.value_dim))
        return ops.copy(tape, out), scores

    def _with_sinks(self, scores: Tensor) -> Tensor:
        """GPT-OSS: a column for the sinks, the row maximum subtracted, a softmax in the scores' own precision."""
        tape = self.tape
        joined = ops.concatenate(tape, scores, tape.new(per_token(1), scores.width))
        joined = ops.copy(tape, joined)
        chances = ops.softmax(tape, joined, joined.width)
        return ops.narrow(tape, chances, scores.elements)

    def activation(self, x: Tensor, style: Style) -> Tensor:
        """The feed-forward part's non-linear function."""
        tape = self.tape
        if style.squared_relu:
            return ops.power(tape, ops.elementwise(tape, x, keeps_input=False))
        if self.options.fused_activation:
            return ops.elementwise(tape, x, keeps_input=True)
        if style.composed_gelu:
            return self._composed_gelu(x)
        if style.exponential_unit:
            return self._exponential_unit(x)
        return ops.elementwise(tape, x, keeps_input=True)

    def _composed_gelu(self, x: Tensor) -> Tensor:
        """`0.5 x (1 + tanh(c (x + 0.044715 x^3)))`, operator by operator."""
        tape = self.tape
        inner = ops.scale(tape, ops.add(tape, x, ops.scale(tape, ops.power(tape, x))))
        inner = ops.copy(tape, ops.elementwise(tape, inner, keeps_input=False))
        return ops.mul(tape, ops.scale(tape, x), inner)

    def _exponential_unit(self, x: Tensor) -> Tensor:
        """xIELU as a string of PyTorch operators, both branches computed everywhere and dropped when joined."""
        return ops.where(self.tape, self.tape.new(x.elements, 1), self._rising(x), self._falling(x))

    def _rising(self, x: Tensor) -> Tensor:
        tape, beta = self.tape, _number(x.width)
        square = ops.mul(tape, ops.mul(tape, self.parameter(1), x), x)
        return ops.add(tape, square, ops.mul(tape, beta, x))

    def _falling(self, x: Tensor) -> Tensor:
        tape, beta = self.tape, _number(x.width)
        lowered = ops.elementwise(tape, ops.elementwise(tape, x, keeps_input=True), keeps_input=False)
        lowered = ops.mul(tape, ops.add(tape, lowered, x), self.parameter(1))
        return ops.add(tape, lowered, ops.mul(tape, beta, x))

    def gated_mlp(self, x: Tensor, gate: Linear, up: Linear, down: Linear, style: Style) -> Tensor:
        """`down(act(gate(x)) * up(x))`."""
        if self.options.fused_kernels:
            return self.linear(ops.fused_gate(self.tape, self.linear(x, gate), self.linear(x, up)), down)
        gated = ops.mul(self.tape, self.activation(self.linear(x, gate), style), self.linear(x, up))
        return self.linear(gated, down)

    def fused_gated_mlp(self, x: Tensor, gate_up: Linear, down: Linear, inner: int, style: Style) -> Tensor:
        """The same with gate and up in one matrix whose output is split."""
        tape = self.tape
        both = self.linear(x, gate_up)
        gate, up = ops.split(tape, both, per_token(inner), per_token(inner))
        up = ops.mul(tape, up, self.activation(gate, style))
        return self.linear(up, down)

    def plain_mlp(self, x: Tensor, up: Linear, down: Linear, style: Style) -> Tensor:
        """`down(act(up(x)))` without a gate."""
        return self.linear(self.activation(self.linear(x, up), style), down)


def _number(width: int) -> Tensor:
    """A single number that is not trained."""
    return Tensor(None, constant(1), width)


def _rows(x: Tensor, width: int) -> Extent:
    return (x.elements[0] // width, x.elements[1] // width, x.elements[2] // width)


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
    out = tape.new(times(x.elements, groups), x.width)
    small, width = x.elements, x.width
    return tape.record(out, (x,), lambda _: (tape.new(small, width),))

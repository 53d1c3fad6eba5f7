"""Hybrid layers in the library's own PyTorch form: gated delta rule and Mamba-2 state space.

Kernel packages (flash-linear-attention, mamba-ssm) need less; without them the library computes chunks of the sequence
with plain operators in fp32, and this is what is traced here.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.memory.trace import ops
from engine.memory.trace.extent import per_token
from engine.memory.trace.layers import Builder
from engine.memory.trace.style import NormKind, Style
from engine.memory.trace.tape import BF16, FP32, Tensor
from engine.models import Block, Linear, Role

DELTA_CHUNK = 64


@dataclass(frozen=True, slots=True)
class DeltaShape:
    """Widths of a gated delta rule, per token."""

    keys: int  # key heads x key width
    values: int  # value heads x value width
    heads: int  # value heads
    key_width: int
    channel_decay: bool  # every key channel decays by itself (Kimi Delta Attention)

    @property
    def spread_keys(self) -> int:
        """Keys repeated for every value head."""
        return self.heads * self.key_width

    @property
    def pairs(self) -> int:
        """Scores within a chunk."""
        return self.heads * DELTA_CHUNK

    @property
    def states(self) -> int:
        """One state per chunk and head, spread over the chunk's tokens."""
        return self.key_width * self.values // DELTA_CHUNK


def linear_attention(builder: Builder, x: Tensor, block: Block, style: Style) -> Tensor:
    """Gated delta rule (Qwen3-Next) between its projections."""
    matrices = {linear.name.rpartition(".")[2]: linear for linear in block.linears if linear.role is Role.MIXER}
    out = matrices.get("out_proj") or matrices["o_proj"]
    heads = _value_heads(matrices, out, block.state_size)
    if "in_proj_qkvz" in matrices:
        keys = (matrices["in_proj_qkvz"].outputs - 2 * out.inputs) // 2
    elif "in_proj_qkv" in matrices:
        keys = (matrices["in_proj_qkv"].outputs - out.inputs) // 2
    else:
        keys = matrices["k_proj"].outputs if "k_proj" in matrices else out.inputs
    shape = DeltaShape(keys, out.inputs, heads, block.state_size, "f_b_proj" in matrices)
    mixed, gate, small = _delta_inputs(builder, x, matrices, shape)
    mixed = _convolution(builder, mixed)
    core = _delta_rule(builder, mixed, small, shape)
    normed = _gated_norm(builder, core, gate, shape.values // shape.heads, style)
    return builder.linear(normed, out)


def _value_heads(matrices: dict[str, Linear], out: Linear, key_width: int) -> int:
    if "in_proj_ba" in matrices:
        return matrices["in_proj_ba"].outputs // 2
    for name in ("in_proj_b", "b_proj"):
        if name in matrices:
            return matrices[name].outputs
    return max(out.inputs // max(key_width, 1), 1)


def _delta_inputs(
    builder: Builder, x: Tensor, matrices: dict[str, Linear], shape: DeltaShape
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values in one tensor, the output gate, and the two small gates of each head."""
    tape = builder.tape
    three = per_token(2 * shape.keys + shape.values)
    if "in_proj_qkvz" in matrices:
        both = builder.linear(x, matrices["in_proj_qkvz"])
        small = builder.linear(x, matrices["in_proj_ba"])
        mixed, gate = ops.split(tape, both, three, per_token(shape.values))
        return ops.copy(tape, mixed), ops.copy(tape, gate), small
    if "in_proj_qkv" in matrices:
        mixed = builder.linear(x, matrices["in_proj_qkv"])
        gate = builder.linear(x, matrices["in_proj_z"])
        small = builder.linear(x, matrices["in_proj_b"])
        return mixed, gate, ops.add(tape, small, builder.linear(x, matrices["in_proj_a"]))
    entering = [
        linear for linear in matrices.values() if linear.inputs == x.elements[1] and linear.outputs > shape.heads
    ]
    mixed = ops.concatenate(tape, *(builder.linear(x, linear) for linear in entering))
    gate = ops.narrow(tape, mixed, per_token(shape.values))
    return mixed, gate, ops.narrow(tape, mixed, per_token(shape.heads))


def _convolution(builder: Builder, x: Tensor) -> Tensor:
    """Depthwise convolution along the sequence and SiLU: keeps a contiguous copy of the input and the output."""
    tape = builder.tape
    x = ops.copy(tape, x)
    weight = builder.parameter(4 * x.elements[1])
    x = ops.narrow(tape, ops.depthwise(tape, x, weight), x.elements)
    return ops.elementwise(tape, x, keeps_input=True)


def _product(builder: Builder, a: Tensor, b: Tensor, width: int) -> Tensor:
    """A batched product over chunks, in bf16 under autocast, on contiguous copies otherwise."""
    tape = builder.tape
    if builder.options.autocast:
        a, b = ops.cast(tape, a, BF16), ops.cast(tape, b, BF16)
    return ops.batched_matmul(tape, a, b, per_token(width))


def _delta_rule(builder: Builder, mixed: Tensor, small: Tensor, shape: DeltaShape) -> Tensor:
    """The chunked rule; variables stay alive until the end, as in the library's function."""
    tape = builder.tape
    before = mixed.width
    query, key, value = ops.split(tape, mixed, per_token(shape.keys), per_token(shape.keys), per_token(shape.values))
    wide = per_token(shape.spread_keys)
    query, key = (ops.gather(tape, part, shape.spread_keys // max(shape.keys, 1)) for part in (query, key))
    query, key, value = (ops.cast(tape, part, FP32) for part in (query, key, value))
    decay = ops.cast(tape, ops.narrow(tape, small, per_token(shape.heads)), FP32)
    beta = ops.elementwise(tape, decay, keeps_input=False)
    query = ops.scale(tape, _unit(builder, query, shape.heads))
    key = _unit(builder, key, shape.heads)
    query, key, value = (ops.copy(tape, part) for part in (query, key, value))
    v_beta = ops.mul(tape, value, beta)
    k_beta = ops.mul(tape, key, beta)
    if shape.channel_decay:
        return ops.cast(tape, _channel_rule(builder, query, value, shape), before)
    pairs = ops.spread(tape, decay, per_token(shape.pairs))
    pairs = ops.elementwise(tape, ops.copy(tape, pairs), keeps_input=False)
    system = ops.mul(tape, _product(builder, k_beta, key, shape.pairs), pairs)
    within = ops.mul(tape, _product(builder, query, key, shape.pairs), pairs)
    decayed = ops.mul(tape, k_beta, beta)
    new_values = ops.solve(tape, system, v_beta)
    k_decay = ops.solve(tape, system, decayed)
    result = tape.new(per_token(shape.values), FP32)
    query = ops.mul(tape, query, beta)
    key = ops.mul(tape, key, beta)
    out = _chunk_loop(builder, (query, key, within, new_values, k_decay), shape)
    del result, wide
    return ops.cast(tape, out, before)


def _channel_rule(builder: Builder, query: Tensor, value: Tensor, shape: DeltaShape) -> Tensor:
    """Pairwise decays for every key channel dwarf all else: three tensors of that size, four more backwards."""
    tape = builder.tape
    wide = per_token(shape.spread_keys * DELTA_CHUNK)
    decays = ops.elementwise(tape, ops.spread(tape, query, wide), keeps_input=False)
    keys = ops.mul(tape, decays, ops.spread(tape, value, wide))
    scores = ops.mul(tape, ops.selected(tape, decays), ops.selected(tape, keys))
    return ops.add(tape, ops.mean(tape, scores, per_token(shape.values)), value)


def _chunk_loop(builder: Builder, parts: tuple[Tensor, Tensor, Tensor, Tensor, Tensor], shape: DeltaShape) -> Tensor:
    """The recurrence over chunks, all chunks at once: every chunk keeps its state and the operands of four products."""
    query, key, within, new_values, k_decay = parts
    tape = builder.tape
    state = ops.spread(tape, ops.narrow(tape, key, per_token(shape.heads)), per_token(shape.states))
    correction = _product(builder, k_decay, state, shape.values)
    values = ops.add(tape, new_values, correction)
    between = _product(builder, query, state, shape.values)
    inside = _product(builder, within, values, shape.values)
    grown = _product(builder, key, values, shape.states)
    state = ops.add(tape, ops.mul(tape, state, ops.narrow(tape, key, per_token(shape.heads))), grown)
    out = ops.cast(tape, ops.add(tape, between, inside), FP32)
    return ops.add(tape, out, ops.narrow(tape, state, per_token(shape.heads)))


def _unit(builder: Builder, x: Tensor, heads: int) -> Tensor:
    """A vector divided by its length."""
    tape = builder.tape
    squares = ops.mul(tape, x, x)
    length = ops.elementwise(tape, ops.mean(tape, squares, per_token(heads)), keeps_input=False)
    del squares
    return ops.mul(tape, x, length)


def _gated_norm(builder: Builder, x: Tensor, gate: Tensor, width: int, style: Style) -> Tensor:
    """A norm per head times SiLU of the gate, in fp32."""
    tape, before = builder.tape, x.width
    kind = NormKind.RMS if style.norm is NormKind.RMS_PLUS_ONE else style.norm
    normed = builder.norm(x, width, kind)
    opened = ops.elementwise(tape, ops.cast(tape, gate, FP32), keeps_input=True)
    return ops.cast(tape, ops.mul(tape, normed, opened), before)


@dataclass(frozen=True, slots=True)
class StateShape:
    """Widths of a Mamba-2 layer, per token."""

    inner: int
    group_states: int  # groups x state size
    heads: int
    state: int
    chunk: int


def state_space(builder: Builder, x: Tensor, block: Block, style: Style) -> Tensor:
    """Mamba or Mamba-2 between its projections."""
    matrices = {linear.name.rpartition(".")[2]: linear for linear in block.linears if linear.role is Role.MIXER}
    if "x_proj" in matrices and "dt_proj" in matrices:
        return _first_mamba(builder, x, matrices, max(block.state_size, 1))
    first, out = matrices.get("in_proj"), matrices.get("out_proj")
    if first is None or out is None:
        whole = list(matrices.values())
        return builder.linear(builder.linear(x, whole[0]), whole[-1])
    shape = _state_shape(first, out, block.state_size, style.chunk)
    tape = builder.tape
    projected = builder.linear(x, first)
    middle = shape.inner + 2 * shape.group_states
    gate, mixed, steps = ops.split(tape, projected, per_token(shape.inner), per_token(middle), per_token(shape.heads))
    mixed = _convolution(builder, mixed)
    scanned = _scan(builder, mixed, steps, shape)
    scanned = ops.mul(tape, scanned, ops.elementwise(tape, ops.cast(tape, gate, FP32), keeps_input=True))
    scanned = builder.norm(scanned, shape.inner, NormKind.RMS)
    return builder.linear(ops.cast(tape, scanned, x.width), out)


def _first_mamba(builder: Builder, x: Tensor, matrices: dict[str, Linear], state: int) -> Tensor:
    """Mamba's selective scan token by token: discretised matrices and every state, channels x states each, in fp32."""
    tape, out = builder.tape, matrices["out_proj"]
    inner, wide = per_token(out.inputs), per_token(out.inputs * state)
    before = x.width
    hidden, gate = ops.split(tape, builder.linear(x, matrices["in_proj"]), inner, inner)
    hidden = _convolution(builder, hidden)
    small = builder.linear(hidden, matrices["x_proj"])
    rank = per_token(matrices["dt_proj"].inputs)
    step, b, c = ops.split(tape, small, rank, per_token(state), per_token(state))
    step = ops.elementwise(tape, builder.linear(ops.copy(tape, step), matrices["dt_proj"]), keeps_input=True)
    step = ops.cast(tape, step, FP32)
    decay = ops.elementwise(tape, ops.outer(tape, builder.parameter(wide[1]), step, wide), keeps_input=False)
    entering = ops.outer(tape, step, ops.cast(tape, b, FP32), wide)
    entering = ops.outer(tape, entering, ops.cast(tape, hidden, FP32), wide)
    state_before = ops.copy(tape, entering)
    states = ops.add(tape, ops.mul(tape, decay, state_before), entering)
    del state_before
    scanned = ops.batched_matmul(tape, ops.cast(tape, states, before), ops.copy(tape, c), inner)
    scanned = ops.add(tape, scanned, ops.mul(tape, hidden, builder.parameter(out.inputs)))
    scanned = ops.mul(tape, scanned, ops.elementwise(tape, gate, keeps_input=True))
    return builder.linear(scanned, out)


def _state_shape(first: Linear, out: Linear, state: int, chunk: int) -> StateShape:
    inner, state = out.inputs, max(state, 1)
    rest = first.outputs - 2 * inner
    groups = max((rest - 1) // (2 * state), 1)
    heads = max(rest - 2 * groups * state, 1)
    return StateShape(inner, groups * state, heads, state, chunk)


def _scan(builder: Builder, mixed: Tensor, steps: Tensor, shape: StateShape) -> Tensor:
    """The chunked scan: scores within chunks for every head, one state per chunk."""
    tape = builder.tape
    spread, pairs = per_token(shape.heads * shape.state), per_token(shape.heads * shape.chunk)
    states = shape.inner * shape.state // shape.chunk
    hidden, b, c = ops.split(
        tape, mixed, per_token(shape.inner), per_token(shape.group_states), per_token(shape.group_states)
    )
    steps = ops.elementwise(tape, ops.copy(tape, steps), keeps_input=True)
    hidden = ops.cast(tape, hidden, FP32)
    b = ops.spread(tape, ops.cast(tape, b, FP32), spread)
    c = ops.spread(tape, ops.cast(tape, c, FP32), spread)
    direct = ops.mul(tape, ops.copy(tape, hidden), builder.parameter(shape.heads))
    hidden = ops.mul(tape, hidden, ops.cast(tape, steps, FP32))
    hidden, b, c = (ops.copy(tape, part) for part in (hidden, b, c))
    decay = ops.cast(tape, steps, FP32)
    sums = ops.copy(tape, ops.copy(tape, ops.spread(tape, decay, pairs)))
    fading = ops.elementwise(tape, sums, keeps_input=False)
    del sums
    scores = _einsum(builder, c, b, shape.heads * shape.chunk)
    weighted = ops.mul(tape, scores, fading)
    within = _einsum(builder, weighted, hidden, shape.inner)
    faded = ops.mul(tape, b, ops.elementwise(tape, decay, keeps_input=False))
    summed = _einsum(builder, faded, hidden, states)
    summed = ops.copy(tape, ops.cast(tape, summed, FP32))
    carried = _einsum(builder, summed, decay, states)
    between = _einsum(builder, c, carried, shape.inner)
    between = ops.mul(tape, between, ops.elementwise(tape, decay, keeps_input=False))
    out = ops.add(tape, within, between)
    return ops.add(tape, ops.cast(tape, out, FP32), direct)


def _einsum(builder: Builder, a: Tensor, b: Tensor, width: int) -> Tensor:
    """A contraction: both operands are laid out anew for the batched product."""
    tape = builder.tape
    if builder.options.autocast:
        return _product(builder, a, b, width)
    return _product(builder, ops.copy(tape, a), ops.copy(tape, b), width)

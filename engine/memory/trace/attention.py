"""Attention of one layer: grouped, fused, gated and latent."""

from __future__ import annotations

from engine.memory.trace import ops
from engine.memory.trace.extent import Extent, per_token
from engine.memory.trace.layers import Builder
from engine.memory.trace.style import NormKind, Rotary, Style
from engine.memory.trace.tape import Tensor
from engine.models import AttentionShape, Block, Linear, MixerKind, Role

Tables = tuple[Tensor, Tensor]


class Attention:
    """The attention part of a block."""

    def __init__(self, builder: Builder, block: Block, style: Style, tables: Tables) -> None:
        if block.attention is None:
            raise AssertionError("a block without attention")
        self.builder = builder
        self.tape = builder.tape
        self.shape: AttentionShape = block.attention
        self.mixer = block.mixer
        self.style = style
        self.tables = tables
        self.matrices = [linear for linear in block.linears if linear.role is Role.ATTENTION]

    def named(self, *leaves: str) -> Linear | None:
        """The matrix with one of these module names."""
        return next((linear for linear in self.matrices if linear.name.rpartition(".")[2] in leaves), None)

    def _matrix(self, leaf: str) -> Linear:
        found = self.named(leaf)
        if found is None:
            raise AssertionError(f"latent attention without {leaf}")
        return found

    def run(self, x: Tensor) -> tuple[Tensor, Tensor | None]:
        """Output and, with eager attention, the weights that the layer still holds."""
        if self.mixer is MixerKind.LATENT_ATTENTION:
            return self._latent(x)
        q, k, v, gate = self._projections(x)
        if self.style.rotary is not Rotary.SLIDING_ONLY or self.mixer is MixerKind.SLIDING_ATTENTION:
            q = self._turned(q)
            k = self._turned(k)
        out, weights = self.builder.mix(q, k, v, self.shape, self.style)
        if gate is not None:
            out = ops.mul(self.tape, out, ops.elementwise(self.tape, gate, keeps_input=False))
        return self.builder.linear(out, self._output()), weights

    def _turned(self, x: Tensor) -> Tensor:
        cos, sin = self.tables
        return self.builder.rotary(x, cos, sin, self.style)

    def _output(self) -> Linear:
        return self.named("o_proj", "out_proj", "dense", "c_proj") or self.matrices[-1]

    def _head_norm(self, x: Tensor) -> Tensor:
        if not self.shape.query_key_norms:
            return x
        width = x.elements[1] if self.style.widest_head_norm else self.shape.head_dim
        return self.builder.norm(x, width, self._head_norm_kind())

    def _head_norm_kind(self) -> NormKind:
        return self.style.norm

    def _projections(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
        build, shape = self.builder, self.shape
        if shape.fused_qkv:
            q, k, v = self._slices(build.linear(x, self.matrices[0]))
            return q, k, v, None
        gate: Tensor | None = None
        q = build.linear(x, self.matrices[0])
        if self.style.gated_query:
            half = per_token(shape.heads * shape.head_dim)
            q, gate = ops.split(self.tape, q, half, half)
            gate = ops.copy(self.tape, gate)
        q = self._head_norm(q)
        key = self.named("k_proj", "k") or (self.matrices[1:] or self.matrices)[0]
        k = self._head_norm(build.linear(x, key))
        value = self.named("v_proj", "v")
        v = build.linear(x, value) if value is not None else k
        if self.style.value_norm:
            v = build.norm(v, shape.value_dim, self.style.norm, weighted=False)
        return q, k, v, gate

    def _slices(self, both: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        shape = self.shape
        sizes = (shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim, shape.kv_heads * shape.value_dim)
        q, k, v = (ops.narrow(self.tape, both, per_token(size)) for size in sizes)
        return q, k, v

    def _latent(self, x: Tensor) -> tuple[Tensor, Tensor | None]:
        """Multi-head latent attention: queries and keys joined from a part with and a part without positions."""
        build, tape, shape = self.builder, self.tape, self.shape
        keys, compressing = self._matrix("kv_b_proj"), self._matrix("kv_a_proj_with_mqa")
        rope = compressing.outputs - keys.inputs
        plain = shape.head_dim - rope
        q = self._latent_query(x)
        q_pass, q_rot = ops.split(tape, q, per_token(shape.heads * plain), per_token(shape.heads * rope))
        compressed = build.linear(x, compressing)
        kv, k_rot = ops.split(tape, compressed, per_token(keys.inputs), per_token(rope))
        kv = build.norm(kv, keys.inputs, NormKind.RMS)
        q_rot, k_rot = self._interleaved(q_rot), self._interleaved(k_rot)
        query = ops.concatenate(tape, q_pass, q_rot)
        expanded = build.linear(kv, keys)
        sizes: tuple[Extent, Extent] = (per_token(shape.heads * plain), per_token(shape.heads * shape.value_dim))
        k_pass, value = ops.split(tape, expanded, *sizes)
        key = ops.filled(tape, per_token(shape.heads * shape.head_dim), k_pass, k_rot)
        out, weights = build.mix(query, key, value, shape, self.style)
        return build.linear(out, self._output()), weights

    def _latent_query(self, x: Tensor) -> Tensor:
        build = self.builder
        first, second = self.named("q_a_proj"), self.named("q_b_proj")
        if first is None or second is None:
            return build.linear(x, self.matrices[0])
        return build.linear(build.norm(build.linear(x, first), first.outputs, NormKind.RMS), second)

    def _interleaved(self, x: Tensor) -> Tensor:
        """Rotary positions on interleaved halves: four products of half width, two sums, joined."""
        tape = self.tape
        cos, sin = self.tables
        half: Extent = (x.elements[0] // 2, x.elements[1] // 2, x.elements[2] // 2)
        first, second = ops.narrow(tape, x, half), ops.narrow(tape, x, half)
        return ops.concatenate(
            tape,
            ops.add(tape, ops.mul(tape, first, cos), ops.mul(tape, second, sin)),
            ops.add(tape, ops.mul(tape, second, cos), ops.mul(tape, first, sin)),
        )

"""Decoder layers as strings of operators, by the shape of the block and the style of the family."""

from __future__ import annotations

from engine.memory.trace import ops
from engine.memory.trace.attention import Attention, Tables
from engine.memory.trace.experts import gate_shared, route, run_every_expert, run_experts
from engine.memory.trace.layers import Builder
from engine.memory.trace.recurrent import linear_attention, state_space
from engine.memory.trace.style import Order, Style
from engine.memory.trace.tape import Tensor
from engine.models import Block, Linear, MixerKind, ModelSpec, MoeShape, Role


class Layer:
    """One decoder layer."""

    def __init__(self, builder: Builder, model: ModelSpec, block: Block, style: Style, tables: Tables) -> None:
        self.builder = builder
        self.tape = builder.tape
        self.hidden = model.hidden_size
        self.block = block
        self.style = style
        self.tables = tables

    def forward(self, x: Tensor) -> Tensor:
        """The layer in the family's order."""
        if self.style.order is Order.PARALLEL:
            return self._parallel(x)
        if self.style.order is Order.SINGLE:
            return self._single(x)
        return self._two_halves(x)

    def _two_halves(self, x: Tensor) -> Tensor:
        before = self.style.order is not Order.AFTER
        after = self.style.order is not Order.BEFORE
        residual = x
        if before:
            x = self.norm(x)
        x, weights = self._mix(x)
        x = self._dropped(x)
        if after:
            x = self.norm(x)
        x = ops.add(self.tape, residual, self._scaled(x))
        residual = x
        if before:
            x = self.norm(x)
        x = self._dropped(self._feed_forward(x))
        if after:
            x = self.norm(x)
        x = ops.add(self.tape, residual, self._scaled(x))
        del weights
        return x

    def _parallel(self, x: Tensor) -> Tensor:
        residual = x
        x = self.norm(x)
        mixed, weights = self._mix(x)
        fed = self._feed_forward(self.norm(residual) if self.block.norms_per_layer > 1 else x)
        x = ops.add(self.tape, ops.add(self.tape, residual, self._dropped(mixed)), self._dropped(fed))
        del weights
        return x

    def _single(self, x: Tensor) -> Tensor:
        residual = x
        x = self.norm(x)
        if self.block.mixer is MixerKind.NONE:
            x = self._feed_forward(x)
        else:
            x, weights = self._mix(x)
            del weights
        return ops.add(self.tape, residual, x)

    def norm(self, x: Tensor) -> Tensor:
        """A norm over the hidden width."""
        return self.builder.norm(x, self.hidden, self.style.norm)

    def _scaled(self, x: Tensor) -> Tensor:
        return ops.scale(self.tape, x) if self.style.scales_residual else x

    def _dropped(self, x: Tensor) -> Tensor:
        return ops.dropout(self.tape, x) if self.block.residual_dropout else x

    def _mix(self, x: Tensor) -> tuple[Tensor, Tensor | None]:
        if self.block.mixer is MixerKind.LINEAR_ATTENTION:
            return linear_attention(self.builder, x, self.block, self.style), None
        if self.block.mixer is MixerKind.STATE_SPACE:
            return state_space(self.builder, x, self.block, self.style), None
        mixed, weights = Attention(self.builder, self.block, self.style, self.tables).run(x)
        if self.by_role(Role.MIXER):
            mixed = ops.add(self.tape, mixed, state_space(self.builder, x, self.block, self.style))
        return mixed, weights

    def by_role(self, role: Role) -> list[Linear]:
        """The block's matrices of one role, in order."""
        return [linear for linear in self.block.linears if linear.role is role]

    def _feed_forward(self, x: Tensor) -> Tensor:
        """The dense feed-forward part, or experts."""
        if self.block.moe is not None:
            return self._experts(x, self.block.moe)
        return self._dense(x, self.by_role(Role.MLP))

    def _dense(self, x: Tensor, matrices: list[Linear]) -> Tensor:
        if len(matrices) >= 3:
            return self.builder.gated_mlp(x, matrices[0], matrices[1], matrices[2], self.style)
        if len(matrices) < 2:
            return x
        up, down = matrices
        if up.outputs == 2 * down.inputs:
            return self.builder.fused_gated_mlp(x, up, down, down.inputs, self.style)
        return self.builder.plain_mlp(x, up, down, self.style)

    def _experts(self, x: Tensor, shape: MoeShape) -> Tensor:
        """Routed experts, and the shared ones beside them."""
        routers = self.by_role(Role.ROUTER)
        up, down = self.by_role(Role.EXPERT)[:2]
        shared = self.by_role(Role.SHARED_EXPERT)
        gated = len(routers) > 1
        beside = self._dense(x, shared) if shared and gated else None
        if self.style.every_expert:
            beside = self._dense(x, shared)
            return ops.add(self.tape, beside, run_every_expert(self.builder, x, routers[0], up, down, self.style))
        scores = route(self.builder, x, routers[0], shape, self.style)
        out = run_experts(self.builder, x, scores, shape, up, down, self.style)
        if beside is not None:
            beside = gate_shared(self.builder, x, routers[1], beside)
            return ops.add(self.tape, out, beside)
        if shared:
            return ops.add(self.tape, out, self._dense(x, shared))
        return out

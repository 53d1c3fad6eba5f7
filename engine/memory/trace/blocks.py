"""Decoder layers as strings of operators, by the shape of the block and the family of the model."""

from __future__ import annotations

from engine.memory.trace import ops
from engine.memory.trace.experts import route, run_experts
from engine.memory.trace.extent import per_token
from engine.memory.trace.layers import Builder
from engine.memory.trace.tape import Tensor
from engine.models import AttentionShape, Block, Linear, ModelSpec, MoeShape, Role


class Layer:
    """One decoder layer with its matrices by name."""

    def __init__(self, builder: Builder, model: ModelSpec, block: Block, positions: tuple[Tensor, Tensor]) -> None:
        self.builder = builder
        self.tape = builder.tape
        self.model = model
        self.block = block
        self.positions = positions
        self.linears = {linear.name: linear for linear in block.linears}

    def pick(self, *names: str) -> Linear | None:
        """The first of these matrices that the block has."""
        return next((self.linears[name] for name in names if name in self.linears), None)

    def by_role(self, role: Role) -> list[Linear]:
        """The block's matrices of one role, in order."""
        return [linear for linear in self.block.linears if linear.role is role]

    @property
    def attention_shape(self) -> AttentionShape:
        """The block's heads."""
        if self.block.attention is None:
            raise AssertionError("a block without attention")
        return self.block.attention

    def norm(self, x: Tensor, width: int) -> Tensor:
        """The family's norm."""
        return self.builder.rms_norm(x, width)

    def forward(self, x: Tensor) -> Tensor:
        """Attention and feed-forward part, each with a norm before it and a residual around it."""
        hidden = self.model.hidden_size
        residual = x
        x = self.norm(x, hidden)
        x, weights = self.attention(x)
        x = ops.add(self.tape, residual, x)
        residual = x
        x = self.norm(x, hidden)
        x = self.feed_forward(x)
        x = ops.add(self.tape, residual, x)
        del weights
        return x

    def attention(self, x: Tensor) -> tuple[Tensor, Tensor | None]:
        """Grouped-query attention with rotary positions."""
        shape = self.attention_shape
        build = self.builder
        q, k, v = self.projections(x, shape)
        cos, sin = self.positions
        q = build.rotary(q, cos, sin)
        k = build.rotary(k, cos, sin)
        out, weights = build.mix(q, k, v, shape)
        output = self.by_role(Role.ATTENTION)[-1]
        out = build.linear(out, output)
        return out, weights

    def projections(self, x: Tensor, shape: AttentionShape) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values."""
        build = self.builder
        if shape.fused_qkv:
            return self.fused_projections(x, shape)
        q_proj, k_proj, v_proj = self.by_role(Role.ATTENTION)[:3]
        q = build.linear(x, q_proj)
        if shape.query_key_norms:
            q = self.norm(q, shape.head_dim)
        k = build.linear(x, k_proj)
        if shape.query_key_norms:
            k = self.norm(k, shape.head_dim)
        return q, k, build.linear(x, v_proj)

    def fused_projections(self, x: Tensor, shape: AttentionShape) -> tuple[Tensor, Tensor, Tensor]:
        """One matrix whose output is cut into slices."""
        both = self.builder.linear(x, self.by_role(Role.ATTENTION)[0])
        sizes = (shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim, shape.kv_heads * shape.head_dim)
        q, k, v = (ops.narrow(self.tape, both, per_token(size)) for size in sizes)
        return q, k, v

    def feed_forward(self, x: Tensor) -> Tensor:
        """The dense feed-forward part, or experts."""
        if self.block.moe is not None:
            return self.experts(x, self.block.moe)
        matrices = self.by_role(Role.MLP)
        shape = self.block.mlp
        if shape is None:
            return x
        if shape.fused_gate_up:
            return self.builder.fused_gated_mlp(x, matrices[0], matrices[1], shape)
        if shape.gated:
            gate, up, down = matrices[:3]
            return self.builder.gated_mlp(x, gate, up, down)
        return self.builder.plain_mlp(x, matrices[0], matrices[1])

    def experts(self, x: Tensor, shape: MoeShape) -> Tensor:
        """Routed experts, and the shared ones beside them."""
        router = self.by_role(Role.ROUTER)[0]
        up, down = self.by_role(Role.EXPERT)[:2]
        scores = route(self.builder, x, router, shape, keeps_fp32=self.model.model_type == "mixtral")
        return run_experts(self.builder, x, scores, shape, up, down)


class SandwichLayer(Layer):
    """Norms before and after both halves, computed the Gemma way."""

    def norm(self, x: Tensor, width: int) -> Tensor:
        """Weights are stored as the difference from one."""
        return self.builder.rms_norm(x, width, plus_one=True)

    def forward(self, x: Tensor) -> Tensor:
        """The second norm of each half comes before the residual sum."""
        hidden = self.model.hidden_size
        residual = x
        x = self.norm(x, hidden)
        x, weights = self.attention(x)
        x = self.norm(x, hidden)
        x = ops.add(self.tape, residual, x)
        residual = x
        x = self.norm(x, hidden)
        x = self.feed_forward(x)
        x = self.norm(x, hidden)
        x = ops.add(self.tape, residual, x)
        del weights
        return x


GEMMA_SANDWICH = ("gemma2", "gemma3_text", "gemma3")


def layer_of(builder: Builder, model: ModelSpec, block: Block, positions: tuple[Tensor, Tensor]) -> Layer:
    """The layer with the family's order of operators."""
    if model.model_type in GEMMA_SANDWICH:
        return SandwichLayer(builder, model, block, positions)
    return Layer(builder, model, block, positions)

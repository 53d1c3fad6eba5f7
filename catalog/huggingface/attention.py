"""Attention rules: the matrices, norms and shapes of grouped, fused and latent attention."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from catalog.huggingface.errors import ConfigError
from catalog.huggingface.fields import Fields
from catalog.huggingface.parts import Flag, Part, flag
from engine.models import AttentionShape, Linear, MixerKind, Role


class QueryKeyNorm(Enum):
    """Normalisation of queries and keys before the scores."""

    NONE = "none"
    HEAD = "head"  # over each head, weights shared by all heads
    HEAD_WITH_BIAS = "head-with-bias"
    PER_HEAD = "per-head"  # over each head, weights of its own for every head
    WIDTH = "width"  # over all heads together


class Gate(Enum):
    """Gate on the attention's output."""

    NONE = "none"
    DOUBLED_QUERY = "doubled-query"  # the query projection is twice as wide
    WIDTH = "width"  # a projection of its own, as wide as the heads together
    PER_HEAD = "per-head"  # one value for each head


@dataclass(frozen=True, slots=True)
class Grouped:
    """Attention with separate projections: multi-head, grouped-query or multi-query."""

    bias: Flag = False  # of queries, keys and values
    out_bias: Flag = False
    norms: QueryKeyNorm = QueryKeyNorm.NONE
    norms_if: Flag = True
    gate: Gate = Gate.NONE
    gate_if: Flag = True
    window: str = ""  # the field of the window, empty: sees all tokens
    kind: MixerKind = MixerKind.ATTENTION
    sinks: Flag = False
    softcap: str = "attn_logit_softcapping"
    prefix: str = "self_attn."
    names: tuple[str, str, str, str] = ("q_proj", "k_proj", "v_proj", "o_proj")
    gate_name: str = "gate_proj"
    heads: str = "num_attention_heads"
    kv_heads: str = "num_key_value_heads"
    head_dim: str = "head_dim"
    value_dim: str = ""  # as head_dim unless named
    shared_key_value: Flag = False  # the keys serve as values, there is no value projection
    owns_key_value: bool = True  # false where a layer reads another layer's keys and values
    own_norm: bool = False  # one more norm of the hidden width before the output projection (BitNet)

    def __call__(self, fields: Fields) -> Part:
        """Matrices `[outputs, inputs]` as the library stores them."""
        hidden = fields.size("hidden_size")
        heads, kv_heads, head_dim = head_sizes(fields, self.heads, self.kv_heads, self.head_dim)
        value_dim = fields.size(self.value_dim) if self.value_dim else head_dim
        bias, out_bias = flag(fields, self.bias), flag(fields, self.out_bias)
        gate = self.gate if flag(fields, self.gate_if) else Gate.NONE
        norms = self.norms if flag(fields, self.norms_if) else QueryKeyNorm.NONE
        query_width = heads * head_dim * (2 if gate is Gate.DOUBLED_QUERY else 1)
        query, key, value, out = (self.prefix + name for name in self.names)
        linears = [Linear(query, hidden, query_width, Role.ATTENTION, bias)]
        if self.owns_key_value:
            linears.append(Linear(key, hidden, kv_heads * head_dim, Role.ATTENTION, bias))
            if not flag(fields, self.shared_key_value):
                linears.append(Linear(value, hidden, kv_heads * value_dim, Role.ATTENTION, bias))
        linears.append(Linear(out, heads * value_dim, hidden, Role.ATTENTION, out_bias))
        if gate in (Gate.WIDTH, Gate.PER_HEAD):
            gate_width = heads * value_dim if gate is Gate.WIDTH else heads
            linears.append(Linear(self.prefix + self.gate_name, hidden, gate_width, Role.ATTENTION))
        sinks = flag(fields, self.sinks)
        others = _norm_parameters(norms, heads, kv_heads, head_dim, owns_key_value=self.owns_key_value)
        others += (heads if sinks else 0) + (hidden if self.own_norm else 0)
        shape = AttentionShape(
            heads,
            kv_heads,
            head_dim,
            value_dim,
            window=fields.optional_size(self.window) if self.window else None,
            query_key_norms=norms is not QueryKeyNorm.NONE,
            softcap=fields.present(self.softcap),
            sinks=sinks,
            dropout=fields.drops_out("attention_dropout"),
        )
        return Part(tuple(linears), others, self.kind, shape)

    def sliding(self, window: str = "sliding_window") -> Grouped:
        """The same attention within a window."""
        return replace(self, window=window, kind=MixerKind.SLIDING_ATTENTION)

    def chunked(self, chunk: str) -> Grouped:
        """The same attention within chunks."""
        return replace(self, window=chunk, kind=MixerKind.CHUNKED_ATTENTION)


@dataclass(frozen=True, slots=True)
class FusedQkv:
    """Queries, keys and values in one matrix."""

    bias: Flag = False
    out_bias: Flag = False
    name: str = "self_attn.qkv_proj"
    out_name: str = "self_attn.o_proj"
    window: str = ""
    kind: MixerKind = MixerKind.ATTENTION
    grouped: bool = True  # false: as many key and value heads as query heads
    head_dim: str = "head_dim"  # empty: always hidden width / heads
    norms: QueryKeyNorm = QueryKeyNorm.NONE
    norms_if: Flag = True

    def __call__(self, fields: Fields) -> Part:
        """One matrix of (heads + 2 x key-value heads) x head size rows."""
        hidden = fields.size("hidden_size")
        heads, kv_heads, head_dim = head_sizes(
            fields, kv_heads="num_key_value_heads" if self.grouped else "", head_dim=self.head_dim
        )
        norms = self.norms if flag(fields, self.norms_if) else QueryKeyNorm.NONE
        width = (heads + 2 * kv_heads) * head_dim
        linears = (
            Linear(self.name, hidden, width, Role.ATTENTION, flag(fields, self.bias)),
            Linear(self.out_name, heads * head_dim, hidden, Role.ATTENTION, flag(fields, self.out_bias)),
        )
        shape = AttentionShape(
            heads,
            kv_heads,
            head_dim,
            head_dim,
            window=fields.optional_size(self.window) if self.window else None,
            query_key_norms=norms is not QueryKeyNorm.NONE,
            fused_qkv=True,
        )
        others = _norm_parameters(norms, heads, kv_heads, head_dim, owns_key_value=True)
        return Part(linears, others, self.kind, shape)

    def sliding(self, window: str = "sliding_window") -> FusedQkv:
        """The same attention within a window."""
        return replace(self, window=window, kind=MixerKind.SLIDING_ATTENTION)


@dataclass(frozen=True, slots=True)
class Latent:
    """Multi-head latent attention: keys and values through a narrow projection (DeepSeek-V2 paper, section 2.1)."""

    bias: Flag = "attention_bias"
    indexer: bool = False  # DeepSeek-V3.2's lightning indexer
    value_dim_needed: bool = True  # false: hidden width / heads where `v_head_dim` is absent
    gate: Gate = Gate.NONE

    def __call__(self, fields: Fields) -> Part:
        """Queries through a rank when `q_lora_rank` is set; keys and values always through `kv_lora_rank`."""
        hidden = fields.size("hidden_size")
        heads = fields.size("num_attention_heads")
        no_rope, rope = fields.size("qk_nope_head_dim"), fields.size("qk_rope_head_dim")
        kv_rank = fields.size("kv_lora_rank")
        if self.value_dim_needed or fields.present("v_head_dim"):
            value_dim = fields.size("v_head_dim")
        else:
            value_dim = max(hidden // heads, 1)
        query_rank = fields.optional_size("q_lora_rank")
        bias = flag(fields, self.bias)
        linears = []
        others = kv_rank
        if query_rank is None:
            linears.append(Linear("self_attn.q_proj", hidden, heads * (no_rope + rope), Role.ATTENTION))
        else:
            linears.append(Linear("self_attn.q_a_proj", hidden, query_rank, Role.ATTENTION, bias))
            linears.append(Linear("self_attn.q_b_proj", query_rank, heads * (no_rope + rope), Role.ATTENTION))
            others += query_rank
        linears.append(Linear("self_attn.kv_a_proj_with_mqa", hidden, kv_rank + rope, Role.ATTENTION, bias))
        linears.append(Linear("self_attn.kv_b_proj", kv_rank, heads * (no_rope + value_dim), Role.ATTENTION))
        linears.append(Linear("self_attn.o_proj", heads * value_dim, hidden, Role.ATTENTION, bias))
        if self.gate is Gate.PER_HEAD:
            linears.append(Linear("self_attn.g_proj", hidden, heads, Role.ATTENTION))
        if self.indexer:
            index, index_norm = _indexer(fields, hidden, query_rank or hidden)
            linears += index
            others += index_norm
        shape = AttentionShape(heads, heads, no_rope + rope, value_dim, query_key_norms=False)
        return Part(tuple(linears), others, MixerKind.LATENT_ATTENTION, shape)


def _indexer(fields: Fields, hidden: int, query_rank: int) -> tuple[list[Linear], int]:
    heads, width = fields.size("index_n_heads"), fields.size("index_head_dim")
    linears = [
        Linear("self_attn.indexer.wq_b", query_rank, heads * width, Role.ATTENTION),
        Linear("self_attn.indexer.wk", hidden, width, Role.ATTENTION),
        Linear("self_attn.indexer.ws_proj", hidden, heads, Role.ATTENTION),
    ]
    return linears, 2 * width


def _norm_parameters(norms: QueryKeyNorm, heads: int, kv_heads: int, head_dim: int, *, owns_key_value: bool) -> int:
    if norms is QueryKeyNorm.HEAD:
        return head_dim * (2 if owns_key_value else 1)
    if norms is QueryKeyNorm.HEAD_WITH_BIAS:
        return 4 * head_dim
    if norms in (QueryKeyNorm.WIDTH, QueryKeyNorm.PER_HEAD):
        return (heads + (kv_heads if owns_key_value else 0)) * head_dim
    return 0


def head_sizes(
    fields: Fields,
    heads: str = "num_attention_heads",
    kv_heads: str = "num_key_value_heads",
    head_dim: str = "head_dim",
) -> tuple[int, int, int]:
    """Query heads, key-value heads and head size; the latter two follow from the first where they are absent."""
    count = fields.size(heads)
    kv_count = (fields.optional_size(kv_heads) if kv_heads else None) or count
    if count % kv_count:
        raise ConfigError(
            "{field} ({value}) must be a divisor of the {heads} attention heads.",
            field=kv_heads,
            value=kv_count,
            heads=count,
        )
    width = fields.optional_size(head_dim) if head_dim else None
    if width is None:
        width = fields.size("hidden_size") // count
    if width == 0:
        raise ConfigError("{field} must be at least as large as {other}.", field="hidden_size", other=heads)
    return count, kv_count, width

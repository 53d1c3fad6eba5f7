"""Families that keep several residual streams side by side (hyper-connections): DeepSeek-V4 and Hunyuan V4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from catalog.huggingface.attention import Latent
from catalog.huggingface.errors import ConfigError, shown
from catalog.huggingface.feedforward import Experts, Gated
from catalog.huggingface.fields import Fields, whole_number
from catalog.huggingface.latent import SHARED_INDEX, one_each
from catalog.huggingface.parts import Family, Layer, Part, Rule, both
from catalog.huggingface.patterns import DENSE, FULL, SLIDING, SPARSE, layers, listed
from catalog.huggingface.sparse import DEEPSEEK_EXPERTS, ONE_DENSE
from engine.models import AttentionShape, Linear, MixerKind, Role

SPARSE_COMPRESSED, HEAVILY_COMPRESSED = "compressed_sparse_attention", "heavily_compressed_attention"
DEFAULT_RATES = {SPARSE_COMPRESSED: 4, HEAVILY_COMPRESSED: 128}  # tokens compressed into one, transformers 5.24.0
OLD_RATES = {SPARSE_COMPRESSED: "compress_rate_csa", HEAVILY_COMPRESSED: "compress_rate_hca"}
KIND_BY_RATIO = {0: SLIDING, 4: SPARSE_COMPRESSED, 128: HEAVILY_COMPRESSED}


def _connections(fields: Fields, rows: int, scales: int) -> int:
    """Mixing weights of one sub-layer: `rows` over all streams, as many offsets, a few scales."""
    return rows * fields.size("hc_mult") * fields.size("hidden_size") + rows + scales


def _head_connections(fields: Fields) -> int:
    streams = fields.size("hc_mult")
    return streams * streams * fields.size("hidden_size") + streams + 1


def _deepseek_connections(fields: Fields) -> Part:
    streams = fields.size("hc_mult")
    return Part(others=2 * _connections(fields, (2 + streams) * streams, 3))


def _hunyuan_connections(fields: Fields) -> Part:
    return Part(others=2 * _connections(fields, 2 * fields.size("hc_mult"), 2))


def _deepseek_kinds(fields: Fields) -> Sequence[str]:
    ratios = fields.counts("compress_ratios")
    if fields.present("layer_types") or ratios is None:
        return listed("layer_types", _alternating)(fields)
    unknown = next((ratio for ratio in ratios if ratio not in KIND_BY_RATIO), None)
    if unknown is not None or len(ratios) < layers(fields):
        raise ConfigError(
            "{field} must be a list of {known}, one for each layer, not {value}.",
            field="compress_ratios",
            known=", ".join(str(ratio) for ratio in KIND_BY_RATIO),
            value=shown(unknown),
        )
    return tuple(KIND_BY_RATIO[ratio] for ratio in ratios[: layers(fields)])


def _alternating(fields: Fields) -> Sequence[str]:
    return tuple(
        SPARSE_COMPRESSED if index >= 2 and index % 2 else HEAVILY_COMPRESSED for index in range(layers(fields))
    )


def _deepseek_plan(fields: Fields) -> Sequence[Layer]:
    return [Layer(kind, SPARSE) for kind in _deepseek_kinds(fields)]


def _rate(fields: Fields, kind: str) -> int:
    own = (fields.part("compress_rates") or {}).get(kind)
    if own is not None:
        return whole_number("compress_rates", own)
    return fields.optional_size(OLD_RATES[kind]) or DEFAULT_RATES[kind]


def _compressor(fields: Fields, name: str, kind: str, width: int) -> Part:
    """Keys and values of several tokens joined into one; the sparse kind keeps two overlapping halves."""
    hidden = fields.size("hidden_size")
    wide = width * (2 if kind == SPARSE_COMPRESSED else 1)
    linears = (
        Linear(f"{name}.kv_proj", hidden, wide, Role.ATTENTION),
        Linear(f"{name}.gate_proj", hidden, wide, Role.ATTENTION),
    )
    return Part(linears, _rate(fields, kind) * wide + width)


def _deepseek_indexer(fields: Fields) -> Part:
    hidden, heads, width = (fields.size(name) for name in ("hidden_size", "index_n_heads", "index_head_dim"))
    name = "self_attn.compressor.indexer"
    linears = (
        Linear(f"{name}.q_b_proj", fields.size("q_lora_rank"), heads * width, Role.ATTENTION),
        Linear(f"{name}.scorer.ws_proj", hidden, heads, Role.ATTENTION),
    )
    return _compressor(fields, name, SPARSE_COMPRESSED, width).joined(Part(linears))


def _deepseek_attention(kind: str) -> Rule:
    """One key-value head, queries and output through a rank, the output's in groups."""

    def attention(fields: Fields) -> Part:
        hidden, heads, width = (fields.size(name) for name in ("hidden_size", "num_attention_heads", "head_dim"))
        query_rank, groups, out_rank = (fields.size(name) for name in ("q_lora_rank", "o_groups", "o_lora_rank"))
        prefix = "self_attn."
        linears = (
            Linear(prefix + "q_a_proj", hidden, query_rank, Role.ATTENTION),
            Linear(prefix + "q_b_proj", query_rank, heads * width, Role.ATTENTION),
            Linear(prefix + "kv_proj", hidden, width, Role.ATTENTION),
            Linear(
                prefix + "o_a_proj",
                heads * width // groups,
                groups * out_rank,
                Role.ATTENTION,
                fused_parameter=True,
                own_class=True,
            ),
            Linear(prefix + "o_b_proj", groups * out_rank, hidden, Role.ATTENTION),
        )
        shape = AttentionShape(heads, 1, width, width, fields.optional_size("sliding_window"), sinks=True)
        part = Part(linears, query_rank + width + heads, MixerKind.SLIDING_ATTENTION, shape)
        if kind != SLIDING:
            part = part.joined(_compressor(fields, "self_attn.compressor", kind, width))
        if kind == SPARSE_COMPRESSED:
            part = part.joined(_deepseek_indexer(fields))
        return part

    return attention


def _hunyuan_attention(*, indexer: bool) -> Rule:
    latent = Latent(indexer=indexer)

    def attention(fields: Fields) -> Part:
        heads = fields.size("num_attention_heads")
        gate = Linear(
            "self_attn.gate_proj", fields.size("hidden_size"), heads * fields.size("v_head_dim"), Role.ATTENTION
        )
        return latent(fields).joined(Part((gate,), heads))

    return attention


def _hunyuan_plan(fields: Fields) -> Sequence[Layer]:
    networks = ONE_DENSE(fields)
    kinds = fields.words("indexer_types") or tuple(
        FULL if index == 0 or (index - 1) % 4 == 0 else SHARED_INDEX for index in range(layers(fields))
    )
    return [
        Layer(SHARED_INDEX if kind == SHARED_INDEX else FULL, network)
        for kind, network in zip(one_each(fields, kinds), networks, strict=True)
    ]


DEEPSEEK_V4_EXPERTS = Experts("n_routed_experts", shared="moe_intermediate_size", shared_bias="mlp_bias")

HYPER_FAMILIES: Mapping[str, Family] = {
    "deepseek_v4": Family(
        {kind: _deepseek_attention(kind) for kind in (SPARSE_COMPRESSED, HEAVILY_COMPRESSED, SLIDING)},
        {SPARSE: both(DEEPSEEK_V4_EXPERTS, _deepseek_connections)},
        _deepseek_plan,
        final=_head_connections,
    ),
    "hy_v4": Family(
        {FULL: _hunyuan_attention(indexer=True), SHARED_INDEX: _hunyuan_attention(indexer=False)},
        {DENSE: both(Gated(), _hunyuan_connections), SPARSE: both(DEEPSEEK_EXPERTS, _hunyuan_connections)},
        _hunyuan_plan,
        final=_head_connections,
    ),
}

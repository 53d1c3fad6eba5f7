"""Families of decoders with latent attention, from DeepSeek-V2 on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from catalog.huggingface.attention import Latent
from catalog.huggingface.errors import ConfigError
from catalog.huggingface.feedforward import Experts, Gated
from catalog.huggingface.fields import Fields
from catalog.huggingface.parts import Family, Layer, Part, both, vectors
from catalog.huggingface.patterns import DENSE, FULL, SPARSE, first_dense, layers, listed
from catalog.huggingface.sparse import DEEPSEEK_EXPERTS, ONE_DENSE, QWEN_NAMES, SHARED_OF_EQUAL_WIDTH, sparse
from engine.models import AttentionShape, Linear, MixerKind, MlpShape, MoeShape, Role

FULL_INDEX, SHARED_INDEX = "full", "shared"


def indexed(fields: Fields) -> Sequence[str]:
    """Which layers run the indexer and which reuse the last one's choice of tokens."""
    pattern = fields.word("index_topk_pattern") if not fields.is_list("index_topk_pattern") else None
    if fields.present("indexer_types"):
        return fields.words("indexer_types") or ()
    if pattern is not None:
        return tuple(FULL_INDEX if letter == "F" else SHARED_INDEX for letter in pattern)
    if fields.is_list("index_topk_pattern"):
        return fields.words("index_topk_pattern") or ()
    every = max(fields.optional_count("index_topk_freq") or 1, 1)
    given = fields.optional_count("index_skip_topk_offset")
    offset = 2 if given is None else given
    return tuple(
        FULL_INDEX if max(index - offset + 1, 0) % every == 0 else SHARED_INDEX for index in range(layers(fields))
    )


def _glm_plan(fields: Fields) -> Sequence[Layer]:
    """GLM-5: latent attention with the indexer where it runs."""
    networks = listed("mlp_layer_types", first_dense())(fields)
    return [
        Layer(FULL if kind == FULL_INDEX else SHARED_INDEX, network)
        for kind, network in zip(one_each(fields, indexed(fields)), networks, strict=True)
    ]


def one_each(fields: Fields, kinds: Sequence[str]) -> Sequence[str]:
    """The kinds of indexers as they are. Raises `ConfigError` when there is not one for each layer."""
    if len(kinds) != layers(fields):
        raise ConfigError(
            "{field} has {entries} entries for {layers} layers.",
            field="indexer_types",
            entries=len(kinds),
            layers=layers(fields),
        )
    return kinds


def _mistral_large4_plan(fields: Fields) -> Sequence[Layer]:
    networks = listed("mlp_layer_types", first_dense())(fields)
    period = fields.optional_size("no_rope_layer_interval") or 4
    rotary = fields.counts("no_rope_layers") or tuple(int((i + 1) % period != 0) for i in range(layers(fields)))
    own = fields.counts("kv_source_layers") or tuple(range(layers(fields)))
    kinds = one_each(fields, indexed(fields))
    plan = []
    for index, (has_positions, source, kind, network) in enumerate(zip(rotary, own, kinds, networks, strict=True)):
        overrides = (
            ("rotary", bool(has_positions)),
            ("owns_latent", source == index),
            ("runs_indexer", kind == FULL_INDEX),
        )
        plan.append(Layer(FULL, network, overrides))
    return plan


def _mistral_large4_attention(fields: Fields) -> Part:
    """No query rank; scale and bias for each head; layers without positions give the rotary width to the rest."""
    hidden, heads = fields.size("hidden_size"), fields.size("num_attention_heads")
    no_rope, rope = fields.size("qk_nope_head_dim"), fields.size("qk_rope_head_dim")
    value_dim, rank = fields.size("v_head_dim"), fields.size("kv_lora_rank")
    bias, rotary = fields.flag("attention_bias"), fields.flag("rotary")
    key_dim = no_rope if rotary else no_rope + rope
    linears = []
    others = 2 * heads
    if fields.flag("owns_latent"):
        width = rank + (rope if rotary else 0)
        linears.append(Linear("self_attn.kv_a_proj_with_mqa", hidden, width, Role.ATTENTION, bias))
        others += rank
    linears += [
        Linear("self_attn.kv_b_proj", rank, heads * (key_dim + value_dim), Role.ATTENTION),
        Linear("self_attn.o_proj", heads * value_dim, hidden, Role.ATTENTION, bias),
    ]
    if fields.flag("runs_indexer"):
        index_heads, index_dim = fields.size("index_n_heads"), fields.size("index_head_dim")
        linears += [
            Linear("self_attn.indexer.wq_b", hidden, index_heads * index_dim, Role.ATTENTION),
            Linear("self_attn.indexer.wk", hidden, index_dim, Role.ATTENTION),
            Linear("self_attn.indexer.weights_proj", hidden, index_heads, Role.ATTENTION),
        ]
        others += 2 * index_dim + 2 * hidden + 2 * index_heads
    linears.append(Linear("self_attn.q_proj", hidden, heads * (no_rope + rope), Role.ATTENTION))
    shape = AttentionShape(heads, heads, no_rope + rope, value_dim)
    return Part(tuple(linears), others, MixerKind.LATENT_ATTENTION, shape)


def _long_cat_layer(fields: Fields) -> Part:
    """LongCat: two attentions and two dense networks around one mixture of experts in every layer."""
    attention = Latent()(fields)
    hidden, inner = fields.size("hidden_size"), fields.size("ffn_hidden_size")
    linears = [_renumbered(linear, place) for place in ("0", "1") for linear in attention.linears]
    for place in ("0", "1"):
        names = [f"mlps.{place}.{name}" for name in ("gate_proj", "up_proj", "down_proj")]
        linears += [
            Linear(names[0], hidden, inner, Role.MLP),
            Linear(names[1], hidden, inner, Role.MLP),
            Linear(names[2], inner, hidden, Role.MLP),
        ]
    return Part(
        tuple(linears),
        2 * attention.others,
        MixerKind.LATENT_ATTENTION,
        attention.attention,
        MlpShape(2 * inner),
    )


def _renumbered(linear: Linear, place: str) -> Linear:
    return replace(linear, name=linear.name.replace("self_attn.", f"self_attn.{place}."))


def _long_cat_experts(fields: Fields) -> Part:
    """Some of the experts do nothing; the first tensor holds rows for them nevertheless."""
    hidden, inner = fields.size("hidden_size"), fields.size("expert_ffn_hidden_size")
    real, idle = fields.size("n_routed_experts"), fields.count("zero_expert_num")
    bias = fields.flag("router_bias")
    linears = (
        Linear("mlp.router.classifier", hidden, real + idle, Role.ROUTER, bias),
        Linear("mlp.experts.gate_up_proj", hidden, 2 * inner, Role.EXPERT, count=real + idle, fused_parameter=True),
        Linear("mlp.experts.down_proj", inner, hidden, Role.EXPERT, count=real, fused_parameter=True),
    )
    return Part(linears, moe=MoeShape(real + idle, fields.size("moe_topk"), inner))


def _hidden(fields: Fields) -> int:
    return fields.size("hidden_size")


DEEPSEEK_V3 = sparse(Latent(), DEEPSEEK_EXPERTS, first_dense(), renamed=QWEN_NAMES)
SPARSE_ATTENTION = sparse(
    Latent(indexer=True), DEEPSEEK_EXPERTS, listed("mlp_layer_types", first_dense()), renamed=QWEN_NAMES
)

LATENT_FAMILIES: Mapping[str, Family] = {
    "deepseek_v2": sparse(
        Latent(),
        replace(DEEPSEEK_EXPERTS, shared_bias="mlp_bias"),
        first_dense(),
        dense=Gated(bias="mlp_bias"),
        renamed=QWEN_NAMES,
    ),
    "deepseek_v3": DEEPSEEK_V3,
    "kimi_k2": DEEPSEEK_V3,  # Moonshot's name in its own configuration; the same architecture
    "sarvam_mla": DEEPSEEK_V3,
    "deepseek_v32": SPARSE_ATTENTION,
    "mistral4": replace(DEEPSEEK_V3, renamed_targets={}),
    "glm4_moe_lite": sparse(Latent(), DEEPSEEK_EXPERTS, ONE_DENSE, renamed=QWEN_NAMES),
    "glm_moe_dsa": Family(
        {FULL: Latent(indexer=True), SHARED_INDEX: Latent()},
        {DENSE: SPARSE_ATTENTION.feed_forwards[DENSE], SPARSE: DEEPSEEK_EXPERTS},
        _glm_plan,
        renamed_targets=QWEN_NAMES,
    ),
    "axk1": sparse(
        Latent(),
        both(Experts("n_routed_experts", shared=SHARED_OF_EQUAL_WIDTH), vectors(_hidden)),
        ONE_DENSE,
    ),
    "mistral_large4_text": Family(
        {FULL: _mistral_large4_attention},
        {DENSE: SPARSE_ATTENTION.feed_forwards[DENSE], SPARSE: DEEPSEEK_EXPERTS},
        _mistral_large4_plan,
        final=lambda fields: fields.size("qk_rope_head_dim") // 2,  # learned frequencies of the positions
    ),
    "longcat_flash": Family(
        {FULL: _long_cat_layer},
        {SPARSE: _long_cat_experts},
        lambda fields: [Layer(FULL, SPARSE)] * fields.size("num_layers"),
        layer_norms=4,
        renamed_targets=QWEN_NAMES,
        counts_own_layers=True,
    ),
}

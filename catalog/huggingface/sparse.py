"""Families of decoders with mixtures of experts and ordinary attention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from catalog.huggingface.attention import Gate, Grouped, QueryKeyNorm
from catalog.huggingface.dense import GATED, LLAMA_ATTENTION, QK_NORMED, WIDTH_NORMED
from catalog.huggingface.errors import ConfigError
from catalog.huggingface.feedforward import Experts, Gated, Router, times
from catalog.huggingface.fields import Fields
from catalog.huggingface.parts import Family, Layer, Norm, Part, Pattern, Rule, both, planned, vectors
from catalog.huggingface.patterns import (
    CHUNKED,
    DENSE,
    FULL,
    SLIDING,
    SPARSE,
    always,
    by_index,
    every,
    first_dense,
    layers,
    listed,
    sparse_steps,
    windowed,
    windowed_at_odd_layers,
    windowed_from_the_middle,
    windowed_if_used,
)
from engine.models import Linear, MlpShape, Role

# Module names of the library's fourth major version -> tensors of the fifth. PEFT 0.21.2 still accepts the old names
# and "all-linear" as if they were linear layers (peft/utils/transformers_weight_conversion.py).
MIXTRAL_NAMES: Mapping[str, str] = {"gate": "gate", "w1": "gate_up_proj", "w3": "gate_up_proj", "w2": "down_proj"}
QWEN_NAMES: Mapping[str, str] = {
    "gate": "gate",
    "gate_proj": "gate_up_proj",
    "up_proj": "gate_up_proj",
    "down_proj": "down_proj",
}
FIRST_LAYER_DENSE = by_index(lambda _, index: index == 0, DENSE, SPARSE)
ONE_DENSE = listed("mlp_layer_types", FIRST_LAYER_DENSE)


def sparse(
    attention: Rule,
    experts: Rule,
    feed_forwards: Pattern,
    *,
    mixers: Pattern | None = None,
    sliding: Rule | None = None,
    dense: Rule = GATED,
    renamed: Mapping[str, str] | None = None,
) -> Family:
    """A family whose layers hold experts where `feed_forwards` says so."""
    if sliding is None:
        sliding = attention.sliding() if isinstance(attention, Grouped) else attention
    return Family(
        {FULL: attention, SLIDING: sliding},
        {DENSE: dense, SPARSE: experts},
        planned(mixers or always(FULL), feed_forwards),
        renamed_targets=renamed or {},
    )


SHARED_OF_EQUAL_WIDTH = times("moe_intermediate_size", "n_shared_experts")
DEEPSEEK_EXPERTS = Experts("n_routed_experts", shared=SHARED_OF_EQUAL_WIDTH)
QWEN_SHARED = Experts(shared="shared_expert_intermediate_size", shared_name="shared_expert", shared_gate=True)


def _ernie_layers(fields: Fields) -> Sequence[str]:
    """Experts in every `moe_layer_interval`-th layer between the first and the last index."""
    last = fields.whole("moe_layer_end_index")
    last = layers(fields) - 1 if last in (None, -1) else last
    first, step = fields.count("moe_layer_start_index"), fields.optional_size("moe_layer_interval") or 1
    return tuple(
        SPARSE if (index + 1) % step == 0 and first <= index <= last else DENSE for index in range(layers(fields))
    )


def _cohere_dense_layers(fields: Fields) -> Sequence[str]:
    return first_dense()(fields)


def _llama4_layers(fields: Fields) -> Sequence[str]:
    """Experts in the listed layers, or in every `interleave_moe_layer_step`-th."""
    listed_layers = fields.counts("moe_layers")
    step = fields.optional_size("interleave_moe_layer_step") or 1
    chosen = frozenset(range(step - 1, layers(fields), step) if listed_layers is None else listed_layers)
    return tuple(SPARSE if index in chosen else DENSE for index in range(layers(fields)))


def _llama4_windows(fields: Fields) -> Sequence[str]:
    """Chunked attention in the layers with rotary positions."""
    period = fields.optional_size("no_rope_layer_interval") or 1
    rotary = fields.counts("no_rope_layers") or tuple(int((i + 1) % period != 0) for i in range(layers(fields)))
    chunked = fields.present("attention_chunk_size")
    return tuple(CHUNKED if has and chunked else FULL for has in rotary)


def _flint_layers(fields: Fields) -> Sequence[str]:
    """The first two layers are dense unless the configuration lists others."""
    given = fields.counts("mlp_only_layers")
    dense = frozenset((0, 1) if given is None else given)
    step = fields.optional_size("decoder_sparse_step") or 1
    return tuple(SPARSE if i not in dense and (i + 1) % step == 0 else DENSE for i in range(layers(fields)))


def _hunyuan_shared(fields: Fields) -> int:
    """With no shared experts stated, the library builds one of the dense width."""
    return times("moe_intermediate_size", "num_shared_experts")(fields) or fields.size("intermediate_size")


def _minimax_m3_layers(fields: Fields) -> Sequence[str]:
    return listed("mlp_layer_types", always(SPARSE))(fields)


def _laguna_plan(fields: Fields) -> Sequence[Layer]:
    """Laguna may give each layer its own number of query heads."""
    kinds = listed("layer_types", always(FULL))(fields)
    networks = ONE_DENSE(fields)
    heads = fields.counts("num_attention_heads_per_layer") or (fields.size("num_attention_heads"),) * layers(fields)
    if len(heads) != layers(fields):
        raise ConfigError(
            "{field} has {entries} entries for {layers} layers.",
            field="num_attention_heads_per_layer",
            entries=len(heads),
            layers=layers(fields),
        )
    return [
        Layer(kind, network, (("num_attention_heads", count),))
        for kind, network, count in zip(kinds, networks, heads, strict=True)
    ]


def _laguna_attention(fields: Fields) -> Part:
    per_head = fields.is_word("gating", "per-head") or fields.is_true("gating")
    gate = Gate.PER_HEAD if per_head else Gate.WIDTH
    return replace(QK_NORMED, gate=gate, gate_name="g_proj", head_dim="head_dim")(fields)


def _granite_shared(fields: Fields) -> Part:
    """The network every token passes, gate and up in one matrix."""
    width, hidden = fields.count("shared_intermediate_size"), fields.size("hidden_size")
    if not width:
        return Part()
    linears = (
        Linear("shared_mlp.input_linear", hidden, 2 * width, Role.SHARED_EXPERT),
        Linear("shared_mlp.output_linear", width, hidden, Role.SHARED_EXPERT),
    )
    return Part(linears, mlp=MlpShape(width))


GRANITE_EXPERTS = Experts(
    "num_local_experts", size="intermediate_size", prefix="block_sparse_moe.", router_name="router"
)


def granite_network(fields: Fields) -> Part:
    """Granite's experts, left out where there are none, and its shared network."""
    experts = GRANITE_EXPERTS(fields) if fields.count("num_local_experts") else Part()
    return experts.joined(_granite_shared(fields))


def _mimo_attention(fields: Fields) -> Part:
    return replace(Grouped(bias="attention_bias"), value_dim="v_head_dim")(fields)


def _mimo_sliding(fields: Fields) -> Part:
    """Twice the key-value heads and a sink for each head in the sliding layers."""
    sliding = replace(Grouped(bias="attention_bias"), value_dim="v_head_dim", sinks=True).sliding()
    with fields.with_values({"num_key_value_heads": 2 * fields.size("num_key_value_heads")}):
        return sliding(fields)


QWEN3_MOE = sparse(QK_NORMED, Experts(), sparse_steps, mixers=windowed_if_used, renamed=QWEN_NAMES)
GLM4_MOE = sparse(
    replace(Grouped(bias="attention_bias"), norms=QueryKeyNorm.HEAD, norms_if="use_qk_norm"),
    DEEPSEEK_EXPERTS,
    first_dense(),
    renamed=QWEN_NAMES,
)
GRANITE_MOE = sparse(LLAMA_ATTENTION, granite_network, always(SPARSE))

SPARSE_FAMILIES: Mapping[str, Family] = {
    "mixtral": sparse(
        Grouped(),
        Experts("num_local_experts", size="intermediate_size"),
        always(SPARSE),
        mixers=windowed(),
        renamed=MIXTRAL_NAMES,
    ),
    "minimax_m2": sparse(
        replace(Grouped(), norms=QueryKeyNorm.WIDTH),
        Experts("num_local_experts", size="intermediate_size"),
        always(SPARSE),
        renamed=MIXTRAL_NAMES,
    ),
    "qwen2_moe": sparse(
        Grouped(bias="qkv_bias"),
        QWEN_SHARED,
        sparse_steps,
        mixers=listed("layer_types", windowed_at_odd_layers),
    ),
    "qwen3_moe": QWEN3_MOE,
    "qwen3_omni_moe_text": QWEN3_MOE,
    "qwen3_vl_moe_text": replace(QWEN3_MOE, renamed_targets={}),
    "olmoe": sparse(
        replace(WIDTH_NORMED, head_dim=""), Experts(size="intermediate_size"), always(SPARSE), renamed=QWEN_NAMES
    ),
    "flex_olmo": sparse(WIDTH_NORMED, Experts(size="intermediate_size"), always(SPARSE), renamed=QWEN_NAMES),
    "gpt_oss": sparse(
        replace(LLAMA_ATTENTION, sinks=True),
        Experts("num_local_experts", size="intermediate_size", router_name="router", router_bias=True, bias=True),
        always(SPARSE),
        mixers=listed("layer_types", every(2, FULL, SLIDING)),
    ),
    "phimoe": replace(
        sparse(
            LLAMA_ATTENTION,
            Experts("num_local_experts", size="intermediate_size", router=Router.OWN_CLASS, router_name="router"),
            always(SPARSE),
            mixers=windowed(),
        ),
        norm=Norm.LAYER,
        head_bias="lm_head_bias",
    ),
    "llama4_text": Family(
        {FULL: LLAMA_ATTENTION, CHUNKED: LLAMA_ATTENTION.chunked("attention_chunk_size")},
        {
            DENSE: Gated(size="intermediate_size_mlp", prefix="feed_forward."),
            SPARSE: Experts(
                "num_local_experts",
                size="intermediate_size",
                prefix="feed_forward.",
                router=Router.OWN_CLASS,
                router_name="router",
                shared="intermediate_size",
                shared_name="shared_expert",
            ),
        },
        planned(listed("layer_types", _llama4_windows), _llama4_layers),
    ),
    "glm4_moe": GLM4_MOE,
    "sarvam_moe": replace(GLM4_MOE, renamed_targets={}),
    "glm4v_moe_text": replace(GLM4_MOE, mixers={FULL: Grouped(bias="attention_bias")}, renamed_targets={}),
    "solar_open": sparse(Grouped(bias="attention_bias"), DEEPSEEK_EXPERTS, always(SPARSE), renamed=QWEN_NAMES),
    "dots1": sparse(
        QK_NORMED,
        DEEPSEEK_EXPERTS,
        first_dense(),
        mixers=listed("layer_types", windowed_from_the_middle),
        renamed=QWEN_NAMES,
    ),
    "ernie4_5_moe": replace(
        sparse(
            Grouped(bias="use_bias", out_bias="use_bias"),
            Experts(
                "moe_num_experts",
                "moe_k",
                correction_bias=True,
                shared=times("moe_intermediate_size", "moe_num_shared_experts"),
                shared_bias="use_bias",
            ),
            _ernie_layers,
            dense=Gated(bias="use_bias"),
            renamed=QWEN_NAMES,
        ),
        head_bias="use_bias",
    ),
    "exaone_moe": sparse(
        replace(Grouped(), norms=QueryKeyNorm.HEAD),
        Experts(shared=times("moe_intermediate_size", "num_shared_experts")),
        listed("mlp_layer_types", first_dense()),
        mixers=listed("layer_types", every("sliding_window_pattern", FULL, SLIDING)),
        renamed=QWEN_NAMES,
    ),
    "cohere2_moe": replace(
        sparse(
            LLAMA_ATTENTION,
            Experts(
                size="intermediate_size",
                shared=times("intermediate_size", "num_shared_experts"),
            ),
            listed("mlp_layer_types", _cohere_dense_layers),
            mixers=listed("layer_types", every("sliding_window_pattern", FULL, SLIDING)),
            dense=Gated(size="prefix_dense_intermediate_size"),
            renamed=QWEN_NAMES,
        ),
        layer_norms=1,
    ),
    "afmoe": replace(
        sparse(
            replace(QK_NORMED, gate=Gate.WIDTH),
            Experts(
                router=Router.LINEAR,
                router_name="router.gate",
                correction_bias=True,
                shared=times("moe_intermediate_size", "num_shared_experts"),
            ),
            first_dense("num_dense_layers"),
            mixers=listed("layer_types", every("global_attn_every_n_layers", FULL, SLIDING)),
            renamed=QWEN_NAMES,
        ),
        layer_norms=4,
    ),
    "aria_text": sparse(
        LLAMA_ATTENTION,
        Experts(
            "moe_num_experts",
            "moe_topk",
            size="intermediate_size",
            router_name="router",
            shared=times("intermediate_size", "moe_num_shared_experts"),
            shared_bias="mlp_bias",
        ),
        always(SPARSE),
    ),
    "flint": sparse(
        replace(QK_NORMED, sinks=True),
        Experts(shared="shared_expert_intermediate_size", shared_name="shared_expert"),
        _flint_layers,
        mixers=listed(
            "layer_types",
            by_index(lambda fields, index: index < 2 or index % 4 == 1 or index == layers(fields) - 1, FULL, SLIDING),
        ),
    ),
    "beam": replace(
        sparse(
            both(replace(QK_NORMED, gate=Gate.WIDTH), vectors(lambda fields: fields.size("num_attention_heads"))),
            Experts(),
            listed("mlp_layer_types", by_index(lambda _, index: index < 3, DENSE, SPARSE)),
            mixers=listed(
                "layer_types",
                by_index(lambda fields, index: (index + 1) % 6 == 0 or index == layers(fields) - 1, FULL, SLIDING),
            ),
            sliding=both(
                replace(QK_NORMED, gate=Gate.WIDTH).sliding(),
                vectors(lambda fields: fields.size("num_attention_heads")),
            ),
            renamed=QWEN_NAMES,
        ),
        layer_norms=4,
    ),
    "granitemoe": GRANITE_MOE,
    "granitemoeshared": GRANITE_MOE,
    "granitemoe_swa": sparse(
        replace(LLAMA_ATTENTION, sinks=True),
        granite_network,
        always(SPARSE),
        mixers=listed("layer_types", always(FULL)),
    ),
    "hunyuan_v1_moe": sparse(
        QK_NORMED,
        both(
            Experts("num_experts", "moe_topk", size="intermediate_size", router_name="gate.wg", router=Router.LINEAR),
            Gated(prefix="mlp.shared_mlp."),
        ),
        always(SPARSE),
        renamed=QWEN_NAMES,
    ),
    "hy_v3": sparse(
        QK_NORMED,
        Experts(shared=_hunyuan_shared, shared_bias="mlp_bias"),
        ONE_DENSE,
        dense=Gated(bias="mlp_bias"),
    ),
    "kolibri1": replace(
        sparse(
            replace(Grouped(), norms=QueryKeyNorm.HEAD),
            Experts("num_local_experts", shared="shared_expert_intermediate_size"),
            always(SPARSE),
            mixers=listed("layer_types", every(5, FULL, SLIDING)),
        ),
        layer_norms=4,
    ),
    "laguna": Family(
        {FULL: _laguna_attention, SLIDING: _laguna_attention},
        {
            DENSE: GATED,
            SPARSE: Experts(correction_bias=True, shared="shared_expert_intermediate_size"),
        },
        _laguna_plan,
    ),
    "mellum": sparse(
        QK_NORMED,
        Experts("num_local_experts"),
        listed("mlp_layer_types", always(SPARSE)),
        mixers=listed("layer_types", always(FULL)),
        renamed=QWEN_NAMES,
    ),
    "mimo_v2_flash": sparse(
        _mimo_attention,
        Experts("n_routed_experts"),
        ONE_DENSE,
        mixers=listed("layer_types", by_index(lambda _, index: index == 0 or (index + 1) % 6 == 0, FULL, SLIDING)),
        sliding=_mimo_sliding,
    ),
    "minimax_m3_vl_text": sparse(
        replace(Grouped(), norms=QueryKeyNorm.HEAD),
        Experts("num_local_experts", size="intermediate_size", shared="shared_intermediate_size", shared_fused=True),
        _minimax_m3_layers,
        dense=Gated(size="dense_intermediate_size"),
    ),
}

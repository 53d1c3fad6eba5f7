"""Families that mix attention with state-space, linear-attention or convolution layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from catalog.huggingface.attention import Gate, Grouped, Latent, QueryKeyNorm
from catalog.huggingface.dense import GATED, LLAMA_ATTENTION, QK_NORMED, WIDTH_NORMED
from catalog.huggingface.errors import ConfigError, shown
from catalog.huggingface.feedforward import Experts, Gated, Plain, times
from catalog.huggingface.fields import Fields
from catalog.huggingface.parts import Amount, Family, Layer, Part, Pattern, Rule, both, nothing, planned
from catalog.huggingface.patterns import (
    DENSE,
    FULL,
    LINEAR,
    SLIDING,
    SPARSE,
    always,
    by_index,
    every,
    first_dense,
    layers,
    listed,
    sparse_steps,
)
from catalog.huggingface.sparse import MIXTRAL_NAMES, QWEN_NAMES, QWEN_SHARED, granite_network
from catalog.huggingface.statespace import (
    DeltaNet,
    KimiDelta,
    Mamba1,
    Mamba2,
    gated_recurrence,
    lightning_attention,
    olmo_delta_net,
    short_convolution,
)
from engine.models import Linear, MoeShape, Role

CONV = "conv"
MLP, MOE = "mlp", "moe"
GATED_QUERY = replace(QK_NORMED, gate=Gate.DOUBLED_QUERY)
# PEFT 0.21.2, peft/utils/other.py: these modules of the Mamba types take no adapter
MAMBA_REFUSED = ("out_proj", "conv1d")
QWEN_HYBRID_LAYERS = listed("layer_types", every("full_attention_interval", FULL, LINEAR))


def _product(name: str, factor: str) -> Amount:
    return lambda fields: fields.size(name) * fields.size(factor)


def _expanded(factor: str) -> Amount:
    return lambda fields: fields.factor(factor) * fields.size("hidden_size")


def _falcon_inner(fields: Fields) -> int:
    return fields.optional_size("mamba_d_ssm") or _expanded("mamba_expand")(fields)


def _bamba_mamba(inner: Amount, *, norm: str = "") -> Mamba2:
    return Mamba2(
        "mamba_n_heads",
        inner,
        "mamba_n_groups",
        "mamba_d_state",
        "mamba_d_conv",
        "mamba_conv_bias",
        "mamba_proj_bias",
        norm=norm or True,
        out_bias="projectors_bias" if norm else None,
    )


def _bamba_layers(fields: Fields) -> Sequence[str]:
    chosen = frozenset(fields.counts("attn_layer_indices") or ())
    return tuple(FULL if index in chosen else LINEAR for index in range(layers(fields)))


def _periodic(period: str, offset: str, yes: str, no: str) -> Pattern:
    """Jamba's rule: the layers whose index leaves `offset` when divided by `period`."""

    def pattern(fields: Fields) -> Sequence[str]:
        every_nth, start = fields.size(period), fields.count(offset)
        return tuple(yes if index % every_nth == start else no for index in range(layers(fields)))

    return pattern


def _jamba_network(fields: Fields) -> Part:
    """Experts, or one network when there is but one expert."""
    if fields.size("num_experts") == 1:
        return Gated(prefix="feed_forward.")(fields)
    return Experts(size="intermediate_size", prefix="feed_forward.", router_name="router")(fields)


def _lfm_width(fields: Fields) -> int:
    """Two thirds of the stated width, scaled and rounded up, when the configuration asks for the adjustment."""
    width = fields.optional_size("block_ff_dim") or fields.size("intermediate_size")
    if not fields.flag("block_auto_adjust_ff_dim"):
        return width
    width = int(2 * width / 3)
    scale = fields.number("block_ffn_dim_multiplier")
    if scale is None:
        return width
    unit = fields.size("block_multiple_of")
    return unit * -(-int(scale * width) // unit)


def _lfm_layers(fields: Fields) -> Sequence[str]:
    chosen = fields.counts("full_attn_idxs")
    return tuple(FULL if chosen is None or index in chosen else CONV for index in range(layers(fields)))


def _lfm_networks(fields: Fields) -> Sequence[str]:
    return first_dense("num_dense_layers")(fields)


def _lfm3_layers(fields: Fields) -> Sequence[str]:
    kinds = (SLIDING, CONV, FULL, CONV)
    return tuple(CONV if index == 0 else kinds[index % 4] for index in range(layers(fields)))


def _nemotron_plan(fields: Fields) -> Sequence[Layer]:
    """A layer is a mixer or a network alone; the list, not the layer count, decides how many there are."""
    kinds = fields.words("layer_types")
    if kinds is None:
        letters = {"M": LINEAR, "E": MOE, "*": FULL, "-": MLP}
        pattern = fields.word("hybrid_override_pattern") or "ME*-"
        unknown = next((letter for letter in pattern if letter not in letters), None)
        if unknown is not None:
            raise ConfigError(
                "{kind} is no kind of layer of this model type; it knows {known}.",
                kind=shown(unknown),
                known=", ".join(letters),
            )
        kinds = tuple(letters[letter] for letter in pattern)
    names = {"mamba": LINEAR, "attention": FULL}
    return [Layer(names.get(kind, kind), "none") for kind in kinds]


def _nemotron_experts(fields: Fields) -> Part:
    """Experts without a gate, between two projections when they work in a narrower space."""
    hidden, inner = fields.size("hidden_size"), fields.size("moe_intermediate_size")
    count, latent = fields.size("n_routed_experts"), fields.optional_size("moe_latent_size")
    shared, bias = fields.size("moe_shared_expert_intermediate_size"), fields.flag("mlp_bias")
    width = latent or hidden
    linears = [
        Linear(
            "mixer.experts.up_proj", width, inner, Role.EXPERT, count=count, fused_parameter=True, peft_all_linear=False
        ),
        Linear(
            "mixer.experts.down_proj",
            inner,
            width,
            Role.EXPERT,
            count=count,
            fused_parameter=True,
            peft_all_linear=False,
        ),
        Linear("mixer.gate", hidden, count, Role.ROUTER, fused_parameter=True, peft_all_linear=False),
        Linear("mixer.shared_experts.up_proj", hidden, shared, Role.SHARED_EXPERT, bias),
        Linear("mixer.shared_experts.down_proj", shared, hidden, Role.SHARED_EXPERT, bias),
    ]
    if latent:
        linears.append(Linear("mixer.fc1_latent_proj", hidden, latent, Role.MLP, bias))
        linears.append(Linear("mixer.fc2_latent_proj", latent, hidden, Role.MLP, bias))
    chosen = fields.size("num_experts_per_tok")
    return Part(tuple(linears), moe=MoeShape(count, chosen, inner, shared, gated=False))


def _kimi_attention_layers(fields: Fields) -> Sequence[str]:
    """Kimi's own configurations number the layers from 1 in `linear_attn_config`."""
    own = fields.part("linear_attn_config") or {}
    full = own.get("full_attn_layers")
    if isinstance(full, list):
        return tuple(FULL if index + 1 in full else LINEAR for index in range(layers(fields)))
    return tuple(FULL if index and index % 4 == 0 else LINEAR for index in range(layers(fields)))


def _kimi_delta(fields: Fields) -> Part:
    own = fields.part("linear_attn_config") or {}
    names = {"head_dim": "linear_head_dim", "num_heads": "linear_num_heads"}
    names["short_conv_kernel_size"] = "linear_conv_kernel_dim"
    with fields.with_values({names[key]: value for key, value in own.items() if key in names}):
        return KimiDelta(low_rank=True)(fields)


def _recurrent_layers(fields: Fields) -> Sequence[str]:
    """The list of kinds, repeated until there are enough."""
    kinds = fields.words("block_types") or ("recurrent", "recurrent", "attention")
    return tuple(kinds[index % len(kinds)] for index in range(layers(fields)))


def _lara_layers(fields: Fields) -> Sequence[str]:
    pattern = (LINEAR, SLIDING, LINEAR, FULL, SLIDING)
    return tuple(pattern[index % len(pattern)] for index in range(layers(fields)))


def _half_width(fields: Fields) -> int:
    return max(fields.size("intermediate_size") // 2, 1)


QWEN_HYBRID_MIXERS: Mapping[str, Rule] = {FULL: GATED_QUERY, LINEAR: DeltaNet(fused=False)}
LFM_ATTENTION = replace(Grouped(), norms=QueryKeyNorm.HEAD, names=("q_proj", "k_proj", "v_proj", "out_proj"))
LFM3_ATTENTION = replace(QK_NORMED, gate=Gate.PER_HEAD, gate_if="use_attention_gate", gate_name="g_proj")
LFM_NAMES = ("w1", "w3", "w2")
KIMI_EXPERTS = Experts(
    "num_experts",
    "num_experts_per_token",
    shared=times("moe_intermediate_size", "num_shared_experts"),
)

HYBRID_FAMILIES: Mapping[str, Family] = {
    "qwen3_next": Family(
        {FULL: GATED_QUERY, LINEAR: DeltaNet(fused=True)},
        {DENSE: GATED, SPARSE: QWEN_SHARED},
        planned(QWEN_HYBRID_LAYERS, sparse_steps),
        renamed_targets=QWEN_NAMES,
    ),
    "qwen3_5_text": Family(QWEN_HYBRID_MIXERS, {DENSE: GATED}, planned(QWEN_HYBRID_LAYERS, always(DENSE))),
    "qwen3_5_moe_text": Family(QWEN_HYBRID_MIXERS, {SPARSE: QWEN_SHARED}, planned(QWEN_HYBRID_LAYERS, always(SPARSE))),
    "lara_mini": Family(
        {FULL: QK_NORMED, SLIDING: QK_NORMED.sliding(), LINEAR: DeltaNet(fused=False)},
        {SPARSE: Experts(shared="shared_expert_intermediate_size", shared_name="shared_expert")},
        planned(listed("layer_types", _lara_layers), always(SPARSE)),
    ),
    "olmo_hybrid": Family(
        {FULL: WIDTH_NORMED, LINEAR: olmo_delta_net},
        {DENSE: GATED},
        planned(listed("layer_types", every(4, FULL, LINEAR)), always(DENSE)),
    ),
    "kimi_linear": Family(
        {FULL: Latent(), LINEAR: _kimi_delta},
        {DENSE: GATED, SPARSE: KIMI_EXPERTS},
        planned(
            listed("layer_types", _kimi_attention_layers),
            listed("mlp_layer_types", first_dense(otherwise=1)),
        ),
        never_tied=True,
    ),
    "bailing_hybrid": Family(
        {
            FULL: Latent(gate=Gate.PER_HEAD),
            LINEAR: KimiDelta(
                low_rank=False, heads="num_attention_heads", head_dim="head_dim", kernel="short_conv_kernel_size"
            ),
        },
        {DENSE: GATED, SPARSE: KIMI_EXPERTS},
        planned(
            listed("layer_types", every("layer_group_size", FULL, LINEAR)), listed("mlp_layer_types", first_dense())
        ),
        never_tied=True,
    ),
    "minimax": Family(
        {FULL: Grouped(), LINEAR: lightning_attention},
        {SPARSE: Experts("num_local_experts", size="intermediate_size")},
        planned(listed("layer_types", by_index(lambda _, index: index % 2 == 0, FULL, LINEAR)), always(SPARSE)),
        renamed_targets=MIXTRAL_NAMES,
    ),
    "bamba": Family(
        {FULL: LLAMA_ATTENTION, LINEAR: _bamba_mamba(_expanded("mamba_expand"))},
        {DENSE: Gated(bias="mlp_bias", prefix="feed_forward.")},
        planned(_bamba_layers, always(DENSE)),
    ),
    "falcon_h1": Family(
        {FULL: both(LLAMA_ATTENTION, _bamba_mamba(_falcon_inner, norm="mamba_rms_norm"))},
        {DENSE: Gated(bias="mlp_bias", prefix="feed_forward.")},
        planned(always(FULL), always(DENSE)),
        refused_targets=MAMBA_REFUSED,
    ),
    "granitemoehybrid": Family(
        {FULL: LLAMA_ATTENTION, LINEAR: _bamba_mamba(_expanded("mamba_expand"))},
        {SPARSE: granite_network},
        planned(listed("layer_types", always(LINEAR)), always(SPARSE)),
    ),
    "jamba": Family(
        {
            FULL: Grouped(),
            LINEAR: Mamba1(
                "mamba.",
                "mamba_d_state",
                "mamba_d_conv",
                "mamba_conv_bias",
                "mamba_proj_bias",
                "mamba_dt_rank",
                _expanded("mamba_expand"),
                own_norms=True,
            ),
        },
        {DENSE: Gated(prefix="feed_forward."), SPARSE: _jamba_network},
        planned(
            _periodic("attn_layer_period", "attn_layer_offset", FULL, LINEAR),
            _periodic("expert_layer_period", "expert_layer_offset", SPARSE, DENSE),
        ),
    ),
    "mamba": Family(
        {LINEAR: Mamba1()},
        {DENSE: nothing},
        planned(always(LINEAR), always(DENSE)),
        layer_norms=1,
        refused_targets=MAMBA_REFUSED,
    ),
    "falcon_mamba": Family(
        {LINEAR: Mamba1()},
        {DENSE: nothing},
        planned(always(LINEAR), always(DENSE)),
        layer_norms=1,
        refused_targets=MAMBA_REFUSED,
    ),
    "mamba2": Family(
        {
            LINEAR: Mamba2(
                "num_heads",
                _expanded("expand"),
                "n_groups",
                "state_size",
                "conv_kernel",
                "use_conv_bias",
                "use_bias",
                "mixer.",
            )
        },
        {DENSE: nothing},
        planned(always(LINEAR), always(DENSE)),
        layer_norms=1,
        refused_targets=MAMBA_REFUSED,
    ),
    "nemotron_h": Family(
        {
            FULL: Grouped(prefix="mixer."),
            LINEAR: Mamba2(
                "mamba_num_heads",
                _product("mamba_num_heads", "mamba_head_dim"),
                "n_groups",
                "ssm_state_size",
                "conv_kernel",
                "use_conv_bias",
                "use_bias",
                "mixer.",
            ),
            MLP: Plain(bias="mlp_bias", names=("mixer.up_proj", "mixer.down_proj")),
            MOE: _nemotron_experts,
        },
        {"none": nothing},
        _nemotron_plan,
        layer_norms=1,
        counts_own_layers=True,
        never_tied=True,
        refused_targets=MAMBA_REFUSED,
    ),
    "lfm2": Family(
        {FULL: LFM_ATTENTION, CONV: short_convolution},
        {DENSE: Gated(size=_lfm_width, prefix="feed_forward.", names=LFM_NAMES)},
        planned(listed("layer_types", _lfm_layers), always(DENSE)),
    ),
    "lfm2_moe": Family(
        {FULL: LFM_ATTENTION, CONV: short_convolution},
        {DENSE: Gated(prefix="feed_forward.", names=LFM_NAMES), SPARSE: Experts(prefix="feed_forward.")},
        planned(listed("layer_types", always(FULL)), _lfm_networks),
    ),
    "lfm3": Family(
        {FULL: LFM3_ATTENTION, SLIDING: LFM3_ATTENTION.sliding(), CONV: short_convolution},
        {DENSE: Gated(prefix="feed_forward.", names=LFM_NAMES)},
        planned(listed("layer_types", _lfm3_layers), always(DENSE)),
        layer_norms=lambda fields: 4 if fields.flag("use_sandwich_norm") else 2,
    ),
    "recurrent_gemma": Family(
        {
            "attention": Grouped(
                bias="attention_bias", out_bias=True, prefix="temporal_block.", window="attention_window_size"
            ),
            "recurrent": gated_recurrence,
        },
        {DENSE: Gated(bias=True, size=_half_width, prefix="mlp_block.")},
        planned(_recurrent_layers, always(DENSE)),
        softcap="logits_soft_cap",
    ),
}

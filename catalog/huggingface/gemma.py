"""Gemma 3n and Gemma 4: per-layer embeddings, shared keys and values, layers of unequal heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from catalog.huggingface.attention import Grouped, QueryKeyNorm
from catalog.huggingface.errors import ConfigError
from catalog.huggingface.feedforward import Gated
from catalog.huggingface.fields import Fields, whole_number
from catalog.huggingface.parts import Family, Layer, Part
from catalog.huggingface.patterns import FULL, SLIDING, every, listed
from engine.models import Linear, MoeShape, Role

DEFAULT_GLOBAL_HEAD_DIM = 512  # transformers 5.24.0, Gemma4TextConfig.__post_init__
SHARED = "-shared"

OWN = Grouped(bias="attention_bias", out_bias="attention_bias", norms=QueryKeyNorm.HEAD)
REUSED = Grouped(bias="attention_bias", out_bias="attention_bias", norms=QueryKeyNorm.HEAD, owns_key_value=False)
KEYS_AS_VALUES = Grouped(
    bias="attention_bias",
    out_bias="attention_bias",
    norms=QueryKeyNorm.HEAD,
    shared_key_value="attention_k_eq_v",
)


def _per_layer_embeddings(fields: Fields) -> int:
    """Table of one small embedding for each token and layer."""
    width = fields.count("hidden_size_per_layer_input")
    return fields.size("vocab_size_per_layer_input") * fields.size("num_hidden_layers") * width if width else 0


def _per_layer_final(fields: Fields) -> int:
    """The norm of the projected per-layer inputs, and the per-layer embeddings themselves."""
    width = fields.count("hidden_size_per_layer_input")
    return _per_layer_embeddings(fields) + width


def _per_layer_extras(fields: Fields) -> tuple[Linear, ...]:
    width = fields.count("hidden_size_per_layer_input")
    if not width:
        return ()
    outputs = fields.size("num_hidden_layers") * width
    return (Linear("per_layer_model_projection", fields.size("hidden_size"), outputs, Role.MLP),)


def _per_layer_gates(fields: Fields) -> Part:
    """Gate and projection of the per-layer input, with a norm."""
    width, hidden = fields.count("hidden_size_per_layer_input"), fields.size("hidden_size")
    if not width:
        return Part()
    linears = (
        Linear("per_layer_input_gate", hidden, width, Role.MLP),
        Linear("per_layer_projection", width, hidden, Role.MLP),
    )
    return Part(linears, hidden)


def _gemma4_feed_forward(fields: Fields) -> Part:
    """The dense network, with experts beside it where `enable_moe_block` is set."""
    part = Gated()(fields)
    if fields.flag("enable_moe_block"):
        part = part.joined(_gemma4_experts(fields))
    return part.joined(_per_layer_gates(fields))


def _gemma4_experts(fields: Fields) -> Part:
    hidden, inner = fields.size("hidden_size"), fields.size("moe_intermediate_size")
    count, chosen = fields.size("num_experts"), fields.size("top_k_experts")
    linears = (
        Linear("router.proj", hidden, count, Role.ROUTER),
        Linear(
            "experts.gate_up_proj",
            hidden,
            2 * inner,
            Role.EXPERT,
            count=count,
            fused_parameter=True,
            peft_all_linear=False,
        ),
        Linear(
            "experts.down_proj", inner, hidden, Role.EXPERT, count=count, fused_parameter=True, peft_all_linear=False
        ),
    )
    others = hidden + count + 3 * hidden  # the router's scales and three more norms
    return Part(linears, others, moe=MoeShape(count, chosen, inner))


def _gemma4_plan(fields: Fields) -> Sequence[Layer]:
    kinds = list(listed("layer_types", every(6, FULL, SLIDING))(fields))
    kinds[-1] = FULL  # the library forces it
    layers = len(kinds)
    first_shared = layers - min(fields.count("num_kv_shared_layers"), layers)
    wide = 2 if fields.flag("use_double_wide_mlp") else 1
    plan = []
    for index, kind in enumerate(kinds):
        shared = index >= first_shared
        overrides: list[tuple[str, object]] = []
        if kind == FULL:
            overrides.append(("head_dim", fields.optional_size("global_head_dim") or DEFAULT_GLOBAL_HEAD_DIM))
            kv_heads = fields.optional_size("num_global_key_value_heads")
            if kv_heads is not None and fields.flag("attention_k_eq_v"):
                overrides.append(("num_key_value_heads", kv_heads))
        if shared and wide > 1:
            overrides.append(("intermediate_size", wide * fields.size("intermediate_size")))
        plan.append(Layer(kind + (SHARED if shared else ""), "dense", tuple(overrides)))
    return plan


def _gemma3n_plan(fields: Fields) -> Sequence[Layer]:
    kinds = listed("layer_types", every(5, FULL, SLIDING))(fields)
    layers = len(kinds)
    first_shared = layers - min(fields.count("num_kv_shared_layers"), layers)
    if fields.is_list("intermediate_size"):
        widths: Sequence[int] = fields.counts("intermediate_size") or ()
    else:
        widths = [fields.size("intermediate_size")] * layers
    if len(widths) != layers:
        raise ConfigError(
            "{field} has {entries} entries for {layers} layers.",
            field="intermediate_size",
            entries=len(widths),
            layers=layers,
        )
    return [
        Layer(
            kind + (SHARED if index >= first_shared > 0 else ""),
            "dense",
            (("intermediate_size", whole_number("intermediate_size", width)),),
        )
        for index, (kind, width) in enumerate(zip(kinds, widths, strict=True))
    ]


def _gemma3n_feed_forward(fields: Fields) -> Part:
    """The dense network with AltUp, LAuReL and the per-layer input."""
    hidden, inputs = fields.size("hidden_size"), fields.size("altup_num_inputs")
    rank = fields.size("laurel_rank")
    linears = (
        Linear("altup.correction_coefs", inputs, inputs, Role.MLP),
        Linear("altup.prediction_coefs", inputs, inputs**2, Role.MLP),
        Linear("altup.modality_router", hidden, inputs, Role.ROUTER),
        Linear("laurel.linear_left", hidden, rank, Role.MLP),
        Linear("laurel.linear_right", rank, hidden, Role.MLP),
    )
    others = 3 * hidden  # the corrected output's scale, the router's norm, LAuReL's norm
    return Gated()(fields).joined(Part(linears, others)).joined(_per_layer_gates(fields))


def _gemma3n_extras(fields: Fields) -> tuple[Linear, ...]:
    hidden, inputs = fields.size("hidden_size"), fields.size("altup_num_inputs")
    names = ("altup_projections", "altup_unembed_projections")
    stacks = tuple(Linear(name, hidden, hidden, Role.MLP, count=inputs - 1) for name in names)
    return (*_per_layer_extras(fields), *stacks)


def _mixers(full: Grouped) -> Mapping[str, Grouped]:
    return {
        FULL: full,
        SLIDING: OWN.sliding(),
        FULL + SHARED: REUSED,
        SLIDING + SHARED: REUSED.sliding(),
    }


GEMMA4 = Family(
    _mixers(KEYS_AS_VALUES),
    {"dense": _gemma4_feed_forward},
    _gemma4_plan,
    layer_norms=4,
    final=_per_layer_final,
    extras=_per_layer_extras,
)

GEMMA_FAMILIES: Mapping[str, Family] = {
    "gemma4_text": GEMMA4,
    "gemma4_unified_text": GEMMA4,
    "gemma3n_text": Family(
        _mixers(OWN),
        {"dense": _gemma3n_feed_forward},
        _gemma3n_plan,
        layer_norms=4,
        final=_per_layer_final,
        extras=_gemma3n_extras,
    ),
}

"""Families from before Llama: fused projections, learned positions, biases everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from catalog.huggingface.attention import FusedQkv, Grouped, QueryKeyNorm, head_sizes
from catalog.huggingface.dense import dense
from catalog.huggingface.feedforward import Plain
from catalog.huggingface.fields import Fields
from catalog.huggingface.parts import Amount, Family, Norm, Part, planned
from catalog.huggingface.patterns import DENSE, FULL, always
from engine.models import AttentionShape, Linear, MixerKind, Role

OWN_CLASS = {"fused_parameter": True, "own_class": True}  # FalconLinear


def _four_times_wide(name: str = "intermediate_size", factor: int = 4) -> Amount:
    """The inner width a field gives, or four times the hidden width."""

    def width(fields: Fields) -> int:
        return fields.optional_size(name) or factor * fields.size("hidden_size")

    return width


def _positions(extra: int = 0) -> Amount:
    """Learned positions; OPT and its kin keep `extra` rows for an offset."""

    def rows(fields: Fields) -> int:
        return (fields.size("max_position_embeddings") + extra) * fields.size("hidden_size")

    return rows


def _falcon_heads(fields: Fields) -> tuple[int, int, int]:
    heads, own, head_dim = head_sizes(fields, kv_heads="num_kv_heads", head_dim="")
    if fields.flag("new_decoder_architecture"):
        return heads, own, head_dim
    return heads, 1 if fields.flag("multi_query") else heads, head_dim


def _falcon_attention(fields: Fields) -> Part:
    """Multi-query in the first Falcons, grouped in the new decoder architecture."""
    hidden = fields.size("hidden_size")
    heads, kv_heads, head_dim = _falcon_heads(fields)
    bias = fields.flag("bias")
    width = (heads + 2 * kv_heads) * head_dim
    linears = (
        Linear("self_attention.query_key_value", hidden, width, Role.ATTENTION, bias, **OWN_CLASS),
        Linear("self_attention.dense", hidden, hidden, Role.ATTENTION, bias, **OWN_CLASS),
    )
    shape = AttentionShape(heads, kv_heads, head_dim, head_dim, fused_qkv=True)
    return Part(linears, 0, MixerKind.ATTENTION, shape)


def _falcon_norms(fields: Fields) -> int:
    if fields.flag("new_decoder_architecture"):
        return 1 if fields.optional_count("num_ln_in_parallel_attn") == 1 else 2
    return 1 if fields.flag("parallel_attn") else 2


def _opt_final(fields: Fields) -> int:
    hidden, projected = fields.size("hidden_size"), fields.optional_size("word_embed_proj_dim")
    rows = (fields.size("max_position_embeddings") + 2) * hidden
    has_norm = fields.flag("do_layer_norm_before") and not fields.flag("_remove_final_layer_norm")
    norm = 2 * hidden if has_norm and fields.flag("layer_norm_elementwise_affine") else 0
    return rows + norm + (2 * hidden * projected if projected and projected != hidden else 0)


def _opt_norms(fields: Fields) -> int:
    """OPT may have norms without parameters."""
    return 2 if fields.flag("layer_norm_elementwise_affine") else 0


def _opt_embedding(fields: Fields) -> int:
    return fields.size("vocab_size") * (fields.optional_size("word_embed_proj_dim") or fields.size("hidden_size"))


def _bigcode_attention(fields: Fields) -> Part:
    multi_query = fields.flag("multi_query")
    heads, _, head_dim = head_sizes(fields, kv_heads="", head_dim="")
    hidden = fields.size("hidden_size")
    kv_heads = 1 if multi_query else heads
    linears = (
        Linear("attn.c_attn", hidden, (heads + 2 * kv_heads) * head_dim, Role.ATTENTION, bias=True),
        Linear("attn.c_proj", hidden, hidden, Role.ATTENTION, bias=True),
    )
    return Part(linears, 0, MixerKind.ATTENTION, AttentionShape(heads, kv_heads, head_dim, head_dim, fused_qkv=True))


def _classic(attention: FusedQkv | Grouped, feed_forward: Plain) -> Family:
    return replace(dense(attention, feed_forward), norm=Norm.LAYER)


def _mpt_width(fields: Fields) -> int:
    return fields.size("expansion_ratio") * fields.size("hidden_size")


def _japanese_width(fields: Fields) -> int:
    return fields.size("intermediate_multiple_size") * fields.size("hidden_size")


def _last_bias(fields: Fields) -> int:
    return fields.size("hidden_size")


GPT2 = replace(
    _classic(
        FusedQkv(bias=True, out_bias=True, name="attn.c_attn", out_name="attn.c_proj", grouped=False, head_dim=""),
        Plain(size=_four_times_wide(), names=("mlp.c_fc", "mlp.c_proj")),
    ),
    final=_positions(),
)
_OUT = ("q_proj", "k_proj", "v_proj", "out_proj")

CLASSIC_FAMILIES: Mapping[str, Family] = {
    "gpt2": GPT2,
    "gpt-sw3": GPT2,
    "openai-gpt": replace(GPT2, final_norm=Norm.NONE),
    "gpt_bigcode": Family(
        {FULL: _bigcode_attention},
        {DENSE: Plain(size=_four_times_wide(), names=("mlp.c_fc", "mlp.c_proj"))},
        planned(always(FULL), always(DENSE)),
        norm=Norm.LAYER,
        final=_positions(),
    ),
    "gpt_neo": replace(
        _classic(
            Grouped(out_bias=True, prefix="attn.attention.", names=_OUT, kv_heads="", head_dim=""),
            Plain(size=_four_times_wide(), names=("mlp.c_fc", "mlp.c_proj")),
        ),
        final=_positions(),
    ),
    "gpt_neox": replace(
        _classic(
            FusedQkv(
                bias="attention_bias",
                out_bias="attention_bias",
                name="attention.query_key_value",
                out_name="attention.dense",
                grouped=False,
                head_dim="",
            ),
            Plain(names=("mlp.dense_h_to_4h", "mlp.dense_4h_to_h")),
        ),
        layer_norms=2,
    ),
    "gpt_neox_japanese": replace(
        _classic(
            FusedQkv(name="attention.query_key_value", out_name="attention.dense", grouped=False, head_dim=""),
            Plain(bias=False, size=_japanese_width, names=("mlp.dense_h_to_4h", "mlp.dense_4h_to_h")),
        ),
        final=_last_bias,
    ),
    "gptj": replace(
        _classic(
            Grouped(prefix="attn.", names=_OUT, kv_heads="", head_dim=""),
            Plain(size=_four_times_wide(), names=("mlp.fc_in", "mlp.fc_out")),
        ),
        layer_norms=1,
        head_bias=True,
    ),
    "codegen": replace(
        _classic(
            FusedQkv(name="attn.qkv_proj", out_name="attn.out_proj", grouped=False, head_dim=""),
            Plain(size=_four_times_wide(), names=("mlp.fc_in", "mlp.fc_out")),
        ),
        layer_norms=1,
        head_bias=True,
    ),
    "bloom": replace(
        _classic(
            FusedQkv(
                bias=True,
                out_bias=True,
                name="self_attention.query_key_value",
                out_name="self_attention.dense",
                grouped=False,
                head_dim="",
            ),
            Plain(size=_four_times_wide(""), names=("mlp.dense_h_to_4h", "mlp.dense_4h_to_h")),
        ),
        final=lambda fields: 2 * fields.size("hidden_size"),
    ),
    "falcon": Family(
        {FULL: _falcon_attention},
        {
            DENSE: Plain(
                bias="bias",
                size=_four_times_wide("ffn_hidden_size"),
                own_class=True,
                names=("mlp.dense_h_to_4h", "mlp.dense_4h_to_h"),
            )
        },
        planned(always(FULL), always(DENSE)),
        norm=Norm.LAYER,
        layer_norms=_falcon_norms,
    ),
    "mpt": replace(
        _classic(
            FusedQkv(name="attn.Wqkv", out_name="attn.out_proj", grouped=False, head_dim=""),
            Plain(bias=False, size=_mpt_width, names=("ffn.up_proj", "ffn.down_proj")),
        ),
        norm=Norm.RMS,
    ),
    "opt": replace(
        _classic(
            Grouped(bias="enable_bias", out_bias="enable_bias", names=_OUT, kv_heads="", head_dim=""),
            Plain(bias="enable_bias", size="ffn_dim", names=("fc1", "fc2")),
        ),
        final_norm=Norm.NONE,
        final=_opt_final,
        layer_norms=_opt_norms,
        embedding=_opt_embedding,
    ),
    "biogpt": replace(
        _classic(Grouped(bias=True, out_bias=True, names=_OUT, kv_heads="", head_dim=""), Plain(names=("fc1", "fc2"))),
        final=_positions(2),
    ),
    "xglm": _classic(
        Grouped(bias=True, out_bias=True, names=_OUT, kv_heads="", head_dim=""),
        Plain(size="ffn_dim", names=("fc1", "fc2")),
    ),
    "persimmon": _classic(
        FusedQkv(
            bias=True,
            out_bias=True,
            name="self_attn.query_key_value",
            out_name="self_attn.dense",
            grouped=False,
            head_dim="",
            norms=QueryKeyNorm.HEAD_WITH_BIAS,
            norms_if="qk_layernorm",
        ),
        Plain(names=("mlp.dense_h_to_4h", "mlp.dense_4h_to_h")),
    ),
}

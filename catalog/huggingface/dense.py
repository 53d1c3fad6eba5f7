"""Families of dense decoders: one feed-forward network in every layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from catalog.huggingface.attention import FusedQkv, Grouped, Latent, QueryKeyNorm
from catalog.huggingface.feedforward import FusedGated, Gated, Plain
from catalog.huggingface.fields import Fields
from catalog.huggingface.parts import Family, Norm, Pattern, Rule, both, planned, vectors
from catalog.huggingface.patterns import (
    DENSE,
    FULL,
    SLIDING,
    always,
    by_index,
    every,
    layers,
    listed,
    windowed,
    windowed_from_the_middle,
    windowed_without_positions,
)

GATED = Gated()
CROSS = "cross_attention"


def dense(attention: Grouped | FusedQkv, feed_forward: Rule = GATED, pattern: Pattern | None = None) -> Family:
    """A family of equal layers, some of them with a sliding window where `pattern` says so."""
    mixers = {FULL: attention, SLIDING: attention.sliding()}
    return Family(mixers, {DENSE: feed_forward}, planned(pattern or always(FULL), always(DENSE)))


def head_parameters(factor: int) -> Rule:
    """Vectors of the head size, `factor` of them."""

    def amount(fields: Fields) -> int:
        return factor * (fields.optional_size("head_dim") or fields.size("hidden_size") // _heads(fields))

    return vectors(amount)


def _heads(fields: Fields) -> int:
    return fields.size("num_attention_heads")


def _cross_attention_layers(fields: Fields) -> Sequence[str]:
    """Llama 3.2 Vision: some layers look at the image instead of the text."""
    listed_layers = fields.counts("cross_attention_layers")
    chosen = frozenset(range(3, 40, 5) if listed_layers is None else listed_layers)
    return tuple(CROSS if index in chosen else FULL for index in range(layers(fields)))


def _one_norm_when_parallel(fields: Fields) -> int:
    return 1 if fields.flag("use_parallel_residual") else 2


def _norms_with_post(fields: Fields) -> int:
    return 4 if fields.flag("use_post_norm") else 2


LLAMA_ATTENTION = Grouped(bias="attention_bias", out_bias="attention_bias")
QK_NORMED = replace(LLAMA_ATTENTION, norms=QueryKeyNorm.HEAD)
WIDTH_NORMED = replace(LLAMA_ATTENTION, norms=QueryKeyNorm.WIDTH)
LLAMA = dense(LLAMA_ATTENTION, Gated(bias="mlp_bias"))
QWEN2 = dense(Grouped(bias=True), pattern=listed("layer_types", windowed_from_the_middle))
QWEN2_VL = dense(Grouped(bias=True, head_dim=""), pattern=listed("layer_types", windowed_from_the_middle))
QWEN3 = dense(QK_NORMED, pattern=listed("layer_types", windowed_from_the_middle))
MISTRAL = dense(Grouped(), pattern=windowed())
MINISTRAL = dense(Grouped(), pattern=listed("layer_types", windowed()))
GEMMA2 = replace(dense(LLAMA_ATTENTION, pattern=listed("layer_types", every(2, FULL, SLIDING))), layer_norms=4)
GEMMA3 = replace(
    dense(QK_NORMED, pattern=listed("layer_types", every("sliding_window_pattern", FULL, SLIDING))), layer_norms=4
)
PHI3 = dense(FusedQkv(), FusedGated(), windowed())
GLM = dense(Grouped(bias="attention_bias"), FusedGated())
COHERE = replace(dense(replace(LLAMA_ATTENTION, norms=QueryKeyNorm.PER_HEAD, norms_if="use_qk_norm")), layer_norms=1)
APERTUS = dense(QK_NORMED, Plain(bias=False, names=("mlp.up_proj", "mlp.down_proj"), others=2))
UP_DOWN = Plain(bias="mlp_bias", names=("mlp.up_proj", "mlp.down_proj"))
PARTLY_WINDOWED = every("sliding_window_pattern", FULL, SLIDING)

DENSE_FAMILIES: Mapping[str, Family] = {
    "llama": LLAMA,
    "exaone": LLAMA,
    "internlm3": LLAMA,
    "iquestcoder": LLAMA,
    "granite": LLAMA,
    "qwen2": QWEN2,
    "qwen2_vl_text": QWEN2_VL,
    "qwen2_5_vl_text": QWEN2_VL,
    "qwen2_5_omni_text": QWEN2,
    "qwen3": QWEN3,
    "qwen3_vl_text": QWEN3,
    "mistral": MISTRAL,
    "ministral": MINISTRAL,
    "ministral3": MINISTRAL,
    "gemma": dense(LLAMA_ATTENTION),
    "gemma2": GEMMA2,
    "gemma3_text": GEMMA3,
    "vaultgemma": replace(GEMMA2, layer_norms=2),
    "phi3": PHI3,
    "phi4_multimodal": PHI3,  # its towers lie inside the decoder's class and are not counted
    "mllama_text_model": replace(
        LLAMA,
        mixers={
            FULL: Grouped(head_dim=""),
            CROSS: both(
                Grouped(norms=QueryKeyNorm.HEAD, prefix="cross_attn.", head_dim=""),
                vectors(lambda _: 2),  # one gate each for attention and network
            ),
        },
        feed_forwards={DENSE: GATED},
        plan=planned(_cross_attention_layers, always(DENSE)),
        embedding=lambda fields: (fields.size("vocab_size") + 8) * fields.size("hidden_size"),
        never_tied=True,
    ),
    "phi": replace(
        dense(
            Grouped(
                bias=True,
                out_bias=True,
                names=("q_proj", "k_proj", "v_proj", "dense"),
                norms=QueryKeyNorm.HEAD_WITH_BIAS,
                norms_if="qk_layernorm",
            ),
            Plain(),
        ),
        norm=Norm.LAYER,
        layer_norms=1,
        head_bias=True,
    ),
    "glm": GLM,
    "glm4": replace(GLM, layer_norms=4),
    "glm4v_text": replace(dense(Grouped(bias=True, head_dim=""), FusedGated()), layer_norms=4),
    "cohere": COHERE,
    "cohere2": replace(dense(LLAMA_ATTENTION, pattern=listed("layer_types", PARTLY_WINDOWED)), layer_norms=1),
    "olmo": replace(dense(LLAMA_ATTENTION), norm=Norm.NONE),
    "olmo2": dense(WIDTH_NORMED),
    "olmo3": dense(WIDTH_NORMED, pattern=listed("layer_types", every(4, FULL, SLIDING))),
    "granite_swa": dense(
        replace(LLAMA_ATTENTION, sinks=True), Gated(bias="mlp_bias"), listed("layer_types", always(FULL))
    ),
    "hyperclovax": replace(LLAMA, layer_norms=_norms_with_post),
    "smollm3": dense(LLAMA_ATTENTION, Gated(bias="mlp_bias"), listed("layer_types", windowed_without_positions)),
    "seed_oss": dense(Grouped(bias="attention_bias", out_bias="attention_out_bias"), Gated(bias="mlp_bias")),
    "apertus": APERTUS,
    "apertus1p5_text": replace(APERTUS, head_rows="output_vocab_size"),
    "arcee": dense(LLAMA_ATTENTION, UP_DOWN),
    "jais2": replace(dense(LLAMA_ATTENTION, UP_DOWN), norm=Norm.LAYER),
    "nemotron": replace(dense(LLAMA_ATTENTION, UP_DOWN), norm=Norm.LAYER),
    "bitnet": dense(replace(LLAMA_ATTENTION, own_norm=True), Gated(own_norm=True)),
    "cwm": dense(
        Grouped(),
        Gated(bias="mlp_bias"),
        listed("layer_types", by_index(lambda _, index: index % 4 == 0, FULL, SLIDING)),
    ),
    "diffllama": Family(
        {FULL: both(LLAMA_ATTENTION, head_parameters(4))}, {DENSE: GATED}, planned(always(FULL), always(DENSE))
    ),
    "ernie4_5": dense(Grouped(bias="use_bias", out_bias="use_bias"), Gated(bias="use_bias")),
    "exaone4": dense(replace(Grouped(), norms=QueryKeyNorm.HEAD), pattern=listed("layer_types", PARTLY_WINDOWED)),
    "helium": dense(Grouped(bias="attention_bias"), Gated(bias="mlp_bias")),
    "hunyuan_v1_dense": dense(QK_NORMED),
    "minicpm3": Family(
        {FULL: Latent(value_dim_needed=False)}, {DENSE: Gated(bias="mlp_bias")}, planned(always(FULL), always(DENSE))
    ),
    "youtu": Family({FULL: Latent()}, {DENSE: GATED}, planned(always(FULL), always(DENSE))),
    "nanochat": replace(dense(LLAMA_ATTENTION, Plain(bias=False)), norm=Norm.NONE),
    "stablelm": replace(
        dense(Grouped(bias="use_qkv_bias", head_dim="", norms=QueryKeyNorm.PER_HEAD, norms_if="qk_layernorm")),
        norm=Norm.LAYER,
        layer_norms=_one_norm_when_parallel,
    ),
    "starcoder2": replace(
        dense(
            Grouped(bias="use_bias", out_bias="use_bias"),
            Plain(bias="use_bias", names=("mlp.c_fc", "mlp.c_proj")),
            windowed(),
        ),
        norm=Norm.LAYER,
    ),
}

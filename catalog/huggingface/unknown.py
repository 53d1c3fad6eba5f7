"""A model type nobody has described: computed from its dimensions, and marked as such."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.huggingface.attention import Grouped, Latent
from catalog.huggingface.feedforward import Experts, Gated, amount, times
from catalog.huggingface.fields import Fields
from catalog.huggingface.libraryfacts import TypeFacts
from catalog.huggingface.parts import Family, Layer, Part
from catalog.huggingface.patterns import DENSE, FULL, SPARSE, first_dense, sparse_steps

# Names in use for the same thing, the most common first.
UNKNOWN_TYPE = TypeFacts(
    aliases={
        "hidden_size": ("n_embd", "d_model", "dim", "n_embed", "model_dim"),
        "num_hidden_layers": ("n_layer", "n_layers", "num_layers"),
        "num_attention_heads": ("n_head", "n_heads", "num_heads"),
        "num_key_value_heads": ("n_kv_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num"),
        "intermediate_size": ("ffn_hidden_size", "hidden_dim", "n_inner", "d_ff", "ffn_dim"),
        "vocab_size": ("padded_vocab_size",),
        "max_position_embeddings": ("n_positions", "max_seq_len", "max_sequence_length", "seq_length"),
        "tie_word_embeddings": ("tied_embeddings",),
        "num_experts": ("num_local_experts", "n_routed_experts", "moe_num_experts"),
        "num_experts_per_tok": ("num_experts_per_token", "moe_topk", "moe_k"),
        "n_shared_experts": ("num_shared_experts",),
        "attention_bias": ("qkv_bias", "use_qkv_bias"),
        "first_k_dense_replace": ("num_dense_layers",),
    },
)


def _attention(fields: Fields) -> Part:
    if fields.present("kv_lora_rank"):
        return Latent()(fields)
    return Grouped(bias="attention_bias")(fields)


def _experts(fields: Fields) -> Part:
    return Experts(size=_expert_size(fields), shared=_shared_size)(fields)


def _expert_size(fields: Fields) -> str:
    return "moe_intermediate_size" if fields.present("moe_intermediate_size") else "intermediate_size"


def _shared_size(fields: Fields) -> int:
    if fields.present("shared_expert_intermediate_size"):
        return amount(fields, "shared_expert_intermediate_size", least=0)
    return times(_expert_size(fields), "n_shared_experts")(fields)


def _plan(fields: Fields) -> Sequence[Layer]:
    if not fields.count("num_experts"):
        return [Layer(FULL, DENSE)] * fields.size("num_hidden_layers")
    pattern = first_dense() if fields.present("first_k_dense_replace") else sparse_steps
    return [Layer(FULL, kind) for kind in pattern(fields)]


# Embedding and head count as two matrices unless the configuration ties them: of the two readings the larger one.
UNKNOWN = Family({FULL: _attention}, {DENSE: Gated(bias="mlp_bias"), SPARSE: _experts}, _plan)

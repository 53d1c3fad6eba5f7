"""From a family's rules and a configuration to the blocks of a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from catalog.huggingface.errors import ConfigError, shown
from catalog.huggingface.fields import Fields
from catalog.huggingface.parts import Family, Layer, Part, Rule, flag
from engine.models import Block, Linear, Role

MAX_PARAMETERS = 10**15  # a thousand times the largest published model


@dataclass(frozen=True, slots=True)
class Decoder:
    """Everything a `ModelSpec` needs of the decoder itself."""

    hidden_size: int
    vocab_size: int
    max_position: int | None
    tied: bool
    embedding: int
    head: int
    final: int
    blocks: tuple[Block, ...]
    extras: tuple[Linear, ...]
    softcap: bool
    renamed: tuple[tuple[str, str], ...]
    refused: tuple[str, ...]


def assemble(family: Family, fields: Fields) -> Decoder:
    """Build the decoder; MissingFieldsError when the configuration lacks fields, ConfigError when it is wrong."""
    counted = () if family.counts_own_layers else ("num_hidden_layers",)
    fields.require(("hidden_size", *counted, *family.needs))
    hidden, vocab = fields.size("hidden_size"), fields.size("vocab_size")
    tied = fields.flag("tie_word_embeddings") and not family.never_tied
    blocks = _blocks(family, fields)
    fields.raise_missing()
    head_rows = fields.optional_size(family.head_rows) or vocab
    final_norm = (family.norm if family.final_norm is None else family.final_norm).value * hidden
    extras = family.extras(fields) if family.extras else ()
    final = final_norm + (family.final(fields) if family.final else 0) + sum(linear.parameters for linear in extras)
    decoder = Decoder(
        hidden,
        vocab,
        fields.optional_size("max_position_embeddings"),
        tied,
        family.embedding(fields) if family.embedding else vocab * hidden,
        0 if tied else head_rows * hidden,
        final + (head_rows if flag(fields, family.head_bias) else 0),
        blocks,
        extras,
        fields.present(family.softcap),
        tuple(family.renamed_targets.items()),
        family.refused_targets,
    )
    fields.raise_missing()
    total = decoder.embedding + decoder.head + decoder.final + sum(block.parameters for block in blocks)
    if total > MAX_PARAMETERS:
        raise ConfigError("The model would have {parameters} parameters, which no model has.", parameters=total)
    return decoder


def _blocks(family: Family, fields: Fields) -> tuple[Block, ...]:
    """One block for each kind of layer, in the order of first appearance."""
    counts: dict[Layer, int] = {}
    for layer in family.plan(fields):
        counts[layer] = counts.get(layer, 0) + 1
    blocks: dict[Block, int] = {}
    for layer, count in counts.items():
        with fields.with_values(dict(layer.overrides)):
            block = _block(family, fields, layer)
        blocks[block] = blocks.get(block, 0) + count
    return tuple(replace(block, count=count) for block, count in blocks.items())


def _block(family: Family, fields: Fields, layer: Layer) -> Block:
    mixer, feed_forward = _rule(family.mixers, layer.mixer), _rule(family.feed_forwards, layer.feed_forward)
    part: Part = mixer(fields).joined(feed_forward(fields))
    norms = family.layer_norms if isinstance(family.layer_norms, int) else family.layer_norms(fields)
    linears = tuple(_as_peft_sees_it(linear, family.renamed_targets) for linear in part.linears)
    return Block(
        1,
        part.mixer,
        linears,
        part.others + norms * family.norm.value * fields.size("hidden_size"),
        part.attention,
        part.mlp,
        part.moe,
        norms,
        part.state_size,
        fields.drops_out("residual_dropout", "resid_pdrop"),
    )


def _rule(rules: Mapping[str, Rule], kind: str) -> Rule:
    rule = rules.get(kind)
    if rule is None:
        raise ConfigError(
            "{kind} is no kind of layer of this model type; it knows {known}.",
            kind=shown(kind),
            known=", ".join(rules),
        )
    return rule


def _as_peft_sees_it(linear: Linear, renamed: Mapping[str, str]) -> Linear:
    """PEFT 0.21.2's view of a matrix in families whose targets it renames.

    Experts and the router are adapted although they are no linear layers; gate and up share one tensor and get twice
    the rank. The renamed names vanish from the list of modules, so dense and shared networks that still carry them
    are passed over.
    """
    if not renamed:
        return linear
    leaf = linear.name.rpartition(".")[2]
    if linear.role is Role.EXPERT or (linear.role is Role.ROUTER and leaf == "gate"):
        olds = [old for old, new in renamed.items() if new == leaf]
        return replace(linear, peft_all_linear=bool(olds), rank_factor=max(len(olds), 1))
    if leaf in renamed:
        return replace(linear, peft_all_linear=False)
    return linear

"""The building blocks of a layer: what a rule hands back, and the layer plan of a family."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from catalog.huggingface.fields import Fields
from engine.models import AttentionShape, Linear, MixerKind, MlpShape, MoeShape

Flag = bool | str  # a fixed answer, or the name of the field that holds it


@dataclass(frozen=True, slots=True)
class Part:
    """What one half of a layer consists of."""

    linears: tuple[Linear, ...] = ()
    others: int = 0  # parameters outside every matrix
    mixer: MixerKind = MixerKind.NONE
    attention: AttentionShape | None = None
    mlp: MlpShape | None = None
    moe: MoeShape | None = None
    state_size: int = 0

    def joined(self, other: Part) -> Part:
        """Both parts in one layer; a mixer of `self` wins over none."""
        return Part(
            self.linears + other.linears,
            self.others + other.others,
            self.mixer if self.mixer is not MixerKind.NONE else other.mixer,
            self.attention or other.attention,
            self.mlp or other.mlp,
            self.moe or other.moe,
            self.state_size or other.state_size,
        )


@dataclass(frozen=True, slots=True)
class Layer:
    """One decoder layer: which mixer, which feed-forward part, and sizes of its own."""

    mixer: str
    feed_forward: str
    overrides: tuple[tuple[str, object], ...] = ()


class Norm(Enum):
    """What a normalisation over the hidden width holds, as a multiple of that width."""

    NONE = 0
    RMS = 1
    LAYER = 2  # weight and bias


Rule = Callable[[Fields], Part]
Pattern = Callable[[Fields], Sequence[str]]
Plan = Callable[[Fields], Sequence[Layer]]
Amount = Callable[[Fields], int]


@dataclass(frozen=True, slots=True)
class Family:
    """How the models of one type are built. Everything a type does differently from Llama is named here."""

    mixers: Mapping[str, Rule]
    feed_forwards: Mapping[str, Rule]
    plan: Plan
    norm: Norm = Norm.RMS
    layer_norms: int | Amount = 2  # normalisations over the hidden width in each layer
    final_norm: Norm | None = None  # as `norm` unless named
    embedding: Amount | None = None  # vocabulary x width unless named
    final: Amount | None = None  # learned positions, extra projections and such
    extras: Callable[[Fields], tuple[Linear, ...]] | None = None  # linear layers outside the blocks
    head_bias: Flag = False
    never_tied: bool = False  # the library ignores `tie_word_embeddings` for this type
    head_rows: str = "vocab_size"
    counts_own_layers: bool = False  # the number of layers follows from a list, `num_hidden_layers` may be absent
    softcap: str = "final_logit_softcapping"
    # How PEFT renames targets that were linear layers before the library fused the experts; empty: not at all.
    renamed_targets: Mapping[str, str] = field(default_factory=dict)
    refused_targets: tuple[str, ...] = ()  # modules PEFT refuses to adapt in this type
    needs: tuple[str, ...] = ()  # fields beyond those every decoder has


def flag(fields: Fields, value: Flag) -> bool:
    """Resolve a fixed answer or a field."""
    return value if isinstance(value, bool) else fields.flag(value)


def planned(mixers: Pattern, feed_forwards: Pattern) -> Plan:
    """A plan from two patterns, both as long as the model has layers."""

    def plan(fields: Fields) -> Sequence[Layer]:
        pairs = zip(mixers(fields), feed_forwards(fields), strict=True)
        return [Layer(mixer, feed_forward) for mixer, feed_forward in pairs]

    return plan


def both(*rules: Rule) -> Rule:
    """One part made of several."""

    def rule(fields: Fields) -> Part:
        part = Part()
        for each in rules:
            part = part.joined(each(fields))
        return part

    return rule


def vectors(amount: Amount) -> Rule:
    """Parameters that belong to no matrix."""
    return lambda fields: Part(others=amount(fields))


def nothing(fields: Fields) -> Part:  # noqa: ARG001 - a rule takes the fields
    """A half that a layer lacks."""
    return Part()

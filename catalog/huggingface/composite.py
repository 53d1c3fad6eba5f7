"""Configurations made of parts: which one is the decoder, and what stands beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from catalog.huggingface.errors import ConfigError, shown
from catalog.huggingface.fields import Fields
from catalog.huggingface.libraryfacts import CompositeFacts, TiedBy, TypeFacts, composite_facts, type_facts
from catalog.huggingface.vision import tower_parameters

# Where the decoder stands, by maker: most; InternVL's own code; DeepSeek-VL; Qwen's omni models (one more level).
TEXT_PARTS = ("text_config", "llm_config", "language_config", "thinker_config")
OTHER_TOWERS = ("audio_config", "speech_config", "audio_encoder_config", "qformer_config", "perceiver_config")
TOWERS_INSIDE = frozenset({"phi4_multimodal"})
MAX_LEVELS = 4
TIED = "tie_word_embeddings"


@dataclass(frozen=True, slots=True)
class Composition:
    """The decoder's own configuration and what surrounds it."""

    text: Mapping[str, object]
    text_type: str
    outer: Mapping[str, object]
    outer_type: str
    stands_alone: bool
    tied: bool | None = None  # what the surrounding configuration says; None: as the decoder itself says


def composition(config: Mapping[str, object]) -> Composition:
    """Find the decoder's part; a configuration without parts is its own."""
    outer, text, level = config, config, 0
    while (inner := _text_part(text)) is not None:
        outer, text, level = text, inner, level + 1
        if level > MAX_LEVELS:
            raise ConfigError("{field} is nested deeper than {limit} levels.", field="text_config", limit=MAX_LEVELS)
    outer_type = _type_of(outer)
    facts = composite_facts().get(outer_type)
    if level == 0:
        # Qwen2-VL and its kin once kept the decoder's fields beside `vision_config`
        text_type = facts.text if facts else outer_type
        return Composition(text, text_type, outer, outer_type, stands_alone=True)
    text_type = _type_of(text) or (facts.text if facts else outer_type)
    return Composition(text, text_type, outer, outer_type, stands_alone=False, tied=_tied(outer, text, facts))


def _text_part(config: Mapping[str, object]) -> Mapping[str, object] | None:
    for key in TEXT_PARTS:
        part = config.get(key)
        if part is None:
            continue
        if not isinstance(part, Mapping):
            raise ConfigError("{field} must be an object, not {value}.", field=key, value=shown(part))
        return part
    return None


def _type_of(config: Mapping[str, object]) -> str:
    value = config.get("model_type")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ConfigError("{field} must be a text, not {value}.", field="model_type", value=shown(value))
    return value


def _tied(outer: Mapping[str, object], text: Mapping[str, object], facts: CompositeFacts | None) -> bool | None:
    """Whether the whole ties embedding and head, by the rule of its class.

    Where the outer configuration says nothing, the decoder's own word holds: a checkpoint that has a head of its own
    is loaded with it, whatever the outer class has as default.
    """
    own = outer.get(TIED)
    if own is None:
        return None
    if not isinstance(own, bool):
        raise ConfigError("{field} must be true or false, not {value}.", field=TIED, value=shown(own))
    rule = facts.tied_by if facts else TiedBy.OUTER
    if rule is TiedBy.TEXT:
        return None
    if rule is TiedBy.EITHER and not own:
        return None if text.get(TIED) is not None else False
    return own


def tower(parts: Composition, text_width: int) -> tuple[int, bool]:
    """Parameters beside the decoder, and whether all of them could be counted."""
    if parts.text_type in TOWERS_INSIDE:
        return 0, False
    vision = parts.outer.get("vision_config")
    complete = all(parts.outer.get(key) is None for key in OTHER_TOWERS)
    if vision is None:
        return 0, complete
    if not isinstance(vision, Mapping):
        raise ConfigError("{field} must be an object, not {value}.", field="vision_config", value=shown(vision))
    facts = composite_facts().get(parts.outer_type)
    vision_type = facts.vision if facts else _type_of(vision)
    known, nothing = type_facts(), TypeFacts()
    counted = tower_parameters(
        parts.outer_type,
        vision_type,
        Fields(parts.outer, known.get(parts.outer_type, nothing), strict=False),
        Fields(vision, known.get(vision_type, nothing), strict=False),
        text_width,
    )
    return counted or 0, complete and counted is not None

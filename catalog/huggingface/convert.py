"""From a Hugging Face configuration to a `ModelSpec`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from catalog.huggingface.assemble import assemble
from catalog.huggingface.composite import composition, tower
from catalog.huggingface.errors import ConfigError
from catalog.huggingface.families import FAMILIES
from catalog.huggingface.fields import Fields
from catalog.huggingface.libraryfacts import type_facts
from catalog.huggingface.quantised import checkpoint_format
from catalog.huggingface.unknown import UNKNOWN, UNKNOWN_TYPE
from engine.models import ModelSpec


def model_from_config(
    config: Mapping[str, object],
    *,
    id: str,  # noqa: A002 - the catalogue's own word for it
    name: str,
    hf_id: str = "",
    family: str = "",
    licence: str = "",
    sources: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> ModelSpec:
    """Count a model from its configuration, exact to the parameter for recognised model types.

    `config` is the content of a `config.json`, alone or with its decoder in `text_config`; a vision tower is counted
    beside the decoder where its type is known. A model type that is not known is computed from its dimensions and
    marked by `recognised`. ConfigError when the configuration cannot be a decoder's, MissingFieldsError (with all
    names) when it does not say enough.
    """
    parts = composition(config)
    known = FAMILIES.get(parts.text_type)
    facts = type_facts()[parts.text_type] if known else UNKNOWN_TYPE
    fields = Fields(parts.text, facts, strict=parts.stands_alone)
    overlay = {} if parts.tied is None else {"tie_word_embeddings": parts.tied}
    try:
        with fields.with_values(overlay):
            decoder = assemble(known or UNKNOWN, fields)
    except ConfigError:
        fields.raise_missing()
        raise
    vision, vision_counted = tower(parts, decoder.hidden_size)
    return ModelSpec(
        id=id,
        name=name,
        hf_id=hf_id,
        family=family,
        licence=licence,
        model_type=parts.text_type,
        recognised=known is not None,
        hidden_size=decoder.hidden_size,
        vocab_size=decoder.vocab_size,
        max_position=decoder.max_position,
        tied_embeddings=decoder.tied,
        embedding_parameters=decoder.embedding,
        head_parameters=decoder.head,
        final_parameters=decoder.final,
        blocks=decoder.blocks,
        logit_softcap=decoder.softcap,
        vision_parameters=vision,
        vision_counted=vision_counted,
        checkpoint_format=checkpoint_format(config),
        sources=tuple(sources),
        notes=tuple(notes),
        defaulted=fields.defaulted,
        peft_module_names=decoder.renamed,
        peft_refused=decoder.refused,
        adaptable_extras=decoder.extras,
    )

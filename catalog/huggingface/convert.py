"""From a Hugging Face configuration to a `ModelSpec`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from catalog.huggingface.assemble import assemble
from catalog.huggingface.errors import ConfigError, shown
from catalog.huggingface.families import FAMILIES
from catalog.huggingface.fields import Fields
from catalog.huggingface.libraryfacts import type_facts
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

    `config` is the content of a `config.json`, or of its text part. ConfigError when it cannot be a decoder,
    MissingFieldsError (with all names) when it does not say enough.
    """
    model_type = _model_type(config)
    known = FAMILIES.get(model_type)
    facts = type_facts()[model_type] if known else UNKNOWN_TYPE
    fields = Fields(config, facts, strict=True)
    try:
        decoder = assemble(known or UNKNOWN, fields)
    except ConfigError:
        fields.raise_missing()
        raise
    return ModelSpec(
        id=id,
        name=name,
        hf_id=hf_id,
        family=family,
        licence=licence,
        model_type=model_type,
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
        sources=tuple(sources),
        notes=tuple(notes),
        defaulted=fields.defaulted,
        peft_module_names=decoder.renamed,
        adaptable_extras=decoder.extras,
    )


def _model_type(config: Mapping[str, object]) -> str:
    value = config.get("model_type", "")
    if not isinstance(value, str):
        raise ConfigError("{field} must be a text, not {value}.", field="model_type", value=shown(value))
    return value

"""Models of published records: from the catalogue, by the set's own table, or inline in the record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from catalog.evidence_rows import ModelRow
from catalog.huggingface import model_from_config
from engine.errors import PassformError
from engine.models import ModelSpec, Role


class UnmappableError(PassformError):
    """A record cannot be turned into a setup; the message says why."""


class EvidenceModels:
    """Finds a record's model; every configuration is converted once."""

    def __init__(self, catalogue: Mapping[str, ModelSpec], table: Mapping[str, ModelRow]) -> None:
        self._catalogue = catalogue
        self._table = table
        self._made: dict[tuple[str, bool, bool], ModelSpec] = {}

    def find(
        self,
        name: str,
        config: Mapping[str, object] | None,
        *,
        untied: bool = False,
        separate_experts: bool = False,
    ) -> ModelSpec:
        """The model of a record; UnmappableError when it is not known.

        `untied`: the framework holds the output layer apart from the embedding. `separate_experts`: the experts are
        linear layers of their own, as in the library's fourth major version; so are matrices of a special class.
        """
        key = (name if config is None else json.dumps(config, sort_keys=True, default=str), untied, separate_experts)
        if key not in self._made:
            model = self._plain(name, config)
            if untied and model.tied_embeddings:
                model = replace(model, tied_embeddings=False, head_parameters=model.embedding_parameters)
            self._made[key] = _with_separate_experts(model) if separate_experts else model
        return self._made[key]

    def _plain(self, name: str, config: Mapping[str, object] | None) -> ModelSpec:
        row = self._table.get(name)
        if config is None and row is not None:
            config = row.config
        if config is not None:
            return model_from_config(config, id=name or "inline", name=name or "inline")
        found = self._catalogue.get(name if row is None or row.id is None else row.id)
        if found is None:
            raise UnmappableError(
                "The model {model} is neither in the catalogue nor given by its configuration.", model=name
            )
        return found


def _with_separate_experts(model: ModelSpec) -> ModelSpec:
    blocks = tuple(
        replace(
            block,
            linears=tuple(
                replace(linear, fused_parameter=False) if linear.role is Role.EXPERT or linear.own_class else linear
                for linear in block.linears
            ),
        )
        for block in model.blocks
    )
    return replace(model, blocks=blocks)

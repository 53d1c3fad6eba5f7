"""The table of all model types Passform recognises."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from catalog.huggingface.classic import CLASSIC_FAMILIES
from catalog.huggingface.dense import DENSE_FAMILIES
from catalog.huggingface.gemma import GEMMA_FAMILIES
from catalog.huggingface.hybrid import HYBRID_FAMILIES
from catalog.huggingface.hyper import HYPER_FAMILIES
from catalog.huggingface.latent import LATENT_FAMILIES
from catalog.huggingface.parts import Family
from catalog.huggingface.sparse import SPARSE_FAMILIES

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        **DENSE_FAMILIES,
        **CLASSIC_FAMILIES,
        **GEMMA_FAMILIES,
        **SPARSE_FAMILIES,
        **LATENT_FAMILIES,
        **HYBRID_FAMILIES,
        **HYPER_FAMILIES,
    }
)

"""Finding a base model as you type: every word must occur in name, family, size or licence. No Qt."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.models import ModelSpec

SIZE_WORD = re.compile(r"(\d+(?:[.,]\d+)?)b")
SIZE_TOLERANCE = 0.06  # "70b" finds 70.6 billion


def find_models(models: Iterable[ModelSpec], query: str) -> list[ModelSpec]:
    """The models that match all words, best first: a name that starts with the query, then by name and size."""
    words = query.lower().split()
    found = [model for model in models if all(_matches(model, word) for word in words)]
    start = query.strip().lower()
    return sorted(found, key=lambda model: (not model.name.lower().startswith(start), model.family, model.parameters))


def _matches(model: ModelSpec, word: str) -> bool:
    text = f"{model.id} {model.name} {model.hf_id} {model.family} {model.licence} {model.model_type}".lower()
    if word in text:
        return True
    size = SIZE_WORD.fullmatch(word)
    if size is None:
        return False
    wanted = float(size[1].replace(",", ".")) * 1e9
    return abs(model.parameters - wanted) <= wanted * SIZE_TOLERANCE

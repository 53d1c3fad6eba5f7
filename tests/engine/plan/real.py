"""The real catalogue and tasks on its models."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import cache

from catalog.load import load_catalog
from engine.facts import Facts
from engine.methods import Recipe
from engine.workload import Workload


@cache
def facts() -> Facts:
    return load_catalog().facts


def task(name: str, model: str, recipe: Recipe, runs: int, million_tokens: int, **changes: int) -> Workload:
    """A workload at 2,048 tokens that runs so often a month."""
    plain = Workload(name, facts().models[model], recipe, 2048)
    return replace(plain, runs_per_month=Decimal(runs), tokens_per_run=million_tokens * 10**6, **changes)

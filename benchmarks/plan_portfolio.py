"""Seconds of a recommendation for ten workloads against the whole catalogue: first time, and after a change.

Run as `python -m benchmarks.plan_portfolio`. The processor's own time is taken, so other programs do not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from statistics import median

from catalog.load import load_catalog
from engine.facts import Facts
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.workload import Place, Priority, Scenario, Site, Workload

MODELS = ("llama-3.1-8b", "qwen3-32b", "llama-3.3-70b", "qwen3-8b", "qwen2.5-32b")
REPEATS = 9


def portfolio(facts: Facts) -> Scenario:
    """LoRA and QLoRA on five models."""
    workloads = tuple(
        Workload(
            f"{method.value} {model}",
            facts.models[model],
            Recipe(method),
            2048 * (1 + index % 2),
            tokens_per_run=5_000_000,
            runs_per_month=Decimal(2),
        )
        for index, model in enumerate(MODELS)
        for method in (Method.LORA, Method.QLORA)
    )
    return Scenario(workloads, Site(Place.RACK), frozenset(), Priority.COST_PER_RUN, "EUR", date(2026, 11, 30))


def median_ms(prepare: Callable[[], tuple[Scenario, Facts]]) -> float:
    """Median processor time of one recommendation."""
    times = []
    for _ in range(REPEATS):
        scenario, facts = prepare()
        start = time.process_time()
        recommend(scenario, facts)
        times.append(time.process_time() - start)
    return median(times) * 1000


def main() -> None:
    """Print both medians."""
    facts = load_catalog().facts
    scenario = portfolio(facts)
    first = median_ms(lambda: (scenario, replace(facts)))  # a copy of the facts has nothing kept for it
    recommend(scenario, facts)
    places = iter(range(1000, 1000 + REPEATS))
    again = median_ms(lambda: (replace(scenario, site=Site(Place.RACK, circuit_watts=6000 + next(places))), facts))
    print(f"first time {first:.0f} ms, after a change {again:.0f} ms")


if __name__ == "__main__":
    main()

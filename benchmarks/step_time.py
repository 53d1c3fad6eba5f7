"""How long one call of `step_time` takes: the planner makes thousands of them while the user types.

python -m benchmarks.step_time
"""

from __future__ import annotations

import statistics
import sys
import time
import timeit

from catalog.load import load_catalog
from engine.hardware import Bridging
from engine.memory.states import trained_parameters
from engine.memory.types import TrainingSetup
from engine.methods import Layout, Method, Recipe, Sharding
from engine.speed.links import link_between
from engine.speed.step import step_time
from engine.speed.types import SpeedSetup

LIMIT_US = 50
CALLS, ROUNDS = 2_000, 9


def main() -> None:
    """Time a sharded 70B LoRA; exit 1 above the limit."""
    facts = load_catalog().facts
    model, card = facts.models["llama-3.3-70b"], facts.cards["h200_nvl"]
    recipe = Recipe(Method.LORA)
    training = TrainingSetup(model, recipe, 4096, 1, Layout(2, Sharding.FSDP))
    link = link_between(card, None, 2, Bridging(size=2, count=1, islands=1), facts.speed)
    setup = SpeedSetup(training, card, trained_parameters(model, recipe), link)
    rounds = timeit.repeat(lambda: step_time(setup, facts.speed), timer=time.process_time, number=CALLS, repeat=ROUNDS)
    median_us = statistics.median(rounds) / CALLS * 1e6
    print(f"step_time: {median_us:.1f} microseconds of processor time (median of {ROUNDS} rounds), limit {LIMIT_US}")
    if median_us > LIMIT_US:
        sys.exit(1)


if __name__ == "__main__":
    main()

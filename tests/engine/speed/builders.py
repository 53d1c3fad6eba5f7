"""Setups of the speed tests, on the catalogue's own cards and machines."""

from __future__ import annotations

from dataclasses import dataclass

from engine.adapters import adapter_parameters
from engine.facts import Facts
from engine.hardware import Bridging
from engine.memory.types import TrainingSetup
from engine.methods import Layout, Method, Recipe, Sharding
from engine.speed.links import host_factor, link_between
from engine.speed.step import step_time
from engine.speed.types import SpeedSetup, StackClass, StepTime

LLAMA_70B = "llama-3.3-70b"
LLAMA_8B = "llama-3.1-8b"
WORKSTATION = "rtx_pro_6000_blackwell_ws"
MAX_Q = "rtx_pro_6000_blackwell_maxq"
SERVER = "rtx_pro_6000_blackwell_se"
H200_NVL = "h200_nvl"
TWO_WAY_BRIDGE = Bridging(size=2, count=1, islands=1)


@dataclass(frozen=True, slots=True)
class Case:
    """What a test varies."""

    model: str
    card: str
    method: Method = Method.LORA
    tokens: int = 2048
    micro_batch: int = 2
    cards: int = 1
    sharding: Sharding = Sharding.NONE
    system: str | None = None
    bridging: Bridging | None = None
    cap_w: int | None = None
    stack: StackClass = StackClass.TUNED_PYTORCH


def setup_of(case: Case, facts: Facts, recipe: Recipe | None = None) -> SpeedSetup:
    """The engine's setup of a case."""
    model, card = facts.models[case.model], facts.cards[case.card]
    system = facts.systems[case.system] if case.system else None
    recipe = recipe or Recipe(case.method)
    layout = Layout(case.cards, case.sharding)
    trained = (
        model.parameters if recipe.method is Method.FULL else adapter_parameters(model, recipe.rank, recipe.targets)
    )
    return SpeedSetup(
        TrainingSetup(model, recipe, case.tokens, case.micro_batch, layout),
        card,
        trained,
        link_between(card, system, case.cards, case.bridging, facts.speed),
        stack=case.stack,
        power_cap_w=case.cap_w,
        host_factor=host_factor(system, card, layout, facts.speed),
    )


def step_of(case: Case, facts: Facts, recipe: Recipe | None = None) -> StepTime:
    """The step of a case that must have one."""
    step = step_time(setup_of(case, facts, recipe), facts.speed)
    assert step is not None
    return step

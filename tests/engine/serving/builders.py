"""Setups of the serving tests, on the catalogue's own models and cards."""

from __future__ import annotations

from engine.facts import Facts
from engine.plan.types import ServingPlacement
from engine.serving.machine import serving_card
from engine.serving.memory import ServeMemory, serve_memory
from engine.serving.place import ServingHost, serve_on
from engine.serving.speed import ServeSpeed, serve_speed
from engine.serving.types import (
    ONE_CARD,
    CacheFormat,
    EngineSettings,
    Lengths,
    LoadKind,
    ServeLayout,
    ServeLimits,
    ServeLoad,
    ServeSetup,
    ServingEngine,
    WeightFormat,
)
from engine.workload import ServingWorkload

NO_LIMITS, DEFAULTS = ServeLimits(), EngineSettings()
CHAT = Lengths(1000, 4000, 500, 1000)
SERVER = "rtx_pro_6000_blackwell_se"
WORKSTATION = "rtx_pro_6000_blackwell_ws"
H200_NVL = "h200_nvl"


def setup_of(
    facts: Facts,
    model: str = "llama-3.1-8b",
    *,
    users: int = 8,
    lengths: Lengths = CHAT,
    load: ServeLoad | None = None,
    weights: WeightFormat = WeightFormat.BF16,
    cache: CacheFormat = CacheFormat.BF16,
    engine: ServingEngine = ServingEngine.VLLM,
    limits: ServeLimits = NO_LIMITS,
    adapters: int = 0,
    settings: EngineSettings = DEFAULTS,
) -> ServeSetup:
    return ServeSetup(
        facts.models[model],
        lengths,
        load or ServeLoad(LoadKind.USERS, users=users),
        weights,
        cache,
        engine,
        limits,
        adapters,
        settings=settings,
    )


def memory_of(facts: Facts, setup: ServeSetup, card: str = SERVER, layout: ServeLayout = ONE_CARD) -> ServeMemory:
    return serve_memory(setup, serving_card(facts.cards[card], bridged=True), facts.serving, layout)


def speed_of(
    facts: Facts,
    setup: ServeSetup,
    card: str = SERVER,
    layout: ServeLayout = ONE_CARD,
    users: float | None = None,
    *,
    bridged: bool = True,
) -> ServeSpeed | None:
    seen = serving_card(facts.cards[card], bridged=bridged)
    return serve_speed(setup, seen, serve_memory(setup, seen, facts.serving, layout), facts.serving, layout, users)


def placed(
    facts: Facts,
    setup: ServeSetup,
    card: str = SERVER,
    cards: int = 1,
    bridge: int | None = None,
    headroom: float = 0.15,
) -> ServingPlacement:
    return serve_on(
        ServingWorkload("served", setup), ServingHost(facts.cards[card], cards, bridge), headroom, facts.serving
    )

"""What the customer wants to do, and where."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from engine.cost.types import OwnershipAnswers
from engine.methods import Recipe
from engine.models import ModelSpec
from engine.serving.types import ServeSetup
from engine.speed.types import OwnRun, StackClass
from engine.units import Money


class Priority(StrEnum):
    """What decides between plans that fit."""

    PURCHASE_PRICE = "purchase_price"
    COST_PER_RUN = "cost_per_run"
    TIME = "time"


class Place(StrEnum):
    """Where the machine will stand."""

    DESK = "desk"
    RACK = "rack"
    DATA_CENTRE = "data_centre"


class MustHave(StrEnum):
    """Features without which a card is out."""

    NVLINK = "nvlink"
    MIG = "mig"
    VGPU = "vgpu"
    ECC = "ecc"
    FP8 = "fp8"
    NVFP4 = "nvfp4"


@dataclass(frozen=True, slots=True)
class Workload:
    """One row of the consultation: a model fine-tuned by a method at a sequence length, again and again."""

    name: str
    model: ModelSpec
    recipe: Recipe
    sequence_length: int
    micro_batch: int | None = None  # None: the planner chooses
    tokens_per_run: int = 20_000_000
    runs_per_month: Decimal = Decimal(4)
    runs_at_once: int = 1
    deadline_h: float | None = None  # hours in which one run must be done, checked at the slow end of the band
    sequences_per_step: int = 16  # of all cards per optimiser step, where the planner chooses micro-batch; assumption


class ServingSharing(StrEnum):
    """How a served model shares the machine with training."""

    AUTO = "auto"  # the planner chooses
    TIME = "time"  # training has the hours in which nothing is served
    CARDS = "cards"  # cards of its own
    MIG = "mig"  # instances of its own


@dataclass(frozen=True, slots=True)
class ServingWorkload:
    """One row of the consultation: a model that is served, beside what is trained."""

    name: str
    setup: ServeSetup
    service_h_per_day: float = 24.0  # hours a day it must be there; a nightly job takes its own hours
    days_per_month: float = 30.4  # 365 / 12
    utilisation: float = 0.3  # share of the service hours in which the planned users are at work; assumption
    sharing: ServingSharing = ServingSharing.AUTO
    api_price: Money | None = None  # an inference API's net price per million output tokens, as the customer has it
    api_price_as_of: str = ""  # ISO date of that price


@dataclass(frozen=True, slots=True)
class Site:
    """The place and its limits. `None` means not limited or not known."""

    place: Place
    circuit_watts: int | None = None  # sustained power of one circuit
    cooling_watts: int | None = None  # heat the room can carry away
    noise_limit_db_a: int | None = None
    free_rack_units: int | None = None
    slots: int | None = None  # free double-width slots when a machine exists already


@dataclass(frozen=True, slots=True)
class Scenario:
    """Everything the engine needs to recommend a system."""

    workloads: tuple[Workload, ...]
    site: Site
    must_have: frozenset[MustHave]
    priority: Priority
    currency: str
    as_of: date
    horizon_years: int = 3
    budget: Money | None = None
    headroom: float = 0.15  # added to the expected need; the buyer's guide of 2026 says 15 to 30 %
    price_overrides: dict[str, Money] = field(default_factory=dict)  # catalogue id -> net price
    stack: StackClass | None = None  # the customer's training software; None: tuned PyTorch is assumed, and said
    ownership: OwnershipAnswers = field(default_factory=OwnershipAnswers)  # running cost, own weights, API prices
    serving: tuple[ServingWorkload, ...] = ()
    calibrations: tuple[OwnRun, ...] = ()  # the customer's own test runs

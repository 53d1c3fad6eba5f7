"""What the planner returns. Screen, command line and paper all show these and compute nothing."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from engine.fit import Verdict
from engine.hardware import Bridging, Card, MigProfile, System
from engine.memory.types import MemoryEstimate
from engine.methods import Layout
from engine.prices import GuidePrice, PriceBasis
from engine.reasons import Reason
from engine.serving.memory import ServeMemory
from engine.serving.speed import ServeSpeed
from engine.serving.types import ServeLayout
from engine.speed.types import StepTime
from engine.units import FloatBand, Money, MoneyBand
from engine.workload import Scenario, ServingSharing, ServingWorkload, Workload


class PositionKind(StrEnum):
    """What a priced position is."""

    CARD = "card"
    SYSTEM = "system"
    BRIDGE = "bridge"
    ACCESSORY = "accessory"
    SOFTWARE = "software"


@dataclass(frozen=True, slots=True)
class Position:
    """A line of the bill of materials."""

    kind: PositionKind
    item_id: str
    name: str
    quantity: int
    unit: GuidePrice


@dataclass(frozen=True, slots=True)
class PlanPrice:
    """The plan's price, net. `priced` sums the positions that have a price; `gaps` names the others."""

    positions: tuple[Position, ...]
    priced: Money
    gaps: tuple[str, ...]  # item ids on request
    basis: PriceBasis  # the weakest basis among the positions; ON_REQUEST when there is a gap
    ranking: Decimal  # priced plus stand-ins, for ordering only


@dataclass(frozen=True, slots=True)
class Placement:
    """One workload on one plan."""

    workload: Workload
    layout: Layout
    micro_batch: int
    estimate: MemoryEstimate
    capacity_bytes: int  # of the card or of the MIG instance
    verdict: Verdict
    free_bytes: int  # capacity minus expected need; negative when it does not fit
    mig: MigProfile | None  # set when each run lives in an instance
    runs_in_parallel: int  # of this workload, on all cards of the plan
    step: StepTime | None  # None when the card has no published rate: stated, not invented
    tokens_per_second: FloatBand | None  # per run
    hours_per_run: FloatBand | None
    cost_per_run: MoneyBand | None
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class ServingPlacement:
    """One served model on one plan."""

    workload: ServingWorkload
    layout: ServeLayout
    cards: int  # of the plan, occupied while serving; a MIG share counts the cards its instances are on
    mig: MigProfile | None
    memory: ServeMemory
    speed: ServeSpeed | None  # None where no figure can be stood behind
    users: float | None  # requests in flight at the planned load; None for a nightly job
    free_bytes: int  # of the fullest card's cache at the planned load and mean lengths
    verdict: Verdict
    sharing: ServingSharing | None  # how it shares with training; None: it has the machine alone
    hours_per_month: FloatBand  # in which its cards are taken
    tokens_per_month: FloatBand | None  # output tokens, at the stated utilisation
    night_h: FloatBand | None  # of a nightly job
    cost_per_million_tokens: MoneyBand | None
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A machine with cards that carries every workload of the scenario."""

    card: Card
    cards: int
    system: System
    power_cap_w: int | None
    bridging: Bridging | None
    placements: tuple[Placement, ...]
    verdict: Verdict  # the worst of the placements
    free_bytes: int  # the least of the placements
    price: PlanPrice
    power_w: int  # machine and cards under load
    monthly_hours: FloatBand | None  # until the month's last run is done, failed runs included
    monthly_utilisation: FloatBand | None  # share of the month the cards are busy
    cost_per_month: Money | None  # ownership over the horizon, per month
    reasons: tuple[Reason, ...]  # why it stands where it stands, and remarks
    serving: tuple[ServingPlacement, ...] = ()
    would_fit: tuple[Reason, ...] = ()  # of a tight plan: what would restore the headroom, see `engine.plan.nearly`

    @property
    def id(self) -> str:
        """Stable name: card, count, system."""
        return f"{self.cards}x{self.card.id}@{self.system.id}"


@dataclass(frozen=True, slots=True)
class Rejection:
    """A candidate that is out, with the reason. Nothing is dropped silently."""

    card: Card
    cards: int
    system: System | None
    reasons: tuple[Reason, ...]
    placements: tuple[Placement, ...] = ()  # when it was sized before it was rejected
    serving: tuple[ServingPlacement, ...] = ()  # when what is served was placed before it was rejected
    would_fit: tuple[Reason, ...] = ()  # of a near miss by memory: what would make it fit, see `engine.plan.nearly`


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The planner's answer."""

    scenario: Scenario
    chosen: Plan | None
    alternatives: tuple[Plan, ...]  # the best of the other cards, in order
    ranked: tuple[Plan, ...]  # every plan that fits, in order, chosen first
    rejected: tuple[Rejection, ...]
    separate: tuple[Plan, Plan] | None = None  # the best machine for training alone and for serving alone
    beyond: tuple[Reason, ...] = ()  # where tasks lead that no one machine holds, see `engine.plan.beyond`

"""Which rented cards hold a consultation's workloads, and how fast: the planner's own sizing and timing decide."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from engine.cost.offers import RentalMatch, SpeedBasis
from engine.cost.rent import LeftOutCode
from engine.cost.types import CostAssumptions, RentalOffer
from engine.facts import Facts
from engine.figures import Source
from engine.hardware import Card, System, SystemKind
from engine.plan import card_rules
from engine.plan.candidates import Candidate
from engine.plan.load import MONTH_H, month_load
from engine.plan.placement import Placer
from engine.plan.types import Plan
from engine.reasons import ReasonCode
from engine.units import FloatBand
from engine.workload import Place, Scenario, Site

COUNTS = (1, 2, 4, 8)  # cards tried when the source names no shape
RENTED_SOURCE = Source("rented", "Machine of a rental provider", "", "not recorded")
STILL_RENTED = frozenset({ReasonCode.END_OF_LIFE})
"""Objections to buying a card that do not speak against renting it."""


def rented_machine(card: Card, cards: int) -> System:
    """A provider's machine of which only the cards are known: no listing, no limits, no measured host."""
    return System(
        id=f"rented-{cards}x{card.id}",
        name=f"{cards} x {card.short_name}",
        vendor="",
        kind=SystemKind.SERVER,
        built_to_order=False,
        rack_units=None,
        slots=None,
        options=(),
        fixed_cards=False,
        host_memory_max_gb=None,
        psu_watts_usable=None,
        psu_rules=(),
        base_power_w=None,
        noise_db_a=None,
        topology=None,
        pcie_peer_gb_per_s=None,
        details={},
        source=RENTED_SOURCE,
    )


@dataclass(frozen=True, slots=True)
class RentedLoad:
    """The month's work on rented machines: hours until the last run is done, all cards being paid for."""

    cards: int  # of all machines
    machines: int
    hours_per_month: float
    fast_share: float  # of these hours at the fast end of the step time
    slow_share: float


class Equivalents:
    """Matches offers to the work of one scenario. Results are kept; not shared between threads."""

    def __init__(self, scenario: Scenario, facts: Facts, plan: Plan | None, assumptions: CostAssumptions) -> None:
        elsewhere = Site(place=Place.DATA_CENTRE)
        self._scenario = replace(scenario, site=elsewhere)
        self._facts = facts
        self._plan = plan
        self._assumptions = assumptions
        self._placer = Placer(self._scenario, facts)
        self._known: dict[tuple[str, int], RentedLoad | str] = {}
        self._own_hours = None if plan is None else busy_hours_per_month(plan)

    def reference_hours(self, offers: tuple[RentalOffer, ...]) -> float | None:
        """Hours per month the speeds are relative to: the plan's, or without one the quickest rented machine's."""
        if self._own_hours is None and self._plan is None and not self._scenario.serving:
            loads = [self._cheapest(offer) for offer in offers if not offer.superseded]
            self._own_hours = min(
                (load.hours_per_month for load in loads if isinstance(load, RentedLoad)), default=None
            )
        return self._own_hours

    def match(self, offer: RentalOffer) -> RentalMatch | str:
        """How the offer holds all workloads, or the code of why not.

        A served model is compared on its own card alone: there the same hours do the same work.
        """
        if self._scenario.serving:
            return self._same_machine(offer)
        load = self._cheapest(offer)
        if isinstance(load, str):
            return load
        proven = all(card_rules.may_share_a_run(self._facts.cards[card_id]) for card_id in offer.card_ids)
        # Without work there is no ratio of times either; the price per hour can still be shown.
        if self._is_the_plan(offer, load.cards) or not load.hours_per_month:
            return RentalMatch(load.cards, FloatBand(1.0, 1.0, 1.0), SpeedBasis.SAME_CARD, proven, load.machines)
        if self._own_hours is None:
            return LeftOutCode.NO_SPEED
        ratio = self._own_hours / load.hours_per_month
        if self._plan is None:
            # Nothing of one's own to be relative to: the whole uncertainty of the step time counts.
            speed = FloatBand(ratio / load.slow_share, ratio, ratio / load.fast_share)
        else:
            band = float(self._assumptions.speed_ratio_band)
            speed = FloatBand(ratio / band, ratio, ratio * band)
        return RentalMatch(load.cards, speed, SpeedBasis.MODELLED, proven, load.machines)

    def _same_machine(self, offer: RentalOffer) -> RentalMatch | str:
        """The plan's own edition at the plan's count; a power cap of the owned cards is not credited to the rent."""
        plan = self._plan
        if plan is None:
            return LeftOutCode.NO_SPEED
        if offer.card_ids != (plan.card.id,):
            return LeftOutCode.SERVES_ON_OWN_CARD
        proven = card_rules.may_share_a_run(plan.card)
        return RentalMatch(plan.cards, FloatBand(1.0, 1.0, 1.0), SpeedBasis.SAME_CARD, proven, 1)

    def _is_the_plan(self, offer: RentalOffer, cards: int) -> bool:
        plan = self._plan
        return (
            plan is not None and offer.card_ids == (plan.card.id,) and cards == plan.cards and plan.power_cap_w is None
        )

    def _cheapest(self, offer: RentalOffer) -> RentedLoad | str:
        """The card count with the fewest card-hours."""
        if not offer.card_ids or any(card_id not in self._facts.cards for card_id in offer.card_ids):
            return LeftOutCode.UNKNOWN_CARD
        counts = COUNTS if offer.cards is None else (offer.cards,)
        loads: list[RentedLoad] = []
        refusals: list[str] = []
        for cards in counts:
            slowest = self._slowest(offer, cards)
            if isinstance(slowest, str):
                refusals.append(slowest)
            else:
                loads.append(slowest)
        if not loads:
            return refusals[-1]
        return min(loads, key=lambda load: (load.cards * load.hours_per_month, load.cards))

    def _slowest(self, offer: RentalOffer, cards: int) -> RentedLoad | str:
        """Where the card may be one of several, all must hold the job and the slowest counts."""
        loads = [self._load(self._facts.cards[card_id], cards) for card_id in offer.card_ids]
        refused = next((load for load in loads if isinstance(load, str)), None)
        if refused is not None:
            return refused
        return max((load for load in loads if isinstance(load, RentedLoad)), key=lambda load: load.hours_per_month)

    def _load(self, card: Card, cards: int) -> RentedLoad | str:
        key = (card.id, cards)
        if key not in self._known:
            self._known[key] = self._place(card, cards)
        return self._known[key]

    def _place(self, card: Card, cards: int) -> RentedLoad | str:
        objections = [item for item in card_rules.objections(card, self._scenario) if item.code not in STILL_RENTED]
        if objections:
            return objections[0].code.value
        machine = rented_machine(card, cards)
        placed = self._placer.place(Candidate(card, cards, machine, None, 0, None, ()))
        if placed.objections:
            return placed.objections[0].code.value
        if placed.loads is None:
            return LeftOutCode.NO_SPEED
        longest_run_h = max(load.hours.expected for load in placed.loads)
        if longest_run_h > MONTH_H:
            return LeftOutCode.TOO_SLOW
        done = month_load(placed.loads, cards).done_h
        done_h = done.expected
        # Runs are independent of each other: several rented machines share them, each for a part of the month.
        machines = max(ceil(done_h / MONTH_H), 1)
        hours = done_h if machines == 1 else max(done_h / machines, longest_run_h)
        fast, slow = (done.low / done_h, done.high / done_h) if done_h else (1.0, 1.0)
        return RentedLoad(cards * machines, machines, hours, fast, slow)


def busy_hours_per_month(plan: Plan) -> float | None:
    """Expected hours per month in which all cards of the plan would be busy; None without a step time."""
    if plan.monthly_utilisation is None:
        return None
    return plan.monthly_utilisation.expected * MONTH_H

"""Every card edition in every machine in every count: what may be planned with, and why the rest may not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.facts import Facts
from engine.hardware import Bridging, Card, CardOption, System
from engine.plan import card_rules, site_rules
from engine.plan.bridges import bridge_objection, bridging_for, island_remark
from engine.plan.host import minimum_remarks, shared_memory_remark
from engine.plan.memo import Key, Shelf, shelf_for
from engine.plan.misses import distance
from engine.plan.power import plan_power, unchecked_power
from engine.plan.types import Rejection
from engine.reasons import Reason, ReasonCode, reason
from engine.workload import MustHave, Scenario

LARGEST_COUNT = 8  # cards of one machine that a plan considers; more is a cluster


@dataclass(frozen=True, slots=True)
class Candidate:
    """Cards in a machine that the place admits. Nothing has been sized yet."""

    card: Card
    cards: int
    system: System
    power_cap_w: int | None
    power_w: int  # machine and cards under load
    bridging: Bridging | None
    remarks: tuple[Reason, ...]

    @property
    def key(self) -> Key:
        """Equal for the same cards, set and joined alike, in the same machine; remarks aside."""
        size = 0 if self.bridging is None else self.bridging.size
        return self.card.id, self.cards, self.system.id, self.power_cap_w, size


@dataclass(frozen=True, slots=True)
class Catalogued:
    """A card and a machine, with what about them depends on no scenario."""

    card: Card
    system: System
    options: tuple[CardOption, ...]
    counts: tuple[int, ...]  # empty: the pair is never planned
    refused: Rejection | None  # why it never is
    beyond: Rejection | None  # the first count that is not listed


@dataclass(frozen=True, slots=True)
class Field:
    """All candidates and all that were turned away before sizing."""

    candidates: tuple[Candidate, ...]
    rejected: tuple[Rejection, ...]  # nearest first


def enumerate_candidates(scenario: Scenario, facts: Facts) -> Field:
    """Walk the catalogue in the order of its ids. Every pair of card and machine ends up on one side or the other."""
    shelf = shelf_for(facts)
    asked = tuple((work.name, work.recipe.method, work.recipe.optimizer) for work in scenario.workloads)
    return shelf.fields.get((scenario.site, scenario.must_have, asked), lambda: _enumerated(scenario, shelf))


def _enumerated(scenario: Scenario, shelf: Shelf) -> Field:
    candidates: list[Candidate] = []
    rejected: list[Rejection] = []
    facts = shelf.facts
    against = {system.id: site_rules.machine_objections(system, scenario.site) for system in facts.systems.values()}
    for card, pairs in _catalogued(shelf):
        objections = card_rules.objections(card, scenario)
        if objections:
            rejected.append(Rejection(card, 1, None, objections))
            continue
        if not pairs:
            rejected.append(Rejection(card, 1, None, (reason(ReasonCode.NO_SYSTEM, card=card.id),)))
            continue
        for pair in pairs:
            if pair.refused is not None:
                rejected.append(pair.refused)
                continue
            for item in _in_machine(pair, against[pair.system.id], scenario, facts):
                if isinstance(item, Candidate):
                    candidates.append(item)
                else:
                    rejected.append(item)
    return Field(tuple(candidates), tuple(sorted(rejected, key=distance)))


def _catalogued(shelf: Shelf) -> tuple[tuple[Card, tuple[Catalogued, ...]], ...]:
    """Every card with every machine, in the order of their ids; no machine where none is listed for the card."""
    if not shelf.catalogued:
        facts = shelf.facts
        systems = sorted(facts.systems.values(), key=lambda system: system.id)
        found = []
        for card in sorted(facts.cards.values(), key=lambda card: card.id):
            listed = any(system.options_for(card.id) for system in systems)
            found.append((card, tuple([_pair(card, system) for system in systems]) if listed else ()))
        shelf.catalogued.append(tuple(found))
    return shelf.catalogued[0]


def _pair(card: Card, system: System) -> Catalogued:
    options = system.options_for(card.id)
    if not options:
        unlisted = reason(ReasonCode.NOT_LISTED, card=card.id, system=system.id)
        return Catalogued(card, system, (), (), Rejection(card, 1, system, (unlisted,)), None)
    if system.fixed_cards and any(option.max_cards is None for option in options):
        missing = reason(ReasonCode.MISSING_FIGURE, card=card.id, system=system.id, figure="max_cards")
        return Catalogued(card, system, options, (), Rejection(card, 1, system, (missing,)), None)
    counts = listed_counts(system, options)
    beyond = None
    most = max(counts)
    if most < LARGEST_COUNT and not system.fixed_cards:
        unlisted = reason(
            ReasonCode.COUNT_NOT_LISTED, card=card.id, system=system.id, limit_cards=most, need_cards=most + 1
        )
        beyond = Rejection(card, most + 1, system, (unlisted,))
    return Catalogued(card, system, options, counts, None, beyond)


def _in_machine(
    pair: Catalogued, objections: tuple[Reason, ...], scenario: Scenario, facts: Facts
) -> Iterator[Candidate | Rejection]:
    """Every listed count of the pair; `objections` are those of the place against the machine."""
    if objections:
        yield Rejection(pair.card, min(pair.counts), pair.system, objections)
        return
    for cards in pair.counts:
        option = _best_option(pair.card, pair.options, cards)
        yield _judged(pair.card, option, pair.system, cards, scenario, facts)
    if pair.beyond is not None:
        yield pair.beyond


def listed_counts(system: System, options: tuple[CardOption, ...]) -> tuple[int, ...]:
    """Card counts the machine is listed for, up to eight; a card named without a count counts as one.

    A machine that is sold fully populated has the one count it is sold with.
    """
    if system.fixed_cards:
        return tuple(sorted({option.max_cards or 1 for option in options}))
    counts: set[int] = set()
    for option in options:
        most = min(option.max_cards or max(option.min_cards, 1), LARGEST_COUNT)
        counts.update(range(max(option.min_cards, 1), most + 1))
    return tuple(sorted(counts))


def _best_option(card: Card, options: tuple[CardOption, ...], cards: int) -> CardOption:
    """The listing that lets this many cards draw most."""
    listing = [option for option in options if (option.max_cards or 1) >= cards]
    return max(listing, key=lambda option: option.power_cap_w or card.power_w.value)


def _judged(
    card: Card, option: CardOption, system: System, cards: int, scenario: Scenario, facts: Facts
) -> Candidate | Rejection:
    objections = list(site_rules.count_objections(card, system, cards, scenario.site, facts))
    if MustHave.NVLINK in scenario.must_have:
        unbridged = bridge_objection(card, option, system, cards)
        if unbridged is not None:
            objections.append(unbridged)
    power = plan_power(card, option, system, cards, scenario.site, facts)
    objections += power.objections
    if objections:
        return Rejection(card, cards, system, tuple(objections))
    bridging = bridging_for(card, option, cards)
    remarks = [*_cap_remark(card, system, power.cap_w), *island_remark(bridging)]
    if cards > 1 and not card_rules.may_share_a_run(card):
        remarks.append(reason(ReasonCode.NO_MULTI_CARD_EVIDENCE, card=card.id))
    if system.built_to_order:
        remarks.append(reason(ReasonCode.ASSUMED_SYSTEM, system=system.id))
    remarks += minimum_remarks(card, system, cards, facts)
    remarks += shared_memory_remark(system, card)
    remarks += site_rules.unchecked_limits(system, scenario.site)
    remarks += unchecked_power(system, scenario.site, facts)
    return Candidate(card, cards, system, power.cap_w, power.total_w, bridging, tuple(remarks))


def _cap_remark(card: Card, system: System, cap_w: int | None) -> tuple[Reason, ...]:
    if cap_w is None:
        return ()
    return (reason(ReasonCode.POWER_CAPPED, card=card.id, system=system.id, cap_w=cap_w, card_w=card.power_w.value),)

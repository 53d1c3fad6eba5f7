"""The comparison as rows and columns of plain values with their provenance: one table for screen, paper and export."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum

from engine.editions import EditionRange
from engine.facts import Facts
from engine.figures import Figure
from engine.fit import CARRIED, SAFEST_FIRST, Verdict
from engine.glance import nearest_rejection
from engine.hardware import Card, System
from engine.plan.types import Placement, Plan, Recommendation, Rejection, ServingPlacement
from engine.prices import GuidePrice
from engine.ruled_out import RuledOut, ruled_out
from engine.serving.editions import ServedPair, served_ranges, unserved_editions
from engine.speed.editions import TrainedPair, trained_ranges
from engine.units import ByteBand, FloatBand, Money, MoneyBand
from engine.workload import Workload

RULED_OUT = "ruled-out"
"""The note of a cell that speaks of a card that is out: only its memory was examined."""

Value = int | float | Decimal | str | bool | Money | FloatBand | MoneyBand | ByteBand | tuple[str, ...]


class Unit(StrEnum):
    """What a row's numbers are counted in; `engine.wording` formats them."""

    NONE = ""  # words, flags, counts
    BYTES = "bytes"
    GIGABYTES = "GB"
    GB_PER_S = "GB/s"
    TFLOPS = "TFLOPS"
    WATTS = "W"
    DECIBEL_A = "dB(A)"
    RACK_UNITS = "U"
    SECONDS = "s"
    HOURS = "h"
    TOKENS_PER_S = "tokens/s"
    SHARE = "share"  # 0 to 1
    MONEY = "money"


class Better(StrEnum):
    """Which end of a row is better for the buyer; NEITHER where taste or site decides."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


class Gap(StrEnum):
    """Why a cell has no value."""

    NOT_PUBLISHED = "not-published"  # no sourced figure was found
    NOT_APPLICABLE = "not-applicable"
    ON_REQUEST = "on-request"
    NOT_SIZED = "not-sized"  # the workload was not sized on this candidate


@dataclass(frozen=True, slots=True)
class Cell:
    """A value or the reason for its absence, and the facts behind it."""

    value: Value | None
    gap: Gap | None = None
    figures: tuple[Figure[object], ...] = ()
    note: str = ""  # a machine-readable remark, e.g. the basis of a price
    best: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One property of all columns. `subject` names what the row is about where the key alone does not (a workload)."""

    key: str
    group: str
    unit: Unit
    better: Better
    cells: tuple[Cell, ...]
    differs: bool
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """One thing that is compared."""

    id: str
    name: str
    short_name: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Columns of one kind (cards, machines, plans) and their rows in order."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    served: tuple[EditionRange[ServedPair], ...] = ()  # measured of the cards beside other editions, while serving
    unserved: tuple[str, ...] = ()  # editions side by side here that nobody measured beside another while serving
    trained: tuple[EditionRange[TrainedPair], ...] = ()  # measured beside other editions while training
    names: Mapping[str, str] = field(default_factory=dict)  # short names of all cards, whom these may speak of
    ruled_out: tuple[RuledOut, ...] = ()  # cards that were turned away before they were sized

    @property
    def groups(self) -> tuple[str, ...]:
        """Groups in the order of their first row."""
        return tuple(dict.fromkeys(row.group for row in self.rows))


def known(figure: Figure[Value] | None) -> Cell:
    """The cell of a figure, or the statement that none was found."""
    if figure is None:
        return Cell(None, Gap.NOT_PUBLISHED)
    return Cell(figure.value, figures=(figure,))


def build_row(
    key: str,
    group: str,
    unit: Unit,
    better: Better,
    cells: Sequence[Cell],
    subject: str = "",
    carried: Sequence[bool] | None = None,
) -> Row:
    """Mark the best cells and whether the row tells the columns apart.

    `carried` says which columns carry the workload the row is about: where one does not, nothing is best.
    """
    seen = {(repr(cell.value) if cell.gap is None else cell.gap.value, cell.note == RULED_OUT) for cell in cells}
    marked = _marked(cells, better, [True] * len(cells) if carried is None else carried)
    return Row(key, group, unit, better, marked, len(seen) > 1, subject)


def compare_cards(
    cards: Sequence[Card],
    prices: Mapping[str, GuidePrice],
    facts: Facts,
    recommendation: Recommendation | None = None,
) -> Comparison:
    """Card editions side by side; with a recommendation also how its workloads sit on each of them."""
    ids = [card.id for card in cards]
    columns = tuple(Column(card.id, card.name, card.short_name) for card in cards)
    rows: list[Row] = []
    out: dict[str, RuledOut] = {}
    if recommendation is not None:
        found = [ruled_out(recommendation, card, facts) for card in cards]
        out = {item.card.id: item for item in found if item is not None}
        rows += _workload_rows(ids, recommendation, out)
        served = [out[card].serving if card in out else _served_on(recommendation, card) for card in ids]
        rows += _serving_rows(served, [card in out for card in ids])
    rows += [
        build_row(key, group, unit, better, [read(card) for card in cards])
        for key, group, unit, better, read in CARD_ROWS
    ]
    rows.append(build_row("price", "price", Unit.MONEY, Better.LOWER, [_price(prices.get(card.id)) for card in cards]))
    beside = served_ranges(facts, ids)
    return Comparison(
        columns=columns,
        rows=tuple(rows),
        served=beside,
        unserved=unserved_editions(facts, ids, beside),
        trained=trained_ranges(facts, ids),
        names={card.id: card.short_name for card in facts.cards.values()},
        ruled_out=tuple(out.values()),
    )


def compare_systems(systems: Sequence[System], prices: Mapping[str, GuidePrice]) -> Comparison:
    """Machines side by side."""
    columns = tuple(Column(system.id, system.name, system.name) for system in systems)
    rows = [
        build_row(key, group, unit, better, [read(system) for system in systems])
        for key, group, unit, better, read in SYSTEM_ROWS
    ]
    rows.append(
        build_row("price", "price", Unit.MONEY, Better.LOWER, [_price(prices.get(system.id)) for system in systems])
    )
    return Comparison(columns, tuple(rows))


def compare_plans(plans: Sequence[Plan]) -> Comparison:
    """Whole plans side by side: how every workload sits on them, then what they are and cost."""
    columns = tuple(
        Column(
            plan.id, f"{plan.cards} × {plan.card.name} · {plan.system.name}", f"{plan.cards} × {plan.card.short_name}"
        )
        for plan in plans
    )
    names = list(dict.fromkeys(item.workload.name for plan in plans for item in plan.placements))
    rows = [
        row
        for name in names
        for row in _placement_rows(
            [next((item for item in plan.placements if item.workload.name == name), None) for plan in plans],
            name,
            [False] * len(plans),
        )
    ]
    rows += _serving_rows([plan.serving for plan in plans], [False] * len(plans))
    rows += [
        build_row(key, group, unit, better, [read(plan) for plan in plans])
        for key, group, unit, better, read in PLAN_ROWS
    ]
    return Comparison(columns, tuple(rows))


def _best_plan(recommendation: Recommendation, card_id: str) -> Plan | None:
    """The best plan with one kind of card, as the recommendation ranks them; None when the card carries none."""
    return next((plan for plan in recommendation.ranked if plan.card.id == card_id), None)


def _served_on(recommendation: Recommendation, card_id: str) -> tuple[ServingPlacement, ...]:
    """What is served, by the best plan with one kind of card; without one by the rejection that speaks for it."""
    plan = _best_plan(recommendation, card_id)
    if plan is not None:
        return plan.serving
    rejection = nearest_rejection(recommendation, card_id)
    return () if rejection is None else rejection.serving


def _serving_rows(columns: Sequence[Sequence[ServingPlacement]], out: Sequence[bool]) -> list[Row]:
    """How every served model sits on the columns. Their ranges overlap, so no speed is marked as the best."""
    served = [{item.workload.name: item for item in column} for column in columns]
    rows = []
    for name in dict.fromkeys(name for entries in served for name in entries):
        items = [entries.get(name) for entries in served]
        for key, group, unit, better, read in SERVING_ROWS:
            cells = [
                _absent() if item is None else _meant(key, _serving_cell(read, item), alone=alone)
                for item, alone in zip(items, out, strict=True)
            ]
            rows.append(build_row(key, group, unit, better, cells, name, [not alone for alone in out]))
    return rows


def _serving_cell(read: Callable[[ServingPlacement], Cell], placement: ServingPlacement) -> Cell:
    """What does not fit answers nobody: beside its verdict it has no figures."""
    cell = read(placement)
    if placement.verdict is Verdict.NO and cell.value != placement.verdict.value:
        return Cell(None, Gap.NOT_APPLICABLE)
    return cell


def _serving_speed(placement: ServingPlacement) -> Cell:
    """Output tokens per second at the planned load, or of the full batch where no number of users is planned."""
    speed = placement.speed
    return _maybe(None if speed is None else (speed.planned or speed.full).tokens_per_s)


def _workload_rows(card_ids: Sequence[str], recommendation: Recommendation, out: Mapping[str, RuledOut]) -> list[Row]:
    """Per workload the plan that speaks for each card, and its memory and time there."""
    rows = []
    ruled = [card in out for card in card_ids]
    for workload in recommendation.scenario.workloads:
        nearest = [
            _held_by(out[card], workload) if card in out else nearest_placement(recommendation, card, workload.name)
            for card in card_ids
        ]
        planned = [
            _meant("cards_planned", _cards_planned(one), alone=alone) for one, alone in zip(nearest, ruled, strict=True)
        ]
        rows.append(build_row("cards_planned", "fits", Unit.NONE, Better.NEITHER, planned, workload.name))
        rows += _placement_rows([None if found is None else found[1] for found in nearest], workload.name, ruled)
    return rows


def _placement_rows(placements: Sequence[Placement | None], name: str, out: Sequence[bool]) -> list[Row]:
    """How a workload sits on every column."""
    carried = [_carries(item) and not alone for item, alone in zip(placements, out, strict=True)]
    rows = []
    for key, group, unit, better, read in PLACEMENT_ROWS:
        cells = [
            _absent() if item is None else _meant(key, read(item), alone=alone)
            for item, alone in zip(placements, out, strict=True)
        ]
        rows.append(build_row(key, group, unit, better, cells, name, carried))
    return rows


def _meant(key: str, cell: Cell, *, alone: bool) -> Cell:
    """Of a card that is ruled out only the memory is meant; where a plan would stand, the cell says that it is none."""
    if not alone:
        return cell
    if key not in _OF_MEMORY:
        return _absent()
    return replace(cell, note=RULED_OUT) if key in _OF_PLANS and cell.value is not None else cell


def _held_by(out: RuledOut, workload: Workload) -> tuple[int, Placement] | None:
    placement = out.placement(workload)
    return None if placement is None else (out.cards, placement)


def _carries(placement: Placement | None) -> bool:
    return placement is not None and placement.verdict in CARRIED


def _cards_planned(found: tuple[int, Placement] | None) -> Cell:
    """A count of cards that do not hold the workload is no plan."""
    if found is None:
        return _absent()
    cards, placement = found
    return Cell(None, Gap.NOT_APPLICABLE) if placement.verdict is Verdict.NO else Cell(cards)


def nearest_placement(recommendation: Recommendation, card_id: str, workload_name: str) -> tuple[int, Placement] | None:
    """How a workload sits on the best plan with one kind of card: what the paper recommends or names as alternative.

    Where no plan carries everything: the safest placement that was tried, on the fewest cards; where none may fit, the
    one that is least short. Returns the card count and the placement, or None when the card was rejected before sizing.
    """
    plan = _best_plan(recommendation, card_id)
    tried: Sequence[Plan | Rejection] = recommendation.rejected if plan is None else (plan,)
    sized = [
        (SAFEST_FIRST.index(item.verdict), _short_bytes(item), candidate.cards, index, item)
        for index, candidate in enumerate(tried)
        if candidate.card.id == card_id
        for item in candidate.placements
        if item.workload.name == workload_name
    ]
    if not sized:
        return None
    *_, cards, _, item = min(sized, key=lambda entry: entry[:4])
    return cards, item


def _short_bytes(placement: Placement) -> int:
    """What a placement that cannot fit lacks on each card; 0 where it may fit."""
    return -placement.free_bytes if placement.verdict is Verdict.NO else 0


def _absent() -> Cell:
    return Cell(None, Gap.NOT_SIZED)


def _maybe(value: Value | None) -> Cell:
    return Cell(None, Gap.NOT_PUBLISHED) if value is None else Cell(value)


def _price(price: GuidePrice | None) -> Cell:
    if price is None or price.net is None:
        return Cell(None, Gap.ON_REQUEST)
    return Cell(price.net, note=price.basis.value)


def _plan_price(plan: Plan) -> Cell:
    """A plan with a position on request has no price to compare: its sum would be too low."""
    if plan.price.gaps:
        return Cell(None, Gap.ON_REQUEST, note=plan.price.basis.value)
    return Cell(plan.price.priced, note=plan.price.basis.value)


def _nvlink_rate(card: Card) -> Cell:
    return Cell(None, Gap.NOT_APPLICABLE) if card.nvlink is None else known(card.nvlink.gb_per_s_per_direction)


def _nvlink_cards(card: Card) -> Cell:
    return Cell(None, Gap.NOT_APPLICABLE) if card.nvlink is None else Cell(card.nvlink.max_cards)


def _mig(card: Card) -> Cell:
    if not card.mig:
        return Cell(None, Gap.NOT_APPLICABLE)
    names = tuple(f"{profile.instances} × {profile.name}" for profile in card.mig)
    return Cell(names, figures=tuple(profile.figure for profile in card.mig))


def _formats(card: Card) -> Cell:
    flags = {"FP8": card.fp8, "MXFP8": card.mxfp8, "NVFP4": card.nvfp4}
    if all(flag is None for flag in flags.values()):
        return Cell(None, Gap.NOT_PUBLISHED)
    return Cell(tuple(name for name, flag in flags.items() if flag))


def _vgpu(card: Card) -> Cell:
    figures = () if card.vgpu is None else (card.vgpu,)
    if card.supports_vgpu is None:
        return Cell(None, Gap.NOT_PUBLISHED, figures)
    return Cell(card.supports_vgpu, figures=figures)


def _bridging(plan: Plan) -> Cell:
    if plan.bridging is None:
        return Cell(None, Gap.NOT_APPLICABLE)
    return Cell(plan.bridging.size)


def _marked(cells: Sequence[Cell], better: Better, carried: Sequence[bool]) -> tuple[Cell, ...]:
    """Mark the best values; nothing is marked where all are equal or fewer than two are known."""
    numbers = [_number(cell) if carries else None for cell, carries in zip(cells, carried, strict=True)]
    present = [number for number in numbers if number is not None]
    currencies = {cell.value.currency for cell in cells if isinstance(cell.value, Money)}
    if better is Better.NEITHER or len(set(present)) < 2 or len(currencies) > 1:
        return tuple(cells)
    best = max(present) if better is Better.HIGHER else min(present)
    return tuple(replace(cell, best=number == best) for cell, number in zip(cells, numbers, strict=True))


def _number(cell: Cell) -> Decimal | None:
    """What orders a cell: the expected value of a band, the amount of money; None for words and gaps."""
    value = cell.value
    if isinstance(value, (FloatBand, ByteBand)):
        value = value.expected
    elif isinstance(value, MoneyBand):
        value = value.expected.amount
    elif isinstance(value, Money):
        value = value.amount
    if cell.gap is not None or value is None or isinstance(value, (str, tuple)):
        return None
    return Decimal(value)


CARD_ROWS: tuple[tuple[str, str, Unit, Better, Callable[[Card], Cell]], ...] = (
    ("bf16_dense_tflops", "speed", Unit.TFLOPS, Better.HIGHER, lambda card: known(card.bf16_dense_tflops)),
    ("measured_bf16_tflops", "speed", Unit.TFLOPS, Better.HIGHER, lambda card: known(card.measured_bf16_tflops)),
    ("fp8_dense_tflops", "speed", Unit.TFLOPS, Better.HIGHER, lambda card: known(card.fp8_dense_tflops)),
    ("fp32_tflops", "speed", Unit.TFLOPS, Better.HIGHER, lambda card: known(card.fp32_tflops)),
    ("formats", "speed", Unit.NONE, Better.NEITHER, _formats),
    ("power_w", "power", Unit.WATTS, Better.LOWER, lambda card: known(card.power_w)),
    ("cooling", "power", Unit.NONE, Better.NEITHER, lambda card: known(card.cooling)),
    ("form", "place", Unit.NONE, Better.NEITHER, lambda card: Cell(card.form.value)),
    ("slot_width", "place", Unit.NONE, Better.LOWER, lambda card: Cell(card.slot_width)),
    ("max_per_workstation", "place", Unit.NONE, Better.HIGHER, lambda card: known(card.max_per_workstation)),
    ("memory_gb", "memory", Unit.GIGABYTES, Better.HIGHER, lambda card: known(card.memory_gb)),
    ("usable_bytes", "memory", Unit.BYTES, Better.HIGHER, lambda card: known(card.usable_bytes)),
    ("bandwidth_gb_per_s", "memory", Unit.GB_PER_S, Better.HIGHER, lambda card: known(card.bandwidth_gb_per_s)),
    ("ecc", "memory", Unit.NONE, Better.HIGHER, lambda card: known(card.ecc)),
    ("mig", "memory", Unit.NONE, Better.NEITHER, _mig),
    ("nvlink_gb_per_s", "connections", Unit.GB_PER_S, Better.HIGHER, _nvlink_rate),
    ("nvlink_cards", "connections", Unit.NONE, Better.HIGHER, _nvlink_cards),
    ("pcie_gb_per_s", "connections", Unit.GB_PER_S, Better.HIGHER, lambda card: known(card.pcie_gb_per_s)),
    ("vgpu", "connections", Unit.NONE, Better.HIGHER, _vgpu),
    ("availability", "price", Unit.NONE, Better.NEITHER, lambda card: Cell(card.availability.value)),
)

SYSTEM_ROWS: tuple[tuple[str, str, Unit, Better, Callable[[System], Cell]], ...] = (
    ("kind", "place", Unit.NONE, Better.NEITHER, lambda system: Cell(system.kind.value)),
    ("built_to_order", "place", Unit.NONE, Better.NEITHER, lambda system: Cell(system.built_to_order)),
    ("rack_units", "place", Unit.RACK_UNITS, Better.LOWER, lambda system: known(system.rack_units)),
    ("slots", "place", Unit.NONE, Better.HIGHER, lambda system: known(system.slots)),
    ("noise_db_a", "place", Unit.DECIBEL_A, Better.LOWER, lambda system: known(system.noise_db_a)),
    ("base_power_w", "power", Unit.WATTS, Better.LOWER, lambda system: known(system.base_power_w)),
    ("psu_watts_usable", "power", Unit.WATTS, Better.HIGHER, lambda system: known(system.psu_watts_usable)),
    ("host_memory_max_gb", "memory", Unit.GIGABYTES, Better.HIGHER, lambda system: known(system.host_memory_max_gb)),
    ("topology", "connections", Unit.NONE, Better.NEITHER, lambda system: known(system.topology)),
    (
        "pcie_peer_gb_per_s",
        "connections",
        Unit.GB_PER_S,
        Better.HIGHER,
        lambda system: known(system.pcie_peer_gb_per_s),
    ),
)

PLACEMENT_ROWS: tuple[tuple[str, str, Unit, Better, Callable[[Placement], Cell]], ...] = (
    ("verdict", "fits", Unit.NONE, Better.NEITHER, lambda item: Cell(item.verdict.value)),
    ("required_bytes", "fits", Unit.BYTES, Better.NEITHER, lambda item: Cell(item.estimate.required)),
    ("free_bytes", "fits", Unit.BYTES, Better.HIGHER, lambda item: Cell(item.free_bytes)),
    ("hours_per_run", "speed", Unit.HOURS, Better.LOWER, lambda item: _maybe(item.hours_per_run)),
    ("tokens_per_second", "speed", Unit.TOKENS_PER_S, Better.HIGHER, lambda item: _maybe(item.tokens_per_second)),
    ("cost_per_run", "running", Unit.MONEY, Better.LOWER, lambda item: _maybe(item.cost_per_run)),
)

_OF_PLANS = frozenset({"cards_planned", "verdict"})
_OF_MEMORY = _OF_PLANS | {"required_bytes", "free_bytes", "requests_at_once"}

SERVING_ROWS: tuple[tuple[str, str, Unit, Better, Callable[[ServingPlacement], Cell]], ...] = (
    ("verdict", "fits", Unit.NONE, Better.NEITHER, lambda item: Cell(item.verdict.value)),
    (
        "requests_at_once",
        "fits",
        Unit.NONE,
        Better.HIGHER,
        lambda item: Cell(item.memory.sequences_mean * item.layout.replicas),
    ),
    ("tokens_per_second", "speed", Unit.TOKENS_PER_S, Better.NEITHER, _serving_speed),
)

PLAN_ROWS: tuple[tuple[str, str, Unit, Better, Callable[[Plan], Cell]], ...] = (
    ("verdict", "fits", Unit.NONE, Better.NEITHER, lambda plan: Cell(plan.verdict.value)),
    ("cards", "place", Unit.NONE, Better.NEITHER, lambda plan: Cell(plan.cards)),
    ("system", "place", Unit.NONE, Better.NEITHER, lambda plan: Cell(plan.system.name)),
    ("bridge", "connections", Unit.NONE, Better.NEITHER, _bridging),
    ("power_w", "power", Unit.WATTS, Better.LOWER, lambda plan: Cell(plan.power_w)),
    ("rack_units", "place", Unit.RACK_UNITS, Better.LOWER, lambda plan: known(plan.system.rack_units)),
    ("price", "price", Unit.MONEY, Better.LOWER, _plan_price),
    ("cost_per_month", "running", Unit.MONEY, Better.LOWER, lambda plan: _maybe(plan.cost_per_month)),
    ("monthly_utilisation", "running", Unit.SHARE, Better.NEITHER, lambda plan: _maybe(plan.monthly_utilisation)),
)

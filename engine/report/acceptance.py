"""The acceptance test plan: what to run on the delivered system and the numbers it must show.

The order of the tests follows the benchmark sequence recommended before committing to training hardware: fit on one
card, micro-batch sweep, collective test and short training, checkpoint write and restore, failure drill, cost.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from engine.methods import Method
from engine.plan.types import Placement, Plan
from engine.quote.document import Advice
from engine.report.context import Paper, chapter
from engine.report.settings import has_settings
from engine.report.style import TEXT_WIDTH
from engine.report.tables import table, untorn
from engine.report.text import Piece
from engine.serving.summary import ServingSummary
from engine.units import KIB
from engine.wording import numbers
from engine.wording.paths import path
from engine.wording.serving import rate_text

MOST_ROW = 200.0  # points: of many tasks, the figures of a test go on in rows that fill their pages
Test = tuple[str, str, list[str]]  # name, what to do, numbers to be shown


def acceptance_plan(paper: Paper, advice: Advice) -> Iterator[Flowable]:
    """One table: test, procedure, expected, and room for what was measured."""
    _, styles = paper.tr.gettext, paper.styles
    yield from chapter(paper, _("Annex: acceptance test plan"), "acceptance-plan", room=200)
    text = _(
        "Run the tests in this order on the delivered system with the settings of the next annex. A figure outside "
        "its band is a finding to be clarified before acceptance."
    )
    if not has_settings(paper.quote):
        text = _(
            "Run the tests in this order on the delivered system with the settings this sizing assumes. A figure "
            "outside its band is a finding to be clarified before acceptance."
        )
    yield paper.small(text, "acceptance-plan")
    head = [
        paper.paragraph(_("Test"), styles.head, "head"),
        paper.paragraph(_("Procedure"), styles.head, "head"),
        paper.paragraph(_("To be shown"), styles.head, "head"),
        paper.paragraph(_("Measured"), styles.head, "head"),
    ]
    rows: list[list[Flowable | list[Flowable]]] = []
    for number, (name, procedure, figures) in enumerate(_tests(paper, advice), start=1):
        rows.append(
            [
                paper.paragraph(Piece(f"{number} {name}", bold=True), styles.cell_small, "test"),
                paper.paragraph(procedure, styles.cell_small, "test"),
                [paper.paragraph(figure, styles.cell_small, "test") for figure in figures],
                "",
            ]
        )
    widths = [30 * mm, 52 * mm, 55 * mm]
    columns = [*widths, TEXT_WIDTH - sum(widths)]
    yield table(head, untorn(rows, columns, MOST_ROW), columns)
    if advice.chosen.placements:
        yield paper.small(
            _(
                "Record for every test: tokens per second, utilisation, spread of the step time, link bandwidth, time "
                "to write and restore a checkpoint, data loading rate, time to recover from a failed run."
            ),
            "acceptance-plan",
        )


def _tests(paper: Paper, advice: Advice) -> Iterator[Test]:
    _, plan = paper.tr.gettext, advice.chosen
    yield (
        _("Inventory"),
        _("Read cards, memory, power limit and links with nvidia-smi and nvidia-smi topo -m."),
        list(_inventory(paper, plan)),
    )
    if plan.placements:
        yield from _training_tests(paper, plan)
    if advice.serving:
        yield (
            _("Serving"),
            _(
                "Start every served model with the weights and the KV cache of this sizing and send the load it is "
                "planned for; read output tokens per second and the time to the first token."
            ),
            [_served(paper, summary) for summary in advice.serving],
        )
    yield (
        _("Power and heat"),
        _("Run at full load for two hours; read power, temperatures and clocks every ten seconds."),
        [
            _("{power} for the machine, no card throttles").format(power=numbers.watts(plan.power_w, paper.language)),
        ],
    )
    if plan.placements:
        yield _cost(paper, plan)


def _training_tests(paper: Paper, plan: Plan) -> Iterator[Test]:
    _, placements = paper.tr.gettext, plan.placements
    yield (
        _("Memory fit"),
        _("Load model, data and optimiser of every task and train ten steps; read the peak with nvidia-smi."),
        [_peak(paper, placement) for placement in placements],
    )
    yield (
        _("Micro-batch sweep"),
        _("Double micro-batch or sequence length until memory runs out; the planned setting must not be the last."),
        [_setting(paper, placement) for placement in placements],
    )
    yield from _collectives(paper, plan)
    yield (
        _("Short training"),
        _("Train 50 steps of every task after 10 steps of warm-up; average the step time and its spread."),
        [_step(paper, placement) for placement in placements],
    )
    yield (
        _("Checkpoint"),
        _("Write a checkpoint under load, restore it, and compare the loss of the next step."),
        [_checkpoint(paper, placement) for placement in placements],
    )
    yield (
        _("Failure drill"),
        _("End a training process while it runs; restart from the last checkpoint."),
        [_("The run goes on from the checkpoint; the time lost is recorded.")],
    )


def _served(paper: Paper, summary: ServingSummary) -> str:
    """The output rate at the planned load, else with a full batch."""
    name, point = summary.placement.workload.name, summary.planned or summary.full
    if point is None:
        return paper.tr.gettext("{name}: recorded; there is no published rate to expect").format(name=name)
    return paper.tr.gettext("{name}: {rate} in all at {users} at once").format(
        name=name,
        rate=rate_text(point.tokens_per_s, paper.tr, paper.language),
        users=numbers.integer(round(point.users), paper.language),
    )


def _inventory(paper: Paper, plan: Plan) -> Iterator[str]:
    _, language = paper.tr.gettext, paper.language
    mebibytes = numbers.with_unit(numbers.integer(plan.card.usable_bytes.value // KIB**2, language), "MiB")
    yield _("{cards} × {card}, {memory} each").format(cards=plan.cards, card=plan.card.short_name, memory=mebibytes)
    limit = plan.power_cap_w or plan.card.power_w.value
    yield _("power limit {limit}").format(limit=numbers.watts(limit, language))
    if plan.bridging is not None:
        islands = plan.bridging.islands
        text = paper.tr.ngettext(
            "{islands} NVLink group of {size} cards", "{islands} NVLink groups of {size} cards", islands
        )
        yield text.format(islands=islands, size=plan.bridging.size)


def _peak(paper: Paper, placement: Placement) -> str:
    required = placement.estimate.required
    text = paper.tr.gettext("{name}: {low} to {high}, at most {usable}")
    return text.format(
        name=placement.workload.name,
        low=numbers.gibibytes(required.low, paper.language),
        high=numbers.gibibytes(required.high, paper.language),
        usable=numbers.gibibytes(placement.capacity_bytes, paper.language),
    )


def _setting(paper: Paper, placement: Placement) -> str:
    text = paper.tr.gettext("{name}: runs at {micro_batch} × {length} tokens")
    return text.format(
        name=placement.workload.name,
        micro_batch=placement.micro_batch,
        length=numbers.integer(placement.workload.sequence_length, paper.language),
    )


def _collectives(paper: Paper, plan: Plan) -> Iterator[Test]:
    _ = paper.tr.gettext
    sharded = [item for item in plan.placements if item.step is not None and item.step.link_bytes]
    if not sharded:
        return
    figures = []
    for item in sharded:
        step = item.step
        if step is not None and step.lower_bound_link_s:
            rate = numbers.with_unit(
                numbers.significant(step.link_bytes / step.lower_bound_link_s / 1e9, paper.language), "GB/s"
            )
            text = _("{name}: {link}; in theory at most {rate} received per card; record the all-gather bandwidth")
            figures.append(
                text.format(name=item.workload.name, link=path(step, item.layout, plan.bridging, paper.tr), rate=rate)
            )
    yield (
        _("Collectives"),
        _("Run all_gather_perf and all_reduce_perf of nccl-tests over all cards, 1 MB to 4 GB."),
        figures,
    )


def _step(paper: Paper, placement: Placement) -> str:
    _, language, step = paper.tr.gettext, paper.language, placement.step
    if step is None:
        return _("{name}: recorded; there is no published rate to expect").format(name=placement.workload.name)
    band = numbers.band(step.total_s.low, step.total_s.high, lambda value: numbers.seconds(float(value), language))
    text = _("{name}: {band} per step of {tokens} tokens")
    return text.format(name=placement.workload.name, band=band, tokens=numbers.integer(step.tokens_per_step, language))


def _checkpoint(paper: Paper, placement: Placement) -> str:
    """What a checkpoint with optimiser states holds: everything trained, gradients apart."""
    card, cards = placement.estimate.states, placement.layout.cards
    full = placement.workload.recipe.method is Method.FULL
    held = (card.weights if full else card.adapters) + card.master_weights + card.optimizer
    sharded = placement.layout.sharding.value not in {"none", "ddp"}
    size = numbers.gigabytes(held * (cards if sharded else 1), paper.language)
    text = paper.tr.gettext("{name}: about {size} with optimiser states")
    return text.format(name=placement.workload.name, size=size)


def _cost(paper: Paper, plan: Plan) -> Test:
    _ = paper.tr.gettext
    figures = []
    for item in plan.placements:
        if item.cost_per_run is not None and not plan.price.gaps:
            band = numbers.money_band(item.cost_per_run.low.rounded(), item.cost_per_run.high.rounded(), paper.language)
            figures.append(_("{name}: {band} per run").format(name=item.workload.name, band=band))
    return (
        _("Cost per checkpoint"),
        _("Multiply measured hours by the cost per hour; add failed runs and the engineer's time."),
        figures or [_("recorded; no price yet to expect a figure from")],
    )

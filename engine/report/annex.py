"""The technical annex: per task the model, the memory by part and phase, the sum that decides, and the step time."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, TableStyle

from engine.fit import planned_bytes
from engine.hardware import Bridging
from engine.memory.types import CardBytes, MemoryEstimate, Phase
from engine.plan.types import Placement
from engine.quote.document import Advice, Reach
from engine.report.context import Paper, chapter, heading
from engine.report.tables import table
from engine.report.text import Piece
from engine.speed.types import StepTime
from engine.wording import numbers
from engine.wording.catalogue_texts import source_date, source_title
from engine.wording.formulas import sharding_formula, state_formula
from engine.wording.labels import label, memory_part
from engine.wording.own_runs import peak_text
from engine.wording.paths import path
from engine.wording.reasons import of_task
from engine.wording.recipes import recipe_text

PARTS = ("weights", "adapters", "gradients", "master_weights", "optimizer")
BEYOND = ("activations", "logits", "workspace", "communication")
BETWEEN = 6 * mm
# Names and values of three columns side by side, so that two tasks share a page; each as wide as its longest words.
MEMORY, NEED, TIME = (33 * mm, 17 * mm), (30.5 * mm, 25.5 * mm), (25 * mm, 22 * mm)
Rows = list[tuple[str, str]]


def annex(paper: Paper, advice: Advice) -> Iterator[Flowable]:
    """One section per trained task, then what the customer measured himself."""
    if not advice.chosen.placements:
        return
    _ = paper.tr.gettext
    begin: list[Flowable] = [
        heading(paper, _("Annex: the sizing in numbers"), "annex"),
        paper.small(
            _(
                "GB are 10⁹ bytes. The exact figures are the model's output; its error band stands with the need per "
                "card."
            ),
            "annex",
        ),
    ]
    for index in range(len(advice.chosen.placements)):
        reach = advice.reaches[index] if index < len(advice.reaches) else None
        yield KeepTogether([*begin, *_task(paper, advice, index, reach)])
        begin = []
    yield from _own_peaks(paper, advice)


def _own_peaks(paper: Paper, advice: Advice) -> Iterator[Flowable]:
    """The memory the customer measured in test runs of his own, beside what is estimated for the same runs."""
    measured = [(run.name, run.peak) for run in advice.scenario.calibrations if run.peak is not None]
    if not measured:
        return
    yield from chapter(paper, paper.tr.gettext("Measured by the customer"), "own-peaks", level=1)
    for name, peak in measured:
        text = of_task(name, peak_text(peak, paper.tr, paper.language), paper.tr)
        yield paper.small(text, "own-peaks")


def _task(paper: Paper, advice: Advice, index: int, reach: Reach | None) -> Iterator[Flowable]:
    plan, headroom, key = advice.chosen, advice.scenario.headroom, f"annex-{index}"
    placement = plan.placements[index]
    _, workload = paper.tr.gettext, placement.workload
    title = _("{name}: {model}").format(name=workload.name, model=workload.model.name)
    yield heading(paper, title, key, level=1)
    yield paper.small(recipe_text(placement, paper.tr, paper.language) + ".", key)
    for text in (
        state_formula(placement.estimate, paper.tr, paper.language),
        sharding_formula(placement.estimate, paper.tr),
    ):
        if text:
            yield paper.small(text, key)
    columns: list[list[Flowable]] = [
        [
            _figures(paper, _("Memory per card at the peak"), _parts(paper, placement.estimate), MEMORY),
            _figures(paper, _("Live bytes by phase"), _phases(paper, placement.estimate), MEMORY),
        ],
        [_figures(paper, _("Need and verdict"), [*_need(paper, placement, headroom), *_reach(paper, reach)], NEED)],
        [
            _figures(paper, _("Time of a step"), _times(paper, placement, plan.bridging), TIME),
            *([] if placement.step is None else _step_remarks(paper, placement.step, key)),
        ],
    ]
    yield table(None, [columns], [sum(MEMORY) + BETWEEN, sum(NEED) + BETWEEN, sum(TIME)], lines=False)


def _figures(paper: Paper, title: str, rows: Rows, widths: tuple[float, float]) -> Flowable:
    """A titled column of names and values."""
    styles = paper.styles
    head = [paper.paragraph(Piece(title, bold=True), styles.cell_small, "annex"), ""]
    body: list[list[Flowable | list[Flowable]]] = [
        [
            paper.paragraph(name, styles.cell_small, "annex"),
            paper.paragraph(value, styles.cell_small_right, "annex"),
        ]
        for name, value in rows
    ]
    figures = table(head, body, widths)
    figures.setStyle(TableStyle([("SPAN", (0, 0), (-1, 0))]))
    return figures


def _parts(paper: Paper, estimate: MemoryEstimate) -> Rows:
    _, card = paper.tr.gettext, estimate.card
    rows = [_part(paper, card, name) for name in PARTS if getattr(card, name)]
    rows.append((_("Model states"), numbers.gigabytes_exact(card.model_states, paper.language)))
    rows += [_part(paper, card, name) for name in BEYOND if getattr(card, name)]
    return rows


def _part(paper: Paper, card: CardBytes, name: str) -> tuple[str, str]:
    return memory_part(name, paper.tr), numbers.gigabytes_exact(getattr(card, name), paper.language)


def _phases(paper: Paper, estimate: MemoryEstimate) -> Rows:
    rows = []
    for phase in Phase:
        name = label(phase, paper.tr)
        if phase is estimate.phases.limiting:
            name = paper.tr.gettext("{phase} (peak)").format(phase=name)
        rows.append((name, numbers.gigabytes_exact(getattr(estimate.phases, phase.value), paper.language)))
    return rows


def _need(paper: Paper, placement: Placement, headroom: float) -> Rows:
    _, language, estimate = paper.tr.gettext, paper.language, placement.estimate

    def size(value: int) -> str:
        return numbers.gigabytes_exact(value, language, 2)

    share = numbers.percent(headroom, language)
    planned = planned_bytes(estimate, headroom)
    rows = [
        (_("Allocated peak"), size(estimate.allocated_peak)),
        (memory_part("runtime_context", paper.tr), size(estimate.runtime_context)),
        (memory_part("allocator_reserve", paper.tr), size(estimate.allocator_reserve)),
        (_("Need per card, expected"), size(estimate.required.expected)),
        (
            _("Need per card, low to high"),
            numbers.band(estimate.required.low, estimate.required.high, lambda value: size(int(value))),
        ),
        (_("Peak plus {share} headroom").format(share=share), size(planned)),
        (_("Usable per card"), size(placement.capacity_bytes)),
        (_("Verdict"), label(placement.verdict, paper.tr)),
    ]
    if estimate.host:
        rows.append((_("Host memory, floor"), size(estimate.host)))
        rows.append((_("Host memory, cautious"), size(estimate.host_high)))
    return rows


def _reach(paper: Paper, reach: Reach | None) -> Rows:
    """What the run could still grow to."""
    if reach is None:
        return []
    _ = paper.tr.gettext
    entries = (
        (_("Longest sequence with this headroom"), reach.longest_sequence),
        (_("Largest micro-batch with this headroom"), reach.largest_micro_batch),
    )
    return [(name, numbers.integer(value, paper.language)) for name, value in entries if value is not None]


def _times(paper: Paper, placement: Placement, bridging: Bridging | None) -> Rows:
    _, language, step = paper.tr.gettext, paper.language, placement.step
    if step is None:
        return [(_("No step time: no published rate for this card"), "–")]

    def seconds(value: float) -> str:
        return numbers.seconds(value, language)

    rows = [
        (_("Step, expected"), seconds(step.total_s.expected)),
        (
            _("Step, low to high"),
            numbers.band(step.total_s.low, step.total_s.high, lambda value: seconds(float(value))),
        ),
        (_("of it on the card"), seconds(step.compute_s)),
        (_("of it waiting for the link"), seconds(step.communication_s)),
    ]
    if step.link_bytes:
        rows.append((_("Received per card and step"), numbers.gigabytes(step.link_bytes, language)))
        bound = _("At least over {link}").format(link=path(step, placement.layout, bridging, paper.tr))
        rows.append((bound, seconds(step.lower_bound_link_s)))
    rows.append((_("Tokens per step, all cards"), numbers.integer(step.tokens_per_step, language)))
    speed = placement.tokens_per_second
    if speed is not None:
        shown = numbers.band(speed.low, speed.high, lambda value: numbers.significant(value, language))
        rows.append((_("Tokens per second"), shown))
    hours = placement.hours_per_run
    if hours is not None:
        shown = numbers.band(hours.low, hours.high, lambda value: numbers.hours(float(value), language))
        rows.append((_("Time per run"), shown))
    return rows


def _step_remarks(paper: Paper, step: StepTime, key: str) -> Iterator[Flowable]:
    _ = paper.tr.gettext
    texts = [label(note, paper.tr) for note in step.notes]
    if step.record is not None:
        record = step.record
        nearest = _(
            "Nearest published measurement on this card: {model}, {method}, {length} tokens, {rate} tokens/s per card "
            "({source}, {date})."
        )
        texts.append(
            nearest.format(
                model=record.model,
                method=label(record.method, paper.tr),
                length=numbers.integer(record.sequence_length, paper.language),
                rate=numbers.significant(record.tokens_per_s_per_card, paper.language),
                source=source_title(record.source, paper.tr),
                date=source_date(record.source, paper.tr, paper.language),
            )
        )
    if texts:
        yield paper.small(" ".join(texts), key)

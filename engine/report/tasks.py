"""The tasks as a table and their memory as bars, on the recommended system and on the alternatives."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from engine.pictures.memory_bars import memory_bars
from engine.pictures.parts import MemoryBar, memory_bar
from engine.pictures.shapes import Style
from engine.plan.types import Placement, Plan, ServingPlacement
from engine.quote.document import Advice
from engine.quote.draft import Chapter
from engine.report.context import Paper, chapter
from engine.report.picture import PictureFlowable
from engine.report.style import SMALL, TEXT_WIDTH, TINY
from engine.report.tables import GAP, table
from engine.report.text import Piece
from engine.report.verdicts import verdict_cell
from engine.wording import numbers
from engine.wording.labels import label
from engine.wording.pictures import memory_words
from engine.wording.serving import format_name, rate_text

MOST_BARS, BARS_OF_MANY = 12, 6  # in one picture; of more tasks in each, so that pictures fill their pages
SHOWN_ALTERNATIVES = 4
PICTURE_ROOM = 235.0  # points: a heading and a picture of five bars


def tasks(paper: Paper, plan: Plan) -> Iterator[Flowable]:
    """One row per task, trained and served ones: what it is and how it sits on the system."""
    _, styles = paper.tr.gettext, paper.styles
    head = [
        paper.paragraph(_("Task"), styles.head, "head"),
        paper.paragraph(_("Model"), styles.head, "head"),
        paper.paragraph(_("Method"), styles.head, "head"),
        paper.paragraph(_("Sequence length"), styles.head_right, "head"),
        paper.paragraph(_("Time per run, tokens/s") if plan.serving else _("Time per run"), styles.head_right, "head"),
        paper.paragraph(_("Memory"), styles.head, "head"),
    ]
    rows = [_task_row(paper, placement) for placement in plan.placements]
    rows += [_served_row(paper, placement) for placement in plan.serving]
    widths = [31 * mm, 28 * mm, 23 * mm, 22 * mm, 25 * mm]
    made = table(head, rows, [*widths, TEXT_WIDTH - sum(widths)])
    made.setStyle([("LEFTPADDING", (-1, 0), (-1, -1), GAP)])  # the column before it is set flush right
    yield made


def chosen_bars(paper: Paper, advice: Advice) -> Iterator[Flowable]:
    """The recommended system's bars, one per task."""
    plan = advice.chosen
    bars = [
        memory_bar(f"{index}", item.workload.name, _layout(paper, plan, item), item, advice.scenario.headroom)
        for index, item in enumerate(plan.placements)
    ]
    yield from _pictures(paper, bars)


def memory_chapter(paper: Paper, advice: Advice) -> Iterator[Flowable]:
    """Per trained task the bars of the recommended system and of the next cards, on one scale.

    The other systems stay away where the paper speaks of none.
    """
    if not advice.chosen.placements:
        return
    _ = paper.tr.gettext
    yield from chapter(paper, _("Memory per card"), "memory", room=PICTURE_ROOM + 70)
    share = numbers.percent(advice.scenario.headroom, paper.language)
    text = _(
        "Each bar is the expected need of one card at the peak of a training step; the thin line below it is the "
        "band of the estimate. The hatched part is the headroom of {share} on the live bytes, as far as it exceeds "
        "that need. The upright line is what the driver makes usable, which differs from the datasheet's figure."
    )
    yield paper.small(text.format(share=share), "memory")
    others = () if paper.quote.left_out >= {Chapter.VARIANTS, Chapter.OTHERS} else advice.alternatives
    plans = (advice.chosen, *others[:SHOWN_ALTERNATIVES])
    for index, placement in enumerate(advice.chosen.placements):
        yield from chapter(paper, _task_title(paper, placement), f"memory-{index}", level=1, room=PICTURE_ROOM)
        bars = [
            memory_bar(
                plan.id,
                f"{plan.cards} × {plan.card.short_name}",
                _layout(paper, plan, plan.placements[index]),
                plan.placements[index],
                advice.scenario.headroom,
            )
            for plan in plans
        ]
        yield from _pictures(paper, bars)


def _pictures(paper: Paper, bars: list[MemoryBar]) -> Iterator[Flowable]:
    words = memory_words(
        paper.tr,
        lambda size: numbers.gigabytes(size, paper.language),
        lambda size: ("+" if size >= 0 else "") + numbers.gigabytes(size, paper.language),
    )
    style = Style(
        width=TEXT_WIDTH,
        measure=paper.fonts.width,
        text=SMALL,
        small=TINY,
        bar=11.0,
        gap=7.0,
    )
    count = len(bars) if len(bars) <= MOST_BARS else BARS_OF_MANY
    for start in range(0, len(bars), max(count, 1)):
        picture = memory_bars(bars[start : start + count], words, style)
        yield PictureFlowable(picture, paper.fonts, paper.guard, "memory bars")


def _layout(paper: Paper, plan: Plan, placement: Placement) -> str:
    """Where one run lives: an instance, one card, or several cards and how it is spread."""
    if placement.mig is not None:
        return placement.mig.name
    cards = paper.tr.ngettext("{count} card", "{count} cards", placement.layout.cards)
    text = cards.format(count=placement.layout.cards)
    if placement.layout.cards > 1:
        text += f", {label(placement.layout.sharding, paper.tr)}"
    return text if plan.cards > 1 or placement.layout.cards > 1 else paper.name(plan.system.name)


def _task_title(paper: Paper, placement: Placement) -> str:
    workload = placement.workload
    text = paper.tr.gettext("{name}: {model}, {method}, {length} tokens")
    return text.format(
        name=workload.name,
        model=workload.model.name,
        method=label(workload.recipe.method, paper.tr),
        length=numbers.integer(workload.sequence_length, paper.language),
    )


def _task_row(paper: Paper, placement: Placement) -> list[Flowable | list[Flowable]]:
    workload, styles, language = placement.workload, paper.styles, paper.language
    hours = placement.hours_per_run
    time = paper.tr.gettext("not known")
    if hours is not None:
        time = numbers.band(hours.low, hours.high, lambda value: numbers.hours(float(value), language))
    free = paper.tr.gettext("{size} free").format(size=numbers.gigabytes(placement.free_bytes, language))
    words = f"{label(placement.verdict, paper.tr)}, {free}"
    return [
        paper.paragraph(workload.name, styles.cell_small, "workload.name"),
        paper.paragraph(workload.model.name, styles.cell_small, "workload.model"),
        paper.paragraph(label(workload.recipe.method, paper.tr), styles.cell_small, "workload.method"),
        paper.paragraph(numbers.integer(workload.sequence_length, language), styles.cell_small_right, "workload"),
        paper.paragraph(time, styles.cell_small_right, "workload"),
        verdict_cell(paper, placement.verdict, Piece(words), TEXT_WIDTH - 129 * mm),
    ]


def _served_row(paper: Paper, placement: ServingPlacement) -> list[Flowable | list[Flowable]]:
    """A served model: its longest request, its output rate, and what stays free of the KV cache."""
    setup, styles, language, _ = placement.workload.setup, paper.styles, paper.language, paper.tr.gettext
    rate = _("speed not stated")
    if placement.speed is not None:
        point = placement.speed.planned or placement.speed.full
        rate = rate_text(point.tokens_per_s, paper.tr, language)
    free = _("{size} of KV cache free").format(size=numbers.gigabytes(placement.free_bytes, language))
    words = f"{label(placement.verdict, paper.tr)}, {free}"
    longest = setup.lengths.max_total
    served = _("Serving, {format}").format(format=format_name(setup.weights))
    return [
        paper.paragraph(placement.workload.name, styles.cell_small, "workload.name"),
        paper.paragraph(setup.model.name, styles.cell_small, "workload.model"),
        paper.paragraph(served, styles.cell_small, "workload"),
        paper.paragraph(numbers.integer(longest, language), styles.cell_small_right, "workload"),
        paper.paragraph(rate, styles.cell_small_right, "workload"),
        verdict_cell(paper, placement.verdict, Piece(words), TEXT_WIDTH - 129 * mm),
    ]

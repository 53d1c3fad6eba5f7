"""The page on serving: per model the load, the card's memory, requests at once, points of operation, cost."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from engine.pictures.serving_bar import serving_bar
from engine.pictures.shapes import Style
from engine.quote.document import Advice
from engine.report.context import Paper, chapter
from engine.report.picture import PictureFlowable
from engine.report.reasons import BULLET
from engine.report.style import SMALL, TEXT_WIDTH, TINY
from engine.report.tables import table
from engine.report.text import Piece
from engine.serving.speed import OperatingPoint
from engine.serving.summary import ServingSummary
from engine.serving.types import LoadKind
from engine.wording import numbers
from engine.wording.labels import label
from engine.wording.reasons import sentence
from engine.wording.serving import (
    baseline_text,
    basis_text,
    engine_name,
    format_name,
    layout_text,
    lengths_text,
    load_text,
    note_text,
    part_name,
    rate_text,
)

NAME_WIDTH = 46 * mm


def serving_chapter(paper: Paper, advice: Advice) -> Iterator[Flowable]:
    """One section per served model; nothing when nothing is served."""
    if not advice.serving:
        return
    _ = paper.tr.gettext
    yield from chapter(paper, _("Serving"), "serving", room=220)
    yield paper.small(
        _(
            "Throughputs are ranges with their basis. Output tokens are counted, prompts are not. "
            "Memory is that of the fullest card."
        ),
        "serving",
    )
    for index, summary in enumerate(advice.serving):
        yield from _model(paper, summary, f"serving-{index}")


def _model(paper: Paper, summary: ServingSummary, key: str) -> Iterator[Flowable]:
    _, tr, language = paper.tr.gettext, paper.tr, paper.language
    placement = summary.placement
    setup = placement.workload.setup
    title = _("{name}: {model}").format(name=placement.workload.name, model=setup.model.name)
    yield from chapter(paper, title, key, level=1, room=200)
    yield from _bar(paper, summary)
    rows = [
        (_("Verdict"), label(placement.verdict, tr)),
        (_("Serving load"), f"{load_text(setup, tr, language)}; {lengths_text(setup, tr, language)}"),
        (_("Weights and KV cache"), f"{format_name(setup.weights)} · {setup.cache.value.upper()}"),
        (_("Inference server"), engine_name(setup.engine)),
        (_("Serving layout"), layout_text(placement.layout, tr)),
        (_("KV cache per token"), numbers.byte_count(placement.memory.bytes_per_token, language)),
        (_("Requests at once"), _requests(paper, summary)),
        *_points(paper, summary),
        *_money(paper, summary),
    ]
    styles = paper.styles
    yield table(
        None,
        [
            [paper.paragraph(Piece(name), styles.cell_small, key), paper.paragraph(text, styles.cell_small, key)]
            for name, text in rows
        ],
        [NAME_WIDTH, TEXT_WIDTH - NAME_WIDTH],
    )
    for reason in placement.reasons:
        yield paper.small(BULLET + sentence(reason, tr, language, paper.names), key)
    for note in summary.notes:
        yield paper.small(BULLET + note_text(note, tr), key)


def _bar(paper: Paper, summary: ServingSummary) -> Iterator[Flowable]:
    style = Style(width=TEXT_WIDTH, measure=paper.fonts.width, text=SMALL, small=TINY, bar=13.0, gap=7.0)
    names = {part: part_name(part, paper.tr) for part, _size in summary.parts}
    picture = serving_bar(summary.parts, names, lambda size: numbers.gigabytes(size, paper.language), style)
    yield PictureFlowable(picture, paper.fonts, paper.guard, "serving bar")


def _requests(paper: Paper, summary: ServingSummary) -> str:
    memory, copies = summary.placement.memory, summary.placement.layout.replicas
    return paper.tr.gettext("{mean} of mean length, {most} of maximum length").format(
        mean=numbers.integer(memory.sequences_mean * copies, paper.language),
        most=numbers.integer(memory.sequences_max * copies, paper.language),
    )


def _points(paper: Paper, summary: ServingSummary) -> list[tuple[str, str]]:
    """The two points of operation and the full batch, the prompt's lower bound, a night's hours."""
    _, language = paper.tr.gettext, paper.language
    if summary.one_user is None or summary.full is None or summary.prefill_s is None:
        return [(_("Output tokens/s"), _("speed not stated"))]
    rows = []
    if summary.planned is None or round(summary.planned.users) != 1:  # one user may be the planned load
        rows.append((_("One user"), _point(paper, summary.one_user)))
    if summary.planned is not None:
        rows.append((_("Planned load"), _point(paper, summary.planned)))
    rows.append((_("Full batch"), _point(paper, summary.full)))
    bound = _("{seconds} (prompt computed alone)").format(seconds=numbers.seconds(summary.prefill_s, language))
    rows.append((_("First token, lower bound"), bound))
    night = summary.placement.night_h
    if night is not None:
        shown = _("{expected} ({low} to {high})").format(
            expected=numbers.hours(night.expected, language),
            low=numbers.hours(night.low, language),
            high=numbers.hours(night.high, language),
        )
        rows.append((_("Nightly job"), shown))
    return rows


def _point(paper: Paper, point: OperatingPoint) -> str:
    tr, language = paper.tr, paper.language
    return tr.gettext("{rate} in all, {each} per user at {users} at once; {basis}").format(
        rate=rate_text(point.tokens_per_s, tr, language),
        each=rate_text(point.tokens_per_s_per_user, tr, language),
        users=numbers.integer(round(point.users), language),
        basis=basis_text(point, tr, language),
    )


def _money(paper: Paper, summary: ServingSummary) -> list[tuple[str, str]]:
    """Cost and energy of a million output tokens at the stated utilisation, and dated prices elsewhere."""
    _, tr, language = paper.tr.gettext, paper.tr, paper.language
    rows: list[tuple[str, str]] = []
    cost = summary.placement.cost_per_million_tokens
    if cost is not None:
        workload = summary.placement.workload
        template = _("{expected} ({low} to {high})")
        if workload.setup.load.kind is LoadKind.USERS:  # only a number of users leaves open how long they are at work
            template = _("{expected} ({low} to {high}), at {share} utilisation of {hours} a month")
        text = template.format(
            expected=numbers.money(cost.expected, language),
            low=numbers.money(cost.low, language),
            high=numbers.money(cost.high, language),
            share=numbers.percent(workload.utilisation, language),
            hours=numbers.hours(summary.placement.hours_per_month.expected, language),
        )
        rows.append((_("Million output tokens"), text))
    if summary.energy_kwh_per_million is not None:
        energy = numbers.with_unit(numbers.significant(summary.energy_kwh_per_million, language, 2), "kWh")
        rows.append((_("Energy per million"), _("{energy} at nameplate power").format(energy=energy)))
    rows += [(_("Elsewhere"), baseline_text(entry, tr, language)) for entry in summary.baselines]
    return rows

"""The training settings the sizing was made for: what to set, and the files that set it."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from engine.quote.document import Advice, Quote
from engine.quote.draft import Chapter
from engine.quote.form import quote_json
from engine.report.assets import Attachment
from engine.report.context import Paper, chapter
from engine.report.style import TEXT_WIDTH
from engine.report.tables import table
from engine.report.text import Piece
from engine.training_files import TO_FILL, missing_files, training_files
from engine.wording.recipes import recipe_text
from engine.wording.training import missing_text

QUOTE_FILE = "passform-quote.json"


def has_settings(quote: Quote) -> bool:
    """Whether the paper states training settings: something is trained, and the seller has not left them out."""
    return quote.advice is not None and bool(quote.advice.chosen.placements) and Chapter.SETTINGS not in quote.left_out


def settings_chapter(paper: Paper, advice: Advice) -> Iterator[Flowable]:
    """One row per trained task with the names of its files."""
    if not has_settings(paper.quote):
        return
    _, styles = paper.tr.gettext, paper.styles
    yield from chapter(paper, _("Annex: training settings"), "settings", room=140)
    text = _(
        "The figures hold for these settings. The files for TRL with Accelerate, Axolotl and LLaMA-Factory are "
        "attached to this document; where one is missing, the table says why. Data set and learning rate are yours: "
        "look for {mark}."
    )
    yield paper.small(text.format(mark=TO_FILL), "settings")
    head = [
        paper.paragraph(_("Task"), styles.head, "head"),
        paper.paragraph(_("Settings"), styles.head, "head"),
        paper.paragraph(_("Files"), styles.head, "head"),
    ]
    rows: list[list[Flowable | list[Flowable]]] = []
    for position, placement in enumerate(advice.chosen.placements, start=1):
        files = training_files(placement, position)
        names = [file.name for file in files]
        names += [missing_text(item, paper.tr) for item in missing_files(placement)]
        rows.append(
            [
                paper.paragraph(Piece(placement.workload.name, bold=True), styles.cell_small, "settings"),
                paper.paragraph(recipe_text(placement, paper.tr, paper.language), styles.cell_small, "settings"),
                [paper.paragraph(name, styles.tiny, "settings") for name in names],
            ]
        )
    yield table(head, rows, [34 * mm, TEXT_WIDTH - 92 * mm, 58 * mm])


def carried_files(quote: Quote) -> tuple[Attachment, ...]:
    """What every paper carries: the quote as data, and the settings files."""
    files = [Attachment(QUOTE_FILE, "application/json", quote_json(quote))]
    if quote.advice is not None and has_settings(quote):
        for position, placement in enumerate(quote.advice.chosen.placements, start=1):
            for file in training_files(placement, position):
                mime = "application/json" if file.name.endswith(".json") else "application/yaml"
                files.append(Attachment(file.name, mime, file.content.encode()))
    return tuple(files)

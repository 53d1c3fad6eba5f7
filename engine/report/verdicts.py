"""A verdict in a table: its sign beside its word, never colour alone."""

from __future__ import annotations

from reportlab.platypus import Table, TableStyle

from engine.fit import Verdict
from engine.pictures.parts import VERDICT_INKS, VERDICT_MARKS
from engine.pictures.shapes import Mark, Picture
from engine.report.context import Paper
from engine.report.picture import PictureFlowable
from engine.report.style import SMALL, hex_colour
from engine.report.text import Piece

RADIUS = SMALL * 0.42


def verdict_cell(paper: Paper, verdict: Verdict, words: Piece, width: float) -> Table:
    """The sign and the words in the verdict's colour."""
    sign = Mark(RADIUS + 0.5, SMALL * 0.65, RADIUS, VERDICT_MARKS[verdict], VERDICT_INKS[verdict])
    picture = Picture(RADIUS * 2 + 1, SMALL * 1.3, (sign,))
    piece = Piece(words.text, bold=words.bold, colour=hex_colour(VERDICT_INKS[verdict]))
    return Table(
        [
            [
                PictureFlowable(picture, paper.fonts, paper.guard, "verdict"),
                paper.paragraph(piece, paper.styles.cell_small, "verdict"),
            ]
        ],
        colWidths=[RADIUS * 2 + 5, width - RADIUS * 2 - 5],
        hAlign="LEFT",
        style=TableStyle(
            [
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 0),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ]
        ),
    )

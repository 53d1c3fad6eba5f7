"""Measures, sizes and colours of the paper. Colours are the window's, light theme."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_LEFT, TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm

from engine.pictures.palette import Ink, hex_value
from engine.report.fonts import Family

PAGE_WIDTH, PAGE_HEIGHT = A4
LEFT, RIGHT = 25 * mm, 20 * mm
TEXT_WIDTH = PAGE_WIDTH - LEFT - RIGHT
TOP_LATER = 27 * mm
BOTTOM_LATER = 22 * mm

TITLE, HEADING, BODY, SMALL, TINY = 16.0, 11.5, 9.0, 7.6, 6.6


@cache
def colour(ink: Ink) -> HexColor:
    """A palette colour for reportlab."""
    return HexColor(hex_value(ink, dark=False))


def hex_colour(ink: Ink) -> str:
    """A palette colour for markup."""
    return hex_value(ink, dark=False)


@dataclass(frozen=True, slots=True)
class Styles:
    """Paragraph styles of one family."""

    title: ParagraphStyle
    heading: ParagraphStyle
    subheading: ParagraphStyle
    body: ParagraphStyle
    small: ParagraphStyle
    tiny: ParagraphStyle
    cell: ParagraphStyle
    cell_right: ParagraphStyle
    cell_small: ParagraphStyle
    cell_small_right: ParagraphStyle
    head: ParagraphStyle
    head_right: ParagraphStyle
    big: ParagraphStyle


def styles(fonts: Family) -> Styles:
    """Four sizes and what is made of them."""
    text, muted = colour(Ink.TEXT), colour(Ink.MUTED)

    def made(name: str, size: float, **changes: object) -> ParagraphStyle:
        settings: dict[str, object] = {
            "fontName": fonts.regular,
            "fontSize": size,
            "leading": size * 1.4,
            "textColor": text,
            "splitLongWords": 1,
            "allowWidows": 0,
            "allowOrphans": 0,
            **changes,
        }
        return ParagraphStyle(name, **settings)

    bold = {"fontName": fonts.bold}
    right, left = {"alignment": TA_RIGHT}, {"alignment": TA_LEFT}
    return Styles(
        title=made("title", TITLE, **bold, leading=TITLE * 1.25, spaceAfter=4),
        heading=made("heading", HEADING, **bold, spaceBefore=14, spaceAfter=5),
        subheading=made("subheading", BODY, **bold, spaceBefore=8, spaceAfter=3),
        body=made("body", BODY, spaceAfter=4),
        small=made("small", SMALL, textColor=muted, spaceAfter=3),
        tiny=made("tiny", TINY, textColor=muted, leading=TINY * 1.3),
        cell=made("cell", BODY - 0.5, **left),
        cell_right=made("cell-right", BODY - 0.5, **right),
        cell_small=made("cell-small", SMALL, **left, leading=SMALL * 1.3),
        cell_small_right=made("cell-small-right", SMALL, **right, leading=SMALL * 1.3),
        head=made("head", SMALL, textColor=muted, **left, leading=SMALL * 1.3),
        head_right=made("head-right", SMALL, textColor=muted, **right, leading=SMALL * 1.3),
        big=made("big", 14.0, **bold, leading=18.0),
    )

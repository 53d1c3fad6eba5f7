"""The one colour table: key -> light and dark hex value, for screen and paper.

The paper always uses the light column. Text keys reach a contrast of 4.5:1 on every surface of their column, marks
and fills 3:1 (WCAG 2.2, 1.4.3 and 1.4.11). Nothing is told by colour alone: parts have a fixed order and labels,
verdicts have shapes and words.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

LINEAR_LIMIT = 0.04045  # IEC 61966-2-1, where the sRGB curve turns linear


class Ink(StrEnum):
    """Names of colours by what they mean."""

    WINDOW = "window"
    SURFACE = "surface"
    SUNKEN = "sunken"
    LINE = "line"
    TEXT = "text"
    MUTED = "muted"
    ACCENT = "accent"
    ON_ACCENT = "on-accent"
    SELECTION = "selection"
    # parts of a card's memory
    WEIGHTS = "weights"
    ADAPTERS = "adapters"
    GRADIENTS = "gradients"
    OPTIMISER = "optimiser"
    ACTIVATIONS = "activations"
    LOSS = "loss"
    WORKSPACE = "workspace"
    HEADROOM = "headroom"
    CAPACITY = "capacity"
    # verdicts, and the quiet grounds of their cells
    FITS = "fits"
    TIGHT = "tight"
    UNCERTAIN = "uncertain"
    NO = "no"
    FITS_GROUND = "fits-ground"
    TIGHT_GROUND = "tight-ground"
    UNCERTAIN_GROUND = "uncertain-ground"
    NO_GROUND = "no-ground"
    # lines of charts, told apart by their dash and label as well
    SERIES_1 = "series-1"
    SERIES_2 = "series-2"
    SERIES_3 = "series-3"
    SERIES_4 = "series-4"
    SERIES_5 = "series-5"
    SERIES_6 = "series-6"


@dataclass(frozen=True, slots=True)
class Swatch:
    """One colour in both themes, as #rrggbb."""

    light: str
    dark: str


PALETTE: dict[Ink, Swatch] = {
    Ink.WINDOW: Swatch("#f4f6f8", "#14171c"),
    Ink.SURFACE: Swatch("#ffffff", "#1c2027"),
    Ink.SUNKEN: Swatch("#eceff3", "#272c35"),
    Ink.LINE: Swatch("#d3d9e1", "#3b434f"),
    Ink.TEXT: Swatch("#1a1f27", "#edf0f4"),
    Ink.MUTED: Swatch("#556070", "#a9b3c1"),
    Ink.ACCENT: Swatch("#0b57b0", "#7db4ff"),
    Ink.ON_ACCENT: Swatch("#ffffff", "#0b1420"),
    Ink.SELECTION: Swatch("#dce9fa", "#20344f"),
    Ink.WEIGHTS: Swatch("#17406d", "#6ea8e6"),
    Ink.ADAPTERS: Swatch("#0f7f77", "#7fe0d3"),
    Ink.GRADIENTS: Swatch("#6d5310", "#c9a227"),
    Ink.OPTIMISER: Swatch("#3d72b8", "#a9c8f5"),
    Ink.ACTIVATIONS: Swatch("#a8470f", "#f08a4b"),
    Ink.LOSS: Swatch("#7a2f6a", "#dfa0d4"),
    Ink.WORKSPACE: Swatch("#6e7785", "#8d97a6"),
    Ink.HEADROOM: Swatch("#556070", "#a9b3c1"),
    Ink.CAPACITY: Swatch("#1a1f27", "#edf0f4"),
    Ink.FITS: Swatch("#006b57", "#45cba6"),
    Ink.TIGHT: Swatch("#7f5200", "#f1b53d"),
    Ink.UNCERTAIN: Swatch("#5b3fa8", "#bba6ff"),
    Ink.NO: Swatch("#a8241b", "#ff9087"),
    Ink.FITS_GROUND: Swatch("#dff2ec", "#12352c"),
    Ink.TIGHT_GROUND: Swatch("#fbeed3", "#3a2e12"),
    Ink.UNCERTAIN_GROUND: Swatch("#ebe6f8", "#2a2546"),
    Ink.NO_GROUND: Swatch("#f9e3e1", "#3f2020"),
    Ink.SERIES_1: Swatch("#0b57b0", "#7db4ff"),
    Ink.SERIES_2: Swatch("#a8470f", "#f08a4b"),
    Ink.SERIES_3: Swatch("#006b57", "#45cba6"),
    Ink.SERIES_4: Swatch("#7a2f6a", "#dfa0d4"),
    Ink.SERIES_5: Swatch("#6d5310", "#c9a227"),
    Ink.SERIES_6: Swatch("#556070", "#a9b3c1"),
}

SERIES = (Ink.SERIES_1, Ink.SERIES_2, Ink.SERIES_3, Ink.SERIES_4, Ink.SERIES_5, Ink.SERIES_6)


def hex_value(ink: Ink, *, dark: bool) -> str:
    """The colour of a key as #rrggbb."""
    return PALETTE[ink].dark if dark else PALETTE[ink].light


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two #rrggbb colours, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    brighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def text_on(ground: Ink, *, dark: bool) -> Ink:
    """The text key that reads better on a filled ground."""
    ground_hex = hex_value(ground, dark=dark)
    return max((Ink.TEXT, Ink.SURFACE), key=lambda ink: contrast(hex_value(ink, dark=dark), ground_hex))


def _luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2) of an sRGB colour."""
    red, green, blue = (_linear(int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= LINEAR_LIMIT else float(((channel + 0.055) / 1.055) ** 2.4)

"""One colour table: readable in both themes, told apart by people who do not see red and green alike."""

from __future__ import annotations

import itertools

import pytest

from engine.fit import Verdict
from engine.pictures.palette import PALETTE, Ink, contrast, hex_value, text_on
from engine.pictures.parts import PART_INKS, VERDICT_GROUNDS, VERDICT_INKS, MemoryPart

# Machado, Oliveira, Fernandes 2009, severity 1.0, on linear RGB.
DEUTERANOPIA = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
PROTANOPIA = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
NORMAL = ((1, 0, 0), (0, 1, 0), (0, 0, 1))

SURFACES = (Ink.WINDOW, Ink.SURFACE, Ink.SUNKEN)
TEXT_INKS = (Ink.TEXT, Ink.MUTED, Ink.ACCENT, *VERDICT_INKS.values())
DISTANCE = 10.0  # CIE76 in CIELAB; 2.3 is just noticeable


def test_that_contrast_of_black_on_white_is_21_to_1() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # WebAIM's published example


@pytest.mark.parametrize("dark", [False, True])
def test_that_every_text_colour_reaches_4_5_to_1_on_every_surface(dark: bool) -> None:
    for ink, surface in itertools.product(TEXT_INKS, SURFACES):
        assert contrast(hex_value(ink, dark=dark), hex_value(surface, dark=dark)) >= 4.5, (ink, surface)


@pytest.mark.parametrize("dark", [False, True])
def test_that_text_on_filled_parts_verdict_grounds_and_buttons_reaches_4_5_to_1(dark: bool) -> None:
    for part in MemoryPart:
        ground = PART_INKS[part]
        assert contrast(hex_value(text_on(ground, dark=dark), dark=dark), hex_value(ground, dark=dark)) >= 4.5, part
    for verdict in Verdict:
        for ink in (Ink.TEXT, VERDICT_INKS[verdict]):
            ground = VERDICT_GROUNDS[verdict]
            assert contrast(hex_value(ink, dark=dark), hex_value(ground, dark=dark)) >= 4.5, (verdict, ink)
    assert contrast(hex_value(Ink.ON_ACCENT, dark=dark), hex_value(Ink.ACCENT, dark=dark)) >= 4.5
    assert contrast(hex_value(Ink.TEXT, dark=dark), hex_value(Ink.SELECTION, dark=dark)) >= 4.5


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("vision", [NORMAL, DEUTERANOPIA, PROTANOPIA], ids=["normal", "deuteranopia", "protanopia"])
def test_that_neighbouring_parts_of_a_bar_are_told_apart(dark: bool, vision: tuple[tuple[float, ...], ...]) -> None:
    parts = [part for part in MemoryPart if part is not MemoryPart.HEADROOM]
    for first, second in itertools.pairwise(parts):
        one, two = (lab(hex_value(PART_INKS[part], dark=dark), vision) for part in (first, second))
        assert sum((a - b) ** 2 for a, b in zip(one, two, strict=True)) ** 0.5 >= DISTANCE, (first, second)


def test_that_every_key_has_a_colour_in_both_themes() -> None:
    assert set(PALETTE) == set(Ink)


def lab(colour: str, vision: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    """CIELAB (D65) of an sRGB colour as a vision sees it."""
    linear = [_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5)]
    seen = [min(max(sum(a * b for a, b in zip(row, linear, strict=True)), 0.0), 1.0) for row in vision]
    x = (0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505
    y = 0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]
    z = (0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089
    fx, fy, fz = (_cube(value) for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _cube(value: float) -> float:
    return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116

"""The bar of one card that serves: weights, KV cache, start-up memory and what is left alone, with a legend below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.pictures.palette import Ink
from engine.pictures.shapes import Anchor, Label, Picture, Rect, Shape, Spot, Style

_INKS: Mapping[str, Ink] = {
    "weights": Ink.WEIGHTS,
    "adapters": Ink.ADAPTERS,
    "cache": Ink.OPTIMISER,
    "activation": Ink.ACTIVATIONS,
    "graphs": Ink.LOSS,
    "non_torch": Ink.WORKSPACE,
    "reserve": Ink.HEADROOM,
}


def serving_bar(
    parts: Sequence[tuple[str, int]], names: Mapping[str, str], size: Callable[[int], str], style: Style
) -> Picture:
    """One bar over the full width; `parts` add up to the card, `size` formats bytes."""
    shown = [(part, size_bytes) for part, size_bytes in parts if size_bytes > 0]
    total = max(sum(size_bytes for _, size_bytes in shown), 1)
    shapes: list[Shape] = [Rect(0, 0, style.width, style.bar, Ink.SUNKEN)]
    spots: list[Spot] = []
    x = 0.0
    for part, size_bytes in shown:
        width = style.width * size_bytes / total
        ink = _INKS[part]
        shapes.append(Rect(x, 0, max(width - 1, width * 0.6), style.bar, ink, hatched=part == "reserve"))
        text = size(size_bytes)
        if part != "reserve" and style.extent(text, style.small) + 6 <= width:
            baseline = style.bar / 2 + style.small * 0.36
            shapes.append(Label(x + width / 2, baseline, text, style.small, on=ink, anchor=Anchor.MIDDLE))
        spots.append(Spot(x, 0, max(width, 4), style.bar, f"{names[part]}: {text}"))
        x += width
    height = _legend(shown, names, size, style, shapes)
    description = "; ".join(f"{names[part]}: {size(size_bytes)}" for part, size_bytes in shown)
    return Picture(style.width, height, tuple(shapes), tuple(spots), description)


def _legend(
    shown: Sequence[tuple[str, int]],
    names: Mapping[str, str],
    size: Callable[[int], str],
    style: Style,
    shapes: list[Shape],
) -> float:
    """A swatch, a name and a size per part, in as many lines as it takes; the height of the whole picture."""
    swatch = style.small * 0.8
    x, y = 0.0, style.bar + style.gap + style.small
    for part, size_bytes in shown:
        text = f"{names[part]} {size(size_bytes)}"
        width = swatch + 4 + style.extent(text, style.small) + style.gap
        if x and x + width > style.width:
            x, y = 0.0, y + style.small * 1.5
        shapes.append(Rect(x, y - swatch, swatch, swatch, _INKS[part], hatched=part == "reserve"))
        shapes.append(Label(x + swatch + 4, y, text, style.small))
        x += width
    return y + style.small * 0.4

"""Boxes of shapes, to prove that nothing is clipped and nothing collides."""

from __future__ import annotations

from engine.pictures.shapes import Anchor, Label, Picture, Style

LETTER = 0.56  # width of a letter of the test font, in em


def measure(text: str, size: float, bold: bool) -> float:
    return len(text) * size * (LETTER * 1.08 if bold else LETTER)


def style(width: float = 900.0) -> Style:
    return Style(width=width, measure=measure)


def box(label: Label) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a label."""
    width = measure(label.text, label.size, label.bold)
    left = label.x - {Anchor.START: 0.0, Anchor.MIDDLE: width / 2, Anchor.END: width}[label.anchor]
    return left, label.y - label.size * 0.75, left + width, label.y + label.size * 0.22


def labels(picture: Picture) -> list[Label]:
    return [shape for shape in picture.shapes if isinstance(shape, Label) and shape.text]


def clipped(picture: Picture, tolerance: float = 1.0) -> list[str]:
    """Texts of labels that leave the picture."""
    found = []
    for label in labels(picture):
        left, top, right, bottom = box(label)
        inside = left >= -tolerance and top >= -tolerance
        if not inside or right > picture.width + tolerance or bottom > picture.height + tolerance:
            found.append(label.text)
    return found


def colliding(picture: Picture) -> list[tuple[str, str]]:
    """Pairs of labels that overlap."""
    boxes = [(label.text, box(label)) for label in labels(picture)]
    return [
        (first, second)
        for number, (first, one) in enumerate(boxes)
        for second, two in boxes[number + 1 :]
        if one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]
    ]

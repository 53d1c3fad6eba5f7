"""The embedded family: regular and bold, registered with reportlab once per font file."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

_MOST_WIDTHS = 20_000  # remembered per font; a paper of fourteen pages has two thousand


@dataclass(frozen=True, slots=True)
class Family:
    """Registered font names and the characters both fonts have."""

    regular: str
    bold: str
    characters: frozenset[int]

    def width(self, text: str, size: float, bold: bool = False) -> float:  # noqa: FBT001, FBT002  # signature of engine.pictures.shapes.Measure
        """Width of a text in points."""
        return float(pdfmetrics.stringWidth(text, self.bold if bold else self.regular, size))


class _MeasuredFont(TTFont):  # type: ignore[misc]  # reportlab carries no types
    """A font that remembers the widths of words: line breaking asks for the same few thousand again and again."""

    def __init__(self, name: str, content: bytes) -> None:
        super().__init__(name, BytesIO(content))
        self._widths: dict[tuple[str | bytes, float], float] = {}

    def stringWidth(self, text: str | bytes, size: float, encoding: str = "utf8") -> float:  # noqa: N802  # reportlab's name
        """Width in points, as reportlab computes it."""
        known = self._widths.get((text, size))
        if known is not None:
            return known
        if len(self._widths) >= _MOST_WIDTHS:
            self._widths.clear()
        width = float(super().stringWidth(text, size, encoding))
        self._widths[text, size] = width
        return width


_families: dict[tuple[str, str], Family] = {}  # reportlab's own registry is global too


def family(regular: bytes, bold: bytes) -> Family:
    """Register the fonts, or find them registered."""
    key = (sha256(regular).hexdigest()[:8], sha256(bold).hexdigest()[:8])
    known = _families.get(key)
    if known is not None:
        return known
    names = (f"Paper-{key[0]}", f"Paper-Bold-{key[1]}")
    fonts = [_MeasuredFont(name, content) for name, content in zip(names, (regular, bold), strict=True)]
    for font in fonts:
        pdfmetrics.registerFont(font)
    pdfmetrics.registerFontFamily(names[0], normal=names[0], bold=names[1], italic=names[0], boldItalic=names[1])
    characters = frozenset(fonts[0].face.charToGlyph) & frozenset(fonts[1].face.charToGlyph)
    made = Family(names[0], names[1], characters)
    _families[key] = made
    return made

"""What every part of the paper needs: the quote, the words, the styles and the text guard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import CondPageBreak, Flowable, Paragraph

from engine.pictures.palette import Ink
from engine.quote.document import Quote
from engine.report.fonts import Family
from engine.report.style import Styles, hex_colour
from engine.report.text import Piece, TextGuard
from engine.wording.filling import Reader
from engine.wording.items import item_name
from engine.wording.translator import Language, Translator

Text = str | Piece | Iterable[str | Piece]


@dataclass(frozen=True, slots=True)
class Paper:
    """One document in the making."""

    quote: Quote
    tr: Translator
    language: Language
    fonts: Family
    styles: Styles
    guard: TextGuard

    @property
    def reader(self) -> Reader:
        """For filling messages with numbers."""
        return Reader(self.tr, self.language, self.names)

    @property
    def names(self) -> dict[str, str]:
        """What the catalogue's ids are called in the document's language."""
        return {id_: item_name(name, self.tr) for id_, name in self.quote.names.items()}

    def name(self, text: str) -> str:
        """A catalogue item's name in the document's language."""
        return item_name(text, self.tr)

    def paragraph(self, text: Text, style: ParagraphStyle, where: str) -> Paragraph:
        """A paragraph of cleaned and escaped text."""
        return Paragraph(self.guard.markup(text, where), style)

    def body(self, text: Text, where: str) -> Flowable:
        """Running text."""
        return self.paragraph(text, self.styles.body, where)

    def small(self, text: Text, where: str) -> Flowable:
        """A remark."""
        return self.paragraph(text, self.styles.small, where)

    def citation(self, numbers: Iterable[int]) -> Piece:
        """Raised source numbers."""
        text = ",".join(str(number) for number in numbers)
        return Piece(text, colour=hex_colour(Ink.MUTED), size=self.styles.tiny.fontSize - 1, raised=True)


class Heading(Paragraph):  # type: ignore[misc]  # reportlab carries no types
    """A heading that becomes a bookmark. `level` 0 opens a chapter."""

    def __init__(self, markup: str, style: ParagraphStyle, title: str, key: str, level: int) -> None:
        super().__init__(markup, style)
        self._title, self._key, self._level = title, key, level

    def draw(self) -> None:
        """Set the bookmark where the heading stands."""
        self.canv.bookmarkPage(self._key)
        self.canv.addOutlineEntry(self._title, self._key, self._level, closed=False)
        super().draw()


def chapter(paper: Paper, text: str, key: str, *, level: int = 0, room: float = 90.0) -> Iterator[Flowable]:
    """A heading with its bookmark, on a new page when less than `room` points are left for it and its beginning."""
    yield CondPageBreak(room)
    yield heading(paper, text, key, level)


def heading(paper: Paper, text: str, key: str, level: int = 0) -> Heading:
    """A chapter (level 0) or section heading with its bookmark. `key` is unique in the document."""
    style = paper.styles.heading if level == 0 else paper.styles.subheading
    return Heading(paper.guard.markup(text, key), style, paper.guard.line(text, key), key, level)

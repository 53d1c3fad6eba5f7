"""What every part of the paper needs: the quote, the words, the styles and the text guard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeVar

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import CondPageBreak, Flowable, Paragraph
from reportlab.platypus.paraparser import ParaFrag

from engine.pictures.palette import Ink
from engine.quote.document import Quote
from engine.report.fonts import Family
from engine.report.style import Styles, hex_colour
from engine.report.text import Piece, TextGuard
from engine.wording.catalogue_texts import item_name
from engine.wording.filling import Reader
from engine.wording.translator import Language, Translator

Text = str | Piece | Iterable[str | Piece]


class Words(Paragraph):  # type: ignore[misc]  # reportlab carries no types
    """A paragraph that breaks its lines once per width: tables ask for the height of a cell several times."""

    _broken_at: float | None = None
    _size = (0.0, 0.0)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Size at a width; the height offered does not matter to a paragraph."""
        if width != self._broken_at or not hasattr(self, "blPara"):  # splitting throws the broken lines away
            self._size = super().wrap(width, height)
            self._broken_at = width
        return self._size

    def getSpaceBefore(self) -> float:  # noqa: N802  # reportlab's name
        """Room above, from the style alone."""
        return float(self.style.spaceBefore)

    def getSpaceAfter(self) -> float:  # noqa: N802  # reportlab's name
        """Room below, from the style alone."""
        return float(self.style.spaceAfter)


W = TypeVar("W", bound=Words)


@dataclass(frozen=True, slots=True)
class Paper:
    """One document in the making."""

    quote: Quote
    tr: Translator
    language: Language
    fonts: Family
    styles: Styles
    guard: TextGuard
    runs: dict[tuple[object, ...], ParaFrag] = field(default_factory=dict)  # a parsed sample run per style and look
    _named: dict[str, str] = field(default_factory=dict)

    @property
    def reader(self) -> Reader:
        """For filling messages with numbers."""
        return Reader(self.tr, self.language, self.names)

    @property
    def names(self) -> dict[str, str]:
        """What the catalogue's ids are called in the document's language."""
        if not self._named:
            self._named.update((id_, item_name(name, self.tr)) for id_, name in self.quote.names.items())
        return self._named

    def name(self, text: str) -> str:
        """A catalogue item's name in the document's language."""
        return item_name(text, self.tr)

    def paragraph(self, text: Text, style: ParagraphStyle, where: str) -> Words:
        """A paragraph of cleaned and escaped text."""
        return self.made(Words, text, style, where)

    def made(self, kind: type[W], text: Text, style: ParagraphStyle, where: str) -> W:
        """A paragraph of a kind: from runs put together, or parsed where a link or a line end needs the parser."""
        pieces = [text] if isinstance(text, str | Piece) else list(text)
        runs = [Piece(item) if isinstance(item, str) else item for item in pieces]
        cleaned = [self.guard.clean(run.text, where) for run in runs]
        if any("\n" in words for words in cleaned) or any(run.link for run in runs) or not "".join(cleaned).strip():
            return kind(self.guard.markup(runs, where), style)
        return kind("", style, frags=[self._run(*pair, style) for pair in zip(cleaned, runs, strict=True) if pair[0]])

    def _run(self, cleaned: str, piece: Piece, style: ParagraphStyle) -> ParaFrag:
        """A run needs no parser: it is a copy of a parsed sample of its look with the text put in.

        Texts are data here and never markup, so nothing has to be escaped.
        """
        key = style.name, piece.bold, piece.colour, piece.size, piece.raised, piece.link
        sample = self.runs.get(key)
        if sample is None:
            sample = Words(self.guard.markup(replace(piece, text="x"), "sample"), style).frags[0]
            self.runs[key] = sample
        return sample.clone(text=cleaned)

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


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline. `level` 0 is a chapter; `key` is unique in the document."""

    title: str
    key: str
    level: int


class Heading(Words):
    """A heading that becomes a bookmark. One that goes over two pages is marked where it begins."""

    bookmark: Bookmark | None = None

    def split(self, width: float, height: float) -> list[Flowable]:
        """The pieces; the first keeps the bookmark."""
        pieces: list[Flowable] = super().split(width, height)
        if pieces:
            pieces[0].bookmark = self.bookmark
        return pieces

    def draw(self) -> None:
        """Set the bookmark where the heading stands."""
        if self.bookmark is not None:
            self.canv.bookmarkPage(self.bookmark.key)
            self.canv.addOutlineEntry(self.bookmark.title, self.bookmark.key, self.bookmark.level, closed=False)
        super().draw()


def chapter(paper: Paper, text: str, key: str, *, level: int = 0, room: float = 90.0) -> Iterator[Flowable]:
    """A heading with its bookmark, on a new page when less than `room` points are left for it and its beginning."""
    yield CondPageBreak(room)
    yield heading(paper, text, key, level)


def heading(paper: Paper, text: str, key: str, level: int = 0) -> Heading:
    """A chapter (level 0) or section heading with its bookmark."""
    style = paper.styles.heading if level == 0 else paper.styles.subheading
    made = paper.made(Heading, text, style, key)
    return marked(made, paper.guard.line(text, key), key, level)


def marked(made: Heading, title: str, key: str, level: int) -> Heading:
    """Give a heading its bookmark."""
    made.bookmark = Bookmark(title, key, level)
    return made

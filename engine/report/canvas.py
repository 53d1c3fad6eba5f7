"""The canvas of the paper: the embedded family alone, no clock in the file, streams as standards want them.

reportlab does without some of what the archive standard PDF/A asks of every stream and annotation, and spends a tenth
of its time on writing binary streams as text. Both are settled here, once, for every paper.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

from reportlab import rl_config
from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from engine.report.fonts import Family

rl_config.useA85 = 0  # reportlab's switch for the whole process: streams stay binary, a fifth smaller

_PDF_VERSION = (1, 7)  # what associated files and the archive standard are written for
_PRINTED = 4  # annotation flag: appears in print


def _escapes() -> dict[int, str]:
    """How a byte is written in a PDF string: what reportlab writes, without a loop over every character."""
    escaped = {code: f"\\{code:03o}" for code in (*range(32), *range(127, 256))}
    return escaped | {ord(sign): "\\" + sign for sign in "\\()"}


_ESCAPES = _escapes()


class PaperCanvas(Canvas):  # type: ignore[misc]  # reportlab carries no types
    """A canvas that knows the embedded family alone: reportlab's own default font is in no file."""

    family: Family

    def setEncrypt(self, _encrypt: object) -> None:  # noqa: N802  # reportlab's name
        """A paper is never encrypted; what stands here for encryption sees every stream."""
        self._doc.encrypt = _OpenStreams()

    def setFont(self, name: str, size: float, leading: float | None = None) -> None:  # noqa: N802  # reportlab's name
        """Any other font becomes the regular one."""
        known = name if name in {self.family.regular, self.family.bold} else self.family.regular
        super().setFont(known, size, leading)

    def _escape(self, text: str | bytes) -> str:
        """A string's content, escaped."""
        return (text if isinstance(text, str) else text.decode("latin-1")).translate(_ESCAPES)

    def linkURL(self, url: str, rect: tuple[float, ...], *places: object, **settings: object) -> None:  # noqa: N802  # reportlab's name
        """A web link, marked as printable: the archive standard wants the flag stated."""
        super().linkURL(url, rect, *places, F=_PRINTED, **settings)


class _StreamBody(bytes, pdfdoc.PDFObject):  # type: ignore[misc]  # reportlab carries no types
    """A stream's content; what follows it in the file begins on a line of its own."""

    def format(self, _document: pdfdoc.PDFDocument) -> bytes:
        """The content and a line end, which does not count as content."""
        return bytes(self) + b"\n"


class _OpenStreams(pdfdoc.NoEncryption):  # type: ignore[misc]  # reportlab carries no types
    """No encryption. Every stream passes here on its way into the file."""

    def encode(self, content: str | bytes) -> _StreamBody:
        """The content as it was."""
        return _StreamBody(content.encode("latin-1") if isinstance(content, str) else content)


def canvas_maker(family: Family, language_tag: str) -> Callable[..., Canvas]:
    """Makes the canvas: no clock in the file, the embedded font from the start, the document's language."""

    def made(stream: BinaryIO, **settings: object) -> Canvas:
        settings |= {
            "invariant": 1,
            "initialFontName": family.regular,
            "lang": language_tag,
            "pdfVersion": _PDF_VERSION,
        }
        maker: Callable[..., Canvas] = type("FamilyCanvas", (PaperCanvas,), {"family": family})
        return maker(stream, **settings)

    return made

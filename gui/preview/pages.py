"""The pages of a finished PDF: their text for screen readers, and their pictures, drawn by pypdfium2 when seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

POINTS_PER_INCH = 72
SEEN_AT_ONCE = 3  # pages that a tall window shows together; their pictures are kept
WHITE = (255, 255, 255, 255)
_PDFIUM = Lock()


@dataclass(frozen=True, slots=True)
class PaperPage:
    """One page as it is printed. Pictures of two dozen pages would take more memory than all the rest."""

    pdf: bytes
    number: int  # from 0
    width_pt: float
    height_pt: float
    text: str

    def drawn(self, width_px: int) -> QImage:
        """The page on white, so many pixels wide."""
        return _drawn(self, width_px)

    def drawn_at(self, dpi: float) -> QImage:
        """The page on white at a printer's resolution."""
        return _picture(self, dpi / POINTS_PER_INCH)


def paper_pages(pdf: bytes, wanted: Sequence[int] | None = None) -> list[PaperPage]:
    """Every page, or the wanted ones by their number from 0."""
    with _opened(pdf) as document:
        return [_page(pdf, document, number) for number in (range(len(document)) if wanted is None else wanted)]


@contextmanager
def _opened(pdf: bytes) -> Iterator[PdfDocument]:
    """The document, to one caller at a time: pdfium is not thread-safe."""
    import pypdfium2  # noqa: PLC0415  # 80 ms that only the preview should cost

    with _PDFIUM:
        document = pypdfium2.PdfDocument(pdf)
        try:
            yield document
        finally:
            document.close()


def _page(pdf: bytes, document: PdfDocument, number: int) -> PaperPage:
    page = document[number]
    width_pt, height_pt = page.get_size()
    text_page = page.get_textpage()
    text = text_page.get_text_bounded()
    text_page.close()
    page.close()
    return PaperPage(pdf, number, width_pt, height_pt, text)


@lru_cache(maxsize=SEEN_AT_ONCE)
def _drawn(page: PaperPage, width_px: int) -> QImage:
    return _picture(page, width_px / page.width_pt)


def _picture(page: PaperPage, scale: float) -> QImage:
    with _opened(page.pdf) as document:
        drawn = document[page.number]
        bitmap = drawn.render(scale=scale, fill_color=WHITE, rev_byteorder=True)
        image = QImage(bitmap.buffer, bitmap.width, bitmap.height, bitmap.stride, QImage.Format.Format_RGB888).copy()
        bitmap.close()
        drawn.close()
        return image

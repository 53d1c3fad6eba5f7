"""Turns a finished PDF into white page pictures with pypdfium2, and reads each page's text for screen readers."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

from PySide6.QtGui import QImage

POINTS_PER_INCH = 72
FASTEST = 1  # of zlib's levels; a page is mostly white and shrinks to a fiftieth
DRAWN_AT_ONCE = 2  # pages that are seen together and kept unpacked
PREVIEW_DPI = 130
_PDFIUM = Lock()


@dataclass(frozen=True, slots=True)
class PageImage:
    """One page as it is printed, packed: two dozen pages would otherwise take more memory than all the rest."""

    packed: bytes
    width: int
    height: int
    stride: int
    format: QImage.Format
    text: str

    @property
    def image(self) -> QImage:
        """The page's picture, unpacked when it is drawn."""
        return _unpacked(self)


def page_images(pdf: bytes, dpi: int = PREVIEW_DPI, wanted: Sequence[int] | None = None) -> list[PageImage]:
    """Every page on white, or the wanted ones by their number from 0.

    pdfium is not thread-safe: callers wait for each other.
    """
    import pypdfium2  # noqa: PLC0415  # 80 ms that only the preview should cost

    with _PDFIUM:
        document = pypdfium2.PdfDocument(pdf)
        try:
            numbers = range(len(document)) if wanted is None else wanted
            return [_image(document[number], dpi / POINTS_PER_INCH) for number in numbers]
        finally:
            document.close()


@lru_cache(maxsize=DRAWN_AT_ONCE)
def _unpacked(page: PageImage) -> QImage:
    return QImage(zlib.decompress(page.packed), page.width, page.height, page.stride, page.format).copy()


def _image(page: object, scale: float) -> PageImage:
    bitmap = page.render(scale=scale, fill_color=(255, 255, 255, 255), rev_byteorder=True)  # type: ignore[attr-defined]
    text_page = page.get_textpage()  # type: ignore[attr-defined]
    text = text_page.get_text_bounded()
    text_page.close()
    formats = {3: QImage.Format.Format_RGB888, 4: QImage.Format.Format_RGBX8888, 1: QImage.Format.Format_Grayscale8}
    packed = zlib.compress(bitmap.buffer, FASTEST)
    made = PageImage(packed, bitmap.width, bitmap.height, bitmap.stride, formats[bitmap.n_channels], text)
    bitmap.close()
    page.close()  # type: ignore[attr-defined]
    return made

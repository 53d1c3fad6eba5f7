"""The seller's letterhead beneath the pages of a paper: one page, as PDF or PNG, in the user's folder.

`letterhead.pdf` or `letterhead.png` lies beneath every page, `letterhead-first` beneath the first one alone or instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from catalog.data_sheets import is_archivable
from catalog.text_files import is_given
from engine.errors import PassformError

EVERY, FIRST = "letterhead", "letterhead-first"
MAX_BYTES = 10_000_000
MOST_PIXELS = 40_000_000  # 600 dpi on A4
A4 = (595.276, 841.89)  # points
SLACK = 6.0  # points: programs round the page's size
JPEG_QUALITY = 95


class LetterheadError(PassformError):
    """A letterhead cannot be used; the message says why and what would help."""


@dataclass(frozen=True, slots=True)
class Letterhead:
    """One-page PDFs that lie beneath the first page and beneath all later ones."""

    first: bytes | None
    later: bytes | None


def load_letterhead(folder: Path, *, archivable: bool = False) -> Letterhead | None:
    """The letterhead of the user's folder; None without one.

    Raises `LetterheadError` for what is encrypted, damaged, too large, no A4 page, or no PDF/A where one is needed.
    """
    every = _page(folder, EVERY, archivable=archivable)
    first = _page(folder, FIRST, archivable=archivable) or every
    return None if first is None else Letterhead(first, every)


def beneath(pdf: bytes, letterhead: Letterhead, pages: int) -> bytes:
    """The paper with the letterhead under its first `pages` pages. The same input gives the same bytes."""
    from pypdf import PdfReader, PdfWriter  # noqa: PLC0415  # only a paper on a letterhead needs it

    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf)))
    sheets = [None if one is None else PdfReader(BytesIO(one)).pages[0] for one in (letterhead.first, letterhead.later)]
    for number, page in enumerate(writer.pages[:pages]):
        sheet = sheets[0 if number == 0 else 1]
        if sheet is not None:
            sheet.pop("/Annots", None)
            page.merge_page(sheet, over=False)
    stream = BytesIO()
    writer.write(stream)
    return stream.getvalue()


def _page(folder: Path, name: str, *, archivable: bool) -> bytes | None:
    for ending in ("pdf", "png"):
        path = folder / f"{name}.{ending}"
        if is_given(path):
            content = _content(path)
            if ending == "png":
                return _from_picture(content, path.name)
            _check(content, path.name, archivable=archivable)
            return content
    return None


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise LetterheadError(
            "{file}: cannot be read: {problem}.", file=path.name, problem=error.strerror or str(error)
        ) from error
    if len(content) > MAX_BYTES:
        raise LetterheadError(
            "The letterhead {file} has more than {limit} MB.", file=path.name, limit=MAX_BYTES // 10**6
        )
    return content


def _check(content: bytes, name: str, *, archivable: bool) -> None:
    from pypdf import PdfReader  # noqa: PLC0415  # as above

    from catalog.embedded_files import DAMAGED  # noqa: PLC0415  # as above

    try:
        reader = PdfReader(BytesIO(content))
        if reader.is_encrypted:
            raise LetterheadError(
                "The letterhead {file} is protected by encryption. Save it without protection and try again.", file=name
            )
        box = reader.pages[0].mediabox
        size = (float(box.width), float(box.height))
        fits = len(reader.pages) == 1 and all(abs(one - a4) <= SLACK for one, a4 in zip(size, A4, strict=True))
        fits = fits and not reader.pages[0].rotation
        archived = not archivable or is_archivable(reader)
    except DAMAGED as error:
        raise LetterheadError("The letterhead {file} is damaged.", file=name) from error
    if not fits:
        raise LetterheadError("The letterhead {file} must be one upright A4 page.", file=name)
    if not archived:
        raise LetterheadError(
            "The letterhead {file} is no PDF/A with RGB colours, so it cannot go under a paper for archives. "
            "Use such a file, or a PNG.",
            file=name,
        )


def _from_picture(content: bytes, name: str) -> bytes:
    """The picture as a page of A4; what is transparent becomes white."""
    from PIL import Image  # noqa: PLC0415  # as above

    try:
        with Image.open(BytesIO(content)) as picture:
            width, height = picture.size
            upright = abs(height / width - A4[1] / A4[0]) < SLACK / A4[0]
            if not upright or width * height > MOST_PIXELS:
                raise LetterheadError(
                    "The letterhead {file} must have the shape of an upright A4 page and at most {limit} million "
                    "pixels.",
                    file=name,
                    limit=MOST_PIXELS // 10**6,
                )
            seen = picture.convert("RGBA")
            page = Image.new("RGB", seen.size, "white")
            page.paste(seen, mask=seen.getchannel("A"))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise LetterheadError("The letterhead {file} is damaged.", file=name) from error
    stream = BytesIO()
    page.save(stream, "PDF", resolution=width / A4[0] * 72, quality=JPEG_QUALITY)
    return stream.getvalue()

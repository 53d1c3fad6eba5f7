"""The seller's data sheets, appended after the last page of a paper.

They lie as `data-sheets/<catalogue id>.pdf` in the user's folder, or as `<catalogue id>.de.pdf` in one language. Pages
are taken over as they are; what a PDF can do beyond showing pages (scripts, forms, attachments) is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from catalog.text_files import is_given
from engine.errors import PassformError
from engine.quote.document import Quote
from engine.report.assets import SheetNote
from engine.wording.catalogue_texts import item_name
from engine.wording.findings import Finding, FindingKind
from engine.wording.translator import Translator

if TYPE_CHECKING:  # pypdf costs 100 ms; only a paper with sheets needs it
    from pypdf import PageObject, PdfReader

FOLDER = "data-sheets"
MAX_SHEET_BYTES = 20_000_000
MAX_SHEET_PAGES = 40
MAX_BYTES = 40_000_000  # of all sheets: a paper must stay small enough to be sent and opened again
MAX_PAGES = 120
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
_KEPT = frozenset(
    {
        *("/Type", "/Parent", "/Contents", "/Resources", "/Rotate", "/Group", "/UserUnit"),
        *("/MediaBox", "/CropBox", "/TrimBox", "/BleedBox", "/ArtBox"),
    }
)
_ARCHIVE_PART = re.compile(rb"pdfaid:part(?:>|=[\"'])([123])\b")
_FITTING_COLOURS = frozenset({1, 3})  # components of a profile that goes with the paper's own: grey and RGB


class DataSheetError(PassformError):
    """A data sheet cannot be appended; the message says why and what would help."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A data sheet that was checked."""

    title: str
    content: bytes
    pages: int

    @property
    def note(self) -> SheetNote:
        """How the paper lists it."""
        return SheetNote(self.title, self.pages)


def sheets_of(quote: Quote, folder: Path, tr: Translator, *, archivable: bool = False) -> tuple[Sheet, ...]:
    """The sheets of what the quote offers, in the order of its positions. `archivable`: only PDF/A will do.

    Raises `DataSheetError` for a sheet that is encrypted, damaged, too large, or no PDF/A where one is needed.
    """
    found: list[Sheet] = []
    for item_id, title in _offered(quote).items():
        path = _path(folder / FOLDER, item_id, quote.language)
        if path is not None:
            found.append(_checked(path, item_name(title, tr), archivable=archivable))
    if sum(sheet.pages for sheet in found) > MAX_PAGES or sum(len(sheet.content) for sheet in found) > MAX_BYTES:
        raise DataSheetError(
            "The data sheets have more than {pages} pages or {size} MB together. Keep fewer of them in {folder}.",
            pages=MAX_PAGES,
            size=MAX_BYTES // 10**6,
            folder=FOLDER,
        )
    return tuple(found)


def nothing_found(sheets: tuple[Sheet, ...]) -> tuple[Finding, ...]:
    """The remark that sheets were wanted and none is there."""
    return () if sheets else (Finding(FindingKind.NO_DATA_SHEETS, FOLDER, ""),)


def appended(pdf: bytes, sheets: tuple[Sheet, ...]) -> bytes:
    """The paper with the sheets after its last page, each with a bookmark. The same input gives the same bytes."""
    from pypdf import PdfReader, PdfWriter  # noqa: PLC0415  # as above

    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf)))
    for sheet in sheets:
        first = len(writer.pages)
        for page in PdfReader(BytesIO(sheet.content)).pages:
            writer.add_page(_shown_alone(page))
        writer.add_outline_item(title=sheet.title, page_number=first)
    stream = BytesIO()
    writer.write(stream)
    return stream.getvalue()


def _offered(quote: Quote) -> dict[str, str]:
    """Catalogue ids with their names."""
    return {line.item_id: quote.names.get(line.item_id, line.title) for line in quote.lines if line.item_id}


def _path(folder: Path, item_id: str, language: str) -> Path | None:
    if not _ID.fullmatch(item_id):  # an id of a foreign file must not lead out of the folder
        return None
    names = (f"{item_id}.{language}.pdf", f"{item_id}.pdf")
    return next((folder / name for name in names if is_given(folder / name)), None)


def _checked(path: Path, title: str, *, archivable: bool) -> Sheet:
    from pypdf import PdfReader  # noqa: PLC0415  # as above

    from catalog.embedded_files import DAMAGED  # noqa: PLC0415  # as above

    content = _content(path)
    try:
        reader = PdfReader(BytesIO(content))
        if reader.is_encrypted:
            raise DataSheetError(
                "The data sheet {file} is protected by encryption. Save it without protection and try again.",
                file=path.name,
            )
        pages = _page_count(reader)
        fits = not archivable or is_archivable(reader)
    except DAMAGED as error:
        raise DataSheetError("The data sheet {file} is damaged, or no PDF.", file=path.name) from error
    if not pages:
        raise DataSheetError("The data sheet {file} is damaged, or no PDF.", file=path.name)
    if pages > MAX_SHEET_PAGES:
        raise DataSheetError(
            "The data sheet {file} has more than {limit} pages. Keep those that the customer needs.",
            file=path.name,
            limit=MAX_SHEET_PAGES,
        )
    if not fits:
        raise DataSheetError(
            "The data sheet {file} is no PDF/A with RGB colours, so it cannot go into a paper for archives. "
            "Use such a file, or append no data sheets.",
            file=path.name,
        )
    return Sheet(title, content, pages)


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_SHEET_BYTES + 1)
    except OSError as error:
        raise DataSheetError(
            "{file}: cannot be read: {problem}.", file=path.name, problem=error.strerror or str(error)
        ) from error
    if len(content) > MAX_SHEET_BYTES:
        raise DataSheetError(
            "The data sheet {file} has more than {limit} MB.", file=path.name, limit=MAX_SHEET_BYTES // 10**6
        )
    return content


def _page_count(reader: PdfReader) -> int:
    """How many pages can be read, counted up to one more than is allowed."""
    count = 0
    for page in reader.pages:
        count += 1
        if not (page.mediabox.width > 0 and page.mediabox.height > 0):
            raise ValueError("a page without size")
        if count > MAX_SHEET_PAGES:
            break
    return count


def is_archivable(reader: PdfReader) -> bool:
    """Whether the file says it is PDF/A, and its colours mean what the paper's mean."""
    catalogue = reader.root_object
    metadata = catalogue.get("/Metadata")
    described = None if metadata is None else metadata.get_object().get_data()
    if described is None or not _ARCHIVE_PART.search(described):
        return False
    intents = [intent.get_object() for intent in catalogue.get("/OutputIntents", ())]
    profiles = [intent["/DestOutputProfile"] for intent in intents if "/DestOutputProfile" in intent]
    return all(profile["/N"] in _FITTING_COLOURS for profile in profiles)


def _shown_alone(page: PageObject) -> PageObject:
    """The page without actions, forms and notes; web links stay."""
    links = list(_web_links(page))
    for key in [key for key in page if key not in _KEPT]:
        del page[key]
    if links:
        from pypdf.generic import ArrayObject, NameObject  # noqa: PLC0415  # as above

        page[NameObject("/Annots")] = ArrayObject(links)
    return page


def _web_links(page: PageObject) -> Iterator[object]:
    """Links of a page that lead to the web, and nowhere else."""
    for reference in page.annotations or ():
        note = reference.get_object()
        action = note.get("/A", {}).get_object() if "/A" in note else {}
        if note.get("/Subtype") == "/Link" and action.get("/S") == "/URI" and "/Next" not in action:
            for key in ("/P", "/AA", "/Parent", "/StructParent"):
                note.pop(key, None)
            yield note

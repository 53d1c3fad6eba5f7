"""Data sheets after the last page: as they are, named, bounded, and without what a PDF can do beyond showing pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdf
import pytest
from pypdf.annotations import FreeText
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, TextStringObject
from reportlab.pdfgen.canvas import Canvas

from catalog import data_sheets
from catalog.attachments import NAME, consultation_from_bytes
from catalog.data_sheets import DataSheetError, sheets_of
from catalog.embedded_files import embedded_files
from catalog.paper import FinishedPaper, for_archives, make_pdf
from catalog.register.issuing import quote_of
from engine.quote.draft import DocumentKind
from engine.quote.release import release
from engine.wording.findings import FindingKind, finding_text
from resources import translations
from scripts.pdfa_check import can_check, check
from tests.catalog.register.conftest import Case, case, planned  # noqa: F401  # fixtures of the register's tests

TR = translations("de")
Put = Callable[..., Path]


def sheet(*pages: str, size: tuple[float, float] = (595, 842)) -> bytes:
    """A PDF with a line of text on each page and a link to the web on the first one."""
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=size, invariant=1)
    for number, text in enumerate(pages):
        canvas.drawString(72, 72, text)
        if number == 0:
            canvas.linkURL("https://example.org/sheet", (72, 60, 200, 90))
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def changed(pdf: bytes, change: Callable[[pypdf.PdfWriter], object]) -> bytes:
    """The PDF after a change."""
    writer = pypdf.PdfWriter(clone_from=pypdf.PdfReader(BytesIO(pdf)))
    change(writer)
    stream = BytesIO()
    writer.write(stream)
    return stream.getvalue()


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Put:
    """Lays a sheet into the user's folder."""
    monkeypatch.setattr("catalog.paper.user_folder", lambda: tmp_path)
    (tmp_path / data_sheets.FOLDER).mkdir(exist_ok=True)

    def write(name: str, content: bytes) -> Path:
        path = tmp_path / data_sheets.FOLDER / name
        path.write_bytes(content)
        return path

    return write


@pytest.fixture
def paper(case: Case) -> Callable[..., FinishedPaper]:  # noqa: F811  # the fixture
    def made(*, sheets: bool = True, archivable: bool = False) -> FinishedPaper:
        row = case.consultation.quote.model_copy(update={"data_sheets": sheets})
        consultation = case.consultation.model_copy(update={"quote": row})
        consultation = for_archives(consultation) if archivable else consultation
        quote = quote_of(replace(case.proposal, consultation=consultation), DocumentKind.RECOMMENDATION)
        return make_pdf(quote, consultation, case.folder)

    return made


@pytest.fixture
def card(case: Case) -> str:  # noqa: F811  # the fixture
    """The catalogue id of the recommended card."""
    assert case.recommendation.chosen is not None
    return case.recommendation.chosen.card.id


def test_that_sheets_follow_after_the_last_page_with_bookmark_and_entry(
    put: Put,
    paper: Callable[..., FinishedPaper],
    card: str,
    case: Case,  # noqa: F811  # the fixture
) -> None:
    plain = pypdf.PdfReader(BytesIO(paper(sheets=False).pdf))
    put(f"{card}.pdf", sheet("Karte, Blatt 1", "Karte, Blatt 2", size=(842, 595)))
    assert case.recommendation.chosen is not None
    put(f"{case.recommendation.chosen.system.id}.pdf", sheet("Das Gerät"))
    made = paper()
    assert made.findings == ()
    reader = pypdf.PdfReader(BytesIO(made.pdf))
    texts = [page.extract_text().strip() for page in reader.pages]
    assert texts[-3:] == ["Das Gerät", "Karte, Blatt 1", "Karte, Blatt 2"]  # in the order of the positions
    assert len(texts) - 3 in {len(plain.pages), len(plain.pages) + 1}
    assert (float(reader.pages[-1].mediabox.width), float(reader.pages[-1].mediabox.height)) == (842, 595)
    own = "\n".join(texts[:-3])
    assert "Anhang: Datenblätter" in own
    assert "2 Seiten" in own
    marks = [entry for entry in reader.outline if not isinstance(entry, list)]
    assert [reader.get_destination_page_number(entry) for entry in marks[-2:]] == [len(texts) - 3, len(texts) - 2]
    assert marks[-1].title == case.recommendation.chosen.card.short_name
    assert "Anhang: Datenblätter" in [entry.title for entry in marks]


def test_that_the_paper_stays_what_it_was(put: Put, paper: Callable[..., FinishedPaper], card: str) -> None:
    put(f"{card}.pdf", sheet("Karte"))
    made, again = paper().pdf, paper().pdf
    assert made == again
    reader, plain = (pypdf.PdfReader(BytesIO(pdf)) for pdf in (made, paper(sheets=False).pdf))
    assert reader.metadata == plain.metadata
    assert reader.root_object["/Lang"] == "de-DE"
    assert reader.root_object["/ViewerPreferences"]["/DisplayDocTitle"]
    files = frozenset({NAME})
    assert embedded_files(made, "x", files, 10**7).keys() == files
    assert consultation_from_bytes(made, "x", Path()).quote.data_sheets is False  # the customer has no such folder


def test_that_the_language_of_the_paper_chooses_the_sheet(
    put: Put, paper: Callable[..., FinishedPaper], card: str
) -> None:
    for name, text in ((f"{card}.pdf", "any"), (f"{card}.de.pdf", "deutsch"), (f"{card}.en.pdf", "english")):
        put(name, sheet(text))
    assert pypdf.PdfReader(BytesIO(paper().pdf)).pages[-1].extract_text().strip() == "deutsch"


def test_that_missing_sheets_are_remarked(put: Put, paper: Callable[..., FinishedPaper]) -> None:
    put("something-else.pdf", sheet("x"))
    made = paper()
    assert [finding.kind for finding in made.findings] == [FindingKind.NO_DATA_SHEETS]
    assert "data-sheets" in finding_text(made.findings[0], TR)
    assert paper(sheets=False).pdf == made.pdf


def _encrypted() -> bytes:
    return changed(sheet("x"), lambda writer: writer.encrypt("", "owner", algorithm="AES-256"))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (_encrypted(), "Verschlüsselung"),
        (b"", "beschädigt oder kein PDF"),
        (b"a letter", "beschädigt oder kein PDF"),
        (sheet("x")[:300], "beschädigt oder kein PDF"),
        (changed(sheet("x"), lambda writer: writer.remove_page(0)), "beschädigt oder kein PDF"),
        (sheet(*["x"] * (data_sheets.MAX_SHEET_PAGES + 1)), "mehr als 40 Seiten"),
        (sheet("x") + b" " * data_sheets.MAX_SHEET_BYTES, "mehr als 20 MB"),
    ],
    ids=["encrypted", "empty", "no PDF", "cut off", "no page", "too many pages", "too large"],
)
def test_that_a_sheet_that_cannot_be_appended_is_refused_in_words(
    put: Put, paper: Callable[..., FinishedPaper], card: str, content: bytes, says: str
) -> None:
    put(f"{card}.pdf", content)
    with pytest.raises(DataSheetError) as raised:
        paper()
    text = raised.value.text(TR.gettext)
    assert says in text
    assert f"{card}.pdf" in text


def test_that_too_many_pages_together_are_refused(
    put: Put, make_draft: Any, make_line: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(data_sheets, "MAX_PAGES", 3)
    for name in ("a", "b"):
        put(f"{name}.pdf", sheet("x", "y"))
    quote = release(make_draft((make_line("1", item_id="a"), make_line("2", item_id="b"))))
    with pytest.raises(DataSheetError, match="together"):
        sheets_of(quote, tmp_path, TR)
    one = release(make_draft((make_line("1", item_id="a"), make_line("2", item_id="a"))))
    assert [found.pages for found in sheets_of(one, tmp_path, TR)] == [2]  # the same item twice: one sheet


@pytest.mark.parametrize("item", ["../outside", "..", "a/../../outside", "/etc/passwd", "C:outside", "", "a\x00b"])
def test_that_no_id_leads_out_of_the_folder(
    put: Put, make_draft: Any, make_line: Any, tmp_path: Path, item: str
) -> None:
    put("a.pdf", sheet("x"))
    (tmp_path / "outside.pdf").write_bytes(sheet("secret"))
    assert sheets_of(release(make_draft((make_line("1", item_id=item),))), tmp_path, TR) == ()


def _hostile(writer: pypdf.PdfWriter) -> None:
    page = writer.pages[0]
    script = DictionaryObject(
        {NameObject("/S"): NameObject("/JavaScript"), NameObject("/JS"): TextStringObject("app.alert('CANARY')")}
    )
    page[NameObject("/AA")] = DictionaryObject({NameObject("/O"): script})
    page[NameObject("/PieceInfo")] = DictionaryObject({NameObject("/CANARY"): NumberObject(1)})
    link = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Annot"),
            NameObject("/Subtype"): NameObject("/Link"),
            NameObject("/Rect"): ArrayObject([NumberObject(value) for value in (0, 0, 9, 9)]),
            NameObject("/A"): script,
        }
    )
    page["/Annots"].append(link)
    writer.add_annotation(0, FreeText(text="CANARY note", rect=(10, 10, 90, 90)))
    writer.root_object[NameObject("/OpenAction")] = script
    writer.add_attachment("CANARY.txt", b"CANARY")
    writer.add_metadata({"/Author": "CANARY"})


def test_that_only_what_can_be_seen_is_taken_over(put: Put, paper: Callable[..., FinishedPaper], card: str) -> None:
    put(f"{card}.pdf", changed(sheet("Karte"), _hostile))
    made = paper().pdf
    reader = pypdf.PdfReader(BytesIO(made))
    notes = [note.get_object() for note in reader.pages[-1]["/Annots"]]
    assert [note["/A"]["/URI"] for note in notes] == ["https://example.org/sheet"]
    everything = repr([reader.get_object(number) for number in range(1, len(reader.xref[0]) + 1)]) + repr(
        reader.trailer
    )
    assert "CANARY" not in everything
    assert "JavaScript" not in everything


def test_that_a_paper_for_archives_takes_only_sheets_for_archives(
    put: Put, paper: Callable[..., FinishedPaper], card: str, tmp_path: Path
) -> None:
    put(f"{card}.pdf", sheet("x"))
    with pytest.raises(DataSheetError, match="no PDF/A"):
        paper(archivable=True)
    archived = paper(sheets=False, archivable=True).pdf

    def printed_in_four_colours(writer: pypdf.PdfWriter) -> None:
        writer.root_object["/OutputIntents"][0]["/DestOutputProfile"][NameObject("/N")] = NumberObject(4)

    put(f"{card}.pdf", changed(archived, printed_in_four_colours))
    with pytest.raises(DataSheetError, match="RGB"):
        paper(archivable=True)
    put(f"{card}.pdf", archived)
    made = paper(archivable=True)
    assert len(pypdf.PdfReader(BytesIO(made.pdf)).pages) > len(pypdf.PdfReader(BytesIO(archived)).pages)
    if can_check():
        merged = tmp_path / "paper.pdf"
        merged.write_bytes(made.pdf)
        (judged,) = check([merged])
        assert (judged.compliant, judged.failed) == (True, {})

"""The seller's letterhead beneath the pages: every page or the first alone, instead of the paper's own head."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pypdf
import pypdfium2
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from catalog import letterhead
from catalog.attachments import NAME
from catalog.embedded_files import embedded_files
from catalog.letterhead import LetterheadError, load_letterhead
from catalog.paper import FinishedPaper, for_archives, make_pdf
from catalog.register.issuing import quote_of
from catalog.seller import load_seller
from engine.quote.draft import DocumentKind
from resources import translations
from scripts.pdfa_check import can_check, check
from tests.catalog.register.conftest import Case, case, planned  # noqa: F401  # fixtures of the register's tests

TR = translations("de")
A4 = (595.276, 841.89)
MARK = (250, 120, 10)  # a colour no paper has


def bogen(*words: str, size: tuple[float, float] = A4) -> bytes:
    """A letterhead with a coloured bar along its upper edge; one page per word."""
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=size, invariant=1)
    for word in words:
        canvas.setFillColorRGB(*(value / 255 for value in MARK))
        canvas.rect(0, size[1] - 20, size[0], 20, stroke=0, fill=1)
        canvas.drawString(72, 30, word)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def picture(size: tuple[int, int] = (827, 1169)) -> bytes:
    stream = BytesIO()
    made = Image.new("RGBA", size, (0, 0, 0, 0))  # transparent, as many logos are
    made.paste((*MARK, 255), (0, 0, size[0], 28))
    made.save(stream, "PNG")
    return stream.getvalue()


def barred(pdf: bytes) -> list[bool]:
    """Whether a page shows the bar of the letterhead."""
    document = pypdfium2.PdfDocument(pdf)
    colours = [page.render(scale=1).to_pil().convert("RGB").getpixel((300, 6)) for page in document]
    document.close()
    return [all(abs(one - mark) < 12 for one, mark in zip(colour, MARK, strict=True)) for colour in colours]


@pytest.fixture
def paper(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., FinishedPaper]:  # noqa: F811
    monkeypatch.setattr("catalog.paper.user_folder", lambda: tmp_path)

    def made(*, archivable: bool = False, duties: bool = False) -> FinishedPaper:
        consultation = for_archives(case.consultation) if archivable else case.consultation
        seller = replace(case.proposal.seller, duties_on_letterhead=duties)
        proposal = replace(case.proposal, consultation=consultation, seller=seller)
        return make_pdf(quote_of(proposal, DocumentKind.RECOMMENDATION), consultation, case.folder)

    return made


def texts(pdf: bytes) -> list[str]:
    return [page.extract_text() for page in pypdf.PdfReader(BytesIO(pdf)).pages]


@pytest.mark.parametrize(("name", "content"), [("letterhead.pdf", bogen("Fuß")), ("letterhead.png", picture())])
def test_that_it_lies_beneath_every_page_and_takes_the_place_of_the_own_head(
    paper: Callable[..., FinishedPaper], tmp_path: Path, name: str, content: bytes
) -> None:
    plain = paper().pdf
    assert not any(barred(plain))
    (tmp_path / name).write_bytes(content)
    made = paper().pdf
    assert all(barred(made))
    assert made == paper().pdf
    assert len(texts(made)) == len(texts(plain))
    street = "Industriestraße 12"
    assert texts(plain)[0].count(street) == texts(made)[0].count(street) + 1  # address window and duties stay
    assert embedded_files(made, "x", frozenset({NAME}), 10**7)
    assert pypdf.PdfReader(BytesIO(made)).metadata == pypdf.PdfReader(BytesIO(plain)).metadata


def test_that_the_first_page_can_have_one_alone_or_another(paper: Callable[..., FinishedPaper], tmp_path: Path) -> None:
    (tmp_path / "letterhead-first.png").write_bytes(picture())
    shown = barred(paper().pdf)
    assert shown[0]
    assert not any(shown[1:])
    (tmp_path / "letterhead.pdf").write_bytes(bogen("Folgebogen"))
    made = paper().pdf
    assert all(barred(made))
    assert ["Folgebogen" in text for text in texts(made)] == [False, *[True] * (len(texts(made)) - 1)]


def test_that_the_duties_are_left_to_it_only_where_the_profile_says_so(
    paper: Callable[..., FinishedPaper], tmp_path: Path
) -> None:
    assert "HRB 123456" in texts(paper(duties=True).pdf)[0]  # there is no letterhead that could state them
    (tmp_path / "letterhead.pdf").write_bytes(bogen("Fuß"))
    assert "HRB 123456" in texts(paper().pdf)[0]
    assert "HRB 123456" not in texts(paper(duties=True).pdf)[0]
    (tmp_path / "seller.yaml").write_text("schema: 1\nduties_on_letterhead: true\n", encoding="utf-8")
    assert load_seller(tmp_path).duties_on_letterhead


def _encrypted() -> bytes:
    writer = pypdf.PdfWriter(clone_from=pypdf.PdfReader(BytesIO(bogen("x"))))
    writer.encrypt("", "owner", algorithm="AES-256")
    stream = BytesIO()
    writer.write(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("letterhead.pdf", _encrypted(), "Verschlüsselung"),
        ("letterhead.pdf", b"", "beschädigt"),
        ("letterhead.pdf", b"%PDF-1.4 and no more", "beschädigt"),
        ("letterhead.pdf", bogen("a", "b"), "einzelne A4-Seite"),
        ("letterhead.pdf", bogen("a", size=(612, 792)), "einzelne A4-Seite"),
        ("letterhead.pdf", bogen("a", size=(842, 595)), "einzelne A4-Seite"),
        ("letterhead.pdf", b"%PDF" + b" " * letterhead.MAX_BYTES, "mehr als 10 MB"),
        ("letterhead.png", b"no picture", "beschädigt"),
        ("letterhead.png", picture((800, 800)), "Form einer A4-Seite"),
        ("letterhead-first.png", picture()[:-40], "beschädigt"),
    ],
)
def test_that_what_cannot_be_used_is_refused_in_words(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(LetterheadError) as raised:
        load_letterhead(tmp_path)
    text = raised.value.text(TR.gettext)
    assert says in text
    assert name in text


def test_that_a_paper_for_archives_stays_one(paper: Callable[..., FinishedPaper], tmp_path: Path) -> None:
    (tmp_path / "letterhead.pdf").write_bytes(bogen("x"))
    with pytest.raises(LetterheadError, match="no PDF/A"):
        paper(archivable=True)
    (tmp_path / "letterhead.pdf").unlink()
    (tmp_path / "letterhead.png").write_bytes(picture())
    made = paper(archivable=True).pdf
    assert all(barred(made))
    if can_check():
        merged = tmp_path / "paper.pdf"
        merged.write_bytes(made)
        (judged,) = check([merged])
        assert (judged.compliant, judged.failed) == (True, {})

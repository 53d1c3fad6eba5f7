"""Fonts, sample parties, ways to draw a quote and to read it back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest

from engine.prices import PriceBasis
from engine.quote.document import Quote
from engine.quote.draft import (
    DocumentKind,
    DraftLine,
    DraftSection,
    LineKind,
    PriceOrigin,
    QuoteDraft,
    SectionRole,
)
from engine.quote.parties import Address, Bank, Contact, Customer, LegalForm, RegisterEntry, Seller
from engine.quote.release import release
from engine.quote.vat import VatCase, VatTreatment
from engine.report.assets import Assets, RenderReport
from engine.report.document import render
from resources import FONTS, translations

MM = 72 / 25.4

SELLER = Seller(
    name="Muster Systemhaus GmbH",
    legal_form=LegalForm.GMBH,
    address=Address("Industriestraße 12", "10115", "Berlin"),
    register=RegisterEntry("Berlin", "Amtsgericht Charlottenburg", "HRB 123456"),
    directors=("Erika Mustermann", "Max Beispiel"),
    vat_id="DE123456789",
    weee_number="DE 12345678",
    web="www.example.org",
    contact=Contact("Karin Kontakt", "+49 30 1234567", "karin@example.org"),
    bank=Bank("Musterbank", "DE02 1203 0000 0000 2020 51", "BYLADEM1001"),
)
CUSTOMER = Customer(
    company="Beispiel Maschinenbau AG",
    contact="Frau Dr. Sabine Größer",
    lines=("Königstraße 5", "70173 Stuttgart"),
    number="K-1042",
    reference="Anfrage 7",
)
TREATMENT = VatTreatment(VatCase.DOMESTIC, VatCase.DOMESTIC, Decimal("0.19"), confirmed=True)


@dataclass(frozen=True)
class Drawn:
    """A rendered paper and what can be read from it."""

    pdf: bytes
    report: RenderReport
    pages: tuple[str, ...]

    @property
    def text(self) -> str:
        """All pages, with no-break spaces as spaces and lines joined."""
        return " ".join(" ".join(page.split()) for page in self.pages)


@dataclass(frozen=True)
class Glyph:
    """A printed character and its box in millimetres from the top left corner."""

    sign: str
    left: float
    top: float
    right: float
    bottom: float


def glyphs_of(pdf: bytes, page_index: int) -> list[Glyph]:
    """Every visible character of a page with its box."""
    document = pypdfium2.PdfDocument(pdf)
    page = document[page_index]
    text = page.get_textpage()
    height = page.get_height()
    found = []
    for index in range(text.count_chars()):
        sign = text.get_text_range(index, 1)
        if not sign.strip():
            continue
        left, bottom, right, top = text.get_charbox(index)
        found.append(Glyph(sign, left / MM, (height - top) / MM, right / MM, (height - bottom) / MM))
    document.close()
    return found


def overlaps_of(found: list[Glyph]) -> list[tuple[Glyph, Glyph]]:
    """Pairs of glyphs that cover each other by more than a third of the smaller one."""
    cells = defaultdict(list)
    for glyph in found:
        cells[int(glyph.left // 4), int(glyph.top // 4)].append(glyph)
    pairs = []
    for (column, row), here in cells.items():
        near = [glyph for dx in (0, 1) for dy in (-1, 0, 1) for glyph in cells.get((column + dx, row + dy), [])]
        for one in here:
            for other in near:
                if one is other:
                    continue
                width = min(one.right, other.right) - max(one.left, other.left)
                height = min(one.bottom, other.bottom) - max(one.top, other.top)
                if width <= 0 or height <= 0:
                    continue
                area = min(
                    (one.right - one.left) * (one.bottom - one.top),
                    (other.right - other.left) * (other.bottom - other.top),
                )
                if area > 0.05 and width * height > area / 3:
                    pairs.append((one, other))
    return pairs


def assets(language: str) -> Assets:
    regular, bold = ((Path(FONTS) / f"Inter-{style}.ttf").read_bytes() for style in ("Regular", "Bold"))
    return Assets(regular, bold, translations(language))


def draw(quote: Quote, language: str = "de", used: Assets | None = None) -> Drawn:
    stream = BytesIO()
    report = render(quote, language, used or assets(language), stream)
    document = pypdfium2.PdfDocument(stream.getvalue())
    pages = tuple(page.get_textpage().get_text_bounded() for page in document)
    document.close()
    return Drawn(stream.getvalue(), report, tuple(page.replace("\u00a0", " ") for page in pages))


def line(id_: str, price: str | None = "100.00", **changes: object) -> DraftLine:
    unit = None if price is None else Decimal(price)
    made = DraftLine(id_, f"Artikel {id_}", unit_price=unit, origin=PriceOrigin(PriceBasis.SELLER, "2026-11-30"))
    return replace(made, **changes)  # type: ignore[arg-type]  # names checked by replace itself


def draft(lines: Sequence[DraftLine] = (), **changes: object) -> QuoteDraft:
    made = QuoteDraft(
        kind=DocumentKind.RECOMMENDATION,
        seller=SELLER,
        customer=CUSTOMER,
        language="de",
        currency="EUR",
        as_of=date(2026, 11, 30),
        sections=(DraftSection(SectionRole.FREE, tuple(lines) or (line("1"),)),),
        vat=TREATMENT,
        number="AN-2026-0042",
    )
    return replace(made, **changes)  # type: ignore[arg-type]  # names checked by replace itself


@pytest.fixture(scope="session")
def draw_quote() -> Callable[..., Drawn]:
    return draw


@pytest.fixture(scope="session")
def make_line() -> Callable[..., DraftLine]:
    return line


@pytest.fixture(scope="session")
def make_draft() -> Callable[..., QuoteDraft]:
    return draft


@pytest.fixture(scope="session")
def glyphs() -> Callable[[bytes, int], list[Glyph]]:
    return glyphs_of


@pytest.fixture(scope="session")
def overlaps() -> Callable[[list[Glyph]], list[tuple[Glyph, Glyph]]]:
    return overlaps_of


@pytest.fixture
def offer(make_draft: Callable[..., QuoteDraft]) -> Quote:
    """A complete binding offer with every kind of line."""
    lines = (
        line("server", "12000.00", quantity=Decimal(1), description="Rack-Server, 2 HE"),
        line("card", "9999.5", quantity=Decimal(2), discount=Decimal("0.05")),
        line("other", "7000.00", kind=LineKind.ALTERNATIVE, base_id="card"),
        line("training", "1500.00", kind=LineKind.OPTIONAL),
        line("licence", "0", kind=LineKind.INCLUDED),
    )
    return release(make_draft(lines, kind=DocumentKind.OFFER))

"""What stays with the seller reaches no customer: markers in every internal field, looked for in every output."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pypdfium2
import pytest

from catalog.commands.quote_exports import FORMATS, exported
from catalog.consultation.document import Consultation
from catalog.consultation.files import write
from catalog.consultation.open import open_consultation
from catalog.consultation.quote_rows import InternalRow
from catalog.paper import for_archives, make_pdf
from catalog.register.issuing import Proposal, preview_of, quote_of
from catalog.user_folder import VARIABLE
from engine.plan.recommend import recommend
from engine.quote.document import Quote
from engine.quote.draft import DocumentKind, DraftLine, DraftSection, Internal, SectionRole, margin
from engine.quote.release import release
from engine.units import Money
from engine.wording.email import email
from engine.wording.translator import Language
from resources import translations
from tests.catalog.register.conftest import Case
from tests.catalog.register.pdf_files import everything_in
from tests.catalog.register.samples import SELLER, TODAY, draft

VISIBLE = "Sichtbarer-Titel"
SECRETS = (
    *("KANARIENLIEFERANT", "KANARIENNUMMER", "KANARIENPROJEKTPREIS", "KANARIENDATEI", "KANARIENNOTIZ", "KANARIENID"),
    *("KANARIENLOGIN", "KANARIENTITEL", "KANARIENGESTRICHEN", "KANARIENORDNER", "KANARIENQUELLE", "KANARIENKOMMENTAR"),
)
PRICES = ("4711.17", "4711,17", "4.711,17", "4,711.17")
ENCODINGS = ("utf-8", "utf-16-be", "utf-16-le", "latin-1")
OWN_SOURCES = """schema: 1
sources:
  own_list:
    title: "KANARIENQUELLE Preisliste"
    url: "https://example.org/KANARIENQUELLE"
    document_date: "2026-11-20"
    read_date: "2026-11-30"
    read_via: "KANARIENDATEI.xlsx"
"""
OWN_PRICES = """schema: 1
prices:
  - {item: ITEM, amount: "9876.50", currency: EUR, kind: seller, includes_vat: false, as_of: "2026-11-20", \
source: own_list, grade: B, note: "KANARIENKOMMENTAR"}
"""


def found_in(parts: Iterator[bytes] | list[bytes]) -> set[str]:
    """Which secrets occur, in whatever encoding."""
    whole = b"\x00".join(parts)
    lowered = whole.lower()
    texts = {secret for secret in SECRETS for code in ENCODINGS if secret.lower().encode(code) in lowered}
    return texts | {price for price in PRICES for code in ENCODINGS if price.encode(code) in whole}


def given_away(quote: Quote, pdf: bytes) -> Iterator[bytes]:
    """All bytes and texts a customer could get to see of a quote."""
    yield from everything_in(pdf)
    document = pypdfium2.PdfDocument(pdf)
    for page in document:
        yield page.get_textpage().get_text_bounded().encode()
    document.close()
    for file_format in FORMATS:
        content = exported(quote, file_format)
        yield content
        if file_format == "xlsx":
            with ZipFile(BytesIO(content)) as archive:
                yield from (archive.read(name) for name in archive.namelist())
    made = email(quote, translations(quote.language), Language(quote.language))
    yield from (text.encode() for text in (made.subject, made.text, made.file_name))


@pytest.fixture
def secretive(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Proposal:
    """A whole consultation whose every internal field is marked, in a folder and for a user that are marked too."""
    folder = tmp_path / "KANARIENORDNER"
    folder.mkdir()
    monkeypatch.setenv(VARIABLE, str(folder))
    for name in ("USER", "LOGNAME", "USERNAME", "HOME"):
        monkeypatch.setenv(name, "KANARIENLOGIN")
    (folder / "sources.yaml").write_text(OWN_SOURCES, encoding="utf-8")
    chosen = case.recommendation.chosen
    assert chosen is not None
    (folder / "prices.yaml").write_text(OWN_PRICES.replace("ITEM", chosen.card.id), encoding="utf-8")
    internal = InternalRow(
        purchase_price=Decimal("4711.17"),
        supplier="KANARIENLIEFERANT",
        supplier_number="KANARIENNUMMER",
        deal_registration="KANARIENPROJEKTPREIS",
        note="KANARIENNOTIZ",
    )
    quote = case.consultation.quote
    assert quote.sections is not None
    lines = tuple(
        line.model_copy(
            update={
                "id": f"KANARIENID-{index}",
                "internal": internal,
                "price": None if line.item == chosen.card.id else line.price,
            }
        )
        for index, line in enumerate(quote.sections[0].lines)
    )
    shown = quote.sections[0].model_copy(update={"lines": lines, "title": VISIBLE})
    struck = shown.model_copy(
        update={
            "struck": True,
            "title": "KANARIENGESTRICHEN",
            "lines": tuple(line.model_copy(update={"title": "KANARIENGESTRICHEN"}) for line in lines),
        }
    )
    stored = quote.model_copy(update={"sections": (shown, struck)})
    marked = case.consultation.model_copy(
        update={"quote": stored, "title": "KANARIENTITEL", "notes": "KANARIENNOTIZ", "date": TODAY}
    )
    path = folder / "KANARIENDATEI.passform.yaml"
    write(marked, path)
    opened = open_consultation(path, TODAY)
    facts = opened.catalog.facts
    recommendation = recommend(opened.scenario, facts)
    return Proposal(opened.consultation, recommendation, facts, SELLER, folder)


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("kind", list(DocumentKind))
def test_that_nothing_internal_reaches_the_customer(secretive: Proposal, kind: DocumentKind, language: str) -> None:
    quote = quote_of(replace(secretive, language=language, vat_confirmed=True), kind, "AN-2026-0001")
    assert "9876.50" in exported(quote, "json").decode()  # the own price list was indeed read
    pdf = make_pdf(quote, secretive.consultation, secretive.folder).pdf
    everything = list(given_away(quote, pdf))
    assert VISIBLE.encode() in b"".join(everything)
    assert found_in(everything) == set()
    assert found_in([repr(quote).encode()]) == set()  # nor could anything that is printed from it tomorrow


def test_that_nothing_internal_reaches_whoever_sees_a_draft_of_the_offer(secretive: Proposal) -> None:
    quote = preview_of(secretive)
    everything = list(given_away(quote, make_pdf(quote, secretive.consultation, secretive.folder).pdf))
    assert VISIBLE.encode() in b"".join(everything)
    assert found_in(everything) == set()
    assert found_in([repr(quote).encode()]) == set()  # nor could anything that is printed from it tomorrow


def test_that_a_drafts_internal_fields_do_not_reach_the_customer() -> None:
    internal = Internal(
        purchase_price=Money(Decimal("4711.17"), "EUR"),
        supplier="KANARIENLIEFERANT",
        supplier_number="KANARIENNUMMER",
        deal_registration="KANARIENPROJEKTPREIS",
        note="KANARIENNOTIZ",
    )
    line = DraftLine("KANARIENID", VISIBLE, unit_price=Decimal(9000), internal=internal)
    hidden = replace(line, id="KANARIENID2", title="KANARIENGESTRICHEN")
    sections = (
        DraftSection(SectionRole.FREE, (line,)),
        DraftSection(SectionRole.FREE, (hidden,), "KANARIENGESTRICHEN", struck=True),
    )
    made = draft(sections=sections, author="KANARIENLOGIN", notes="KANARIENNOTIZ", kind=DocumentKind.RECOMMENDATION)
    quote = release(made)
    earned = f"{margin(made).amount.amount:.2f}"
    assert earned == "4288.83"  # 9000.00 - 4711.17

    everything = list(given_away(quote, make_pdf(quote, Consultation(), Path()).pdf))
    assert VISIBLE.encode() in b"".join(everything)
    text = b"\x00".join(everything)
    assert not [form for form in (earned, "4288,83", "4.288,83", "4,288.83") if form.encode() in text]
    assert found_in(everything) == set()
    assert found_in([repr(quote).encode()]) == set()  # nor could anything that is printed from it tomorrow


@pytest.mark.parametrize("where", ["title", "description", "seller", "customer", "subject", "terms"])
def test_that_the_search_would_find_a_marker_that_is_given_away(where: str) -> None:
    """A canary that cannot sing proves nothing: the same marker in visible fields is found."""
    line = DraftLine("1", "Artikel", unit_price=Decimal("4711.17"))
    made = draft(kind=DocumentKind.RECOMMENDATION)
    marker = "KANARIENNOTIZ"
    match where:
        case "title" | "description":
            line = replace(line, **{where: marker})
        case "seller":
            made = replace(made, seller=replace(made.seller, name=marker))
        case "customer":
            made = replace(made, customer=replace(made.customer, reference=marker))
        case "subject":
            made = replace(made, subject=marker)
        case _:
            made = replace(made, terms=replace(made.terms, warranty=marker))
    quote = release(replace(made, sections=(DraftSection(SectionRole.FREE, (line,)),)))

    found = found_in(list(given_away(quote, make_pdf(quote, Consultation(), Path()).pdf)))
    assert marker in found
    assert {"4711.17", "4.711,17"} <= found


def test_that_a_paper_claims_a_standard_only_where_it_was_made_for_it(case: Case) -> None:
    """tests/report/test_archive.py holds those that claim PDF/A against it."""
    quote = quote_of(case.proposal, DocumentKind.OFFER, "AN-2026-0001")
    whole = b"".join(everything_in(make_pdf(quote, case.consultation, case.folder).pdf)).lower()
    assert b"pdf/a" not in whole
    assert b"pdfaid" not in whole
    made = b"".join(everything_in(make_pdf(quote, for_archives(case.consultation), case.folder).pdf)).lower()
    assert b"<pdfaid:part>3<" in made

"""The file as a whole: reproducible, self-contained, honest about itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from io import BytesIO
from typing import Any

import pypdf
import pytest

from engine.quote.document import Quote
from engine.quote.draft import DocumentKind, QuoteDraft, Terms
from engine.quote.parties import Customer, Seller
from engine.quote.release import release
from engine.quote.vat import VatCase, VatTreatment
from engine.report.assets import Attachment

Draw = Callable[..., Any]


@pytest.mark.parametrize("language", ["de", "en"])
def test_that_the_same_quote_gives_the_same_bytes(offer: Quote, draw_quote: Draw, language: str) -> None:
    assert draw_quote(offer, language).pdf == draw_quote(offer, language).pdf


def test_that_another_quote_has_another_identity(make_draft: Callable[..., QuoteDraft], draw_quote: Draw) -> None:
    one, two = (
        pypdf.PdfReader(BytesIO(draw_quote(release(make_draft(number=number))).pdf)) for number in ("A-1", "A-2")
    )
    assert one.trailer["/ID"] != two.trailer["/ID"]


@pytest.mark.parametrize(("language", "tag", "title"), [("de", "de-DE", "Angebot"), ("en", "en-GB", "Quotation")])
def test_that_metadata_come_from_the_quote(offer: Quote, draw_quote: Draw, language: str, tag: str, title: str) -> None:
    reader: Any = pypdf.PdfReader(BytesIO(draw_quote(offer, language).pdf))
    assert reader.root_object["/Lang"] == tag
    assert reader.root_object["/ViewerPreferences"]["/DisplayDocTitle"]
    metadata = reader.metadata
    assert metadata is not None
    assert metadata.author == "Muster Systemhaus GmbH"
    assert metadata.title is not None
    assert metadata.title.startswith(f"{title} AN-2026-0042")
    assert str(metadata["/CreationDate"]).startswith("D:20261130")
    assert "reportlab" not in str(metadata).lower()


def test_that_every_font_is_embedded_and_of_one_family(offer: Quote, draw_quote: Draw) -> None:
    reader: Any = pypdf.PdfReader(BytesIO(draw_quote(offer).pdf))
    for page in reader.pages:
        for entry in page["/Resources"].get_object()["/Font"].values():
            font = entry.get_object()
            assert "+Inter-" in font["/BaseFont"]
            assert "/FontFile2" in font["/FontDescriptor"]


def test_that_chapters_are_bookmarked(offer: Quote, draw_quote: Draw) -> None:
    reader = pypdf.PdfReader(BytesIO(draw_quote(offer).pdf))
    titles = [entry.title for entry in reader.outline if not isinstance(entry, list)]
    assert titles[1:] == ["Positionen und Preise", "Konditionen"]


def test_that_pages_are_counted_to_the_last(make_draft: Any, make_line: Any, draw_quote: Draw) -> None:
    drawn = draw_quote(release(make_draft([make_line(str(i)) for i in range(90)])))
    count = len(drawn.pages)
    assert count == drawn.report.pages > 2
    for number, page in enumerate(drawn.pages, start=1):
        assert f"Seite {number} von {count}" in " ".join(page.split())


def test_that_the_paper_carries_the_quote_as_data(offer: Quote, draw_quote: Draw) -> None:
    reader = pypdf.PdfReader(BytesIO(draw_quote(offer).pdf))
    data = json.loads(reader.attachments["passform-quote.json"][0])
    assert data["schema"] == 1
    assert data["totals"]["net"] == str(offer.totals.net.amount)


def test_that_further_files_are_attached(offer: Quote, draw_quote: Draw) -> None:
    from tests.report.conftest import assets  # the fixture cannot be parametrised with attachments

    used = replace(assets("de"), attachments=(Attachment("a.yaml", "application/yaml", b"schema: 1\n"),))
    reader = pypdf.PdfReader(BytesIO(draw_quote(offer, "de", used).pdf))
    assert reader.attachments["a.yaml"] == [b"schema: 1\n"]


def test_that_an_offer_reads_as_one(offer: Quote, draw_quote: Draw) -> None:
    text = draw_quote(offer).text
    for part in ("Angebot", "AN-2026-0042", "gültig bis zum Ablauf des 30.12.2026", "freibleibend", "Bestellung"):
        assert part in text
    assert "Konfigurationsempfehlung" not in text
    assert text.index("Konditionen") < text.index("Bestellung")


def test_that_a_recommendation_never_looks_like_an_offer(make_draft: Any, draw_quote: Draw) -> None:
    text = draw_quote(release(make_draft(seller=Seller(), number=""))).text
    assert "Konfigurationsempfehlung" in text
    for part in ("Angebot AN", "Gültig bis", "Wir nehmen das Angebot", "Wir bestellen"):
        assert part not in text


def test_that_the_sellers_duties_stand_on_the_first_page(offer: Quote, draw_quote: Draw) -> None:
    first = " ".join(draw_quote(offer).pages[0].split())
    for part in ("Sitz: Berlin", "HRB 123456", "Erika Mustermann", "Max Beispiel", "DE123456789", "DE 12345678"):
        assert part in first.replace("Amtsgericht Charlottenburg HRB", "Amtsgericht Charlottenburg HRB")


def test_that_sums_are_printed_as_computed(offer: Quote, draw_quote: Draw) -> None:
    # 12,000.00 + 2 x 9,999.50 x 0.95 = 12,000.00 + 18,999.05 = 30,999.05; 19 % = 5,889.8195 -> 5,889.82.
    text = draw_quote(offer).text
    for part in ("30.999,05 EUR", "5.889,82 EUR", "36.888,87 EUR", "Summe vor Nachlass 31.999,00 EUR"):
        assert part in text
    assert "Nachlass −999,95 EUR" in text
    # Net with the optional line: 30,999.05 + 1,500.00.
    assert "32.499,05 EUR" in text


def test_that_what_is_on_request_is_never_printed_as_zero(make_draft: Any, make_line: Any, draw_quote: Draw) -> None:
    some = draw_quote(release(make_draft([make_line("1"), make_line("2", None)]))).text
    assert "zuzüglich Position 1.2 auf Anfrage" in some
    nothing = draw_quote(release(make_draft([make_line("1", None)]))).text
    assert "Summe netto auf Anfrage" in nothing
    for text in (some, nothing):
        assert " 0,00 EUR" not in text


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (VatCase.INTRA_COMMUNITY, "steuerfreie innergemeinschaftliche Lieferung"),
        (VatCase.REVERSE_CHARGE, "Steuerschuldnerschaft des Leistungsempfängers"),
        (VatCase.EXPORT, "steuerfreie Ausfuhrlieferung"),
    ],
)
def test_that_every_vat_case_has_its_words(make_draft: Any, draw_quote: Draw, case: VatCase, words: str) -> None:
    text = draw_quote(release(make_draft(vat=VatTreatment(case, case, Decimal("0.19"))))).text
    assert words in text
    assert "19 %" not in text
    assert ("Ausfuhrgenehmigungen" in text) == (case is VatCase.EXPORT)


def test_that_open_vat_questions_are_printed_instead_of_a_guess(make_draft: Any, draw_quote: Draw) -> None:
    from engine.quote.vat import VatQuestion

    treatment = VatTreatment(None, None, Decimal("0.19"), (VatQuestion.CUSTOMER_VAT_ID,))
    text = draw_quote(release(make_draft(vat=treatment))).text
    assert "Umsatzsteuer nicht ausgewiesen: Die USt-IdNr. des Kunden fehlt." in text
    assert "brutto" not in text


def test_that_terms_are_printed_before_the_acceptance(make_draft: Any, draw_quote: Draw) -> None:
    terms = Terms(payment="14 Tage netto", full_text="§ 1 Geltung\n\n§ 2 Lieferung", delivery_time="6 Wochen")
    text = draw_quote(release(make_draft(terms=terms, kind=DocumentKind.OFFER))).text
    assert text.index("14 Tage netto") < text.index("§ 2 Lieferung") < text.index("Unterschrift")
    assert "6 Wochen" in text


def test_that_a_tender_drops_own_terms_and_acceptance(make_draft: Any, draw_quote: Draw) -> None:
    terms = Terms(payment="14 Tage netto", full_text="§ 1 Geltung")
    text = draw_quote(release(make_draft(terms=terms, kind=DocumentKind.OFFER, tender=True))).text
    for part in ("14 Tage netto", "§ 1 Geltung", "freibleibend", "Unterschrift"):
        assert part not in text


def test_that_line_prices_can_be_left_out(offer: Quote, draw_quote: Draw) -> None:
    text = draw_quote(replace(offer, show_line_prices=False)).text
    assert "9.999,50 EUR" not in text
    assert "30.999,05 EUR" in text


def test_that_the_second_language_is_complete(offer: Quote, draw_quote: Draw) -> None:
    text = draw_quote(offer, "en").text
    for part in ("Quotation", "Positions and prices", "EUR 30,999.05", "30 November 2026", "not in the sum"):
        assert part in text
    for part in ("Angebot", "Summe", "Stk.", "Nachlass", "EUR 30.999"):
        assert part not in text


def test_that_a_customer_abroad_sees_the_country(make_draft: Any, draw_quote: Draw) -> None:
    customer = Customer(company="Client SA", lines=("1 rue A", "75001 Paris"), country="FR", vat_id="FR1")
    assert "75001 Paris FR" in draw_quote(release(make_draft(customer=customer))).text

"""A paper opens again as the consultation it came from; what is hostile or damaged is refused in words."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.attachments import CONFIG_NAMES, MAX_CONTENT_BYTES, NAME, consultation_from_bytes, consultation_from_pdf
from catalog.config_model import model_from_file
from catalog.consultation.customer_side import CHANGED, HELD_BACK, UNCHANGED, customer_side
from catalog.consultation.document import Consultation, WorkloadRow
from catalog.consultation.quote_draft import to_draft
from catalog.consultation.quote_rows import InternalRow, LineRow, QuoteRow, SectionRow, TermsRow
from catalog.consultation.scenario import to_scenario
from catalog.paper import make_pdf
from catalog.register.issuing import Proposal, quote_of
from catalog.user_folder import VARIABLE
from engine.errors import PassformError
from engine.methods import Method
from engine.plan.recommend import recommend
from engine.quote.build import release_quote
from engine.quote.draft import DocumentKind
from engine.quote.form import quote_form
from tests.catalog.register.conftest import Case
from tests.catalog.register.pdf_files import pdf_with, pdf_with_endless_tree
from tests.catalog.register.samples import SELLER, TODAY

LLAMA = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 2048,
    "intermediate_size": 8192,
    "num_hidden_layers": 16,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
    "head_dim": 64,
    "tie_word_embeddings": True,
    "torch_dtype": "bfloat16",
    "_name_or_path": "/home/somebody/secret/llama",
}


@pytest.fixture
def paper(case: Case) -> bytes:
    quote = quote_of(case.proposal, DocumentKind.OFFER, "AN-2026-0007")
    return make_pdf(quote, case.consultation, case.folder).pdf


def test_that_a_paper_opens_as_the_same_offer(case: Case, paper: bytes, tmp_path: Path) -> None:
    path = tmp_path / "offer.pdf"
    path.write_bytes(paper)
    again = consultation_from_pdf(path, tmp_path)
    assert again.customer == case.consultation.customer
    assert again.workloads == case.consultation.workloads
    assert again.quote.number == "AN-2026-0007"
    recommendation = recommend(to_scenario(again, case.facts, TODAY, model_from_file), case.facts)
    assert recommendation.chosen is not None
    first = quote_form(quote_of(case.proposal, DocumentKind.OFFER, "1"))
    reopened = Proposal(again, recommendation, case.facts, SELLER, tmp_path, vat_confirmed=True)
    second = quote_form(quote_of(reopened, DocumentKind.OFFER, "1"))
    assert second["totals"] == first["totals"]
    assert second["recommendation"] == first["recommendation"]


def test_that_the_same_paper_is_the_same_file_byte_for_byte(case: Case, paper: bytes) -> None:
    quote = quote_of(case.proposal, DocumentKind.OFFER, "AN-2026-0007")
    assert make_pdf(quote, case.consultation, case.folder).pdf == paper


def test_that_every_field_of_a_consultation_is_either_carried_or_held_back_on_purpose() -> None:
    assert set(Consultation.model_fields) == UNCHANGED | CHANGED | HELD_BACK
    assert not UNCHANGED & CHANGED
    assert not HELD_BACK & (UNCHANGED | CHANGED)


def test_that_what_the_paper_does_not_show_does_not_travel(case: Case) -> None:
    lines = (
        LineRow(id="SKU-4711", title="Server", price=Decimal("9000.00"), internal=InternalRow(supplier="Grossist")),
        LineRow(id="SKU-4712", title="Karte", price=Decimal("5000.00"), base="", discount_percent=Decimal(10)),
    )
    stored = QuoteRow(
        sections=(SectionRow(title="Offen", lines=lines), SectionRow(title="Gestrichen", lines=lines, struck=True)),
        show_line_prices=False,
        tender=True,
        vat_confirmed=True,
        terms=TermsRow(payment="netto in 14 Tagen", warranty="3 Jahre"),
    )
    whole = case.consultation.model_copy(
        update={"quote": stored, "title": "Projekt Adler", "notes": "zahlt gut", "prices": {"h200_nvl": Decimal(1)}}
    )
    draft = to_draft(whole, case.recommendation, case.facts, SELLER)
    public = customer_side(whole, release_quote(draft, case.recommendation, case.facts))
    assert (public.title, public.notes, public.prices) == ("", "", {})
    assert [section.title for section in public.quote.sections or ()] == ["Offen"]
    assert [line.id for line in public.quote.lines] == ["line-1", "line-2"]
    assert [line.price for line in public.quote.lines] == [None, None]
    assert [line.discount_percent for line in public.quote.lines] == [0, 0]
    assert all(line.internal == InternalRow() for line in public.quote.lines)
    assert public.quote.terms.payment == ""  # a tender's paper has no own terms of payment
    assert public.quote.terms.warranty == "3 Jahre"
    assert not public.quote.vat_confirmed


def test_that_an_own_model_travels_along_without_its_path(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "somebody" / "Eigenes-Modell" / "config.json"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(LLAMA), encoding="utf-8")
    rows = [
        WorkloadRow(config=str(place.relative_to(tmp_path)), method=Method.LORA, sequence_length=length)
        for length in (1024, 2048)
    ]
    consultation = Consultation(customer=case.consultation.customer, workloads=tuple(rows))
    scenario = to_scenario(consultation, case.facts, TODAY, model_from_file, tmp_path)
    recommendation = recommend(scenario, case.facts)
    draft = to_draft(consultation, recommendation, case.facts, SELLER)
    quote = release_quote(draft, recommendation, case.facts)
    pdf = make_pdf(quote, consultation, tmp_path).pdf
    folder = tmp_path / "anderswo"
    monkeypatch.setenv(VARIABLE, str(folder))
    again = consultation_from_bytes(pdf, "x.pdf", folder)
    places = {str(row.config) for row in again.workloads}
    assert len(places) == 1
    found = Path(places.pop())
    assert found.is_relative_to(folder)
    assert "somebody" not in found.read_text(encoding="utf-8")
    before = scenario.workloads[0].model
    after = to_scenario(again, case.facts, TODAY, model_from_file).workloads[0].model
    assert replace(after, id="", name="") == replace(before, id="", name="", hf_id="")
    assert [row.name for row in again.workloads] == ["Eigenes-Modell", "Eigenes-Modell"]


def valid(**changes: object) -> bytes:
    raw = Consultation().model_dump(mode="json", by_alias=True, exclude_none=True)
    return json.dumps({**raw, **changes}).encode()


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "no pdf": (lambda: b"PK\x03\x04", "is no PDF"),
    "empty": (lambda: b"", "is no PDF"),
    "header only": (lambda: b"%PDF-1.7\n", "damaged"),
    "no attachment": (lambda: pdf_with({}), "carries no consultation"),
    "another attachment": (lambda: pdf_with({"invoice.xml": b"<x/>"}), "carries no consultation"),
    "encrypted": (lambda: pdf_with({NAME: valid()}, password="geheim"), "is encrypted"),
    "too large": (lambda: pdf_with({NAME: b" " * (MAX_CONTENT_BYTES + 1)}), "larger than any real one"),
    "bomb": (lambda: pdf_with({NAME: zlib.compress(bytes(80_000_000))}, filters=("/FlateDecode",)), "damaged"),
    "chain of filters": (
        lambda: pdf_with({NAME: zlib.compress(zlib.compress(valid()))}, filters=("/FlateDecode", "/FlateDecode")),
        "packed in a way",
    ),
    "strange filter": (lambda: pdf_with({NAME: valid()}, filters=("/JBIG2Decode",)), "packed in a way"),
    "endless tree": (lambda: pdf_with_endless_tree(wide=False), "more attachments"),
    "wide endless tree": (lambda: pdf_with_endless_tree(wide=True), "more attachments"),
    "no json": (lambda: pdf_with({NAME: b"{"}), "cannot be read"),
    "no utf-8": (lambda: pdf_with({NAME: b"\xff\xfe{"}), "cannot be read"),
    "no object": (lambda: pdf_with({NAME: b"[1]"}), "cannot be read"),
    "deep": (lambda: pdf_with({NAME: b"[" * 200_000}), "cannot be read"),
    "no schema": (lambda: pdf_with({NAME: b"{}"}), "cannot be read"),
    "true schema": (lambda: pdf_with({NAME: valid(schema=True)}), "cannot be read"),
    "newer": (lambda: pdf_with({NAME: valid(schema=99)}), "newer Passform"),
    "unknown field": (lambda: pdf_with({NAME: valid(margin=1)}), "margin: this field is not known"),
    "wrong value": (lambda: pdf_with({NAME: valid(headroom_percent=900)}), "headroom_percent: 900 is too large"),
    "lone surrogate": (lambda: pdf_with({NAME: valid(title="\ud800")}), "title"),
    "missing model": (
        lambda: pdf_with(
            {NAME: valid(workloads=[{"config": CONFIG_NAMES[0], "method": "lora", "sequence_length": 1}])}
        ),
        "is missing in the PDF",
    ),
    "path instead of a model": (
        lambda: pdf_with(
            {NAME: valid(workloads=[{"config": "../../etc/passwd", "method": "lora", "sequence_length": 1}])}
        ),
        "is missing in the PDF",
    ),
    "no model": (
        lambda: pdf_with(
            {
                NAME: valid(workloads=[{"config": CONFIG_NAMES[0], "method": "lora", "sequence_length": 1}]),
                CONFIG_NAMES[0]: b"{}",
            }
        ),
        "",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_that_hostile_and_foreign_files_are_refused_in_words(name: str, tmp_path: Path) -> None:
    make, words = REFUSED[name]
    with pytest.raises(PassformError) as raised:
        consultation_from_bytes(make(), "x.pdf", tmp_path)
    assert words in str(raised.value)
    assert not list(tmp_path.iterdir())


def test_that_a_missing_file_and_a_huge_one_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PassformError, match="cannot be read"):
        consultation_from_pdf(tmp_path / "none.pdf", tmp_path)
    monkeypatch.setattr("catalog.attachments.MAX_PDF_BYTES", 10)
    path = tmp_path / "huge.pdf"
    path.write_bytes(pdf_with({NAME: valid()}))
    with pytest.raises(PassformError, match="no proposal has"):
        consultation_from_pdf(path, tmp_path)


def test_that_the_sample_of_the_refused_files_would_open_unspoilt(tmp_path: Path) -> None:
    assert consultation_from_bytes(pdf_with({NAME: valid()}), "x.pdf", tmp_path) == Consultation()


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), cuts=st.integers(1, 12))
def test_that_a_damaged_paper_opens_or_is_refused_and_never_crashes(seed: int, cuts: int, tmp_path: Path) -> None:
    spoilt = bytearray(pdf_with({NAME: valid(), CONFIG_NAMES[0]: json.dumps(LLAMA).encode()}))
    chance = random.Random(seed)
    for _ in range(cuts):
        place = chance.randrange(len(spoilt))
        match chance.randrange(4):
            case 0:
                spoilt[place] = chance.randrange(256)
            case 1:
                del spoilt[place : place + chance.randrange(40)]
            case 2:
                spoilt[place:place] = chance.choice([b"999999999", b"<<", b"[", b"obj", b"/Kids", b"R", b"-1"])
            case _:
                source = chance.randrange(len(spoilt))
                spoilt[place:place] = spoilt[source : source + chance.randrange(60)]
    with suppress(PassformError):
        consultation_from_bytes(bytes(spoilt), "x.pdf", tmp_path)

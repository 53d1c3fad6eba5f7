"""The seller's general terms lie beside his profile and are printed in his offers, before they are accepted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from catalog.seller import MAX_BYTES, load_seller
from catalog.yaml_nodes import FileFormatError
from engine.quote.draft import DocumentKind, Terms
from engine.quote.release import release
from tests.catalog.register.samples import draft
from tests.report.conftest import draw

GERMAN = "§ 1 Geltung\r\nDiese Bedingungen gelten.\r\n\r\n§ 2 Preise\r\nPreise sind netto.\r\n"


def _terms(folder: Path, **texts: str) -> None:
    for language, text in texts.items():
        (folder / f"general-terms.{language}.txt").write_bytes(text.encode("utf-8"))


def test_that_terms_are_read_by_language_and_none_are_needed(tmp_path: Path) -> None:
    assert load_seller(tmp_path).general_terms == ()
    _terms(tmp_path, de=GERMAN, en="\ufeff1 Scope")
    texts = dict(load_seller(tmp_path).general_terms)
    assert texts["de"] == "§ 1 Geltung\nDiese Bedingungen gelten.\n\n§ 2 Preise\nPreise sind netto."
    assert texts["en"] == "1 Scope"


def test_that_an_offer_prints_them_in_its_language_before_the_acceptance(tmp_path: Path) -> None:
    _terms(tmp_path, de=GERMAN, en="1 Scope")
    made = draft(number="AN-1")
    made = replace(made, seller=replace(made.seller, general_terms=load_seller(tmp_path).general_terms))
    text = draw(release(made)).text
    assert text.index("Konditionen") < text.index("§ 1 Geltung") < text.index("§ 2 Preise") < text.index("Bestellung")
    assert "1 Scope" not in text
    assert "1 Scope" in draw(release(replace(made, language="en")), "en").text


def test_that_tenders_and_recommendations_print_none(tmp_path: Path) -> None:
    _terms(tmp_path, de=GERMAN)
    made = draft(number="AN-1")
    made = replace(made, seller=replace(made.seller, general_terms=load_seller(tmp_path).general_terms))
    assert release(replace(made, tender=True)).terms.full_text == ""
    assert release(replace(made, kind=DocumentKind.RECOMMENDATION)).terms.full_text == ""
    assert release(replace(made, terms=Terms(full_text="Nur diese."))).terms.full_text == "Nur diese."


@pytest.mark.parametrize("content", [b"x" * (MAX_BYTES + 1), b"\xff\xfe\x00"], ids=["too long", "not UTF-8"])
def test_that_a_file_that_cannot_be_used_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "general-terms.de.txt").write_bytes(content)
    with pytest.raises(FileFormatError, match=r"general-terms\.de\.txt"):
        load_seller(tmp_path)

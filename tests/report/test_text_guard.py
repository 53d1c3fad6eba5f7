"""Texts of any origin reach the paper whole, or a report says what became of them."""

from __future__ import annotations

import html
import re

from hypothesis import given
from hypothesis import strategies as st

from engine.report.fonts import family
from engine.report.text import BOX, Piece, TextGuard
from engine.wording.findings import FindingKind
from resources import FONTS

FONT = family((FONTS / "Inter-Regular.ttf").read_bytes(), (FONTS / "Inter-Bold.ttf").read_bytes())
TEST_SIGNS = "€×−≥≤≈✓⚠→„“‚‘’–…₂²½•·°§µ äöüßÄÖÜẞ žćșőŁ ΩλπΣ ЖяЇґ \u2009\u202f\u00a0"


def _guard() -> TextGuard:
    return TextGuard(FONT.characters)


def test_that_the_font_has_every_sign_the_paper_needs() -> None:
    guard = _guard()
    assert guard.clean(TEST_SIGNS, "test") == TEST_SIGNS
    assert guard.findings == ()


def test_that_digits_have_one_width() -> None:
    for bold in (False, True):
        assert len({FONT.width(digit, 10, bold) for digit in "0123456789"}) == 1


def test_that_a_missing_character_becomes_a_box_and_is_reported_by_name() -> None:
    guard = _guard()
    assert guard.clean("GPU 🚀 漢", "customer.company") == f"GPU {BOX} {BOX}"
    (finding,) = guard.findings
    assert finding.kind is FindingKind.MISSING_GLYPHS
    assert finding.where == "customer.company"
    assert "U+1F680 ROCKET" in finding.detail
    assert "U+6F22" in finding.detail


def test_that_direction_overrides_are_taken_out_and_reported() -> None:
    guard = _guard()
    assert guard.clean("abc\u202edcba", "x") == "abcdcba"
    assert [finding.kind for finding in guard.findings] == [FindingKind.CONTROL_CHARACTERS]


def test_that_soft_hyphens_vanish_without_a_word() -> None:
    guard = _guard()
    assert guard.clean("Grafik\u00adkarte", "x") == "Grafikkarte"
    assert guard.findings == ()


def test_that_decomposed_umlauts_are_composed() -> None:
    assert _guard().clean("Gro\u0308ßer", "x") == "Größer"


def test_that_a_mark_which_would_stand_over_the_next_letter_becomes_a_box() -> None:
    guard = _guard()
    assert guard.clean("q\u0308q", "x") == f"q{BOX}q"
    assert guard.clean("o\u0323\u0308\u0304x", "x") == f"ọ{BOX}x"  # the first mark has a letter of its own
    assert guard.clean("ก็", "x") == BOX
    assert guard.findings[0].kind is FindingKind.MISSING_GLYPHS
    assert "U+0308 COMBINING DIAERESIS" in guard.findings[0].detail


def test_that_markup_of_a_text_is_text() -> None:
    guard = _guard()
    hostile = 'A & B <GmbH> <b>x <img src="file:///etc/passwd"/> &amp; </para>'
    assert html.unescape(guard.markup(hostile, "x")) == hostile
    assert "<" not in guard.markup(hostile, "x")


def test_that_only_web_addresses_become_links() -> None:
    guard = _guard()
    assert guard.markup(Piece("x", link="javascript:alert(1)"), "x") == "x"
    assert guard.markup(Piece("x", link="file:///etc/passwd"), "x") == "x"
    linked = guard.markup(Piece("x", link='https://example.org/?a="&b=<'), "x")
    assert linked == '<a href="https://example.org/?a=&quot;&amp;b=&lt;">x</a>'


@given(st.text(), st.booleans(), st.booleans())
def test_that_any_text_gives_wellformed_markup(text: str, bold: bool, raised: bool) -> None:
    guard = _guard()
    markup = guard.markup(Piece(text, bold=bold, raised=raised, colour="#112233", size=7), "x")
    tags = re.findall(r"<(/?)(\w+)", markup)
    opened = [name for closing, name in tags if not closing and name != "br"]
    closed = [name for closing, name in tags if closing]
    assert sorted(opened) == sorted(closed)


@given(st.text())
def test_that_every_visible_character_is_kept_or_replaced_and_reported(text: str) -> None:
    guard = _guard()
    cleaned = guard.clean(text, "x")
    assert all(ord(sign) in FONT.characters or sign == "\n" for sign in cleaned)
    if cleaned.count(BOX) > text.count(BOX):
        assert any(finding.kind is FindingKind.MISSING_GLYPHS for finding in guard.findings)

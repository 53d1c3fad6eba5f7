"""Number patterns and the register's settings."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.register.numbering import MAX_LENGTH, NumberPattern, initials_of
from catalog.register.settings import FILE_NAME, RegisterSettings, load_settings, open_database
from catalog.register.types import RegisterError
from catalog.yaml_nodes import FileFormatError
from engine.quote.draft import DocumentKind


@pytest.mark.parametrize(
    ("pattern", "number"),
    [
        ("{year}-{counter:04d}", "2026-0042"),
        ("AN-{year}-{counter}", "AN-2026-42"),
        ("{counter:05d}/{year}", "00042/2026"),
        ("AN {initials}.{year}.{counter:03d}", "AN KK.2026.042"),
    ],
)
def test_that_a_pattern_writes_the_number(pattern: str, number: str) -> None:
    assert NumberPattern(pattern).write(2026, 42, initials_of("Karin Kontakt")) == number


@pytest.mark.parametrize(
    "pattern",
    [
        *("", "{year}", "{counter}", "{year}-{year}-{counter}", "{year}{counter}", "{year}-{counter:d}"),
        *("{year}-{counter:0100d}", "{year}-{counter!r}", "{year.real}-{counter}", "{0}-{year}-{counter}", "{year-"),
        *("{year}-{counter}-{customer}", "ä{year}-{counter}", "{{year}}-{counter}", "{year}\n{counter}", "}{year}"),
        "A" * 40 + "{year}-{counter}",
    ],
)
def test_that_a_pattern_that_could_repeat_or_leak_is_refused(pattern: str) -> None:
    with pytest.raises(RegisterError):
        NumberPattern(pattern)


@given(
    years=st.tuples(st.integers(2000, 9999), st.integers(2000, 9999)),
    counters=st.tuples(st.integers(1, 10**6), st.integers(1, 10**6)),
    pattern=st.sampled_from(["{year}-{counter:02d}", "A{counter}/{year}", "{initials}-{year}.{counter:09d}"]),
)
def test_that_two_numbers_are_the_same_only_for_the_same_year_and_counter(
    years: tuple[int, int], counters: tuple[int, int], pattern: str
) -> None:
    made = NumberPattern(pattern)
    first, second = (made.write(*part, "KK") for part in zip(years, counters, strict=True))
    assert (first == second) == (years[0] == years[1] and counters[0] == counters[1])
    assert len(first) <= MAX_LENGTH


@pytest.mark.parametrize(
    ("name", "initials"), [("Karin Kontakt", "KK"), ("Dr. Özlem von der Heide", "DÖVD"), ("", ""), ("7", "")]
)
def test_that_initials_come_from_a_name(name: str, initials: str) -> None:
    assert initials_of(name) == initials


def test_that_a_register_needs_no_settings(tmp_path: Path) -> None:
    settings = load_settings(tmp_path)
    assert settings == RegisterSettings()
    assert settings.pattern(DocumentKind.OFFER).write(2026, 1) == "AN-2026-0001"
    assert settings.pattern(DocumentKind.RECOMMENDATION).write(2026, 1) == "KE-2026-0001"
    database = open_database(settings, tmp_path)
    database.close()
    assert (tmp_path / "register.sqlite").stat().st_mode & 0o077 == 0


def test_that_settings_are_read_from_the_users_folder(tmp_path: Path) -> None:
    text = 'schema: 1\nnumbers: {offer: "{year}-{counter:04d}"}\ndatabase: "sqlite:///x"\nfollow_up_days: 7\n'
    (tmp_path / FILE_NAME).write_text(text, encoding="utf-8")
    settings = load_settings(tmp_path)
    assert settings.pattern(DocumentKind.OFFER).write(2026, 1) == "2026-0001"
    assert settings.address == "sqlite:///x"
    assert settings.follow_up(date(2026, 11, 30)) == date(2026, 12, 7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("schema: 2\n", "register.yaml:1: schema"),
        ("schema: 1\nnumber: {}\n", "register.yaml:2: number: this field is not known"),
        ("schema: 1\nfollow_up_days: -1\n", "register.yaml:2: follow_up_days"),
        ("schema: [\n", "not valid YAML"),
    ],
)
def test_that_wrong_settings_are_named_with_line_and_field(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / FILE_NAME).write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError) as raised:
        load_settings(tmp_path)
    assert message in str(raised.value)


def test_that_a_wrong_pattern_in_the_settings_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text('schema: 1\nnumbers: {offer: "{counter}"}\n', encoding="utf-8")
    with pytest.raises(RegisterError, match=r"needs \{year\} exactly once"):
        load_settings(tmp_path)

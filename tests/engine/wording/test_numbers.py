"""Number formats, checked against Babel's CLDR data and by hand."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from babel.dates import format_date
from babel.numbers import format_currency, format_decimal
from hypothesis import given
from hypothesis import strategies as st

from engine.units import Money
from engine.wording import numbers
from engine.wording.translator import Language

NBSP = "\u00a0"
LOCALES = {Language.DE: "de_DE", Language.EN: "en_GB"}
CURRENCY_PATTERNS = {Language.DE: "#,##0.00\u00a0¤¤", Language.EN: "¤¤\u00a0#,##0.00"}
amounts = st.decimals(min_value=-(10**9), max_value=10**9, places=2, allow_nan=False, allow_infinity=False)
languages = st.sampled_from(Language)


def _typographic(text: str) -> str:
    return text.replace("-", numbers.MINUS)


@given(amounts, languages)
def test_that_money_reads_as_in_the_locale_data(amount: Decimal, language: Language) -> None:
    expected = format_currency(
        abs(amount), "EUR", format=CURRENCY_PATTERNS[language], locale=LOCALES[language], currency_digits=False
    )
    shown = numbers.money(Money(amount, "EUR"), language)
    assert shown.replace(numbers.MINUS, "") == expected
    assert (numbers.MINUS in shown) == (amount < 0)


@given(amounts, languages)
def test_that_decimals_are_grouped_as_in_the_locale_data(value: Decimal, language: Language) -> None:
    expected = format_decimal(value, format="#,##0.00", locale=LOCALES[language])
    assert numbers.number(value, 2, language) == _typographic(expected)


@given(st.integers(-(10**15), 10**15), languages)
def test_that_whole_numbers_are_grouped_as_in_the_locale_data(value: int, language: Language) -> None:
    expected = format_decimal(value, format="#,##0", locale=LOCALES[language])
    assert numbers.integer(value, language) == _typographic(expected)


@given(st.dates(), languages)
def test_that_dates_read_as_in_the_locale_data(day: date, language: Language) -> None:
    pattern = {Language.DE: "dd.MM.yyyy", Language.EN: f"d{NBSP}MMMM{NBSP}yyyy"}[language]
    assert numbers.long_date(day, language) == format_date(day, pattern, locale=LOCALES[language])


@pytest.mark.parametrize(
    ("value", "german"),
    [
        ("144.421", "144"),
        ("72.21", "72,2"),
        ("6.374", "6,37"),
        ("0.41419", "0,414"),
        ("1128.859", "1.130"),
        ("99.96", "100"),
        ("0.09996", "0,100"),
        ("0", "0"),
        ("-42.831", "\u221242,8"),
    ],
)
def test_that_an_estimate_shows_three_significant_digits(value: str, german: str) -> None:
    assert numbers.significant(Decimal(value), Language.DE) == german


def test_that_rounding_is_half_up_on_the_written_figure() -> None:
    # The binary float 2.675 lies below 2.675; a reader sees 2.675 and expects 2.68.
    assert numbers.number(2.675, 2, Language.EN) == "2.68"
    assert numbers.money(Money(Decimal("2.665"), "EUR"), Language.EN) == f"EUR{NBSP}2.67"


def test_that_a_zero_never_carries_a_sign() -> None:
    assert numbers.number(Decimal("-0.004"), 2, Language.DE) == "0,00"


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (numbers.gigabytes(72_210_000_000, Language.DE), "72,2 GB"),
        (numbers.gigabytes_exact(144_421_000_000, Language.DE), "144,421 GB"),
        (numbers.gibibytes(102_641_958_912, Language.EN), "95.6 GiB"),
        (numbers.seconds(0.01294, Language.DE), "13 ms"),
        (numbers.seconds(3.3072, Language.DE), "3,3 s"),
        (numbers.hours(9.4, Language.DE), "9,4 h"),
        (numbers.hours(63.2, Language.EN), "63 h"),
        (numbers.hours(0.4, Language.DE), "24 min"),
        (numbers.percent(0.15, Language.DE), "15 %"),
        (numbers.percent(0.15, Language.EN), "15%"),
        (numbers.percent(0.0048, Language.EN), "0.5%"),  # never zero where something is
        (numbers.percent(0.00031, Language.DE), "0,03 %"),
        (numbers.percent(0, Language.EN), "0%"),
        (numbers.percent(0.0051, Language.EN), "1%"),
        (numbers.watts(2400, Language.DE), "2.400 W"),
        (numbers.watts(12_500, Language.EN), "12.5 kW"),
        (numbers.parameters(70_553_706_496, Language.DE), "70,6 Mrd."),
        (numbers.parameters(207_093_760, Language.EN), "207 million"),
        (numbers.rate_gb_per_s(Decimal(1792), Language.DE), "1.792 GB/s"),
        (numbers.byte_count(102_641_958_912, Language.DE), "102.641.958.912 B"),
        (numbers.money_band(Money(Decimal(25), "EUR"), Money(Decimal(57), "EUR"), Language.DE), "25\u201357 EUR"),
    ],
)
def test_that_a_unit_follows_its_number_after_a_no_break_space(shown: str, expected: str) -> None:
    assert shown == expected.replace(" ", NBSP)


def test_that_a_band_names_its_unit_once() -> None:
    assert numbers.band(6.0, 14.0, lambda value: numbers.hours(float(value), Language.EN)) == f"6.0\u201314{NBSP}h"
    assert numbers.band(0.5, 2, lambda value: numbers.hours(float(value), Language.EN)) == (
        f"30{NBSP}min{NBSP}\u2013{NBSP}2.0{NBSP}h"
    )


@pytest.mark.parametrize(
    ("recorded", "german"),
    [
        ("2026-11-30", "30.11.2026"),
        ("2026-10", "Oktober 2026"),
        ("2025", "2025"),
        ("not\u00a0recorded", "not\u00a0recorded"),
        ("2026-02-31", "2026-02-31"),
        ("2026-13", "2026-13"),
    ],
)
def test_that_a_recorded_date_keeps_the_precision_it_was_recorded_with(recorded: str, german: str) -> None:
    assert numbers.recorded_date(recorded, Language.DE) == german.replace(" ", NBSP)


def test_that_published_figures_keep_their_digits() -> None:
    assert numbers.plain(Decimal("503.8"), Language.DE) == "503,8"
    assert numbers.plain(Decimal("4800.0"), Language.DE) == "4.800"
    assert numbers.plain(Decimal("1E+3"), Language.EN) == "1,000"


# 0.9313 CHF per EUR over 1.1206 USD per EUR = 0.83107263965732643..., printed to six digits; a published rate keeps all
# its digits.
def test_that_a_rate_over_a_third_currency_ends_where_published_ones_do() -> None:
    crossed = Decimal("0.9313") / Decimal("1.1206")
    assert numbers.exchange_rate(crossed, Language.EN) == "0.831073"
    assert numbers.exchange_rate(crossed, Language.DE) == "0,831073"
    assert numbers.exchange_rate(1 / crossed, Language.EN) == "1.20326"
    assert numbers.exchange_rate(Decimal("1.1206"), Language.EN) == "1.1206"
    assert numbers.exchange_rate(Decimal("0.84763"), Language.EN) == "0.84763"
    assert numbers.exchange_rate(Decimal("19287.63"), Language.EN) == "19,287.63"


def test_that_a_band_without_a_unit_between_stands_close() -> None:
    share = [lambda value, language=language: numbers.percent(value, language) for language in Language]
    assert [numbers.band(Decimal("0.88"), Decimal("0.95"), shown) for shown in share] == [
        "88–95\N{NO-BREAK SPACE}%",
        "88–95%",
    ]
    assert numbers.band(288, 749, str) == "288–749"
    apart = numbers.band(0.5, 1.4, lambda value: numbers.hours(float(value), Language.EN))
    assert apart.replace("\N{NO-BREAK SPACE}", " ") == "30 min – 1.4 h"


def test_that_a_small_guide_amount_keeps_its_cents() -> None:
    low, high = Money(Decimal("0.314"), "EUR"), Money(Decimal("0.449"), "EUR")
    assert numbers.money_band(low, high, Language.EN).endswith("0.31–0.45")
    assert numbers.money_whole(low, Language.DE).startswith("0,31")
    assert numbers.money_whole(Money(Decimal("12.60"), "EUR"), Language.DE).startswith("13")
    assert numbers.money_whole(Money(Decimal(5), "EUR"), Language.DE).startswith("5\N{NO-BREAK SPACE}")

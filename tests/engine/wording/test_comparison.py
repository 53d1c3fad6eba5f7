"""Every row of a comparison has a name, and every kind of cell says something with its unit."""

from __future__ import annotations

from decimal import Decimal

import pytest

from engine.compare import CARD_ROWS, PLACEMENT_ROWS, PLAN_ROWS, SYSTEM_ROWS, Better, Cell, Gap, Row, Unit, Value
from engine.units import ByteBand, FloatBand, Money, MoneyBand
from engine.wording.comparison import cell_text, figure_name, group_name, row_name
from engine.wording.translator import Language
from resources import translations

ROWS = [entry[:2] for rows in (CARD_ROWS, SYSTEM_ROWS, PLACEMENT_ROWS, PLAN_ROWS) for entry in rows]
GERMAN = translations("de")


@pytest.mark.parametrize(("key", "group"), [*ROWS, ("price", "price"), ("cards_planned", "fits")])
def test_that_every_row_and_group_has_a_name(key: str, group: str) -> None:
    for language in Language:
        tr = translations(language)
        assert figure_name(key, tr) != key
        assert group_name(group, tr) != group


def _row(key: str, unit: Unit, subject: str = "") -> Row:
    return Row(key, "memory", unit, Better.NEITHER, (), differs=True, subject=subject)


@pytest.mark.parametrize(
    ("key", "unit", "value", "german"),
    [
        ("usable_bytes", Unit.BYTES, 102_641_958_912, "103 GB"),
        ("memory_gb", Unit.GIGABYTES, Decimal(96), "96 GB"),
        ("bandwidth_gb_per_s", Unit.GB_PER_S, Decimal(1792), "1.792 GB/s"),
        ("bf16_dense_tflops", Unit.TFLOPS, Decimal("503.8"), "503,8 TFLOPS"),
        ("power_w", Unit.WATTS, 600, "600 W"),
        ("rack_units", Unit.RACK_UNITS, 2, "2 HE"),
        ("slot_width", Unit.NONE, 2, "2"),
        ("price", Unit.MONEY, Money(Decimal("9999.5"), "EUR"), "10.000 EUR"),
        (
            "cost_per_run",
            Unit.MONEY,
            MoneyBand(Money(Decimal(25), "EUR"), Money(Decimal(38), "EUR"), Money(Decimal(57), "EUR")),
            "25–57 EUR",
        ),
        ("hours_per_run", Unit.HOURS, FloatBand(6.0, 9.4, 14.0), "6,0–14 h"),
        ("free_bytes", Unit.BYTES, ByteBand(10**9, 2 * 10**9, 3 * 10**9), "1,00–3,00 GB"),
        ("monthly_utilisation", Unit.SHARE, FloatBand(0.1, 0.2, 0.3), "10–30 %"),
        ("ecc", Unit.NONE, True, "ja"),
        ("mig", Unit.NONE, ("4 × 1g.24gb", "2 × 2g.48gb"), "4 × 1g.24gb, 2 × 2g.48gb"),
        ("cooling", Unit.NONE, "passive", "passiv, braucht den Luftstrom eines Servers"),
        ("system", Unit.NONE, "Lenovo SR650a V4", "Lenovo SR650a V4"),
    ],
)
def test_that_a_cell_says_its_value_with_its_unit(key: str, unit: Unit, value: Value, german: str) -> None:
    assert cell_text(_row(key, unit), Cell(value), GERMAN, Language.DE).replace("\u00a0", " ") == german


@pytest.mark.parametrize("gap", Gap)
def test_that_a_gap_is_never_an_empty_cell(gap: Gap) -> None:
    assert cell_text(_row("power_w", Unit.WATTS), Cell(None, gap), GERMAN, Language.DE)


def test_that_a_row_about_a_task_names_it() -> None:
    assert row_name(_row("verdict", Unit.NONE, "70B LoRA"), GERMAN) == "70B LoRA: Urteil"

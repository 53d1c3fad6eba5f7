"""Side by side: any two to six cards, machines or whole plans, with their sources, best values and exports."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from openpyxl import load_workbook
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from engine.compare import Better
from gui.app import App
from gui.flow import Step
from gui.results.compare_model import BEST
from gui.results.compare_view import EDITIONS, FEWEST, MOST, CompareView
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle

MIXED = EXAMPLES / "mixed-portfolio.passform.yaml"


@pytest.fixture
def app(open_app: OpenApp, qtbot: QtBot) -> App:
    made = open_app(MIXED)
    made.window.show_step(Step.RESULTS)
    made.window.results.tabs.show_page(made.window.results.compare)
    wait_idle(qtbot, made)
    return made


@pytest.fixture
def compare(app: App) -> CompareView:
    return app.window.results.compare


def rows_of(compare: CompareView) -> dict[str, list[str]]:
    model = compare.model
    return {
        str(model.index(line, 0).data()): [
            str(model.index(line, column).data()) for column in range(1, model.columnCount())
        ]
        for line in range(model.rowCount())
        if not model.is_head(line)
    }


def test_that_the_five_editions_are_one_click_away(compare: CompareView) -> None:
    compare.machines.click()
    compare.editions.click()
    assert compare.shown_ids == list(EDITIONS)


def test_that_machines_stand_side_by_side(app: App, compare: CompareView) -> None:
    compare.machines.click()
    systems = app.context.catalog.facts.systems
    assert FEWEST <= len(compare.shown_ids) <= MOST
    assert set(compare.shown_ids) <= set(systems)
    assert compare.shown_ids[0] == app.planner.recommendation.chosen.system.id
    rows = rows_of(compare)
    assert rows["Kind of machine"]
    for text, system in zip(rows["Double-width slots"], compare.shown_ids, strict=True):
        figure = systems[system].slots
        assert figure is None or text.replace(BEST, "").strip() == str(figure.value)


def test_that_any_machines_and_plans_can_be_chosen(app: App, compare: CompareView) -> None:
    compare.machines.click()
    before = compare.shown_ids
    other = next(item for item in app.context.catalog.facts.systems if item not in before)
    compare._actions[other].trigger()
    assert compare.shown_ids == [*before, other]
    compare._actions[before[0]].trigger()
    assert compare.shown_ids == [*before[1:], other]
    compare.plans.click()
    ranked = [plan.id for plan in app.planner.recommendation.ranked]
    usual = compare.shown_ids
    assert usual[0] == app.planner.recommendation.chosen.id
    further = next(plan for plan in ranked if plan not in usual and plan in compare._actions)
    for plan in usual[1:-1]:
        compare._actions[plan].trigger()
    compare._actions[further].trigger()
    assert compare.shown_ids[-1] == further
    assert compare.shown_ids[0] == usual[0]
    # Each kind remembers its own choice.
    compare.show_cards(["h200_nvl", "l40s"])
    assert compare.shown_ids == ["h200_nvl", "l40s"]


def test_that_fewer_than_two_and_more_than_six_cannot_be_chosen(compare: CompareView) -> None:
    compare.show_cards(["h200_nvl", "l40s"])
    assert not compare._actions["h200_nvl"].isEnabled()
    compare._on_item("h200_nvl")
    assert compare.shown_ids == ["h200_nvl", "l40s"]
    others = [card for card in compare._actions if card not in compare.shown_ids]
    for card in others[:4]:
        compare._actions[card].trigger()
    assert len(compare.shown_ids) == MOST
    assert not compare._actions[others[4]].isEnabled()


def test_that_best_values_are_marked_only_where_better_is_defined(compare: CompareView) -> None:
    for show in (compare.editions.click, compare.machines.click, compare.plans.click):
        show()
        for row in compare.model.comparison.rows:
            best = [cell for cell in row.cells if cell.best]
            assert not best or row.better is not Better.NEITHER
            assert not best or row.differs
        assert any(cell.best for row in compare.model.comparison.rows for cell in row.cells)


def test_that_equal_rows_fold_away(compare: CompareView) -> None:
    compare.editions.click()
    if compare.fold.isChecked():
        compare.fold.click()
    whole = compare.model.rowCount()
    equal = sum(not row.differs for row in compare.model.comparison.rows)
    assert equal
    compare.fold.click()
    assert compare.model.rowCount() <= whole - equal
    compare.fold.click()
    assert compare.model.rowCount() == whole


def test_that_a_click_on_a_price_names_its_source(compare: CompareView) -> None:
    compare.editions.click()
    model = compare.model
    priced = compare._prices["h200_nvl"]
    column = compare.shown_ids.index("h200_nvl") + 1
    line = next(
        n for n in range(model.rowCount()) if not model.is_head(n) and model.cell(model.index(n, 1))[0].key == "price"
    )
    compare.table.setCurrentIndex(model.index(line, column))
    assert priced.price is not None
    assert priced.price.source.title in compare.source.text()


@pytest.mark.parametrize("kind", ["editions", "machines", "plans"])
def test_that_every_kind_is_exported_as_shown(compare: CompareView, tmp_path: Path, kind: str) -> None:
    getattr(compare, kind).click()
    names = [column.name for column in compare.model.comparison.columns]
    compare.copy()
    pasted = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t"))
    compare.save(tmp_path / "a.csv")
    stored = (tmp_path / "a.csv").read_bytes().decode("utf-8-sig")
    saved = list(csv.reader(io.StringIO(stored, newline=""), delimiter=";"))
    compare.save(tmp_path / "a.xlsx")
    sheet = load_workbook(tmp_path / "a.xlsx").active
    written = [[cell or "" for cell in row] for row in sheet.iter_rows(values_only=True)]
    assert pasted[0][2:] == names
    assert pasted == saved == written
    remarks = [line.removeprefix("•  ") for line in compare.remarks.text().splitlines()]
    rows = len(compare.model.comparison.rows)
    assert [row[2] for row in pasted[rows + 1 :]] == remarks
    assert bool(remarks) == (kind == "editions")


def test_that_the_editions_say_what_was_measured_of_them_side_by_side(compare: CompareView) -> None:
    compare.editions.click()
    assert compare.remarks.isVisible()
    measured = compare.remarks.text().splitlines()[0].replace("\N{NO-BREAK SPACE}", " ")
    # 0.8807 to 0.9475 of the Workstation edition in eight setups of one source.
    assert "RTX PRO 6000 Max-Q gives 88–95% of the tokens per second of RTX PRO 6000 WS (8 setups" in measured
    assert "Source: RTX PRO 6000 Max-Q against Workstation Edition" in measured
    compare.machines.click()
    assert not compare.remarks.isVisible()


def test_that_an_edition_that_cannot_stand_there_shows_its_memory_and_why(app: App, compare: CompareView) -> None:
    compare.show_cards(["rtx_pro_6000_blackwell_ws", "rtx_pro_6000_blackwell_se"])
    if compare.fold.isChecked():
        compare.fold.click()
    task = app.planner.recommendation.scenario.workloads[0].name
    rows = rows_of(compare)
    assert [text.replace(BEST, "").strip() for text in rows[f"{task}: Verdict"]] == ["fits (ruled out)", "fits"]
    # Both have 96 GB. A tower cannot stand in the rack; the memory is the same all the same.
    needed = rows[f"{task}: Needed per card"]
    assert needed[0] == needed[1]
    assert rows[f"{task}: Free per card"][0].endswith("GB")
    assert rows[f"{task}: Time per run"][0] == "not examined"
    assert "RTX PRO 6000 WS is ruled out." in compare.remarks.text()
    assert "cannot be mounted in a rack" in compare.remarks.text()

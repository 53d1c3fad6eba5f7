"""Each page's own widgets."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from catalog.catalog import Catalog
from engine.cost.types import EconomicsKey
from engine.errors import CancelledError
from engine.fit import Verdict
from engine.methods import Method
from engine.prices import PriceBasis
from engine.wording.translator import Language
from engine.workload import MustHave, Place, Priority
from gui.flow import Step
from gui.model_search import find_models
from gui.results.heat import read_target, target_of
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle

MIXED = EXAMPLES / "mixed-portfolio.passform.yaml"
DESK = EXAMPLES / "qlora-70b-desk.passform.yaml"
LLAMA_CONFIG = (
    '{"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 2048, "intermediate_size": 8192,'
    ' "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64,'
    ' "vocab_size": 128256, "max_position_embeddings": 131072, "tie_word_embeddings": true}'
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [("llama 70b", "llama-3.3-70b"), ("qwen3 32b", "qwen3-32b"), ("LLAMA-3.1-8B", "llama-3.1-8b"), ("mistral", None)],
)
def test_that_models_are_found_by_name_family_and_size(catalogue: Catalog, query: str, expected: str | None) -> None:
    found = [model.id for model in find_models(catalogue.facts.models.values(), query)]
    assert found
    assert expected is None or expected in found[:3]


def test_that_no_model_is_found_for_nonsense(catalogue: Catalog) -> None:
    assert find_models(catalogue.facts.models.values(), "zzz 70b") == []


def test_that_a_dropped_config_becomes_a_row(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app()
    config = tmp_path / "our-model" / "config.json"
    config.parent.mkdir()
    config.write_text(LLAMA_CONFIG, encoding="utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(config))])
    event = QDropEvent(
        QPointF(10, 10), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    app.window.dropEvent(event)
    wait_idle(qtbot, app)
    row = app.document.consultation.workloads[0]
    assert row.config is not None
    assert row.config.endswith("config.json")
    assert app.planner.recommendation is not None
    # 16 layers of Llama 3.2 1B with tied embeddings: 1,235,814,400 parameters as published.
    assert app.planner.recommendation.scenario.workloads[0].model.parameters == 1_235_814_400


def test_that_a_broken_config_is_named_beneath_the_search(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app()
    config = tmp_path / "config.json"
    config.write_text('{"model_type": "llama"', encoding="utf-8")
    app.window.open_path(config)
    assert "config.json" in app.window.workloads.error.text()
    assert app.document.consultation.workloads == ()


def test_that_cells_of_the_table_edit_the_document(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    model = app.window.workloads.model
    assert model.setData(model.index(0, 2), "8k")
    assert app.document.consultation.workloads[0].sequence_length == 8000
    assert model.setData(model.index(0, 3), "25 million")
    assert app.document.consultation.workloads[0].tokens_per_run == 25_000_000
    assert model.setData(model.index(1, 1), Method.QLORA.value)
    assert app.document.consultation.workloads[1].method is Method.QLORA
    assert not model.setData(model.index(0, 4), "often")
    assert "often" in app.window.workloads.error.text()
    wait_idle(qtbot, app)


def test_that_rows_are_duplicated_moved_and_removed_by_keys(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    page = app.window.workloads
    names = [row.name for row in app.document.consultation.workloads]
    page.table.setFocus()
    page.select_row(0)
    QTest.keyClick(page.table, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert [row.name for row in app.document.consultation.workloads] == [names[0], *names]
    QTest.keyClick(page.table, Qt.Key.Key_Delete)
    assert [row.name for row in app.document.consultation.workloads] == names
    page.select_row(0)
    QTest.keyClick(page.table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert [row.name for row in app.document.consultation.workloads][:2] == [names[1], names[0]]
    assert page.current_row() == 1
    wait_idle(qtbot, app)


def test_that_every_setting_in_the_details_reaches_the_recipe(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(DESK)
    details = app.window.workloads.details
    before = app.document.consultation.workloads[0].recipe
    row_fields = {"name", "sequence_length", "micro_batch", "runs_at_once", "sequences_per_step", "deadline_hours"}
    assert details.bound_names == set(type(before).model_fields) | row_fields
    wait_idle(qtbot, app)


def test_that_site_and_must_haves_reach_the_document_and_the_answer(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(DESK)
    site = app.window.site
    site.place.chosen.emit(Place.RACK.value)
    site.boxes[MustHave.NVLINK].click()
    site.fields["circuit_watts"].setText("3680")
    site.fields["circuit_watts"].editingFinished.emit()
    document = app.document.consultation
    assert document.site.place is Place.RACK
    assert document.site.circuit_watts == 3680
    assert document.must_have == (MustHave.NVLINK,)
    wait_idle(qtbot, app)
    assert app.planner.recommendation is not None
    assert app.planner.recommendation.chosen is not None
    assert app.planner.recommendation.chosen.card.nvlink is not None


def test_that_goals_prices_and_assumptions_reach_the_document(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(DESK)
    goals = app.window.goals
    goals.radios[Priority.TIME].click()
    row = next(number for number in range(goals.prices.rowCount()) if goals.prices.rows[number] == "h200_nvl")
    assert goals.prices.setData(goals.prices.index(row, goals.prices.own_column), "29,900.50")
    number = next(n for n in range(goals.assumptions.rowCount()) if goals.assumptions.rows[n] is EconomicsKey.PUE_DESK)
    assert goals.assumptions.setData(goals.assumptions.index(number, 3), "1.2")
    share = next(
        n for n in range(goals.assumptions.rowCount()) if goals.assumptions.rows[n] is EconomicsKey.RESIDUAL_SHARE
    )
    assert goals.assumptions.setData(goals.assumptions.index(share, 3), "25 %")
    document = app.document.consultation
    assert document.priority is Priority.TIME
    assert document.prices == {"h200_nvl": Decimal("29900.50")}
    assert document.ownership.assumptions == {
        EconomicsKey.PUE_DESK: Decimal("1.2"),
        EconomicsKey.RESIDUAL_SHARE: Decimal("0.25"),
    }
    wait_idle(qtbot, app)
    assert app.planner.recommendation is not None
    assert app.planner.recommendation.scenario.price_overrides["h200_nvl"].amount == Decimal("29900.50")


def test_that_a_guide_price_says_what_it_rests_on(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app()
    prices = app.window.goals.prices
    for row in range(prices.rowCount()):
        shown = [prices.index(row, column).data() for column in range(3)]
        assert all(isinstance(text, str) for text in shown)
        assert (shown[1] == "on request") == (shown[2] == ""), shown
        assert prices.index(row, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert PriceBasis.ON_REQUEST.value == "on-request"


def test_that_a_click_in_the_heat_map_selects_for_every_view(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.RESULTS)
    results = app.window.results
    picture = results.heat.picture
    assert picture is not None
    spot = next(spot for spot in picture.spots if spot.target and read_target(spot.target)[1] == 2)
    qtbot.mouseClick(
        results.heat,
        Qt.MouseButton.LeftButton,
        pos=QPoint(round(spot.x + spot.width / 2) + 5, round(spot.y + spot.height / 2) + 5),
    )
    name = app.document.consultation.workloads[2].name
    assert results.memory.title.text() == name
    results.tabs.show_page(results.pareto)
    assert results.pareto.title.text() == name
    results.tabs.show_page(results.length)
    wait_idle(qtbot, app)
    assert results.length.title.text().startswith(name)


def test_that_pictures_are_walked_and_chosen_by_keyboard(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.RESULTS)
    heat = app.window.results.heat
    heat.setFocus()
    chosen: list[str] = []
    heat.activated.connect(chosen.append)
    for _ in range(6):
        qtbot.keyClick(heat, Qt.Key.Key_Right)
    qtbot.keyClick(heat, Qt.Key.Key_Return)
    assert len(chosen) == 1
    assert chosen[0] == target_of(*read_target(chosen[0]))
    wait_idle(qtbot, app)


def test_that_the_comparison_names_sources_and_exports(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.RESULTS)
    compare = app.window.results.compare
    app.window.results.tabs.show_page(compare)
    model = compare.model
    line = next(n for n in range(model.rowCount()) if model.index(n, 0).data() == "Memory bandwidth")
    compare.table.setCurrentIndex(model.index(line, 1))
    assert "Memory bandwidth" in compare.source.text()
    assert "datasheet" in compare.source.text()
    compare.save(tmp_path / "vergleich.csv")
    text = (tmp_path / "vergleich.csv").read_text(encoding="utf-8-sig")
    assert "Memory bandwidth" in text
    assert "H200 NVL" in text.splitlines()[0]
    compare.save(tmp_path / "vergleich.xlsx")
    assert (tmp_path / "vergleich.xlsx").read_bytes().startswith(b"PK")
    compare.copy()
    assert "Memory bandwidth\t" in QGuiApplication.clipboard().text()
    wait_idle(qtbot, app)


def test_that_pictures_are_saved_as_svg_and_png_and_copied(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.RESULTS)
    wait_idle(qtbot, app)
    bars = app.window.results.memory.bars
    bars.save(tmp_path / "bars.svg")
    bars.save(tmp_path / "bars.png")
    assert b"<svg" in (tmp_path / "bars.svg").read_bytes()
    assert (tmp_path / "bars.png").read_bytes().startswith(b"\x89PNG")
    bars.copy()
    assert not QGuiApplication.clipboard().image().isNull()


def test_that_the_cost_view_compares_when_it_is_looked_at(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.RESULTS)
    results = app.window.results
    assert results.cost.verdict.text() == ""
    results.tabs.show_page(results.cost)
    wait_idle(qtbot, app)
    assert results.cost.verdict.text()
    assert results.cost.grounds.text().startswith("•")


def test_that_when_nothing_fits_the_results_say_what_is_missing(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.site.boxes[MustHave.NVFP4].click()
    app.window.site.boxes[MustHave.NVLINK].click()
    app.window.site.boxes[MustHave.VGPU].click()
    wait_idle(qtbot, app)
    app.window.show_step(Step.RESULTS)
    assert app.planner.recommendation is not None
    if app.planner.recommendation.chosen is not None:
        assert app.planner.recommendation.chosen.verdict is not Verdict.NO
        return
    assert "No system" in app.window.results.glance.title
    app.window.results.show_why()
    assert app.window.results.why.tree.topLevelItemCount() > 0


def test_that_the_rejected_are_grouped_by_card_and_filtered(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.RESULTS)
    why = app.window.results.why
    app.window.results.show_why()
    assert app.planner.recommendation is not None
    why.fill_all()
    children = sum(why.tree.topLevelItem(n).childCount() for n in range(why.tree.topLevelItemCount()))
    assert children == len(app.planner.recommendation.rejected)
    why.filter.setText("l40s")
    shown = [
        why.tree.topLevelItem(n).text(0)
        for n in range(why.tree.topLevelItemCount())
        if not why.tree.topLevelItem(n).isHidden()
    ]
    assert shown
    assert len(shown) < why.tree.topLevelItemCount()
    wait_idle(qtbot, app)


def test_that_the_paper_is_saved_exactly_as_shown(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.OFFER)
    wait_idle(qtbot, app)
    offer = app.window.offer
    assert offer.rendered is not None
    assert offer.view.page_count == len(offer.rendered.pages)
    offer.save(tmp_path / "angebot.pdf")
    assert (tmp_path / "angebot.pdf").read_bytes() == offer.rendered.paper.pdf
    assert "Beispielgruppe" in offer.rendered.pages[0].text
    before = offer.rendered.paper.pdf
    offer.fields["company"].setText("Andere GmbH")
    offer.fields["company"].editingFinished.emit()
    wait_idle(qtbot, app)
    assert offer.rendered is not None
    assert offer.rendered.paper.pdf != before
    assert "Andere GmbH" in offer.rendered.pages[0].text


def test_that_a_defect_while_the_curve_is_computed_is_reported(
    open_app: OpenApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app(MIXED)
    told: list[object] = []
    app.planner.crashed.disconnect()
    app.planner.crashed.connect(told.append)

    def broken(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("gui.results.length_view.curve_points", broken)
    app.window.show_step(Step.RESULTS)
    app.window.results.tabs.show_page(app.window.results.length)
    qtbot.waitUntil(lambda: bool(told))
    assert isinstance(told[0], ZeroDivisionError)


def test_that_what_keeps_buying_from_being_compared_is_said_in_the_windows_language(
    open_app: OpenApp, qtbot: QtBot
) -> None:
    app = open_app(EXAMPLES / "mixed-portfolio.passform.yaml", language=Language.DE)
    app.window.show_step(Step.RESULTS)
    cost = app.window.results.cost
    cost._on_failed(CancelledError())
    assert cost.verdict.text() == app.context.texts.error(CancelledError())
    assert cost.verdict.text() != str(CancelledError())


def test_that_a_long_company_makes_a_file_name_every_system_takes(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app(EXAMPLES / "mixed-portfolio.passform.yaml")
    app.window.show_step(Step.OFFER)
    wait_idle(qtbot, app)
    opened: list[str] = []
    monkeypatch.setattr("gui.pages.offer.QDesktopServices.openUrl", lambda url: opened.append(url.toLocalFile()))
    monkeypatch.setattr("gui.pages.offer.QStandardPaths.writableLocation", lambda _place: str(tmp_path))
    field = app.window.offer.fields["company"]
    field.setText("Gesellschaft für Wärme und Übermut " * 12)
    field.editingFinished.emit()
    wait_idle(qtbot, app)
    app.window.offer.open_button.click()
    assert len(opened) == 1
    assert Path(opened[0]).is_file()
    assert len(Path(opened[0]).name.encode("utf-8")) < 255


def test_that_a_task_chosen_in_the_results_is_chosen_on_the_first_page_too(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLES / "serve-and-train.passform.yaml")
    app.window.show_step(Step.RESULTS)
    wait_idle(qtbot, app)
    page, results = app.window.workloads, app.window.results
    trained = len(app.document.consultation.workloads)
    last = trained + len(app.document.consultation.serving) - 1
    card = results._selected_card()
    results.heat.activated.emit(target_of(card, last))
    assert page.serving.current_row() == last - trained
    assert app.window.answer._selected == last
    results.heat.activated.emit(target_of(card, 0))
    assert page.current_row() == 0
    assert page.serving.current_row() == -1
    assert app.window.answer._selected == 0

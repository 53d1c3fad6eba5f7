"""Served models in the window: entered, edited, undone, saved, and seen in the answer and the results."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from catalog.catalog import Catalog
from catalog.consultation.document import Consultation
from catalog.consultation.files import read
from catalog.consultation.serving import ServingRow
from engine.fit import Verdict
from engine.pictures.serving_parts import serving_memory_bar
from engine.plan.types import Recommendation
from engine.reasons import ReasonCode, reason
from engine.serving.types import LoadKind, WeightFormat
from engine.wording.translator import Language
from gui.app import App
from gui.draft import Severity, problems
from gui.flow import Situation, Step, StepState, state
from gui.pages.workloads import SERVE
from gui.results.heat import served_on, target_of
from gui.serving_draft import load_kind, serving_row_for, with_load_kind, with_serving
from gui.settings import ThemeChoice
from gui.widgets import Choice, NumberField
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle
from tests.gui.layout import nameless, unfit, unreachable

BOTH = EXAMPLES / "serve-and-train.passform.yaml"
TRAINED, ASSISTANT, NIGHT = 0, 1, 2  # the numbers of the example's rows, what is served after what is trained
PROJECTOR = (1280, 720)


def only(app: App, qtbot: QtBot, *, trained: bool) -> Recommendation:
    """Leave only what is trained, or only what is served, and wait for the answer."""
    document = app.document.consultation
    kept = {"serving": ()} if trained else {"workloads": ()}
    app.document.edit("leave", document.model_copy(update=kept))
    wait_idle(qtbot, app)
    assert app.planner.recommendation is not None
    return app.planner.recommendation


def panel_text(widget: QWidget) -> str:
    return "\n".join(made.text() for made in widget.findChildren(QLabel) if made.isVisibleTo(widget))


def type_number(app: App, qtbot: QtBot, name: str, text: str) -> NumberField:
    """Type into a field of the form as a user does."""
    field = app.window.workloads.serving_details.fields[name]
    assert isinstance(field, NumberField)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    wait_idle(qtbot, app)
    return field


def test_that_a_model_is_added_to_be_served_by_the_keyboard_alone(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app()
    page = app.window.workloads
    page.purpose.setFocus()
    QTest.keyClick(page.purpose, Qt.Key.Key_Down)
    assert page.purpose.currentData() == SERVE
    page.picker.setFocus()
    QTest.keyClicks(page.picker, "llama 3.1 8b")
    QTest.keyClick(page.picker, Qt.Key.Key_Return)
    wait_idle(qtbot, app)
    document = app.document.consultation
    assert document.workloads == ()
    assert [row.model for row in document.serving] == ["llama-3.1-8b"]
    assert page.serving.isVisible()
    assert page.serving_details.isVisible()
    assert not page.details.isVisible()
    assert app.planner.recommendation is not None
    assert app.planner.recommendation.chosen is not None
    assert app.window.answer.card_text


def test_that_the_model_of_a_workload_is_served_with_one_click(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLES / "mixed-portfolio.passform.yaml")
    page = app.window.workloads
    page.select_row(1)
    page.actions_by_name["serve"].trigger()
    wait_idle(qtbot, app)
    document = app.document.consultation
    assert document.serving[0].model == document.workloads[1].model
    assert page.serving.current_row() == 0
    assert page.current_row() == -1
    app.document.stack.undo()
    assert app.document.consultation.serving == ()
    assert page.details.isVisible()


def test_that_the_table_shows_every_column_of_a_served_row(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH, language=Language.DE)
    model = app.window.workloads.serving.model
    shown = [model.data(model.index(0, column)) for column in range(model.columnCount())]
    assert shown == [
        "Assistent im Haus\nLlama 3.3 70B",
        "FP8 · FP8\nvLLM",
        "1.500 / 400\n≤ 8.000 / 2.000",
        "24 gleichzeitig\n≥ 5 Token/s",
        shown[4],
    ]
    assert model.data(model.index(1, 3)) == "20.000 je Nacht"
    # A request of 1,500 + 400 tokens takes 119 blocks of 16; a token 2 x 80 layers x 8 heads x 128 x 1 B = 163,840 B.
    assert app.planner.recommendation is not None
    assert app.planner.recommendation.chosen is not None
    pool = app.planner.recommendation.chosen.serving[0].memory.card.cache
    assert shown[4] == f"passt\n{pool // (119 * 16 * 163_840)} gleichzeitig"
    sign = model.data(model.index(0, 4), Qt.ItemDataRole.DecorationRole)
    assert sign is not None


def test_that_fields_of_the_form_edit_the_document_and_can_be_undone(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    app.window.workloads.serving.select_row(0)
    before = app.document.consultation
    type_number(app, qtbot, "users", "40")
    type_number(app, qtbot, "tokens_per_s_per_user", "7.5")
    weights = app.window.workloads.serving_details.fields["weights"]
    assert isinstance(weights, Choice)
    weights.setFocus()
    QTest.keyClick(weights, Qt.Key.Key_Up)
    QTest.keyClick(weights, Qt.Key.Key_Return)
    wait_idle(qtbot, app)
    row = app.document.consultation.serving[0]
    assert (row.users, row.tokens_per_s_per_user, row.weights) == (40, 7.5, WeightFormat.BF16)
    assert app.document.consultation.workloads == before.workloads
    for _step in range(3):
        app.document.stack.undo()
    assert app.document.consultation == before


def test_that_a_mean_above_the_maximum_is_refused_beneath_its_field(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    app.window.workloads.serving.select_row(0)
    before = app.document.consultation
    field = type_number(app, qtbot, "prompt_mean", "9000")
    assert app.document.consultation == before
    assert "mean length" in field.accessibleDescription()
    assert app.window.workloads.has_errors
    type_number(app, qtbot, "prompt_mean", "1600")
    assert app.document.consultation.serving[0].prompt_mean == 1600
    assert not app.window.workloads.has_errors


def test_that_the_kind_of_load_changes_which_fields_are_shown(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    details = app.window.workloads.serving_details
    app.window.workloads.serving.select_row(0)
    for kind, shown in ((LoadKind.RATE, "requests_per_s"), (LoadKind.BATCH, "requests_per_night")):
        details.load.chosen.emit(kind.value)
        wait_idle(qtbot, app)
        assert load_kind(app.document.consultation.serving[0]) is kind
        fields = ("users", "requests_per_s", "requests_per_night")
        assert [name for name in fields if details.fields[name].isVisible()] == [shown]
    assert details.fields["night_hours"].isVisible()


def test_that_the_form_offers_every_field_of_a_served_row(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    offered = set(app.window.workloads.serving_details.fields) - {"load"}
    # The model is chosen in the search; the day of a price is recorded with it.
    assert offered == set(ServingRow.model_fields) - {"model", "config", "api_price_date"}


def test_that_a_price_of_an_api_is_recorded_with_its_day(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    app.window.workloads.serving.select_row(0)
    type_number(app, qtbot, "api_price_per_million", "0.90")
    row = app.document.consultation.serving[0]
    assert str(row.api_price_per_million) in ("0.9", "0.90")
    assert row.api_price_date is not None
    app.window.show_step(Step.RESULTS)
    app.window.results.tabs.show_page(app.window.results.serving)
    wait_idle(qtbot, app)
    assert "inference API, price as entered: EUR 0.90" in app.window.results.serving.text.replace("\u00a0", " ")
    app.window.show_step(Step.WORKLOADS)
    field = app.window.workloads.serving_details.fields["api_price_per_million"]
    field.setFocus()
    assert isinstance(field, NumberField)
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    QTest.keyClick(field, Qt.Key.Key_Return)
    wait_idle(qtbot, app)
    row = app.document.consultation.serving[0]
    assert (row.api_price_per_million, row.api_price_date) == (None, None)


def test_that_rows_are_duplicated_moved_and_removed_by_the_keyboard(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    section = app.window.workloads.serving
    first, second = app.document.consultation.serving
    section.table.setFocus()
    section.select_row(0)
    QTest.keyClick(section.table, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert app.document.consultation.serving == (first, first, second)
    assert section.current_row() == 1
    QTest.keyClick(section.table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert app.document.consultation.serving == (first, second, first)
    QTest.keyClick(section.table, Qt.Key.Key_Delete)
    assert app.document.consultation.serving == (first, second)
    QTest.keyClick(section.table, Qt.Key.Key_Return)
    wait_idle(qtbot, app)
    assert app.window.workloads.serving_details.name.hasFocus()
    assert len(app.document.consultation.workloads) == 1


def test_that_the_bundled_example_survives_opening_and_saving(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app(BOTH)
    target = tmp_path / "again.passform.yaml"
    app.document.save(target)
    assert read(target) == read(BOTH)
    app.window.workloads.serving.select_row(1)
    type_number(app, qtbot, "night_hours", "5.5")
    app.document.save(target)
    assert read(target).serving[1].night_hours == 5.5
    assert read(target) == app.document.consultation


def test_that_the_answer_follows_the_selected_row(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    page, answer = app.window.workloads, app.window.answer
    assert "free per card · Anpassung Llama 70B" in panel_text(answer)
    page.serving.select_row(0)
    wait_idle(qtbot, app)
    text = panel_text(answer)
    assert "requests at once, of mean length · Assistent im Haus" in text
    assert "tokens/s" in text
    assert "Planned load: computed from the data sheet" in text
    assert "per million output tokens" in text
    page.serving.select_row(1)
    wait_idle(qtbot, app)
    assert "per night" in panel_text(answer)
    page.select_row(0)
    wait_idle(qtbot, app)
    assert "free per card · Anpassung Llama 70B" in panel_text(answer)
    assert page.serving.current_row() == -1


@pytest.mark.parametrize(("language", "trained"), [(Language.EN, True), (Language.DE, False)])
def test_that_a_consultation_that_only_trains_or_only_serves_is_answered(
    open_app: OpenApp, qtbot: QtBot, language: Language, trained: bool
) -> None:
    app = open_app(BOTH, language=language, size=PROJECTOR)
    recommendation = only(app, qtbot, trained=trained)
    assert recommendation.chosen is not None
    assert bool(recommendation.chosen.placements) is trained
    assert app.window.answer.card_text == f"{recommendation.chosen.cards} × {recommendation.chosen.card.name}"
    assert unfit(app.window) == []
    app.window.show_step(Step.RESULTS)
    for number in range(app.window.results.tabs.count):
        app.window.results.tabs.bar.setCurrentIndex(number)
        wait_idle(qtbot, app)
        assert unfit(app.window) == []
    heat = app.window.results.heat.accessibleDescription()
    assert ("Anpassung Llama 70B" in heat) is trained
    assert ("Assistent im Haus" in heat) is not trained
    app.window.show_step(Step.OFFER)
    wait_idle(qtbot, app)
    assert app.window.offer.rendered is not None


def test_that_a_cell_of_the_heat_map_selects_a_served_model(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    app.window.show_step(Step.RESULTS)
    wait_idle(qtbot, app)
    results = app.window.results
    assert app.planner.recommendation is not None
    chosen = app.planner.recommendation.chosen
    assert chosen is not None
    results.heat.activated.emit(target_of(chosen.card.id, NIGHT))
    wait_idle(qtbot, app)
    assert results.memory.title.text() == "Auswertung in der Nacht"
    described = results.memory.bars.accessibleDescription()
    assert "of it for keys and values" in described
    assert not results.memory.detail.isVisible()
    results.tabs.show_page(results.pareto)
    assert "no runs" in results.pareto.remark.text()
    results.heat.activated.emit(target_of(chosen.card.id, TRAINED))
    results.tabs.show_page(results.memory)
    wait_idle(qtbot, app)
    assert results.memory.title.text() == "Anpassung Llama 70B"
    assert results.memory.detail.isVisible()


def test_that_plans_side_by_side_say_how_they_serve(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    app.window.show_step(Step.RESULTS)
    wait_idle(qtbot, app)
    app.window.results.show_alternatives()
    comparison = app.window.results.compare.comparison()
    assert app.planner.recommendation is not None
    chosen = app.planner.recommendation.chosen
    assert chosen is not None
    for placement in chosen.serving:
        rows = {row.key: row for row in comparison.rows if row.subject == placement.workload.name}
        assert rows["verdict"].cells[0].value == placement.verdict.value
        assert rows["requests_at_once"].cells[0].value == (placement.memory.sequences_mean * placement.layout.replicas)
        assert placement.speed is not None
        point = placement.speed.planned or placement.speed.full
        assert rows["tokens_per_second"].cells[0].value == point.tokens_per_s
        assert not any(cell.best for cell in rows["tokens_per_second"].cells)


def test_that_the_bar_of_a_served_model_adds_up_to_the_card(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    assert app.planner.recommendation is not None
    plans = app.planner.recommendation.ranked
    assert plans
    for plan in plans:
        for placement in plan.serving:
            bar = serving_memory_bar("", "", "", placement)
            assert sum(part.size_bytes for part in bar.parts) == bar.expected_bytes
            assert bar.expected_bytes + bar.headroom_bytes == bar.capacity_bytes == placement.memory.usable_bytes


def test_that_every_plan_says_how_it_serves_in_the_heat_map(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    app.window.show_step(Step.RESULTS)
    wait_idle(qtbot, app)
    described = app.window.results.heat.accessibleDescription().splitlines()
    assert app.planner.recommendation is not None
    for plan in (app.planner.recommendation.chosen, *app.planner.recommendation.alternatives):
        assert plan is not None
        line = next(line for line in described if line.startswith(f"{plan.cards} × {plan.card.name} "))
        for placement in plan.serving:
            at_once = placement.memory.sequences_mean * placement.layout.replicas
            assert f"{placement.workload.name}: {placement.verdict.value}, {at_once} of mean length" in line
    served = app.planner.recommendation.scenario.serving
    unsized = next(item for item in app.window.results._glances if item.plan is None and not item.serving)
    assert served_on(unsized, served[0]) is None


def test_that_a_rejected_card_shows_how_it_would_serve(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    app.window.show_step(Step.RESULTS)
    results = app.window.results
    if not results.all_cards.isChecked():
        results.all_cards.click()
    wait_idle(qtbot, app)
    assert app.planner.recommendation is not None
    served = app.planner.recommendation.scenario.serving
    rejected = [item for item in results._glances if item.plan is None and item.serving]
    assert rejected
    described = results.heat.accessibleDescription().splitlines()
    tips = [spot.tip for spot in results.heat.picture.spots]
    for item in rejected:
        line = next(line for line in described if line.startswith(f"{item.cards} × {item.card.name} "))
        for placement in item.serving:
            word = app.context.texts.label(placement.verdict)
            assert f"{placement.workload.name}: {word}" in line
            tip = next(tip for tip in tips if item.card.name in tip and f"{placement.workload.name}: {word}" in tip)
            assert len(tip.splitlines()) > 2  # the reason stands beneath the verdict
    # 24 GB of an L4 never hold a 70B model in FP8, whatever the count of cards that share nothing.
    l4 = next(item for item in rejected if item.card.id == "l4")
    assert l4.served(served[0]).verdict is Verdict.NO


@pytest.mark.parametrize("language", list(Language))
def test_that_speeds_are_ranges_with_their_basis(open_app: OpenApp, qtbot: QtBot, language: Language) -> None:
    app = open_app(BOTH, language=language)
    app.window.show_step(Step.RESULTS)
    app.window.results.tabs.show_page(app.window.results.serving)
    wait_idle(qtbot, app)
    text = app.window.results.serving.text.replace("\u00a0", " ").replace("\u202f", " ")
    # Llama 3.3 70B with an FP8 cache: 2 x 80 layers x 8 KV heads x 128 values x 1 B; Llama 3.1 8B in BF16: 2 x 32 x 8
    # x 128 x 2 B.
    for figure in ("163.840 B", "131.072 B") if language is Language.DE else ("163,840 B", "131,072 B"):
        assert figure in text
    words = ("bis", "Datenblatt", "Untergrenze") if language is Language.DE else ("to", "data sheet", "lower bound")
    assert all(word in text for word in words)


def test_that_two_machines_are_named_where_they_are_the_better_answer(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    recommendation = app.planner.recommendation
    assert recommendation is not None
    assert recommendation.chosen is not None
    assert "A machine each" not in panel_text(app.window.answer)
    remark = reason(ReasonCode.TWO_MACHINES, other="2 × L40S and 1 × H200 NVL", saving_amount=4000.0, currency="EUR")
    chosen = replace(recommendation.chosen, reasons=(*recommendation.chosen.reasons, remark))
    app.planner.recommendation = replace(recommendation, chosen=chosen)
    app.planner.changed.emit()
    assert "A machine each for training and serving" in panel_text(app.window.answer)
    app.window.show_step(Step.RESULTS)
    app.window.results.tabs.show_page(app.window.results.serving)
    assert "2 × L40S and 1 × H200 NVL" in app.window.results.serving.remark.text()


def test_that_serving_that_fits_nowhere_says_so_and_breaks_nothing(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    app.window.workloads.serving.select_row(0)
    type_number(app, qtbot, "tokens_per_s_per_user", "900000")
    assert app.planner.recommendation is not None
    assert app.planner.recommendation.chosen is None
    assert app.window.answer.card_text == ""
    model = app.window.workloads.serving.model
    assert model.data(model.index(0, 4)) == "–"
    app.window.show_step(Step.RESULTS)
    for number in range(app.window.results.tabs.count):
        app.window.results.tabs.bar.setCurrentIndex(number)
        wait_idle(qtbot, app)
    assert app.window.results.glance.title == "No system carries every workload"


@pytest.mark.parametrize(("theme", "language"), [(ThemeChoice.LIGHT, Language.DE), (ThemeChoice.DARK, Language.EN)])
def test_that_nothing_of_a_served_row_is_cut_off_nameless_or_out_of_reach(
    open_app: OpenApp, qtbot: QtBot, theme: ThemeChoice, language: Language
) -> None:
    app = open_app(BOTH, theme=theme, language=language, size=PROJECTOR)
    page = app.window.workloads
    page.serving.select_row(0)
    for kind in LoadKind:
        page.serving_details.load.chosen.emit(kind.value)
        wait_idle(qtbot, app)
        assert unfit(app.window) == []
        assert nameless(app.window) == []
        assert unreachable(app.window) == []
    app.window.show_step(Step.RESULTS)
    app.window.results.tabs.show_page(app.window.results.serving)
    wait_idle(qtbot, app)
    assert unfit(app.window) == []
    assert nameless(app.window) == []


def test_that_a_served_model_alone_makes_the_first_step_complete(catalogue: Catalog) -> None:
    document = with_serving(Consultation(), [serving_row_for(catalogue.facts.models["llama-3.1-8b"])])
    assert state(Step.WORKLOADS, Situation(document=document)) is StepState.OK
    assert problems(document, [], [catalogue.facts.models["llama-3.1-8b"]]) == []
    unknown = problems(document, [], [None])
    assert [(item.field, item.severity) for item in unknown] == [("serving.0.model", Severity.ERROR)]


def test_that_requests_beyond_the_trained_length_are_hinted_at(catalogue: Catalog) -> None:
    model = replace(catalogue.facts.models["llama-3.1-8b"], max_position=9_999)
    row = ServingRow(model=model.id, prompt_max=8000, output_max=2000, users=1)
    found = problems(with_serving(Consultation(), [row]), [], [model])
    assert [(item.field, item.severity) for item in found] == [("serving.0.prompt_max", Severity.HINT)]


@given(positions=st.integers(2, 300_000))
def test_that_a_first_row_never_asks_for_more_than_the_model_was_trained_for(
    catalogue: Catalog, positions: int
) -> None:
    row = serving_row_for(replace(catalogue.facts.models["llama-3.1-8b"], max_position=positions))
    assert row.prompt_max + row.output_max <= positions
    assert row.prompt_mean <= row.prompt_max
    assert row.output_mean <= row.output_max


@given(kinds=st.lists(st.sampled_from(LoadKind), min_size=1, max_size=6))
def test_that_a_row_has_exactly_one_load_whatever_is_chosen(catalogue: Catalog, kinds: list[LoadKind]) -> None:
    document = with_serving(Consultation(), [serving_row_for(catalogue.facts.models["llama-3.1-8b"])])
    for kind in kinds:
        document = with_load_kind(document, 0, kind)
        assert load_kind(document.serving[0]) is kind


def test_that_the_example_carries_what_it_serves(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(BOTH)
    assert app.planner.recommendation is not None
    assert app.planner.recommendation.chosen is not None
    assert {placement.verdict for placement in app.planner.recommendation.chosen.serving} <= {
        Verdict.FITS,
        Verdict.TIGHT,
    }

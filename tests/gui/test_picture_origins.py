"""Every place of every picture says value, unit and source on hover; every picture can be copied and saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from engine.wording.translator import Language
from gui.app import App
from gui.flow import Step
from gui.picture_view import PictureView
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle

BOTH = EXAMPLES / "serve-and-train.passform.yaml"
VIEWS = ("memory", "length", "cost", "pareto")


@pytest.fixture
def app(open_app: OpenApp, qtbot: QtBot) -> App:
    made = open_app(BOTH)
    made.window.show_step(Step.RESULTS)
    wait_idle(qtbot, made)
    return made


def pictures(app: App, qtbot: QtBot) -> dict[str, PictureView]:
    """The heat map and every picture of every view, each as it is shown."""
    results = app.window.results
    found = {"heat": results.heat}
    for name in VIEWS:
        view = getattr(results, name)
        results.tabs.show_page(view)
        wait_idle(qtbot, app)
        for made in view.findChildren(PictureView):
            assert made.picture is not None, name
            found[f"{name}: {made.accessibleName()}"] = made
    return found


def test_that_every_figure_on_hover_has_its_source(app: App, qtbot: QtBot) -> None:
    texts = app.context.texts
    computed = texts.gettext("Need: computed from the model's configuration and the recipe")
    grades = ("A:", "B:", "C:", "D:", "M:")
    signs = (computed, "Price:", "From this consultation", *(f"· {grade}" for grade in grades))
    shown = pictures(app, qtbot)
    assert len(shown) == 6  # heat map, bars, curve, cost over time, tornado, cost against time
    for name, view in shown.items():
        tips = [spot.tip for spot in view.picture.spots if "\n" in spot.tip or spot.target]
        assert tips, name
        without = [tip for tip in tips if not any(sign in tip for sign in signs) and "–" not in tip]
        examined = [tip for tip in without if name != "heat" or "GB" in tip.splitlines()[1]]
        assert examined == [], f"{name}: {examined[:2]}"


def test_that_the_ends_of_every_input_have_their_unit(app: App, qtbot: QtBot) -> None:
    results = app.window.results
    results.tabs.show_page(results.cost)
    wait_idle(qtbot, app)
    tips = {spot.tip.splitlines()[0]: spot.tip for spot in results.cost.tornado.picture.spots}
    rent = tips["Rent per card and hour"]
    assert "EUR: buying saves" in rent
    assert "%: buying saves" in tips["Power under load, share of the rated power"]
    assert "\u00a0h: buying saves" in tips["Useful hours per year"]


def test_that_the_usable_memory_names_the_catalogues_source(app: App, qtbot: QtBot) -> None:
    card = app.planner.recommendation.chosen.card
    bars = app.window.results.memory.bars
    spot = next(spot for spot in bars.picture.spots if spot.target.startswith(card.id))
    assert card.usable_bytes.source.title in spot.tip


@pytest.mark.parametrize("language", list(Language))
def test_that_every_picture_is_copied_and_saved(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path, language: Language
) -> None:
    app = open_app(BOTH, language=language)
    app.window.show_step(Step.RESULTS)
    wait_idle(qtbot, app)
    for number, (name, view) in enumerate(pictures(app, qtbot).items()):
        svg, png = tmp_path / f"{number}.svg", tmp_path / f"{number}.png"
        view.save(svg)
        view.save(png)
        renderer = QSvgRenderer(str(svg))
        assert renderer.isValid(), name
        assert renderer.viewBoxF().width() == pytest.approx(view.picture.width, abs=1)
        image = QImage(str(png))
        assert image.width() == pytest.approx(2 * view.picture.width, abs=2), name
        QGuiApplication.clipboard().clear()
        view.copy()
        assert QGuiApplication.clipboard().image().size() == image.size(), name


def test_that_the_context_menu_offers_copy_and_save(app: App, qtbot: QtBot) -> None:
    offered: list[list[str]] = []

    def note() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        offered.append([action.text() for action in menu.actions()])
        menu.close()

    for view in pictures(app, qtbot).values():
        place = QPoint(10, 10)
        QTimer.singleShot(0, note)
        view.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, view.mapToGlobal(place)))
    assert offered == [["Copy picture", "Save picture as …"]] * 6

"""The pages in the smallest window, their names, their reach by keyboard, and the menus' letters and keys."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from engine.wording.translator import Language
from gui.dialogs.help import TOPICS, help_file
from gui.flow import Step
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle
from tests.gui.layout import nameless, unfit, unreachable

MIXED = EXAMPLES / "mixed-portfolio.passform.yaml"
SMALLEST = (1080, 600)


def look(widget: QWidget) -> None:
    """Fail when a picture of the widget is empty, or a text in it is cut off."""
    picture = widget.grab().toImage()
    assert len({picture.pixel(x, y) for x in range(0, picture.width(), 7) for y in range(0, picture.height(), 7)}) > 3
    cut_off = unfit(widget)
    assert cut_off == [], "\n".join(cut_off)


def test_that_no_page_cuts_a_text_off_in_the_smallest_window(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED, language=Language.DE, size=SMALLEST)
    for step in Step:
        app.window.show_step(step)
        wait_idle(qtbot, app)
        if step is Step.RESULTS:
            for number in range(app.window.results.tabs.count):
                app.window.results.tabs.bar.setCurrentIndex(number)
                wait_idle(qtbot, app)
                look(app.window)
        look(app.window)


def test_that_the_empty_window_teaches_how_to_begin(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(language=Language.DE)
    assert app.window.workloads.samples.isVisible()
    look(app.window)


def test_that_everything_that_takes_the_focus_is_named_and_reachable(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED, language=Language.DE)
    for step in Step:
        app.window.show_step(step)
        wait_idle(qtbot, app)
        tabs = app.window.results.tabs if step is Step.RESULTS else None
        for number in range(tabs.count if tabs else 1):
            if tabs:
                tabs.bar.setCurrentIndex(number)
                wait_idle(qtbot, app)
            assert nameless(app.window) == [], step
            assert unreachable(app.window) == [], step


def test_that_pictures_say_in_words_what_they_show(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.RESULTS)
    results = app.window.results
    wait_idle(qtbot, app)
    for picture in (results.heat, results.memory.bars, results.length.curve, results.pareto.chart):
        if picture is not results.heat:
            results.tabs.show_page(picture.parentWidget())
            wait_idle(qtbot, app)
        assert picture.accessibleName()
        assert len(picture.accessibleDescription()) > 20
    for workload in app.document.consultation.workloads:
        assert workload.name in results.heat.accessibleDescription()


@pytest.mark.parametrize("language", list(Language))
def test_that_no_mnemonic_is_given_twice_in_a_menu(open_app: OpenApp, qtbot: QtBot, language: Language) -> None:
    app = open_app(language=language)
    bar = app.window.menuBar()
    for actions in [bar.actions(), *(action.menu().actions() for action in bar.actions())]:
        letters = [
            action.text().lower().split("&", 1)[1][0] for action in actions if "&" in action.text().replace("&&", "")
        ]
        assert len(letters) == len(set(letters)), [action.text() for action in actions]


def test_that_no_shortcut_is_given_twice(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    keys = [
        sequence.toString()
        for action in app.window.menuBar().actions()
        for entry in action.menu().actions()
        for sequence in entry.shortcuts()
    ]
    assert len(keys) == len(set(keys))
    assert {"Ctrl+S", "Ctrl+Z", "F1", "Ctrl+5", "Alt+Right"} <= set(keys)


@pytest.mark.parametrize("topic", TOPICS)
def test_that_the_handbook_has_the_same_page_in_both_languages(topic: str) -> None:
    german, english = (help_file(topic, language.value).read_text(encoding="utf-8") for language in Language)
    assert german.startswith("# ")
    assert english.startswith("# ")
    assert german.count("\n- ") == english.count("\n- ")
    assert german.count("**") == english.count("**")

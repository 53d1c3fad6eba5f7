"""A preference that cannot be kept, on a full or locked disk, is followed all the same; then the person is told."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from engine.errors import PassformError
from engine.wording.translator import Language
from gui.flow import Step
from gui.settings import Settings, ThemeChoice
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle


def test_that_language_theme_and_folding_switch_where_the_choice_cannot_be_kept(
    open_app: OpenApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app(EXAMPLES / "mixed-portfolio.passform.yaml")

    def save(_settings: Settings) -> None:
        raise PassformError("The settings cannot be saved: {problem}.", problem="disk full")

    monkeypatch.setattr(Settings, "save", save)
    for switch in (lambda: app.set_language(Language.DE), lambda: app.set_theme(ThemeChoice.DARK)):
        with pytest.raises(PassformError):  # reaches the exception hook, which tells the person
            switch()
    assert app.window.way._names[Step.OFFER] == "Angebot"
    assert app.context.theme.dark
    app.window.show_step(Step.RESULTS)
    compare = app.window.results.compare
    app.window.results.tabs.show_page(compare)
    wait_idle(qtbot, app)
    rows = compare.model.rowCount()
    compare.fold.setChecked(not compare.fold.isChecked())
    with pytest.raises(PassformError):
        compare._on_fold()
    assert compare.model.rowCount() != rows

"""Windows that are open follow the switches of the main window."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from engine.wording.translator import Language
from gui.settings import ThemeChoice
from tests.gui.conftest import EXAMPLES, PATIENCE_MS, OpenApp


def test_that_open_windows_follow_language_and_theme(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLES / "mixed-portfolio.passform.yaml")
    tools = app.window.tools
    for show in (tools.show_catalogue, tools.show_positions, tools.show_evidence):
        show()
    app.set_language(Language.DE)
    assert tools.catalogue.windowTitle() == "Katalog"
    assert tools.positions.windowTitle() == "Positionen des Angebots"
    assert tools.evidence.windowTitle() == "Gemessen gegen geschätzt"
    app.set_theme(ThemeChoice.DARK)
    assert tools.catalogue.isVisible()
    qtbot.waitUntil(lambda: not tools.evidence.busy, timeout=PATIENCE_MS)

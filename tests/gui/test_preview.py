"""The preview draws what is looked at and loads no more than it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gui.flow import Step
from gui.preview import pages
from gui.preview.pages import PaperPage
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle

MIXED = EXAMPLES / "mixed-portfolio.passform.yaml"


def test_that_only_pages_in_view_are_drawn_and_each_as_sharp_as_the_screen(
    open_app: OpenApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: dict[int, int] = {}
    draw = pages._picture

    def noting(page: PaperPage, scale: float) -> QImage:
        picture = draw(page, scale)
        drawn[page.number] = picture.width()
        return picture

    pages._drawn.cache_clear()  # another test may have seen the same paper, byte for byte
    monkeypatch.setattr(pages, "_picture", noting)
    app = open_app(MIXED)
    app.window.show_step(Step.OFFER)
    wait_idle(qtbot, app)
    offer = app.window.offer
    qtbot.waitUntil(lambda: 0 in drawn)
    count = offer.view.page_count
    assert count > 5
    assert set(drawn) <= {0, 1}
    assert drawn[0] == pytest.approx(offer.view.layout().itemAt(0).widget().width(), abs=1)
    bar = offer.verticalScrollBar()
    bar.setValue(bar.maximum())
    app.window.grab()
    assert count - 1 in drawn
    assert count // 2 not in drawn


def test_that_the_preview_loads_no_database_library() -> None:
    code = "import sys, gui.pages.offer; sys.exit('sqlalchemy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=True)

"""The settings dialog: from when on prices are marked, seen at once in every table."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from catalog.price_ages import FILE_NAME, load_age_limits
from engine.pictures.palette import Ink
from engine.prices import AgeLimits
from gui.app import App
from gui.catalogue.rows import RowMark, Tab, listing
from gui.dialogs.settings import SettingsDialog
from gui.settings import ThemeChoice
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle

EXAMPLE = EXAMPLES / "lora-department-rack.passform.yaml"


def opened(app: App, qtbot: QtBot) -> SettingsDialog:
    dialog = SettingsDialog(app.window.tools.desk, app.window)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def expired(app: App, tab: Tab) -> int:
    rows = listing(tab, app.window.tools.desk.viewer()).rows
    return sum(RowMark.EXPIRED in row.marks for row in rows)


def test_that_stricter_limits_mark_more_prices_at_once(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app(EXAMPLE)
    before = expired(app, Tab.PRICES), expired(app, Tab.RENTAL), expired(app, Tab.CARDS)
    dialog = opened(app, qtbot)
    assert (dialog.fresh.value(), dialog.old.value()) == (60, 180)
    dialog.fresh.setValue(1)
    dialog.old.setValue(2)
    dialog.save.click()
    wait_idle(qtbot, app)
    assert load_age_limits(tmp_path / "user") == AgeLimits(1, 2)
    assert app.context.catalog.facts.age_limits == AgeLimits(1, 2)
    after = expired(app, Tab.PRICES), expired(app, Tab.RENTAL), expired(app, Tab.CARDS)
    assert all(more > fewer for more, fewer in zip(after, before, strict=True))
    ages = {position.unit.age for position in app.planner.recommendation.chosen.price.positions}
    assert "expired" in {age.value for age in ages if age is not None}


def test_that_limits_out_of_order_cannot_be_saved(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = opened(open_app(), qtbot)
    dialog.fresh.setValue(180)
    assert not dialog.problem.isHidden()
    assert not dialog.save.isEnabled()
    dialog.store()
    assert dialog.isVisible()
    assert not (tmp_path / "user" / FILE_NAME).exists()
    dialog.default.click()
    assert dialog.problem.isHidden()
    assert dialog.save.isEnabled()


def test_that_the_keyboard_alone_changes_and_saves(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app()
    dialog = opened(app, qtbot)
    assert dialog.focusWidget() is dialog.fresh
    qtbot.keyClick(dialog.fresh, Qt.Key.Key_Down)
    qtbot.keyClick(dialog.fresh, Qt.Key.Key_Tab)
    assert dialog.focusWidget() is dialog.old
    qtbot.keyClick(dialog.old, Qt.Key.Key_Up)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert load_age_limits(tmp_path / "user") == AgeLimits(59, 181)


@pytest.mark.parametrize("theme", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_that_the_field_without_the_focus_has_a_border_that_is_seen(
    open_app: OpenApp, qtbot: QtBot, theme: ThemeChoice
) -> None:
    """In the colour that other fields have: muted, well apart from the ground."""
    app = open_app(theme=theme)
    dialog = opened(app, qtbot)
    assert dialog.focusWidget() is dialog.fresh
    picture = dialog.old.grab().toImage()
    middle = picture.height() // 2
    border, ground = (picture.pixelColor(x, middle).lightnessF() for x in (0, 5))
    wanted = app.context.theme.colour(Ink.MUTED).lightnessF()
    assert border == pytest.approx(wanted, abs=0.02)
    assert abs(border - ground) > 0.3

"""Trusted publishers in the window: seen, trusted by their fingerprint, removed."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from catalog import keys
from catalog.versions import DATA_FOLDER
from engine.wording.translator import Language
from gui.app import App
from gui.catalogue.keys_dialog import KeysDialog
from tests.gui.conftest import OpenApp

DAY = date(2026, 11, 30)


@pytest.fixture
def publisher(tmp_path: Path) -> tuple[keys.Publisher, Path]:
    return keys.create_key(tmp_path / "house.pem", "House & Sons", DAY)


def opened(app: App, qtbot: QtBot) -> KeysDialog:
    dialog = KeysDialog(app.window.tools.desk, app.window)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_that_a_key_is_trusted_only_by_its_typed_fingerprint(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path, publisher: tuple[keys.Publisher, Path]
) -> None:
    app, (made, public) = open_app(language=Language.DE), publisher
    user = tmp_path / "user"
    dialog = opened(app, qtbot)
    assert dialog.table.rowCount() == 0
    dialog.offer(public)
    assert "House & Sons" in dialog.offered.text()
    assert keys.grouped(made.fingerprint) in dialog.offered.text()
    assert "30.11.2026" in dialog.offered.text()
    assert not dialog.trust_button.isEnabled()
    dialog.typed.setText("0" * 32)
    dialog.trust_button.click()
    assert "ein anderer" in dialog.state.text()
    assert keys.trusted_keys(DATA_FOLDER, user) == {}
    dialog.typed.setText(keys.grouped(made.fingerprint).upper())
    dialog.trust_button.click()
    assert list(keys.trusted_keys(DATA_FOLDER, user)) == [made.fingerprint]
    assert dialog.panel.isHidden()
    assert dialog.table.item(0, 1).text() == keys.grouped(made.fingerprint)


def test_that_a_key_is_removed(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path, publisher: tuple[keys.Publisher, Path]
) -> None:
    app, (made, _public) = open_app(), publisher
    user = tmp_path / "user"
    keys.trust(user, made, made.fingerprint, DAY, DATA_FOLDER)
    dialog = opened(app, qtbot)
    assert not dialog.remove_button.isEnabled()
    dialog.table.selectRow(0)
    dialog.remove_button.click()
    assert keys.trusted_keys(DATA_FOLDER, user) == {}
    assert dialog.table.rowCount() == 0
    assert "refused from now on" in dialog.state.text()


def test_that_a_private_key_and_a_damaged_list_are_named(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path, publisher: tuple[keys.Publisher, Path]
) -> None:
    app = open_app()
    assert publisher[1].is_file()
    dialog = opened(app, qtbot)
    dialog.offer(tmp_path / "house.pem")
    assert "private key" in dialog.state.text()
    assert dialog.panel.isHidden()
    (tmp_path / "user").mkdir(exist_ok=True)
    (tmp_path / "user" / keys.KEYS_FILE).write_text("[", encoding="utf-8")
    assert "damaged" in opened(app, qtbot).state.text()

"""The register in a window: found, opened, exported, answered, followed up, erased."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from catalog.register.numbering import NumberPattern
from catalog.register.types import RegisterError, State
from engine.quote.draft import DocumentKind
from engine.wording.translator import Language
from gui.app import App
from gui.register.window import RegisterWindow
from gui.register.work import opened
from gui.settings import ThemeChoice
from tests.catalog.register.samples import CUSTOMER, maker
from tests.gui.conftest import PATIENCE_MS, OpenApp
from tests.gui.layout import nameless, unfit, unreachable

YEAR = 2026
OFFERS = NumberPattern("AN-{year}-{counter:04d}")


def issue(app: App, company: str) -> str:
    """Store an offer for a company; its number."""
    with opened() as register:
        customer = {"customer": type(CUSTOMER)(company=company, lines=("Hafen 1",))}
        made = maker(as_of=app.window._today(), **customer)
        return register.store(DocumentKind.OFFER, YEAR, OFFERS, made, today=app.window._today()).number


def state_of(app: App, number: str) -> State:
    with opened() as register:
        return register.entry(number, app.window._today()).state


def settle(window: RegisterWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.busy, timeout=PATIENCE_MS)


def shown(app: App, qtbot: QtBot) -> RegisterWindow:
    app.window.register.show()
    window = app.window.register.shown
    settle(window, qtbot)
    return window


def choose(window: RegisterWindow, number: str) -> None:
    window.table.selectRow([entry.number for entry in window.model.entries].index(number))


@pytest.fixture
def app(open_app: OpenApp) -> App:
    return open_app()


def test_that_the_search_leaves_the_documents_of_one_customer(app: App, qtbot: QtBot) -> None:
    harbour, mill = issue(app, "Nordwerft AG"), issue(app, "Mühle KG")
    window = shown(app, qtbot)
    assert [entry.number for entry in window.model.entries] == [mill, harbour]
    window.search.setText("nordwerft")
    settle(window, qtbot)
    assert [entry.number for entry in window.model.entries] == [harbour]
    window.search.setText("nobody")
    settle(window, qtbot)
    assert window.model.entries == ()
    assert window.state.text() == "The register holds no such document."
    assert not window.controls.open_button.isEnabled()


def test_that_an_answer_is_recorded_and_taken_back(app: App, qtbot: QtBot) -> None:
    number = issue(app, "Nordwerft AG")
    window = shown(app, qtbot)
    for state in (State.SENT, State.ACCEPTED):
        window.controls.to_state.show_value(state.value)
        window.controls.state_button.click()
        settle(window, qtbot)
        assert state_of(app, number) is state
    assert window.chosen.state is State.ACCEPTED
    window.undo_button.click()
    settle(window, qtbot)
    assert state_of(app, number) is State.SENT
    assert not window.undo_button.isEnabled()


def test_that_an_expired_offer_takes_only_an_answer_that_came_in_time(app: App, qtbot: QtBot) -> None:
    number = issue(app, "Nordwerft AG")
    with opened() as register:
        last = register.entry(number, app.window._today()).latest.valid_until
    window = RegisterWindow(app.context, last + timedelta(days=1))
    qtbot.addWidget(window)
    settle(window, qtbot)
    assert window.chosen.state is State.EXPIRED
    window.controls.to_state.show_value(State.ACCEPTED.value)
    window.controls.state_button.click()
    settle(window, qtbot)
    assert "expired" in window.state.text()
    assert window.state.property("role") == "error"
    window.controls.to_state.show_value(State.ACCEPTED.value)
    window.controls.state_day.setText(last.isoformat())
    window.controls.state_button.click()
    settle(window, qtbot)
    assert state_of(app, number) is State.ACCEPTED
    window.close()


def test_that_follow_ups_are_set_found_when_due_and_taken_back(app: App, qtbot: QtBot) -> None:
    harbour, mill = issue(app, "Nordwerft AG"), issue(app, "Mühle KG")
    window = shown(app, qtbot)
    choose(window, harbour)
    window.controls.follow_up.setText(app.window._today().isoformat())
    window.controls.remark.setText("Strom geklärt?")
    window.controls.follow_up_button.click()
    settle(window, qtbot)
    window.due.setChecked(True)
    settle(window, qtbot)
    assert [entry.number for entry in window.model.entries] == [harbour]
    assert "Strom geklärt?" in window.details.text()
    window.undo_button.click()
    settle(window, qtbot)
    assert window.model.entries == ()
    window.due.setChecked(False)
    settle(window, qtbot)
    choose(window, mill)
    window.controls.follow_up.setText("someday")
    window.controls.follow_up_button.click()
    assert "A day is needed" in window.state.text()


def test_that_the_stored_pdf_is_opened_and_exported_byte_for_byte(
    app: App, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = issue(app, "Nordwerft AG")
    window = shown(app, qtbot)
    with opened() as register:
        stored, data = register.pdf(number), register.quote_data(number)
    handed: list[Path] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: handed.append(Path(url.toLocalFile())))
    window.controls.open_button.click()
    settle(window, qtbot)
    assert handed[0].read_bytes() == stored
    handed[0].unlink()
    for name, content in (("a.pdf", stored), ("a.json", data.encode())):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, name=name: (str(tmp_path / name), ""))
        window.controls.export_button.click()
        settle(window, qtbot)
        assert (tmp_path / name).read_bytes() == content


@pytest.mark.parametrize("confirmed", [False, True])
def test_that_customer_data_go_only_when_confirmed(
    app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, confirmed: bool
) -> None:
    first, second, other = issue(app, "Nordwerft AG"), issue(app, "Nordwerft AG"), issue(app, "Mühle KG")
    window = shown(app, qtbot)
    choose(window, first)
    asked: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()) or 0)
    pressed = "Delete for good" if confirmed else "Cancel"
    monkeypatch.setattr(
        QMessageBox, "clickedButton", lambda box: next(one for one in box.buttons() if one.text() == pressed)
    )
    window.controls.erase_button.click()
    qtbot.waitUntil(lambda: bool(asked), timeout=PATIENCE_MS)
    settle(window, qtbot)
    assert first in asked[0]
    assert second in asked[0]
    assert other not in asked[0]
    with opened() as register:
        assert register.pdf(other)
        if confirmed:
            with pytest.raises(RegisterError, match="erased"):
                register.pdf(second)
            choose(window, first)
            assert not window.controls.open_button.isEnabled()
        else:
            assert register.pdf(second)


def test_that_the_customer_view_hides_the_register(app: App, qtbot: QtBot) -> None:
    issue(app, "Nordwerft AG")
    shown(app, qtbot)
    app.window._set_customer_view(True)
    assert app.window.register.shown is None
    assert not app.window.menus.register.isEnabled()
    app.window._set_customer_view(False)
    assert app.window.menus.register.isEnabled()


@pytest.mark.parametrize(
    ("theme", "language"), [(ThemeChoice.LIGHT, Language.DE), (ThemeChoice.DARK, Language.EN)], ids=["de", "en"]
)
def test_that_the_register_cuts_nothing_off(
    open_app: OpenApp, qtbot: QtBot, theme: ThemeChoice, language: Language
) -> None:
    app = open_app(theme=theme, language=language)
    issue(app, "Nordwerft AG")
    window = shown(app, qtbot)
    window.resize(window.minimumSize())
    qtbot.wait(50)
    assert unfit(window) == []
    assert nameless(window) == []
    assert unreachable(window) == []

"""The register in a window: found, opened, exported, answered, followed up, erased."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtGui import QDesktopServices, QFontMetricsF
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from catalog.register.numbering import NumberPattern
from catalog.register.types import RegisterError, State
from catalog.register.words import state_word
from engine.prices import PriceBasis
from engine.quote.draft import DocumentKind, DraftLine, DraftSection, PriceOrigin, SectionRole
from engine.wording.quotes import word
from engine.wording.translator import Language
from gui.app import App
from gui.catalogue.dates import day_text
from gui.register.window import FOUND, RegisterWindow
from gui.register.work import opened
from gui.settings import ThemeChoice
from tests.catalog.register.samples import CUSTOMER, maker
from tests.gui.conftest import PATIENCE_MS, OpenApp
from tests.gui.gallery.examine import CELL_PADDING
from tests.gui.layout import nameless, unfit, unreachable

YEAR = 2026
OWN = PriceOrigin(PriceBasis.SELLER, "2026-11-30")
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
    window.table.selectRow([entry.number for entry in window.model.rows].index(number))


@pytest.fixture
def app(open_app: OpenApp) -> App:
    return open_app()


def test_that_the_search_leaves_the_documents_of_one_customer(app: App, qtbot: QtBot) -> None:
    harbour, mill = issue(app, "Nordwerft AG"), issue(app, "Mühle KG")
    window = shown(app, qtbot)
    assert [entry.number for entry in window.model.rows] == [mill, harbour]
    window.search.setText("nordwerft")
    settle(window, qtbot)
    assert [entry.number for entry in window.model.rows] == [harbour]
    window.search.setText("nobody")
    settle(window, qtbot)
    assert window.model.rows == ()
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
    assert [entry.number for entry in window.model.rows] == [harbour]
    assert "Strom geklärt?" in window.details.text()
    window.undo_button.click()
    settle(window, qtbot)
    assert window.model.rows == ()
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
    app.window.set_customer_view(True)
    assert app.window.register.shown is None
    assert not app.window.menus.register.isEnabled()
    app.window.set_customer_view(False)
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


def revised(app: App, number: str, *prices: str) -> None:
    """The next revision with positions at these prices."""
    with opened() as register:
        lines = tuple(
            DraftLine(str(place), f"Artikel {place}", unit_price=Decimal(price), origin=OWN)
            for place, price in enumerate(prices, start=1)
        )
        sections = (DraftSection(SectionRole.FREE, lines),)
        made = maker(b"%PDF-1.4 revised", as_of=app.window._today(), sections=sections)
        register.revise(number, made, today=app.window._today())


def test_that_every_revision_is_listed_with_state_sums_and_fingerprint(app: App, qtbot: QtBot) -> None:
    number = issue(app, "Nordwerft AG")
    revised(app, number, "100.00", "50.00")
    window = shown(app, qtbot)
    model = window.revisions.model
    rows = [[model.data(model.index(row, place)) for place in range(model.columnCount())] for row in range(2)]
    with opened() as register:
        prints = [hashlib.sha256(register.pdf(number, revision)).hexdigest() for revision in (2, 1)]
    assert [row[0] for row in rows] == ["2", "1"]
    assert [row[1] for row in rows] == ["not sent", "superseded"]
    assert [row[4] for row in rows] == ["EUR\u00a0150.00", "EUR\u00a0100.00"]
    assert [row[-1] for row in rows] == prints


def test_that_an_old_revision_is_exported_byte_for_byte(app: App, qtbot: QtBot, tmp_path: Path) -> None:
    number = issue(app, "Nordwerft AG")
    revised(app, number, "120.00")
    window = shown(app, qtbot)
    with opened() as register:
        stored = {revision: register.pdf(number, revision) for revision in (1, 2)}
    assert stored[1] != stored[2]
    for row, revision in ((1, 1), (0, 2)):
        window.revisions.table.selectRow(row)
        settle(window, qtbot)
        window.export(window.chosen, tmp_path / f"{revision}.pdf")
        settle(window, qtbot)
        assert (tmp_path / f"{revision}.pdf").read_bytes() == stored[revision]


def test_that_an_old_revision_is_the_one_that_is_opened(
    app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = issue(app, "Nordwerft AG")
    revised(app, number, "120.00")
    window = shown(app, qtbot)
    opened_files: list[Path] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened_files.append(Path(url.toLocalFile())))
    window.revisions.table.selectRow(1)
    settle(window, qtbot)
    window.controls.open_button.click()
    settle(window, qtbot)
    with opened() as register:
        assert opened_files[0].read_bytes() == register.pdf(number, 1)


def test_that_two_revisions_are_compared_by_sums_and_positions(app: App, qtbot: QtBot) -> None:
    """From 1 x 100.00 to 110.00 + 50.00: net +60.00, gross +71.40 at 19 %."""
    number = issue(app, "Nordwerft AG")
    with opened() as register:
        register.revise(number, maker(as_of=app.window._today()), today=app.window._today())
    revised(app, number, "110.00", "50.00")
    window = shown(app, qtbot)
    assert window.revisions.against.currentData() == "2"  # the one before
    text = window.revisions.difference.text().replace("\u00a0", " ")
    assert text.startswith("From revision 2 to 3: net +EUR 60.00, gross +EUR 71.40.")
    assert "New: Artikel 1, Artikel 2." in text
    assert "Gone: Artikel." in text
    window.revisions.table.selectRow(1)
    settle(window, qtbot)
    assert "From revision 1 to 2: net EUR 0.00" in window.revisions.difference.text().replace("\u00a0", " ")
    window.revisions.against.show_value("3")
    window.revisions.against.chosen.emit("3")
    settle(window, qtbot)
    assert window.revisions.difference.text().replace("\u00a0", " ").startswith("From revision 2 to 3: net +EUR 60.00")


def test_that_a_document_without_earlier_revisions_offers_no_comparison(app: App, qtbot: QtBot) -> None:
    issue(app, "Nordwerft AG")
    window = shown(app, qtbot)
    assert not window.revisions.against.isVisible()


@pytest.mark.parametrize("language", list(Language))
def test_that_kind_state_and_days_are_read_whole_at_1280_pixels(
    open_app: OpenApp, qtbot: QtBot, language: Language
) -> None:
    app = open_app(language=language)
    issue(app, "Nordwerft AG")
    window = shown(app, qtbot)
    window.resize(1280, 760)
    qtbot.waitUntil(lambda: window.width() == 1280, timeout=PATIENCE_MS)
    texts, table = app.context.texts, window.table
    letters = QFontMetricsF(table.font())
    said = {
        2: [word(kind, texts.tr) for kind in DocumentKind],
        4: [state_word(state, texts.tr) for state in FOUND],
        5: [day_text(date(2026, 11, 30), language)],
        6: [day_text(date(2026, 11, 30), language)],
    }
    for column, words in said.items():
        widest = max(letters.horizontalAdvance(one) for one in words)
        assert widest + CELL_PADDING <= table.columnWidth(column), words
    assert table.columnWidth(3) >= letters.horizontalAdvance("Beispielgruppe SE & Co.")


def test_that_what_is_asked_while_the_register_is_at_work_is_done_afterwards(
    app: App, qtbot: QtBot, tmp_path: Path
) -> None:
    number = issue(app, "Nordwerft AG")
    window = shown(app, qtbot)
    choose(window, number)
    entry, today = window.chosen, app.window._today()
    window.export(entry, tmp_path / "first.pdf")
    window.export(entry, tmp_path / "second.pdf")
    window.set_follow_up(today + timedelta(days=7), "call")
    settle(window, qtbot)
    qtbot.waitUntil(lambda: not window.busy and window.chosen.follow_up is not None, timeout=PATIENCE_MS)
    assert (tmp_path / "first.pdf").read_bytes() == (tmp_path / "second.pdf").read_bytes()
    assert window.chosen.remark == "call"

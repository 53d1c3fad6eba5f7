"""The window issues documents through the register: number, revision, stored bytes, what hinders an offer."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from catalog.register.types import Search, State
from engine.quote.draft import DocumentKind
from engine.wording.translator import Language
from gui.app import App
from gui.flow import Step
from gui.register.issue_dialog import IssueDialog
from gui.register.work import Wish, opened
from gui.settings import ThemeChoice
from tests.gui.conftest import PATIENCE_MS, OpenApp, wait_idle
from tests.gui.layout import nameless, unfit, unreachable
from tests.gui.register_cases import EXAMPLE, price_everything, with_seller


@pytest.fixture
def chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the person names when asked where the PDF shall go."""
    path = tmp_path / "chosen.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_arguments: (str(path), ""))
    return path


@pytest.fixture
def ready(open_app: OpenApp, qtbot: QtBot, tmp_path: Path, chosen: Path) -> App:
    """A window whose consultation lacks nothing for an offer but the confirmation of its VAT treatment."""
    with_seller(tmp_path / "user")
    app = open_app(EXAMPLE)
    price_everything(app)
    wait_idle(qtbot, app)
    return app


def dialog(app: App, qtbot: QtBot) -> IssueDialog:
    """The dialog as the desk opens it, once the register has answered."""
    wait_idle(qtbot, app)
    proposal = app.window.register._proposal()
    made = IssueDialog(app.context, proposal, app.window._today(), app.window)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: not made.busy, timeout=PATIENCE_MS)
    return made


def press_issue(made: IssueDialog, qtbot: QtBot) -> None:
    made.issue_button.click()
    qtbot.waitUntil(lambda: made.issued is not None or made.problem.isVisible(), timeout=PATIENCE_MS)


def words(pdf: bytes) -> str:
    return "".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages)


def test_that_an_offer_needs_the_confirmed_vat_treatment_and_bears_a_number_of_the_register(
    ready: App, qtbot: QtBot, chosen: Path
) -> None:
    made = dialog(ready, qtbot)
    offer = made.choices[Wish.OFFER]
    assert not offer.isEnabled()
    assert "VAT" in made.missing.text()
    made.vat.setChecked(True)
    assert offer.isEnabled()
    assert not made.missing.isVisible()
    offer.setChecked(True)
    press_issue(made, qtbot)
    number = made.issued.entry.number
    assert number == f"AN-{ready.window._today().year}-0001"
    assert made.head.text() == f"{number}, revision 1"
    with opened() as register:
        assert register.pdf(number) == chosen.read_bytes()
    assert number in words(chosen.read_bytes())
    quote = ready.document.consultation.quote
    assert (quote.number, quote.kind, quote.vat_confirmed) == (number, DocumentKind.OFFER, True)


def test_that_without_a_complete_seller_only_a_recommendation_can_be_issued(
    open_app: OpenApp, qtbot: QtBot, chosen: Path
) -> None:
    app = open_app(EXAMPLE)
    made = dialog(app, qtbot)
    made.vat.setChecked(True)
    assert not made.choices[Wish.OFFER].isEnabled()
    assert "The seller profile lacks" in made.missing.text()
    assert made.wish is Wish.RECOMMENDATION
    press_issue(made, qtbot)
    assert made.issued.entry.number == f"KE-{app.window._today().year}-0001"
    assert chosen.is_file()


def test_that_an_issued_consultation_is_issued_again_as_the_next_revision(ready: App, qtbot: QtBot) -> None:
    first = dialog(ready, qtbot)
    first.vat.setChecked(True)
    first.choices[Wish.OFFER].setChecked(True)
    press_issue(first, qtbot)
    second = dialog(ready, qtbot)
    assert second.wish is Wish.REVISION
    press_issue(second, qtbot)
    entry = second.issued.entry
    assert (entry.number, entry.latest.revision) == (first.issued.entry.number, 2)
    assert [one.state for one in entry.revisions] == [State.SUPERSEDED, State.DRAFT]


def test_that_a_copy_for_another_customer_gets_a_number_of_its_own(ready: App, qtbot: QtBot) -> None:
    first = dialog(ready, qtbot)
    press_issue(first, qtbot)
    document = ready.document.consultation
    customer = document.customer.model_copy(update={"company": "Nordwerft AG"})
    ready.document.edit("Copy", document.model_copy(update={"customer": customer}))
    wait_idle(qtbot, ready)
    second = dialog(ready, qtbot)
    assert second.wish is not Wish.REVISION
    press_issue(second, qtbot)
    assert second.issued.entry.number != first.issued.entry.number


def test_that_a_number_typed_into_a_file_never_reaches_a_paper(ready: App, qtbot: QtBot, tmp_path: Path) -> None:
    document = ready.document.consultation
    quote = document.quote.model_copy(update={"kind": DocumentKind.OFFER, "number": "TYPED-7", "vat_confirmed": True})
    ready.document.edit("Type", document.model_copy(update={"quote": quote}))
    ready.window.show_step(Step.OFFER)
    wait_idle(qtbot, ready)
    path = tmp_path / "shown.pdf"
    ready.window.offer.save(path)
    shown = path.read_bytes()
    assert "TYPED-7" not in words(shown)
    assert ready.window.offer.rendered.paper.remarks is not None
    made = dialog(ready, qtbot)
    assert "TYPED-7" in made.remark.text()
    assert not made.choices[Wish.REVISION].isVisible()
    assert made.wish is Wish.OFFER
    press_issue(made, qtbot)
    assert made.issued.entry.number.startswith("AN-")


def test_that_a_file_that_cannot_be_written_leaves_the_document_stored(
    ready: App, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = tmp_path / "missing" / "folder.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_arguments: (str(nowhere), ""))
    made = dialog(ready, qtbot)
    press_issue(made, qtbot)
    assert made.problem.isVisible()
    assert not made.issue_button.isVisible()
    elsewhere = tmp_path / "elsewhere.pdf"
    made.save(elsewhere)
    assert not made.problem.isVisible()
    with opened() as register:
        assert len(register.entries(Search(), ready.window._today())) == 1
        assert register.pdf(made.issued.entry.number) == elsewhere.read_bytes()


def test_that_a_broken_register_is_named_and_nothing_is_numbered(ready: App, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "user" / "register.yaml").write_text("schema: 1\nnumbers: {offer: same}\n", encoding="utf-8")
    made = dialog(ready, qtbot)
    press_issue(made, qtbot)
    assert made.issued is None
    assert "same" in made.problem.text()
    assert ready.document.consultation.quote.number == ""


def test_that_the_offer_page_opens_the_dialog_and_names_the_document(
    ready: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def at_once(made: IssueDialog) -> int:
        made.show()
        qtbot.waitUntil(lambda: not made.busy, timeout=PATIENCE_MS)
        press_issue(made, qtbot)
        made.reject()
        return 0

    monkeypatch.setattr(IssueDialog, "exec", at_once)
    ready.window.show_step(Step.OFFER)
    wait_idle(qtbot, ready)
    ready.window.offer.issue_button.click()
    wait_idle(qtbot, ready)
    assert "revision 1" in ready.window.offer.issued.text()
    assert ready.window.offer.issued.isVisible()
    ready.document.stack.undo()
    wait_idle(qtbot, ready)
    assert not ready.window.offer.issued.isVisible()


@pytest.mark.parametrize(
    ("theme", "language"), [(ThemeChoice.LIGHT, Language.DE), (ThemeChoice.DARK, Language.EN)], ids=["de", "en"]
)
def test_that_the_dialog_cuts_nothing_off(
    open_app: OpenApp, qtbot: QtBot, chosen: Path, theme: ThemeChoice, language: Language
) -> None:
    app = open_app(EXAMPLE, theme=theme, language=language)
    made = dialog(app, qtbot)
    for _ in range(2):
        qtbot.wait(50)
        assert unfit(made) == []
        assert nameless(made) == []
        assert unreachable(made) == []
        press_issue(made, qtbot)
    app.window.show_step(Step.OFFER)
    wait_idle(qtbot, app)
    assert unfit(app.window) == []


def test_that_the_page_shows_a_draft_of_the_quotation_and_what_it_still_lacks(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path
) -> None:
    with_seller(tmp_path / "user")
    app = open_app(EXAMPLE)
    app.window.show_step(Step.OFFER)
    page = app.window.offer
    page.paper_kind.setCurrentIndex(page.paper_kind.findData(DocumentKind.OFFER.value))
    page.paper_kind.activated.emit(page.paper_kind.currentIndex())
    wait_idle(qtbot, app)
    qtbot.waitUntil(lambda: page.rendered is not None and page.rendered.paper.draft, timeout=PATIENCE_MS)
    assert app.document.consultation.quote.kind is DocumentKind.OFFER
    assert "DRAFT" in words(page.rendered.paper.pdf) or "ENTWURF" in words(page.rendered.paper.pdf)
    assert "This cannot be an offer yet:" in page.state.text()
    with opened() as register:
        assert register.entries(Search(), app.window._today()) == ()
    app.window.set_customer_view(True)
    wait_idle(qtbot, app)
    page = app.window.offer  # built anew
    qtbot.waitUntil(lambda: page.rendered is not None and page.rendered.paper.draft, timeout=PATIENCE_MS)
    assert "draft of the quotation" in page.state.text()
    assert "This cannot be an offer yet:" not in page.state.text()

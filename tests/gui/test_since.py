"""An opened consultation of an older catalogue: a quiet notice, what changed, and taking over, which can be undone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from catalog import updates
from catalog.consultation.files import read, write
from catalog.load import load_catalog
from catalog.updates import Package
from catalog.versions import CARRIED, DATA_FOLDER
from engine.wording.translator import Language
from gui.app import App
from gui.catalogue.since_dialog import SinceDialog
from gui.flow import Step
from gui.pages.results import ResultsPage
from tests.gui.conftest import EXAMPLES, PATIENCE_MS, OpenApp, wait_idle

EXAMPLE = EXAMPLES / "serve-and-train.passform.yaml"
NEWER = "2026-12-24"


@pytest.fixture
def newer_in_use(tmp_path: Path, open_app: OpenApp) -> OpenApp:
    """The window over an applied update in which every H200 NVL and RTX PRO 6000 costs half, in a user's folder."""
    user = tmp_path / "user"
    user.mkdir(exist_ok=True)
    files = {name: (DATA_FOLDER / name).read_text(encoding="utf-8") for name in CARRIED}
    files["rules.yaml"] = files["rules.yaml"].replace('version: "2026-11-30"', f'version: "{NEWER}"')
    files["exchange_rates.yaml"] = files["exchange_rates.yaml"].replace('"1.1206"', '"2.2412"')
    updates.apply(Package(NEWER, "House", files), user)

    def start(file: Path | None = None, **wishes: object) -> App:
        app = open_app(file, **wishes)
        app.use_catalogue(load_catalog(user))
        app.window.show_step(Step.RESULTS)
        return app

    return start


def recorded(tmp_path: Path, version: str, name: str = "kunde") -> Path:
    """The example as it would have been saved with a version."""
    path = tmp_path / f"{name}.passform.yaml"
    write(read(EXAMPLE).model_copy(update={"catalogue": version}), path)
    return path


def page_of(app: App, qtbot: QtBot) -> ResultsPage:
    wait_idle(qtbot, app)
    found = [page for page in app.window.findChildren(ResultsPage) if page.isVisible()]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("version", ["", "2026-11-30"])
def test_that_a_consultation_of_the_catalogue_in_use_has_no_notice(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path, version: str
) -> None:
    app = open_app(recorded(tmp_path, version))
    app.window.show_step(Step.RESULTS)
    assert page_of(app, qtbot).notice.isHidden()


def test_that_taking_over_hides_the_notice_and_undo_brings_it_back(
    newer_in_use: OpenApp, qtbot: QtBot, tmp_path: Path
) -> None:
    app = newer_in_use(recorded(tmp_path, "2026-11-30"), language=Language.DE)
    notice = page_of(app, qtbot).notice
    assert notice.isVisible()
    assert "30.11.2026" in notice.text.text()
    assert "24.12.2026" in notice.text.text()
    notice.take_button.click()
    wait_idle(qtbot, app)
    assert app.document.consultation.catalogue == NEWER
    assert notice.isHidden()
    app.document.stack.undo()
    wait_idle(qtbot, app)
    assert app.document.consultation.catalogue == "2026-11-30"
    assert notice.isVisible()


def test_that_saving_keeps_the_recorded_version_until_it_is_taken_over(
    newer_in_use: OpenApp, qtbot: QtBot, tmp_path: Path
) -> None:
    path = recorded(tmp_path, "2026-11-30")
    app = newer_in_use(path)
    notice = page_of(app, qtbot).notice
    assert app.window.files.save()
    assert read(path).catalogue == "2026-11-30"
    assert notice.isVisible()
    notice.take_button.click()
    assert app.window.files.save()
    assert read(path).catalogue == NEWER
    fresh = recorded(tmp_path, "", "neu")
    app.window.open_path(fresh)
    wait_idle(qtbot, app)
    assert app.window.files.save()
    assert read(fresh).catalogue == NEWER


def test_that_the_customer_sees_no_notice(newer_in_use: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = newer_in_use(recorded(tmp_path, "2026-11-30"))
    app.context.customer_view = True
    notice = page_of(app, qtbot).notice
    notice.refresh()
    assert notice.isHidden()


def test_that_what_changed_is_shown_with_the_recommendation_of_then(
    newer_in_use: OpenApp, qtbot: QtBot, tmp_path: Path
) -> None:
    app = newer_in_use(recorded(tmp_path, "2026-11-30"))
    page = page_of(app, qtbot)
    dialog = SinceDialog(app.context, tmp_path / "user", app.window.tools.desk.today, page)
    qtbot.addWidget(dialog)
    dialog.taken_over.connect(page.notice.take_over)
    dialog.show()
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert "differs" in dialog.state.text()
    assert "Net price" in dialog.effect.lines  # dollar prices are worth half at the newer rate
    shown = dialog.diff.model.rows
    assert {change.part for change in shown} == {"rates"}
    dialog.take_button.click()
    assert app.document.consultation.catalogue == NEWER
    assert page.notice.isHidden()


def test_that_only_what_the_consultation_uses_is_shown_unless_all_is_wanted(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path
) -> None:
    app = open_app(recorded(tmp_path, "2026-11-30"))
    catalog = app.context.catalog
    other = next(card for card in catalog.facts.cards.values() if card.vendor == "Intel")
    facts = replace(catalog.facts, version=NEWER, cards={**catalog.facts.cards, other.id: replace(other, name="Other")})
    app.use_catalogue(replace(catalog, facts=facts))
    app.window.show_step(Step.RESULTS)
    page = page_of(app, qtbot)
    dialog = SinceDialog(app.context, tmp_path / "user", app.window.tools.desk.today, page)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert "stays as it is" in dialog.state.text()
    assert dialog.effect.lines == ()
    assert dialog.diff.model.rows == ()
    dialog.every.click()
    assert [change.item_id for change in dialog.diff.model.rows] == [other.id]


def test_that_a_version_that_is_not_kept_is_said(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app(recorded(tmp_path, "2025-01-01"))
    app.window.show_step(Step.RESULTS)
    page = page_of(app, qtbot)
    assert page.notice.isVisible()
    dialog = SinceDialog(app.context, tmp_path / "user", app.window.tools.desk.today, page)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert "not kept" in dialog.state.text()
    assert dialog.every.isHidden()

"""The registry: everything that can be seen of the program. What is added to the program is added here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from types import SimpleNamespace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from catalog.consultation.document import Consultation
from catalog.consultation.holding import ChangedOutsideError
from catalog.consultation.journal import LeftBehind
from catalog.consultation.locks import LockedError, Owner
from engine.errors import PassformError
from gui import app as composition
from gui.dialogs.tour import Tour
from gui.flow import Step
from gui.pages.row_actions import show_row_menu
from gui.picture_view import PictureView
from gui.window import MainWindow
from tests.gui.gallery.stage import Stage
from tests.gui.gallery.windows import catalogue, catalogue_dialogs, evidence, handbook, issuing, positions, register

Show = Callable[[Stage], None]
VIEWS = ("memory", "serving", "length", "compare", "cost", "pareto", "why")
TIGHT_PERCENT = 15  # 128.5 GB live and 15 % more do not fit into the 150.8 GB of an H200 NVL
EVER = datetime(2026, 11, 30, 9, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that can be seen, on the consultation it is shown with."""

    show: Show
    example: str = ""  # empty: a new consultation


def whole(stage: Stage, name: str) -> None:
    """The window, and its page in full length."""
    stage.look(name, stage.window)
    area = stage.window.page(stage.window.step)
    if area.widget().height() > area.height():
        stage.look(f"{name}-whole", area.widget())


def start(stage: Stage) -> None:
    """The empty window."""
    for step in Step:
        stage.window.show_step(step)
        stage.look(f"empty-{step.value}", stage.window)
    stage.window.show_step(Step.WORKLOADS)


def menus(stage: Stage) -> None:
    """Every menu of the bar."""
    stage.app.context.settings.recent = [str(stage.folder / "Beispiel.passform.yaml")]
    stage.window.menus.refresh_recent()
    for number, action in enumerate(stage.window.menuBar().actions()):
        menu = action.menu()
        assert isinstance(menu, QMenu)
        stage.ask(f"menu-{number}", lambda menu=menu: menu.exec(stage.window.mapToGlobal(QPoint(40, 40))))


def suggestions(stage: Stage) -> None:
    """The list of models found."""
    picker = stage.window.workloads.picker
    picker.setFocus()
    QTest.keyClicks(picker, "llama 3")
    stage.look("suggestions", picker._completer.popup())
    picker._completer.popup().hide()
    picker.clear()


def tour(stage: Stage) -> None:
    """The three bubbles of the tour."""
    stage.window.start_tour()
    bubble = stage.window.findChild(Tour)
    assert bubble is not None
    for number in range(3):
        stage.look(f"tour-{number + 1}", stage.window)
        stage.look(f"tour-bubble-{number + 1}", bubble)
        bubble.go_on()
    stage.settle(stage.window)


def pages(stage: Stage) -> None:
    """The five pages at work, and each view of the results."""
    for step in (Step.WORKLOADS, Step.SITE, Step.GOALS, Step.OFFER):
        stage.window.show_step(step)
        whole(stage, f"page-{step.value}")
    stage.window.show_step(Step.RESULTS)
    stage.look("page-results", stage.window)
    results = stage.window.results
    for name in VIEWS:
        results.tabs.show_page(getattr(results, name))
        stage.settle(stage.window)
        stage.look(f"results-{name}", results.widget())
    results.show_alternatives()
    stage.look("results-plans", results.widget())
    results.all_cards.click()
    stage.look("results-all-cards", results.heat)
    results.all_cards.click()
    results.tabs.show_page(results.memory)


def result_menus(stage: Stage) -> None:
    """The menus of the comparison, of a picture and of a table of rows."""
    stage.window.show_step(Step.RESULTS)
    stage.settle(stage.window)
    compare, heat = stage.window.results.compare, stage.window.results.heat
    here = stage.window.mapToGlobal(QPoint(60, 60))
    stage.ask("menu-cards", lambda: compare.choose.menu().exec(here))
    stage.ask("menu-export", lambda: compare.export.menu().exec(here))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), here)
    stage.ask("menu-picture", lambda: PictureView.contextMenuEvent(heat, event))
    stage.window.show_step(Step.WORKLOADS)
    page = stage.window.workloads
    stage.ask("menu-row", lambda: show_row_menu(page.table, QPoint(5, 5)))
    stage.ask("menu-served", lambda: show_row_menu(page.serving.table, QPoint(5, 5)))


def serving(stage: Stage) -> None:
    """A consultation that also serves."""
    stage.window.show_step(Step.WORKLOADS)
    page = stage.window.workloads
    page.serving.table.selectRow(0)
    whole(stage, "serving-workloads")
    stage.window.show_step(Step.RESULTS)
    results = stage.window.results
    results.tabs.show_page(results.serving)
    stage.look("serving-results", results.widget())
    results.tabs.show_page(results.memory)


def mistakes(stage: Stage) -> None:
    """Fields that refuse what was typed."""
    stage.window.show_step(Step.GOALS)
    field = stage.window.goals.horizon
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "99x")
    QTest.keyClick(field, Qt.Key.Key_Return)
    stage.look("mistake-goals", stage.window)
    stage.app.document.replace(stage.app.document.consultation, None)


def customer_view(stage: Stage) -> None:
    """The pages as a customer may see them."""
    stage.window.set_customer_view(True)
    for step in Step:
        stage.window.show_step(step)
        stage.look(f"customer-{step.value}", stage.window)
    stage.window.set_customer_view(False)
    stage.settle(stage.window)


def impossible(stage: Stage) -> None:
    """No system carries what is wanted."""
    document = stage.app.document.consultation
    site = document.site.model_copy(update={"circuit_watts": 100})
    stage.app.document.edit("Site", document.model_copy(update={"site": site}))
    for step in Step:
        stage.window.show_step(step)
        stage.look(f"impossible-{step.value}", stage.window)
    stage.window.show_step(Step.RESULTS)
    results = stage.window.results
    for name in VIEWS:
        results.tabs.show_page(getattr(results, name))
        stage.look(f"impossible-results-{name}", results.widget())
    results.tabs.show_page(results.memory)


def boxes(stage: Stage) -> None:
    """Every question and message."""
    app, files = stage.app, stage.window.files
    refused = PassformError("There is no recommendation yet, so there are no positions.")
    stage.ask("box-error", lambda: files.show_error(refused))
    stage.ask("box-unsaved", files._ask_about_changes)
    taken = stage.folder / "taken.passform.yaml"
    taken.write_text("schema: 1\n", encoding="utf-8")
    with stage.chosen(stage.folder / "taken"):
        stage.ask("box-exists", files.ask_and_save)
    newer = stage.folder / "newer.passform.yaml"
    newer.write_text("schema: 99\ntitle: Neu\ncurriculum: 3\nworkloads: []\n", encoding="utf-8")
    stage.ask("box-newer", lambda: files._open_newer(newer))
    path = stage.folder / "Kunde.passform.yaml"
    owner = Owner(token="a" * 32, user="k.kollegin", host="NOTEBOOK-17", process=4711, birth="", since=EVER.isoformat())
    stage.ask("box-locked", lambda: files._guard._ask_whose(LockedError(path, owner)))
    changed = ChangedOutsideError(
        "{file} was changed by another program since you opened it. Saving replaces that change.", file=path.name
    )
    stage.ask("box-replace", lambda: files._guard._ask_to_replace(changed))
    left = LeftBehind(stage.folder / "a.json", Consultation(), path, digest="of another state", when=EVER)
    app.autosave = SimpleNamespace(give_up=lambda _left: None)
    kept = app.autosave
    try:
        stage.ask("box-recovery", lambda: app._wants_back(left))
    finally:
        app.autosave = kept
    crashes = app._crashes
    for name, written, saved in (("kept", stage.folder / "crash.txt", True), ("lost", None, False)):
        stage.ask(f"box-crash-{name}", lambda a=written, b=saved: crashes._show("Trace …\nline 2", a, kept=b))
    words = app.look.texts
    stage.ask("box-nothing-works", lambda: composition._tell_that_nothing_works(refused, words, stage.window))
    stage.ask("box-about", stage.window.tools.show_about)


def findings(stage: Stage) -> None:
    """The catalogue's state, and the settings."""
    stage.ask("dialog-findings", stage.window.tools.show_findings)
    stage.ask("dialog-settings", stage.window.tools.show_settings)


def loading(stage: Stage) -> None:
    """The window before the catalogue is read."""
    stage.show("window-loading", MainWindow(stage.app.look))


def finding(stage: Stage) -> None:
    """The bar that finds words in a page."""
    stage.window.show_step(Step.SITE)
    bar = stage.window.find_bar
    bar.begin()
    bar.field.setText("watt")
    bar.search()
    stage.look("find", stage.window)
    bar.field.setText("nowhere at all")
    bar.search()
    stage.look("find-nothing", stage.window)
    bar.end()


def own_runs(stage: Stage) -> None:
    """Test runs of the customer."""
    stage.window.show_step(Step.GOALS)
    section = stage.window.goals.own_runs
    stage.ask("dialog-own-run", section.add)
    stage.ask("menu-own-run", lambda: show_row_menu(section.table, QPoint(5, 5)))


def versions(stage: Stage) -> None:
    """A consultation of an older catalogue: the notice, and what has changed since."""
    document = stage.app.document.consultation
    stage.app.document.edit("Catalogue", document.model_copy(update={"catalogue": "2026-01-01"}))
    stage.window.show_step(Step.RESULTS)
    stage.look("notice", stage.window)
    stage.ask("dialog-since", stage.window.results.show_since)
    stage.app.document.replace(document, None)


def rejected(stage: Stage) -> None:
    """Why one candidate is out, and what would make it fit."""
    stage.window.show_step(Step.RESULTS)
    stage.settle(stage.window)
    results = stage.window.results
    results.tabs.show_page(results.why)
    stage.settle(stage.window)
    top = results.why.tree.topLevelItem(0)
    assert top is not None
    top.setExpanded(True)
    results.why.tree.setCurrentItem(top.child(0))
    stage.look("results-why-rejected", results.why)
    results.tabs.show_page(results.memory)


def tight(stage: Stage) -> None:
    """Plans that hold their tasks only tightly, and what would restore the headroom."""
    document = stage.app.document.consultation
    stage.app.document.edit("Headroom", document.model_copy(update={"headroom_percent": TIGHT_PERCENT}))
    stage.window.show_step(Step.RESULTS)
    results = stage.window.results
    results.tabs.show_page(results.why)
    stage.look("results-why-tight", results.why)
    results.tabs.show_page(results.memory)


REGISTRY = (
    Entry(start),
    Entry(menus),
    Entry(suggestions),
    Entry(tour),
    Entry(boxes),
    Entry(findings),
    Entry(loading),
    Entry(handbook),
    Entry(pages, "mixed-portfolio"),
    Entry(result_menus, "mixed-portfolio"),
    Entry(mistakes, "mixed-portfolio"),
    Entry(finding, "mixed-portfolio"),
    Entry(own_runs, "mixed-portfolio"),
    Entry(versions, "mixed-portfolio"),
    Entry(rejected, "mixed-portfolio"),
    Entry(customer_view, "mixed-portfolio"),
    Entry(positions, "mixed-portfolio"),
    Entry(catalogue, "mixed-portfolio"),
    Entry(catalogue_dialogs, "mixed-portfolio"),
    Entry(evidence, "mixed-portfolio"),
    Entry(impossible, "mixed-portfolio"),
    Entry(tight, "full-8b-rack"),
    Entry(serving, "serve-and-train"),
    Entry(issuing, "lora-department-rack"),
    Entry(register, "lora-department-rack"),
)

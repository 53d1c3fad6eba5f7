"""The main window: the way on the left, one page in the middle, the recommendation on the right.

It is painted with menus and start page before the catalogue, the document and their modules are there; `furnish` brings
them. So nothing heavy is imported at the top, and every command goes through `Wishes`, which carry it out as soon as it
can be.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QByteArray, QSettings, QSize, QTimer, Signal, Slot
from PySide6.QtGui import QUndoGroup
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gui.deeds import Deeds
from gui.drops import LISTS, dropped_path
from gui.flow import Step, StepState, following, preceding, states
from gui.look import Look
from gui.menus import Menus
from gui.pages.start import Begun, StartPage, WaitingAnswer
from gui.parts import button, page_foot
from gui.status import Status
from gui.way import Way
from gui.wishes import Wishes

if TYPE_CHECKING:
    from datetime import date

    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QPaintEvent

    from catalog.consultation.document import Consultation
    from gui.answer import Answer
    from gui.autosave import Autosave
    from gui.context import Context
    from gui.dialogs.tour import Tour
    from gui.files import Files
    from gui.find_bar import FindBar
    from gui.pages.goals import GoalsPage
    from gui.pages.offer import OfferPage
    from gui.pages.page import Page
    from gui.pages.results import ResultsPage
    from gui.pages.site import SitePage
    from gui.pages.workloads import WorkloadsPage
    from gui.register.desk import RegisterDesk
    from gui.tools import Tools

SMALLEST, USUAL = (1080, 600), (1280, 800)
FRAME_HEIGHT = 40  # a projector of 720 lines has to show the title bar as well


class MainWindow(QMainWindow):
    """Puts the parts together; switching language or theme builds them anew over the same document."""

    theme_wanted = Signal(object)  # ThemeChoice
    language_wanted = Signal(object)  # Language
    catalogue_wanted = Signal(object)  # Catalog
    painted = Signal()  # the first time
    closed = Signal()

    context: Context  # this and what follows: from `furnish` on
    files: Files
    tools: Tools
    register: RegisterDesk
    answer: Answer

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self._step = Step.WORKLOADS
        self._pages: dict[Step, Page] = {}
        self._tour: Tour | None = None
        self.furnished = False  # whether catalogue, document and pages are there
        self._painted = False
        self._begun: Begun | None = None
        self.wishes = Wishes(self)
        self.deeds = Deeds(self)
        self.undo = QUndoGroup(self)  # the document brings its history later
        self.setAcceptDrops(True)
        self.setMinimumSize(*SMALLEST)
        room = self.screen().availableSize() - QSize(0, FRAME_HEIGHT)
        self.resize(QSize(*USUAL).boundedTo(room).expandedTo(QSize(*SMALLEST)))
        self.status = Status(look)
        self.wishes.heard.connect(self.status.on_heard)
        self.setStatusBar(self.status)
        self.build()

    def furnish(self, context: Context, autosave: Autosave, today: Callable[[], date]) -> None:
        """Bring the document's pages into the painted window; what was typed on the start page moves into the first."""
        from gui.furniture import Files, RegisterDesk, Tools  # noqa: PLC0415  # see above

        self.context = context
        self._autosave = autosave
        self._today = today
        self.furnished = True
        self.files = Files(context, self)
        self.files.opened.connect(self._on_opened)
        self.files.recent_changed.connect(self._on_recent)
        self.tools = Tools(context, self._today, self.catalogue_wanted.emit, self)
        self.register = RegisterDesk(context, self._today, self)
        self.register.refused.connect(self.files.show_error)
        context.document.changed.connect(self._on_document)
        context.document.file_changed.connect(self._on_file)
        context.planner.changed.connect(self._show_states)
        self.undo.addStack(context.document.stack)
        self.undo.setActiveStack(context.document.stack)
        self.status.follow(context, autosave)
        waiting = self._side
        self._row.replaceWidget(waiting, self._build_side())
        waiting.hide()
        waiting.deleteLater()
        self.show_step(self._step)
        self.workloads.resume(self._start.begun)
        self._stack.removeWidget(self._start)
        self._start.deleteLater()
        self._on_file()

    @property
    def step(self) -> Step:
        """The step whose page is shown."""
        return self._step

    def page(self, step: Step) -> Page:
        """The page of a step."""
        return self._pages.get(step) or self._build_page(step)

    @property
    def workloads(self) -> WorkloadsPage:
        """The first page."""
        return cast("WorkloadsPage", self.page(Step.WORKLOADS))

    @property
    def site(self) -> SitePage:
        """The second page."""
        return cast("SitePage", self.page(Step.SITE))

    @property
    def goals(self) -> GoalsPage:
        """The third page."""
        return cast("GoalsPage", self.page(Step.GOALS))

    @property
    def results(self) -> ResultsPage:
        """The fourth page."""
        return cast("ResultsPage", self.page(Step.RESULTS))

    @property
    def offer(self) -> OfferPage:
        """The last page."""
        return cast("OfferPage", self.page(Step.OFFER))

    @property
    def busy(self) -> bool:
        """Whether anything is computed or rendered, or about to be."""
        return not self.furnished or self.context.planner.busy or any(page.busy_now for page in self._pages.values())

    def build(self) -> None:
        """Build menus, pages and panels in the language and theme of the context."""
        self.take_down()
        if self.furnished:
            self.tools.follow()
            self.register.follow()
        self.menus = Menus(self, self.look, self.deeds.commands(), self.undo)
        self.status.refresh()
        self.way = Way(self.look)
        self.way.step_chosen.connect(self.show_step)
        centre = QWidget()
        self._row = QHBoxLayout(centre)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(self.way)
        self._row.addWidget(self._middle(), 1)
        self._row.addWidget(self._build_side())
        self.setCentralWidget(centre)
        self._on_file()
        if not self.furnished:
            self._show_start()
        elif self._tour is None:
            self.show_step(self._step)
        else:
            self.start_tour(self._tour.stop)  # what the bubble stood beside is replaced

    def take_down(self) -> None:
        """Drop pages and panels; `build` makes new ones over the same document."""
        self._close_pages()
        old = self.takeCentralWidget()
        if old is not None:
            if self.furnished:
                self.answer.close_view()
            else:
                self._begun = self._start.begun
            old.hide()
            old.deleteLater()

    @Slot(object)
    def show_step(self, step: Step) -> None:
        """Show a step's page; nothing entered elsewhere is lost. Before there are pages only the way follows."""
        self._mark(step)
        if not self.furnished:
            self.wishes.ask(("step", step), partial(self.show_step, step))
            return
        self.context.document.settle()
        if self._find_bar is not None:
            self._find_bar.forget()
        self._stack.setCurrentWidget(self.page(step))
        self.answer.setVisible(step not in (Step.RESULTS, Step.OFFER))
        self.page(step).initial_focus().setFocus()
        self._show_states()

    def _mark(self, step: Step) -> None:
        self._step = step
        self.way.show_step(step)
        self._back.setEnabled(preceding(step) is not None)
        self._next.setEnabled(following(step) is not None)

    def open_path(self, path: Path) -> None:
        """Open a consultation, add a model's `config.json` as a workload, or begin to import a price list."""
        if path.suffix.lower() == ".json":
            self.show_step(Step.WORKLOADS)
            self.workloads.add_config(path)
        elif path.suffix.lower() in LISTS:
            self.tools.import_prices(path)
        else:
            self.files.open(path)

    def start_tour(self, stop: int = 0) -> None:
        """Show the three stops of the tour; there is one tour at a time."""
        from gui.dialogs.tour import Tour  # noqa: PLC0415

        if self._tour is not None:
            self._tour.drop()
        self.show_step(Step.WORKLOADS)
        self._tour = Tour(self.context, self, [self.workloads.picker, self.answer, self.way])
        self._tour.ended.connect(self._on_tour_ended)
        self._tour.start(stop)

    def set_customer_view(self, wanted: bool) -> None:  # noqa: FBT001  # a Qt signal's argument
        """Hide everything internal, or show it again."""
        self.look.customer_view = wanted
        self.build()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802  # Qt's name
        """Ask about unsaved changes; then end the background work."""
        if not self.furnished:
            self._leave(event)
            return
        if not self.files.may_leave():
            event.ignore()
            return
        self._autosave.discard()
        self.files.release()
        self._close_pages()
        self.tools.close()
        self.register.close()
        self.context.planner.close()
        self._leave(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  # Qt's name
        """Tell of the first time, once all that is inside is painted as well."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self.painted.emit)

    def _leave(self, event: QCloseEvent) -> None:
        QSettings().setValue("window/geometry", self.saveGeometry())
        self.wishes.drop()
        self.closed.emit()
        super().closeEvent(event)

    def restore(self) -> None:
        """Take the place and size of the last time, where they still suit the screen."""
        geometry = QSettings().value("window/geometry", type=QByteArray)
        if isinstance(geometry, QByteArray) and not geometry.isEmpty():
            self.restoreGeometry(geometry)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802  # Qt's name
        """Accept one consultation, paper or model file."""
        if dropped_path(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802  # Qt's name
        """Open what was dropped."""
        path = dropped_path(event)
        if path is not None:
            event.acceptProposedAction()
            self.wishes.ask(("open", path), partial(self.open_path, path))

    def _show_start(self) -> None:
        """The first page's place is taken by one that needs no document."""
        self._start = StartPage(self.look)
        wish = self.deeds.wish
        self._start.sample_wanted.connect(wish("sample", lambda: self.files.open_sample))
        self._start.config_wanted.connect(wish("config", lambda: self.workloads.ask_for_config))
        self._start.model_wanted.connect(wish("model", lambda: self.workloads.picker.take_best_for))
        if self._begun is not None:
            self._start.resume(self._begun)
        self._stack.addWidget(self._start)
        self.way.show_states(dict.fromkeys(Step, StepState.EMPTY))
        self._mark(self._step)
        self._start.search.setFocus()

    def _build_side(self) -> QWidget:
        if not self.furnished:
            self._side = WaitingAnswer(self.look)
            return self._side
        from gui.furniture import Answer  # noqa: PLC0415

        self.answer = Answer(self.context)
        self.answer.why_wanted.connect(self._on_why)
        self.answer.alternatives_wanted.connect(self._on_alternatives)
        return self.answer

    def _build_page(self, step: Step) -> Page:
        """Build a page when it is first needed: the window starts with one of five."""
        from gui.furniture import build_page  # noqa: PLC0415

        made = build_page(step, self.context, self._today)
        self._pages[step] = made
        if step is Step.WORKLOADS:
            self.workloads.row_selected.connect(self._on_row)
            self.workloads.sample_wanted.connect(self.files.open_sample)
        elif step is Step.RESULTS:
            self.results.workload_selected.connect(self.workloads.select_task)
        elif step is Step.OFFER:
            self.offer.positions_wanted.connect(self.tools.show_positions)
            self.offer.issue_wanted.connect(self.register.issue)
            self.register.issued.connect(self.offer.show_issued)
        made.errors_changed.connect(self._show_states)
        self._stack.addWidget(made)
        return made

    def _middle(self) -> QWidget:
        _ = self.look.texts.gettext
        self._stack = QStackedWidget()
        self._pages = {}
        self._find_bar: FindBar | None = None
        self._back = button(_("Back"))
        self._back.clicked.connect(self.go_back)
        self._next = button(_("Next"), "primary")
        self._next.clicked.connect(self.go_on)
        middle = QWidget()
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._stack, 1)
        layout.addLayout(page_foot(self._back, self._next))
        self._middle_column = layout
        return middle

    def _close_pages(self) -> None:
        for page in self._pages.values():
            page.close_views()
        self._pages = {}

    @Slot()
    def _show_states(self) -> None:
        from gui.furniture import situation  # noqa: PLC0415

        self.way.show_states(states(situation(self.context, self._pages)))

    @Slot(object)
    def _on_document(self, _document: Consultation) -> None:
        for step, page in self._pages.items():
            if step is not Step.RESULTS:  # follows the planner
                page.refresh()
        self._show_states()

    @Slot()
    def _on_file(self) -> None:
        document = self.context.document if self.furnished else None
        path = None if document is None else document.path
        name = path.name if path else self.look.texts.gettext("New consultation")
        # A file's name is the seller's own: it may say more about the deal than the customer should read.
        self.setWindowTitle("Passform[*]" if self.look.customer_view else f"{name}[*] – Passform")
        self.setWindowModified(document is not None and document.modified)

    @Slot()
    def _on_opened(self) -> None:
        self.show_step(Step.WORKLOADS)

    @Slot()
    def _on_recent(self) -> None:
        self.menus.refresh_recent()

    @Slot()
    def go_back(self) -> None:
        """Show the step before."""
        step = preceding(self._step)
        if step is not None:
            self.show_step(step)

    @Slot()
    def go_on(self) -> None:
        """Show the next step."""
        step = following(self._step)
        if step is not None:
            self.show_step(step)

    @Slot(int)
    def _on_row(self, row: int) -> None:
        self.answer.select_workload(row)
        if Step.RESULTS in self._pages:
            self.results.select_workload(row)

    @Slot()
    def _on_why(self) -> None:
        self.show_step(Step.RESULTS)
        self.results.show_why()

    @Slot()
    def _on_alternatives(self) -> None:
        self.show_step(Step.RESULTS)
        self.results.show_alternatives()

    @property
    def find_bar(self) -> FindBar:
        """The bar under the page that finds a text in it; made when it is first wanted."""
        from gui.furniture import FindBar  # noqa: PLC0415

        if self._find_bar is None:
            self._find_bar = FindBar(self.context, lambda: self.page(self._step))
            self._find_bar.closed.connect(self._on_find_closed)
            self._middle_column.insertWidget(1, self._find_bar)
        return self._find_bar

    @Slot()
    def _on_tour_ended(self) -> None:
        self._tour = None

    @Slot()
    def _on_find_closed(self) -> None:
        self.page(self._step).initial_focus().setFocus()

"""The main window: the way on the left, one page in the middle, the recommendation on the right."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import cast

from PySide6.QtCore import QByteArray, QSettings, QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from catalog.consultation.document import Consultation
from gui.answer import Answer
from gui.autosave import Autosave
from gui.context import Context
from gui.dialogs.about import show_about
from gui.dialogs.findings import show_findings
from gui.dialogs.help import HelpWindow
from gui.dialogs.tour import Tour
from gui.files import Files
from gui.flow import Situation, Step, following, preceding, states
from gui.menus import Commands, Menus
from gui.pages.goals import GoalsPage
from gui.pages.offer import OfferPage
from gui.pages.page import Page
from gui.pages.results import ResultsPage
from gui.pages.site import SitePage
from gui.pages.workloads import WorkloadsPage
from gui.planning import PlanState
from gui.register.desk import RegisterDesk
from gui.status import Status
from gui.theme import STEP
from gui.tools import Tools
from gui.way import Way
from gui.widgets import button

SMALLEST = (1080, 600)
USUAL = (1280, 800)
FRAME_HEIGHT = 40  # a projector of 720 lines has to show the title bar as well


class MainWindow(QMainWindow):
    """Puts the parts together; switching language or theme builds them anew over the same document."""

    theme_wanted = Signal(object)  # ThemeChoice
    language_wanted = Signal(object)  # Language
    catalogue_wanted = Signal(object)  # Catalog

    def __init__(self, context: Context, autosave: Autosave, today: Callable[[], date]) -> None:
        super().__init__()
        self.context = context
        self._autosave = autosave
        self._today = today
        self._step = Step.WORKLOADS
        self._pages: dict[Step, Page] = {}
        self._help: HelpWindow | None = None
        self.files = Files(context, self)
        self.files.opened.connect(self._on_opened)
        self.files.recent_changed.connect(self._on_recent)
        self.tools = Tools(context, today, self.catalogue_wanted.emit, self)
        self.register = RegisterDesk(context, today, self)
        self.register.refused.connect(self.files.show_error)
        self.setAcceptDrops(True)
        self.setMinimumSize(*SMALLEST)
        room = self.screen().availableSize() - QSize(0, FRAME_HEIGHT)
        self.resize(QSize(*USUAL).boundedTo(room).expandedTo(QSize(*SMALLEST)))
        context.document.changed.connect(self._on_document)
        context.document.file_changed.connect(self._on_file)
        context.planner.changed.connect(self._show_states)
        self.status = Status(context, autosave)
        self.setStatusBar(self.status)
        self.build()

    @property
    def step(self) -> Step:
        """The step whose page is shown."""
        return self._step

    def page(self, step: Step) -> Page:
        """The page of a step."""
        if step not in self._pages:
            self._pages[step] = self._build_page(step)
        return self._pages[step]

    @property
    def workloads(self) -> WorkloadsPage:
        """The first page."""
        return cast(WorkloadsPage, self.page(Step.WORKLOADS))

    @property
    def site(self) -> SitePage:
        """The second page."""
        return cast(SitePage, self.page(Step.SITE))

    @property
    def goals(self) -> GoalsPage:
        """The third page."""
        return cast(GoalsPage, self.page(Step.GOALS))

    @property
    def results(self) -> ResultsPage:
        """The fourth page."""
        return cast(ResultsPage, self.page(Step.RESULTS))

    @property
    def offer(self) -> OfferPage:
        """The last page."""
        return cast(OfferPage, self.page(Step.OFFER))

    @property
    def busy(self) -> bool:
        """Whether anything is computed or rendered, or about to be."""
        return self.context.planner.busy or any(page.busy_now for page in self._pages.values())

    def build(self) -> None:
        """Build menus, pages and panels in the language and theme of the context."""
        self.take_down()
        self.tools.follow()
        self.register.follow()
        context = self.context
        self.menus = Menus(self, context, self._commands())
        self.status.refresh()
        self.way = Way(context)
        self.way.step_chosen.connect(self.show_step)
        self.answer = Answer(context)
        self.answer.why_wanted.connect(self._on_why)
        self.answer.alternatives_wanted.connect(self._on_alternatives)
        centre = QWidget()
        layout = QHBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.way)
        layout.addWidget(self._middle(), 1)
        layout.addWidget(self.answer)
        self.setCentralWidget(centre)
        self._on_file()
        self.show_step(self._step)

    def take_down(self) -> None:
        """Drop pages and panels; `build` makes new ones over the same document."""
        self._close_pages()
        old = self.takeCentralWidget()
        if old is not None:
            self.answer.close_view()
            old.hide()
            old.deleteLater()

    @Slot(object)
    def show_step(self, step: Step) -> None:
        """Show a step's page; nothing entered elsewhere is lost."""
        self.context.document.settle()
        self._step = step
        self._stack.setCurrentWidget(self.page(step))
        self.way.show_step(step)
        self.answer.setVisible(step not in (Step.RESULTS, Step.OFFER))
        self._back.setEnabled(preceding(step) is not None)
        self._next.setEnabled(following(step) is not None)
        self.page(step).initial_focus().setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_states()

    def open_path(self, path: Path) -> None:
        """Open a consultation, or add a model's `config.json` as a workload."""
        if path.suffix.lower() == ".json":
            self.show_step(Step.WORKLOADS)
            self.workloads.add_config(path)
        else:
            self.files.open(path)

    def start_tour(self) -> None:
        """Show the three steps of the tour."""
        self.show_step(Step.WORKLOADS)
        tour = Tour(self.context, self, [(self.workloads.picker, 0), (self.answer, 1), (self.way, 2)])
        tour.start()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802  # Qt's name
        """Ask about unsaved changes; then end the background work."""
        focus = QApplication.focusWidget()
        if focus is not None:
            focus.clearFocus()
        if not self.files.may_leave():
            event.ignore()
            return
        self._autosave.discard()
        self.files.release()
        settings = QSettings()
        settings.setValue("window/geometry", self.saveGeometry())
        self._close_pages()
        self.tools.close()
        self.register.close()
        self.context.planner.close()
        if self._help is not None:
            self._help.close()
        super().closeEvent(event)

    def restore(self) -> None:
        """Take the place and size of the last time, where they still suit the screen."""
        geometry = QSettings().value("window/geometry", type=QByteArray)
        if isinstance(geometry, QByteArray) and not geometry.isEmpty():
            self.restoreGeometry(geometry)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802  # Qt's name
        """Accept one consultation, paper or model file."""
        if _dropped(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802  # Qt's name
        """Open what was dropped."""
        path = _dropped(event)
        if path is not None:
            event.acceptProposedAction()
            self.open_path(path)

    def _commands(self) -> Commands:
        return Commands(
            new=self.files.new,
            open=self.files.ask_and_open,
            open_recent=self.files.open,
            save=self.files.save,
            save_as=self.files.ask_and_save,
            save_pdf=self._save_pdf,
            quit=self.close,
            find=self._find,
            show_step=self.show_step,
            back=self._go_back,
            forward=self._go_on,
            theme=self.theme_wanted.emit,
            language=self.language_wanted.emit,
            customer_view=self._set_customer_view,
            findings=self._show_findings,
            catalogue=self.tools.show_catalogue,
            import_prices=self.tools.import_prices,
            update_catalogue=self.tools.update_catalogue,
            compare_versions=self.tools.compare_versions,
            positions=self.tools.show_positions,
            evidence=self.tools.show_evidence,
            register=self.register.show,
            help=self._show_help,
            tour=self.start_tour,
            about=self._show_about,
        )

    def _build_page(self, step: Step) -> Page:
        """Build a page when it is first needed: the window starts with one of five."""
        context = self.context
        match step:
            case Step.WORKLOADS:
                workloads = WorkloadsPage(context)
                workloads.row_selected.connect(self._on_row)
                workloads.sample_wanted.connect(self.files.open_sample)
                made: Page = workloads
            case Step.SITE:
                made = SitePage(context)
            case Step.GOALS:
                made = GoalsPage(context, self._today())
            case Step.RESULTS:
                made = ResultsPage(context, self._today())
            case Step.OFFER:
                offer = OfferPage(context)
                offer.positions_wanted.connect(self.tools.show_positions)
                offer.issue_wanted.connect(self.register.issue)
                self.register.issued.connect(offer.show_issued)
                made = offer
        made.errors_changed.connect(self._show_states)
        self._stack.addWidget(made)
        return made

    def _middle(self) -> QWidget:
        _ = self.context.texts.gettext
        self._stack = QStackedWidget()
        self._pages = {}
        self._back = button(_("Back"))
        self._back.clicked.connect(self._go_back)
        self._next = button(_("Next"), "primary")
        self._next.clicked.connect(self._go_on)
        foot = QHBoxLayout()
        foot.setContentsMargins(6 * STEP, 2 * STEP, 6 * STEP, 2 * STEP)
        foot.setSpacing(2 * STEP)
        foot.addStretch(1)
        foot.addWidget(self._back)
        foot.addWidget(self._next)
        middle = QWidget()
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._stack, 1)
        layout.addLayout(foot)
        return middle

    def _close_pages(self) -> None:
        for page in self._pages.values():
            page.close_views()
        self._pages = {}

    def _situation(self) -> Situation:
        planner = self.context.planner
        ready = planner.state is PlanState.READY
        return Situation(
            document=self.context.document.consultation,
            problems=tuple(planner.problems()),
            field_errors={step for step, page in self._pages.items() if page.has_errors},
            recommendation=planner.recommendation if ready else None,
            failed=planner.state is PlanState.FAILED,
        )

    @Slot()
    def _show_states(self) -> None:
        situation = self._situation()
        self.way.show_states(states(situation))

    @Slot(object)
    def _on_document(self, _document: Consultation) -> None:
        for step, page in self._pages.items():
            if step is not Step.RESULTS:  # follows the planner
                page.refresh()
        self._show_states()

    @Slot()
    def _on_file(self) -> None:
        document, texts = self.context.document, self.context.texts
        name = document.path.name if document.path else texts.gettext("New consultation")
        self.setWindowTitle(f"{name}[*] – Passform")
        self.setWindowModified(document.modified)

    @Slot()
    def _on_opened(self) -> None:
        self.show_step(Step.WORKLOADS)

    @Slot()
    def _on_recent(self) -> None:
        self.menus.refresh_recent()

    @Slot()
    def _go_back(self) -> None:
        step = preceding(self._step)
        if step is not None:
            self.show_step(step)

    @Slot()
    def _go_on(self) -> None:
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

    def _save_pdf(self) -> None:
        self.show_step(Step.OFFER)
        if self.offer.rendered is not None:
            self.offer.ask_and_save()

    def _find(self) -> None:
        if self._step is Step.GOALS:
            self.goals.filter.setFocus()
        elif self._step is Step.RESULTS:
            self.results.show_why()
            self.results.why.filter.setFocus()
        else:
            self.show_step(Step.WORKLOADS)

    def _set_customer_view(self, wanted: bool) -> None:  # noqa: FBT001  # a Qt signal's argument
        self.context.customer_view = wanted
        self.build()

    def _show_findings(self) -> None:
        show_findings(self.context, self)

    def _show_help(self) -> None:
        if self._help is None:
            self._help = HelpWindow(self.context)
        self._help.show_topic(self._step.value)

    def _show_about(self) -> None:
        show_about(self.context, self)


def _dropped(event: QDropEvent) -> Path | None:
    urls = event.mimeData().urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = Path(urls[0].toLocalFile())
    return path if path.suffix.lower() in (".yaml", ".yml", ".json", ".pdf") else None

"""The last page: who the proposal is for, what it looks like, and saving it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from catalog.consultation.document import Consultation, Customer
from catalog.disk import write_atomically
from catalog.register.types import Entry
from engine.errors import PassformError
from engine.progress import Progress
from engine.quote.draft import DocumentKind
from engine.quote.parties import CustomerKind
from engine.wording.quotes import word
from engine.wording.translator import Language
from gui.ask_file import ask_where
from gui.context import Context
from gui.draft import amended
from gui.focus import take_typed
from gui.pages.page import Page
from gui.plan_words import explanation
from gui.planning import PlanState
from gui.preview.pages import PaperPage, paper_pages
from gui.preview.pdf_view import PdfView
from gui.proposal import Paper, make_paper
from gui.tasks import Runner
from gui.theme import STEP
from gui.widgets import Choice, Form, LinesField, Panel, TextField, button, column, icon_button, label, set_role

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

QUIET_MS = 250
FORM_WIDTH = 288
LONGEST_NAME = 80  # of a company in a file's name; systems take 255 bytes
COUNTRIES = ("country", "delivery_country")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A paper and its pages."""

    paper: Paper
    pages: list[PaperPage]


class OfferPage(Page):
    """Customer data, preview, save."""

    positions_wanted = Signal()
    issue_wanted = Signal()

    def __init__(self, context: Context) -> None:
        _ = context.texts.gettext
        super().__init__(context, _("Offer"))
        self.rendered: Rendered | None = None
        self._deed: Callable[[], object] | None = None  # waits for the paper
        sides = QHBoxLayout()
        sides.setSpacing(4 * STEP)
        panel = Panel()
        panel.setFixedWidth(FORM_WIDTH)
        panel.body.addWidget(label(_("Who is the proposal for?"), "title", wrap=True))
        panel.body.addWidget(self._customer_form())
        sides.addWidget(panel, 0, Qt.AlignmentFlag.AlignTop)
        right = QWidget()
        paper = column(right, spacing=3 * STEP)
        sides.addWidget(right, 1)
        paper.addLayout(self._tools())
        self.state = label("", "muted", wrap=True)
        self.busy = QProgressBar()
        self.busy.setRange(0, 0)
        self.busy.setTextVisible(False)
        self.busy.setAccessibleName(_("The paper is being made"))
        self.busy.hide()
        self.view = PdfView(context)
        self.issued = label("", "section", wrap=True)
        self.issued.hide()
        self._issued_number = ""
        for widget in (self.issued, self.state, self.busy, self.view):
            paper.addWidget(widget)
        paper.addStretch(1)
        self.body.addLayout(sides)
        self._runner = Runner(self)
        self._runner.finished.connect(self._on_rendered)
        self._runner.failed.connect(self._on_failed)
        self._runner.crashed.connect(context.planner.crashed)
        self._runner.idle.connect(self.busy.hide)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(QUIET_MS)
        self._timer.timeout.connect(self._render)
        context.planner.changed.connect(self._on_planner)
        self.refresh()

    @property
    def busy_now(self) -> bool:
        """Whether a paper is being made or about to be."""
        return self._timer.isActive() or self._runner.busy

    def close_views(self) -> None:
        """Stop rendering for good."""
        self.context.planner.changed.disconnect(self._on_planner)
        self._timer.stop()
        self._runner.close()

    def initial_focus(self) -> QWidget:
        """The customer's name."""
        return self.fields["company"]

    def refresh(self) -> None:
        """Show the document; the preview follows when the page is visible."""
        document = self.context.document.consultation
        for name, field in self.fields.items():
            field.show_value(getattr(document.customer, name))
        self.kind.show_value(document.customer.kind.value)
        self.paper_kind.show_value(document.quote.kind.value)
        self.language.show_value(document.language)
        self.title.show_value(document.title)
        if not self.notes.hasFocus():
            self.notes.setPlainText(document.notes)
        if not self.address.hasFocus():
            self.address.setPlainText("\n".join(document.customer.address))
        self.issued.setVisible(bool(self._issued_number) and document.quote.number == self._issued_number)
        if self.isVisible():
            self._timer.start()

    def once_made(self, deed: Callable[[], object]) -> None:
        """Do something with the paper of the document as it stands now; nothing where none can be made."""
        take_typed()
        if self.busy_now or self.context.planner.busy:
            self._deed = deed
        elif self.rendered is not None:
            deed()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802  # Qt's name
        """Who leaves the page does not want the paper any more."""
        super().hideEvent(event)
        self._deed = None

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802  # Qt's name
        super().showEvent(event)
        self._timer.start()

    @Slot(object)
    def show_issued(self, entry: Entry) -> None:
        """Name the document that the consultation was issued as."""
        text = self.context.texts.gettext("Issued: {number}, revision {revision}")
        self._issued_number = entry.number
        self.issued.setText(text.format(number=entry.number, revision=entry.latest.revision))
        self.issued.show()

    def _customer_form(self) -> QWidget:
        texts = self.context.texts
        _ = texts.gettext
        form = Form(stacked=True)
        self.fields: dict[str, TextField] = {}
        names = {
            "company": (_("Company"), ""),
            "contact": (_("Contact person"), ""),
            "country": (_("Country code"), _("Two letters, for example DE, AT, CH")),
            "delivery_country": (_("Country of delivery"), _("Empty: the customer's own country")),
            "vat_id": (_("VAT number"), _("Needed for deliveries to companies in other EU countries")),
            "number": (_("Customer number"), ""),
            "reference": (_("Your reference"), _("The customer's request, as it is quoted in the paper")),
            "cost_centre": (_("Cost centre"), ""),
        }
        for name, (title, why) in names.items():
            field = TextField()
            self.fields[name] = field
            form.add(title, field, why)
            field.committed.connect(self._setter(name, title))
            if name == "contact":
                self.address = LinesField()
                self.address.left.connect(self.store_address)
                form.add(_("Address"), self.address, _("Street, postal code and town, one line each"))
        self.kind = Choice()
        kinds = {
            CustomerKind.BUSINESS: _("company"),
            CustomerKind.PUBLIC: _("public body"),
            CustomerKind.PRIVATE: _("private person"),
        }
        self.kind.offer((kind.value, word) for kind, word in kinds.items())
        self.kind.chosen.connect(self._setter("kind", _("Kind of customer")))
        form.add(_("Kind of customer"), self.kind)
        self.paper_kind = Choice()
        self.paper_kind.offer((kind.value, word(kind, texts.tr)) for kind in DocumentKind)
        self.paper_kind.chosen.connect(self._on_paper_kind)
        form.add(
            _("What the paper is"), self.paper_kind, _("A quotation is shown as a draft until “Issue …” numbers it")
        )
        self.language = Choice()
        self.language.offer(((Language.DE.value, _("German")), (Language.EN.value, _("English"))))
        self.language.chosen.connect(self._on_language)
        form.add(_("Language of the paper"), self.language, _("Independent of the window's language"))
        self.title = TextField()
        self.title.committed.connect(self._on_title)
        if not self.context.customer_view:  # the seller's name for the project
            form.add(_("Title of the consultation"), self.title)
        self.notes = LinesField()
        self.notes.left.connect(self.store_notes)
        if not self.context.customer_view:
            form.add(_("Internal notes"), self.notes, _("Never printed; hidden in the customer view"))
        return form

    def _tools(self) -> QHBoxLayout:
        _ = self.context.texts.gettext
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        line.addWidget(label(_("Preview"), "title"), 1)
        self.positions_button = button(_("Positions …"))
        self.positions_button.clicked.connect(self.positions_wanted)
        line.addWidget(self.positions_button)
        self.open_button = icon_button(self.context.theme, "open", _("Open in the system viewer"))
        self.open_button.clicked.connect(partial(self.once_made, self.open_in_viewer))
        self.print_button = icon_button(self.context.theme, "print", _("Print …"))
        self.print_button.clicked.connect(partial(self.once_made, self.ask_and_print))
        self.save_button = button(_("Save PDF …"))
        self.save_button.clicked.connect(partial(self.once_made, self.ask_and_save))
        self.issue_button = button(_("Issue …"), "primary")
        self.issue_button.setToolTip(_("Gives the document its number and keeps it in the register"))
        self.issue_button.clicked.connect(self.issue_wanted)
        for made in (self.open_button, self.print_button, self.save_button, self.issue_button):
            made.setEnabled(False)
            line.addWidget(made)
        return line

    def _setter(self, name: str, title: str) -> Callable[[str], None]:
        def commit(value: str) -> None:
            self._set_customer(name, value.strip().upper() if name in COUNTRIES else value, title)

        return commit

    def _set_customer(self, name: str, value: object, title: str) -> None:
        text = self.context.texts.gettext("Change {field}").format(field=title)

        def change(document: Consultation) -> Consultation:
            customer: Customer = amended(document.customer, **{name: value})
            return amended(document, customer=customer)

        try:
            self.edit(text, change)
        except PassformError as error:
            self._show_state(f"{title}: {self.context.texts.error(error)}", "error")

    @Slot()
    def store_address(self) -> None:
        """Take the address over; called when its field is left."""
        lines = tuple(line.strip() for line in self.address.toPlainText().splitlines() if line.strip())
        if lines != self.context.document.consultation.customer.address:
            self._set_customer("address", lines, self.context.texts.gettext("Address"))

    @Slot()
    def store_notes(self) -> None:
        """Take the notes over; called when their field is left."""
        text, notes = self.context.texts.gettext("Change notes"), self.notes.toPlainText()
        self.edit(text, lambda document: amended(document, notes=notes))

    @Slot(str)
    def _on_title(self, value: str) -> None:
        text = self.context.texts.gettext("Change title")
        self.edit(text, lambda document: amended(document, title=value))

    @Slot(str)
    def _on_paper_kind(self, value: str) -> None:
        text, kind = self.context.texts.gettext("Change what the paper is"), DocumentKind(value)
        self.edit(text, lambda document: amended(document, quote=amended(document.quote, kind=kind)))

    @Slot(str)
    def _on_language(self, value: str) -> None:
        text = self.context.texts.gettext("Change language of the paper")
        self.edit(text, lambda document: amended(document, language=value))

    @Slot()
    def _on_planner(self) -> None:
        if self.isVisible():
            self._timer.start()

    @Slot()
    def _render(self) -> None:
        planner, texts = self.context.planner, self.context.texts
        recommendation = planner.recommendation
        if planner.state is not PlanState.READY or recommendation is None or recommendation.chosen is None:
            self._runner.cancel()
            self._show(None)
            working = planner.state is PlanState.WORKING
            if not working:
                self._deed = None
            why = texts.gettext("Calculating …") if working else explanation(self.context)
            self._show_state(why, "error" if planner.state is PlanState.FAILED else "muted")
            return
        document, facts = self.context.document.consultation, self.context.catalog.facts
        folder, language = self.context.document.folder, texts.language.value

        def job(progress: Progress) -> Rendered:
            progress(0, 2)
            paper = make_paper(document, folder, recommendation, facts, language)
            progress(1, 2)
            return Rendered(paper, paper_pages(paper.pdf))

        self.busy.setVisible(self.rendered is None)
        self._runner.start(job)

    @Slot(object)
    def _on_rendered(self, rendered: Rendered) -> None:
        self._show(rendered)
        _, paper = self.context.texts.gettext, rendered.paper
        lines = list(paper.remarks)
        if paper.draft:
            lines.append(_("A draft of the quotation, without a number. “Issue …” numbers and keeps it."))
        if paper.missing and not self.context.customer_view:  # what the seller still owes is not the customer's to read
            lines += [_("This cannot be an offer yet:"), *(f"– {text}" for text in paper.missing)]
        self._show_state("\n".join(lines), "hint")
        deed, self._deed = self._deed, None
        if deed is not None:
            self.once_made(deed)

    @Slot(object)
    def _on_failed(self, error: PassformError) -> None:
        self._deed = None
        self._show(None)
        self._show_state(self.context.texts.error(error), "error")

    def _show(self, rendered: Rendered | None) -> None:
        self.rendered = rendered
        self.view.show_pages(rendered.pages if rendered else [])
        self.save_button.setEnabled(rendered is not None)
        self.open_button.setEnabled(rendered is not None)
        self.print_button.setEnabled(rendered is not None)
        self.issue_button.setEnabled(rendered is not None)

    def _show_state(self, text: str, role: str) -> None:
        set_role(self.state, role)
        self.state.setText(text)
        self.state.setVisible(bool(text))

    @Slot()
    def ask_and_save(self) -> None:
        """Ask for a file and write the paper that is shown."""
        _ = self.context.texts.gettext
        kinds = _("PDF document (*.pdf)")
        path = ask_where(self, _("Save PDF"), self._file_name(), kinds, self.context.texts)
        if path is not None:
            self.save(path)

    def save(self, path: Path) -> None:
        """Write exactly the bytes that are shown. Raises `PassformError`."""
        if self.rendered is not None:
            write_atomically(self.rendered.paper.pdf, path)
            text = self.context.texts.gettext("Written: {file}").format(file=path)
            self._show_state(text, "muted")

    @Slot()
    def ask_and_print(self) -> None:
        """Ask for printer and pages, and print the paper that is shown."""
        from gui.preview.printing import chosen_pages, new_printer, print_dialog  # noqa: PLC0415  # keeps the start fast

        if self.rendered is None:
            return
        printer, count = new_printer(), len(self.rendered.pages)
        dialog = print_dialog(printer, count, self.context.texts.gettext("Print the paper"), self)
        accepted = dialog.exec()
        dialog.deleteLater()
        if accepted:
            self.print_on(printer, chosen_pages(printer, count))

    def print_on(self, printer: QPrinter, wanted: Sequence[int]) -> None:
        """Print pages of the paper that is shown; what the printer refuses is said."""
        from gui.preview.printing import print_pages  # noqa: PLC0415  # keeps the start fast

        if self.rendered is None:
            return
        texts = self.context.texts
        try:
            print_pages(self.rendered.paper.pdf, printer, wanted)
        except PassformError as error:
            self._show_state(texts.error(error), "error")
            return
        count = len(wanted)
        text = texts.ngettext("{count} page sent to the printer", "{count} pages sent to the printer", count)
        self._show_state(text.format(count=count), "muted")

    @Slot()
    def open_in_viewer(self) -> None:
        """Write the paper to the temporary folder and hand it to the system."""
        folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.TempLocation))
        path = folder / Path(self._file_name()).name
        self.save(path)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def _file_name(self) -> str:
        company = self.context.document.consultation.customer.company
        safe = "".join(letter if letter.isalnum() else "-" for letter in company)[:LONGEST_NAME].strip("-")
        name = f"passform-{safe}.pdf" if safe else "passform.pdf"
        return str(self.context.document.folder / name)

"""Issue a document: what it shall be, what still hinders an offer, the VAT treatment; then number, store, save."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import date
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QLabel, QProgressBar, QRadioButton, QWidget

from catalog.disk import write_atomically
from catalog.register.issuing import Issued, Proposal
from catalog.register.types import Entry
from catalog.register.words import state_word
from engine.errors import PassformError
from engine.progress import Progress
from engine.quote.draft import DocumentKind
from engine.wording.findings import finding_text
from gui.ask_file import ask_where
from gui.context import Context
from gui.draft import amended
from gui.register.names import file_name
from gui.register.work import Prospect, Wish, carry_out, prospect
from gui.tasks import Runner
from gui.theme import STEP
from gui.widgets import Panel, button, column, foot, label

WIDTH = 640


class IssueDialog(QDialog):
    """Issues at most one document; its number and revision are remembered in the consultation."""

    def __init__(self, context: Context, proposal: Proposal, today: date, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.issued: Issued | None = None
        self._proposal = proposal
        self._today = today
        self._prospect: Prospect | None = None
        self._press = uuid.uuid4().hex
        _ = context.texts.gettext
        self.setWindowTitle(_("Issue a document"))
        self.setMinimumWidth(WIDTH)
        self._body = column(self, margin=5 * STEP, spacing=3 * STEP)
        self.head = label(_("Issue a document"), "title", wrap=True)
        self.why = label(
            _("It gets its number for good and is kept in the register as it is printed."), "small", wrap=True
        )
        self.busy_bar = QProgressBar()
        self.busy_bar.setRange(0, 0)
        self.busy_bar.setTextVisible(False)
        self.busy_bar.setAccessibleName(_("The register is being asked"))
        for widget in (self.head, self.why, self.busy_bar):
            self._body.addWidget(widget)
        self._choices()
        self.result_text = label("", "muted", wrap=True)
        self.problem = label("", "error", wrap=True)
        for text in (self.result_text, self.problem):
            text.hide()
            self._body.addWidget(text)
        self._body.addStretch(1)
        self._foot()
        self._runner = Runner(self)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self._on_failed)
        self._runner.crashed.connect(context.planner.crashed)
        self._runner.idle.connect(self._show)
        self._look_up()

    @property
    def busy(self) -> bool:
        """Whether the register is being asked."""
        return self._runner.busy

    @property
    def wish(self) -> Wish | None:
        """What is chosen."""
        return next((wish for wish, choice in self.choices.items() if choice.isChecked()), None)

    def reject(self) -> None:
        """Close, unless a number is being given at this moment."""
        if not self._runner.busy or self._prospect is None:
            self._runner.close()
            super().reject()

    def _choices(self) -> None:
        _ = self.context.texts.gettext
        self.panel = Panel()
        self.choices = {
            Wish.REVISION: QRadioButton(""),
            Wish.OFFER: QRadioButton(_("Offer, with a new number")),
            Wish.RECOMMENDATION: QRadioButton(_("Configuration recommendation, with a new number")),
        }
        for choice in self.choices.values():
            choice.toggled.connect(self._show)
            self.panel.body.addWidget(choice)
        self.remark = label("", "hint", wrap=True)
        self.vat_line = label("", "small", wrap=True)
        self.vat = QCheckBox(_("I have checked the VAT treatment"))
        self.vat.setChecked(self._proposal.consultation.quote.vat_confirmed)
        self.vat.toggled.connect(self._show)
        self.missing = label("", "hint", wrap=True)
        for widget in (self.remark, self.vat_line, self.vat, self.missing):
            self.panel.body.addWidget(widget)
        self._body.addWidget(self.panel)

    def _foot(self) -> None:
        _ = self.context.texts.gettext
        self.close_button = button(_("Cancel"))
        self.close_button.clicked.connect(self.reject)
        self.save_button = button(_("Save PDF …"), "primary")
        self.save_button.clicked.connect(self.ask_and_save)
        self.issue_button = button(_("Issue"), "primary")
        self.issue_button.clicked.connect(self.issue)
        self._body.addLayout(foot(self.close_button, self.save_button, self.issue_button))

    def _look_up(self) -> None:
        proposal, today, texts = self._proposal, self._today, self.context.texts

        def job(_progress: Progress) -> Prospect:
            return prospect(proposal, today, texts)

        self._runner.start(job)
        self._show()

    @Slot()
    def issue(self) -> None:
        """Number and store the document, then ask where its PDF shall go."""
        wish, found = self.wish, self._prospect
        if wish is None or found is None or self.issued is not None or self._runner.busy:
            return
        proposal = replace(self._proposal, vat_confirmed=self.vat.isChecked())
        number = found.earlier.number if found.earlier else ""
        today, request = self._today, f"{self._press}-{wish.value}"

        def job(_progress: Progress) -> Issued:
            return carry_out(proposal, wish, number, today, request)

        self.problem.hide()
        self._runner.start(job)
        self._show()

    @Slot()
    def ask_and_save(self) -> None:
        """Ask for a file and write the stored PDF."""
        if self.issued is None:
            return
        _ = self.context.texts.gettext
        entry = self.issued.entry
        start = self.context.document.folder / file_name(entry.number, entry.latest.revision)
        path = ask_where(self, _("Save PDF"), start, _("PDF document (*.pdf)"), self.context.texts)
        if path is not None:
            self.save(path)

    def save(self, path: Path) -> None:
        """Write the stored PDF; what is wrong with the file is said, the document stays in the register."""
        if self.issued is None:
            return
        try:
            write_atomically(self.issued.pdf, path)
        except PassformError as error:
            self._complain(error)
            return
        self.problem.hide()
        self._say(self.context.texts.gettext("Written: {file}").format(file=path))

    @Slot(object)
    def _on_finished(self, result: object) -> None:
        if isinstance(result, Prospect):
            self._prospect = result
            self._first_choice(result)
        elif isinstance(result, Issued):
            self.issued = result
            self._remember(result.entry)
            self._show()
            self._say("")
            self.ask_and_save()

    @Slot(object)
    def _on_failed(self, error: PassformError) -> None:
        self._complain(error)

    def _first_choice(self, found: Prospect) -> None:
        """The revision only for the same customer: a consultation may be a copy of another customer's."""
        company = self._proposal.consultation.customer.company
        wanted_offer = self._proposal.consultation.quote.kind is DocumentKind.OFFER
        if found.revisable and found.earlier is not None and found.earlier.company == company:
            wish = Wish.REVISION
        elif wanted_offer and not found.left(confirmed=self.vat.isChecked()):
            wish = Wish.OFFER
        else:
            wish = Wish.RECOMMENDATION
        self.choices[wish].setChecked(True)

    def _remember(self, entry: Entry) -> None:
        texts, document = self.context.texts, self.context.document
        consultation = document.consultation
        confirmed = consultation.quote.vat_confirmed or self.vat.isChecked()
        quote = amended(consultation.quote, kind=entry.kind, number=entry.number, vat_confirmed=confirmed)
        text = texts.gettext("Remember the number {number}").format(number=entry.number)
        document.edit(text, amended(consultation, quote=quote))

    @Slot()
    def _show(self) -> None:
        _ = self.context.texts.gettext
        found, idle = self._prospect, not self._runner.busy
        self.busy_bar.setVisible(not idle)
        done = self.issued is not None
        self.panel.setVisible(found is not None and not done)
        self.why.setVisible(not done)
        self.save_button.setVisible(done)
        self.issue_button.setVisible(not done)
        self.close_button.setText(_("Close") if done else _("Cancel"))
        self.close_button.setEnabled(idle or found is None)
        if found is not None:
            self._show_prospect(found)
        chosen = self.choices[self.wish] if self.wish else None
        self.issue_button.setEnabled(idle and chosen is not None and chosen.isEnabled())
        self.panel.setEnabled(idle)

    def _show_prospect(self, found: Prospect) -> None:
        texts = self.context.texts
        _ = texts.gettext
        left = found.left(confirmed=self.vat.isChecked())
        earlier = found.earlier
        revision = self.choices[Wish.REVISION]
        revision.setVisible(earlier is not None)
        if earlier is not None:
            text = _("Revision {revision} of {number}")
            revision.setText(text.format(revision=earlier.latest.revision + 1, number=earlier.number))
            blocked = earlier.kind is DocumentKind.OFFER and bool(left)
            revision.setEnabled(found.revisable and not blocked)
        self.choices[Wish.OFFER].setEnabled(not left)
        self._say_about(self.remark, _remark(found, self.context))
        self._say_about(self.vat_line, "\n".join(found.vat))
        head = _("This cannot be an offer yet:")
        self._say_about(self.missing, "\n".join((head, *(f"– {text}" for text in left))) if left else "")

    def _say_about(self, where: QLabel, text: str) -> None:
        where.setText(text)
        where.setVisible(bool(text))

    def _say(self, text: str) -> None:
        if self.issued is None:
            return
        texts, entry = self.context.texts, self.issued.entry
        head = texts.gettext("{number}, revision {revision}")
        self.head.setText(head.format(number=entry.number, revision=entry.latest.revision))
        stored = texts.gettext("It is stored in the register.")
        findings = [finding_text(finding, texts.tr) for finding in self.issued.findings]
        self.result_text.setText("\n".join(part for part in (stored, *findings, text) if part))
        self.result_text.show()

    def _complain(self, error: PassformError) -> None:
        self.problem.setText(self.context.texts.error(error))
        self.problem.show()


def _remark(found: Prospect, context: Context) -> str:
    texts = context.texts
    if found.unknown:
        text = texts.gettext("This register does not hold {number}; the consultation gets a new number.")
        return text.format(number=found.unknown)
    earlier = found.earlier
    if earlier is None:
        return ""
    if found.revisable:
        text = texts.gettext("{number} was issued for {customer}.")
        return text.format(number=earlier.number, customer=earlier.company or "–")
    state = texts.gettext("customer data erased") if earlier.erased_on else state_word(earlier.state, texts.tr)
    text = texts.gettext("{number} takes no revision any more: {state}.")
    return text.format(number=earlier.number, state=state)

"""The proposal as a whole: what it is, its texts, its discount, its terms."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from catalog.consultation.quote_rows import QuoteRow
from engine.quote.draft import Chapter, DocumentKind
from engine.quote.parties import Seller
from engine.wording.quotes import word
from gui.context import Context
from gui.theme import STEP
from gui.widgets import Choice, Form, LinesField, NumberField, TextField, column, label


class TermsPanel(QWidget):
    """Asks for changes by signal: field and value; terms are told apart."""

    changed = Signal(str, object)
    terms_changed = Signal(str, object)

    def __init__(self, context: Context, seller: Seller) -> None:
        super().__init__()
        self._context = context
        self._seller = seller
        body = column(self, spacing=2 * STEP)
        body.addWidget(self._document_form())
        self.missing = label("", "hint", wrap=True)
        body.addWidget(self.missing)
        body.addWidget(self._terms_form())
        body.addWidget(self._chapters_form())
        body.addStretch(1)

    def show_quote(self, quote: QuoteRow, missing: tuple[str, ...]) -> None:
        """Show the stored proposal; `missing` keeps it from being an offer."""
        self.kind.show_value(quote.kind.value)
        self.number.show_value(quote.number)
        self.discount.show_value(quote.discount_percent)
        self.subject.show_value(quote.subject)
        for field, text in ((self.introduction, quote.introduction), (self.closing, quote.closing)):
            _show(field, text)
        for box, value in (
            (self.line_prices, quote.show_line_prices),
            (self.tender, quote.tender),
            (self.archivable, quote.archivable),
            (self.data_sheets, quote.data_sheets),
            (self.vat, quote.vat_confirmed),
        ):
            with QSignalBlocker(box):
                box.setChecked(value)
        self.validity.show_value(quote.terms.validity_days)
        for box, value in (
            (self.binding, quote.terms.binding),
            (self.second_signature, quote.terms.second_signature),
            *((box, chapter not in quote.left_out) for chapter, box in self.chapters.items()),
        ):
            with QSignalBlocker(box):
                box.setChecked(value)
        for name, lines in self.terms.items():
            _show(lines, getattr(quote.terms, name))
        offer = quote.kind is DocumentKind.OFFER
        self.missing.setText("\n".join(missing) if offer else "")
        self.missing.setVisible(offer and bool(missing))

    def _document_form(self) -> Form:
        texts = self._context.texts
        _ = texts.gettext
        form = Form(stacked=True)
        self.kind = Choice()
        self.kind.offer((kind.value, word(kind, texts.tr)) for kind in DocumentKind)
        self.number, self.subject = TextField(), TextField()
        self.discount = NumberField(texts, whole=False)
        self.introduction, self.closing = LinesField(), LinesField()
        self.line_prices = QCheckBox(_("print the price of every position"))
        self.tender = QCheckBox(_("public tender: own terms are left out"))
        self.archivable = QCheckBox(_("PDF for archives (PDF/A-3b)"))
        self.data_sheets = QCheckBox(_("append the data sheets of what is offered"))
        self.data_sheets.setToolTip(
            _("PDF files in the folder “data-sheets” of your data folder, named like the catalogue's ids")
        )
        self.vat = QCheckBox(_("I have checked the VAT treatment"))
        form.add(_("What the paper is"), self.kind)
        self.number.setReadOnly(True)
        form.add(_("Number"), self.number, _("Given by the register when the document is issued"))
        form.add(_("Discount on everything, in percent"), self.discount)
        form.add(_("Subject"), self.subject)
        form.add(_("Introduction"), self.introduction)
        form.add(_("Closing"), self.closing)
        for box in (self.line_prices, self.tender, self.archivable, self.data_sheets, self.vat):
            form.add_wide(box)
        self.kind.chosen.connect(self._sender(self.changed, "kind"))
        self.subject.committed.connect(self._sender(self.changed, "subject"))
        self.discount.committed.connect(self._sender(self.changed, "discount_percent"))
        self.line_prices.toggled.connect(self._sender(self.changed, "show_line_prices"))
        self.tender.toggled.connect(self._sender(self.changed, "tender"))
        self.archivable.toggled.connect(self._sender(self.changed, "archivable"))
        self.data_sheets.toggled.connect(self._sender(self.changed, "data_sheets"))
        self.vat.toggled.connect(self._sender(self.changed, "vat_confirmed"))
        for lines, name in ((self.introduction, "introduction"), (self.closing, "closing")):
            lines.left.connect(self._reader(self.changed, name, lines))
        return form

    def _terms_form(self) -> Form:
        texts = self._context.texts
        _ = texts.gettext
        form = Form(stacked=True)
        form.add_wide(label(_("Terms, printed in your words"), "section"))
        self.validity = NumberField(texts, optional=True)
        self.validity.committed.connect(self._sender(self.terms_changed, "validity_days"))
        usual = _("Empty: {days}, as the seller's profile says").format(days=texts.integer(self._seller.validity_days))
        form.add(_("Valid for days"), self.validity, usual)
        self.binding = QCheckBox(_("binding until then"))
        self.binding.toggled.connect(self._sender(self.terms_changed, "binding"))
        self.second_signature = QCheckBox(_("a second signature line where it is accepted"))
        self.second_signature.toggled.connect(self._sender(self.terms_changed, "second_signature"))
        form.add_wide(self.binding)
        form.add_wide(self.second_signature)
        self.terms: dict[str, LinesField] = {}
        for name, title in (
            ("payment", _("Payment")),
            ("delivery", _("Delivery")),
            ("delivery_time", _("Time of delivery")),
            ("warranty", _("Warranty")),
            ("retention_of_title", _("Retention of title")),
            ("where_readable", _("Where the general terms can be read")),
            ("export_reservation", _("Export control")),
        ):
            lines = LinesField()
            self.terms[name] = lines
            lines.left.connect(self._reader(self.terms_changed, name, lines))
            form.add(title, lines)
        return form

    def _chapters_form(self) -> Form:
        _ = self._context.texts.gettext
        form = Form(stacked=True)
        form.add_wide(label(_("Chapters of the paper"), "section"))
        self.chapters: dict[Chapter, QCheckBox] = {}
        for chapter in Chapter:
            box = QCheckBox(word(chapter, self._context.texts.tr))
            box.toggled.connect(self._send_chapters)
            self.chapters[chapter] = box
            form.add_wide(box)
        self.chapters[Chapter.SETTINGS].setToolTip(_("Without it the training files are not attached either"))
        return form

    def _send_chapters(self) -> None:
        left_out = tuple(chapter for chapter, box in self.chapters.items() if not box.isChecked())
        self.changed.emit("left_out", left_out)

    def _sender(self, signal: Signal, name: str) -> Callable[[object], None]:
        def send(value: object) -> None:
            whole = isinstance(value, int) and not isinstance(value, bool) and name != "validity_days"
            signal.emit(name, Decimal(value) if whole else value)

        return send

    def _reader(self, signal: Signal, name: str, lines: LinesField) -> Callable[[], None]:
        def read() -> None:
            signal.emit(name, lines.toPlainText())

        return read


def _show(lines: LinesField, text: str) -> None:
    if not lines.hasFocus() and lines.toPlainText() != text:
        lines.setPlainText(text)

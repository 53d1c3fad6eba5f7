"""The chosen position or section in full: kind, price, description, and what stays with the seller."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from catalog.consultation.quote_rows import LineRow, QuoteRow, SectionRow
from engine.quote.draft import LineKind, Measure
from engine.quote.vat import Supply
from engine.wording.quotes import word
from gui.context import Context
from gui.quote_editor.edits import bases
from gui.quote_editor.view import LineView
from gui.theme import STEP
from gui.widgets import Choice, Form, LinesField, NumberField, TextField, column, label


class LinePanel(QWidget):
    """Asks for changes by signal: field and value; internal fields are told apart."""

    changed = Signal(str, object)  # field of the line
    internal_changed = Signal(str, object)  # field that stays with the seller
    section_changed = Signal(str, object)  # field of the section

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        _ = context.texts.gettext
        body = column(self, spacing=2 * STEP)
        self.title = label("", "section", wrap=True)
        self.origin = label("", "small", wrap=True)
        body.addWidget(self.title)
        body.addWidget(self.origin)
        self._line_fields = self._line_form()
        self._section_fields = self._section_form()
        body.addWidget(self._line_fields)
        body.addWidget(self._section_fields)
        self._internal = self._internal_form()
        body.addWidget(self._internal)
        body.addStretch(1)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Nothing is chosen."""
        self.title.setText(self._context.texts.gettext("Choose a position to edit it in full."))
        for widget in (self._line_fields, self._section_fields, self._internal, self.origin):
            widget.hide()

    def show_section(self, section: SectionRow) -> None:
        """Show a section."""
        self.title.setText(section.title or word(section.role, self._context.texts.tr))
        for widget in (self._line_fields, self._internal, self.origin):
            widget.hide()
        self._section_fields.show()
        self.section_title.show_value(section.title)
        for box, value in (
            (self.page_break, section.page_break_before),
            (self.prices, section.show_prices),
            (self.struck, section.struck),
        ):
            with QSignalBlocker(box):
                box.setChecked(value)

    def show_line(self, line: LineRow, view: LineView, quote: QuoteRow) -> None:
        """Show a line."""
        self.title.setText(f"{view.number} {line.title}".strip())
        self.origin.setText(view.origin)
        self.origin.setVisible(bool(view.origin))
        self._section_fields.hide()
        self._line_fields.show()
        words = line.kind is LineKind.TEXT
        self._internal.setVisible(not self._context.customer_view and not words)
        self.kind.show_value(line.kind.value)
        self.base.offer((one.id, one.title) for one in bases(quote) if one.id != line.id)
        self.base.show_value(line.base)
        self.base.setEnabled(line.kind is LineKind.ALTERNATIVE)
        self.measure.show_value(line.measure.value)
        self.supply.show_value(line.supply.value)
        self.quantity.show_value(line.quantity)
        self.price.show_value(line.price)
        self.discount.show_value(line.discount_percent)
        with QSignalBlocker(self.on_request):
            self.on_request.setChecked(line.on_request)
        for field in (self.measure, self.supply, self.quantity):
            field.setEnabled(not words)
        for priced in (self.price, self.discount, self.on_request):
            priced.setEnabled(not words and line.kind is not LineKind.INCLUDED)
        if not self.description.hasFocus():
            self.description.setPlainText(line.description)
        inner = line.internal
        self.purchase.show_value(inner.purchase_price)
        self.supplier.show_value(inner.supplier)
        self.supplier_number.show_value(inner.supplier_number)
        self.deal.show_value(inner.deal_registration)
        if not self.note.hasFocus():
            self.note.setPlainText(inner.note)

    def _line_form(self) -> Form:
        texts = self._context.texts
        _ = texts.gettext
        form = Form(stacked=True)
        self.kind, self.base = Choice(), Choice()
        self.kind.offer((kind.value, word(kind, texts.tr)) for kind in LineKind)
        self.measure, self.supply = Choice(), Choice()
        self.measure.offer((measure.value, word(measure, texts.tr)) for measure in Measure)
        self.supply.offer((supply.value, word(supply, texts.tr)) for supply in Supply)
        self.quantity = NumberField(texts, whole=False)
        self.price = NumberField(texts, whole=False, optional=True)
        self.discount = NumberField(texts, whole=False)
        self.on_request = QCheckBox(_("on request, without a price"))
        self.description = LinesField()
        form.add(_("Kind"), self.kind)
        form.add(_("Stands for"), self.base, _("The position an alternative can take the place of"))
        form.add(_("Quantity"), self.quantity)
        form.add(_("Unit"), self.measure)
        form.add(_("What is supplied"), self.supply, _("Decides about VAT abroad"))
        form.add(_("Own unit price, net"), self.price, _("Empty: the guide price of the catalogue"))
        form.add_wide(self.on_request)
        form.add(_("Discount in percent"), self.discount)
        form.add(_("Description"), self.description, _("Empty: what the catalogue says about the item"))
        for choice, name in (
            (self.kind, "kind"),
            (self.base, "base"),
            (self.measure, "measure"),
            (self.supply, "supply"),
        ):
            choice.chosen.connect(self._sender(self.changed, name))
        for field, name in ((self.quantity, "quantity"), (self.price, "price"), (self.discount, "discount_percent")):
            field.committed.connect(self._sender(self.changed, name))
        self.on_request.toggled.connect(self._sender(self.changed, "on_request"))
        self.description.left.connect(self._on_description)
        return form

    def _section_form(self) -> Form:
        _ = self._context.texts.gettext
        form = Form(stacked=True)
        self.section_title = TextField()
        self.page_break = QCheckBox(_("begins on a new page"))
        self.prices = QCheckBox(_("print the prices of its positions, not its sum alone"))
        self.struck = QCheckBox(_("struck out: stays here, is not printed"))
        form.add(_("Title"), self.section_title, _("Empty: the usual word"))
        form.add_wide(self.page_break)
        form.add_wide(self.prices)
        form.add_wide(self.struck)
        self.section_title.committed.connect(self._sender(self.section_changed, "title"))
        self.page_break.toggled.connect(self._sender(self.section_changed, "page_break_before"))
        self.prices.toggled.connect(self._sender(self.section_changed, "show_prices"))
        self.struck.toggled.connect(self._sender(self.section_changed, "struck"))
        return form

    def _internal_form(self) -> QWidget:
        texts = self._context.texts
        _ = texts.gettext
        holder = QWidget()
        body = column(holder, spacing=2 * STEP)
        body.addWidget(label(_("Internal, never printed"), "section"))
        form = Form(stacked=True)
        self.purchase = NumberField(texts, whole=False, optional=True)
        self.supplier, self.supplier_number, self.deal = TextField(), TextField(), TextField()
        self.note = LinesField()
        form.add(_("Purchase price per unit, net"), self.purchase)
        form.add(_("Supplier"), self.supplier)
        form.add(_("Supplier's number"), self.supplier_number)
        form.add(_("Deal registration"), self.deal)
        form.add(_("Note"), self.note)
        for field, name in (
            (self.purchase, "purchase_price"),
            (self.supplier, "supplier"),
            (self.supplier_number, "supplier_number"),
            (self.deal, "deal_registration"),
        ):
            field.committed.connect(self._sender(self.internal_changed, name))
        self.note.left.connect(self._on_note)
        body.addWidget(form)
        return holder

    def _sender(self, signal: Signal, name: str) -> Callable[[object], None]:
        def send(value: object) -> None:
            signal.emit(name, Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value)

        return send

    def _on_description(self) -> None:
        self.changed.emit("description", self.description.toPlainText())

    def _on_note(self) -> None:
        self.internal_changed.emit("note", self.note.toPlainText())

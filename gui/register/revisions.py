"""Every revision of the chosen document: state, sums, fingerprint, and what changed between two of them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QTableView, QWidget

from catalog.register.comparing import Difference
from catalog.register.types import Entry, Revision
from catalog.register.words import state_word, sum_text
from engine.units import Money
from gui.catalogue.dates import day_text
from gui.column_table import Column, ColumnTable, dress_table, set_widths
from gui.context import Context
from gui.theme import STEP
from gui.widgets import Choice, column, label

ROW_HEIGHT = 24
SHOWN_ROWS = 3  # before it scrolls
MOST_NAMES = 4  # of positions in one sentence


class Revisions(QWidget):
    """The list, and below it the chosen revision against another one."""

    compare_wanted = Signal(int, int)  # earlier, later
    open_wanted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        _ = context.texts.gettext
        body = column(self, spacing=STEP)
        self.model = ColumnTable(context, _columns(context), self)
        self.table = self._table()
        body.addWidget(self.table)
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.against_label = label(_("Compared with"))
        self.against = Choice()
        self.against.setAccessibleName(_("Compared with"))
        self.against.chosen.connect(self._ask)
        self.difference = label("", "small", wrap=True)
        line.addWidget(self.against_label)
        line.addWidget(self.against)
        line.addWidget(self.difference, 1)
        body.addLayout(line)

    @property
    def chosen(self) -> Revision | None:
        """The revision of the selected row."""
        row = self.table.currentIndex().row()
        return self.model.rows[row] if 0 <= row < len(self.model.rows) else None

    def show_entry(self, entry: Entry | None) -> None:
        """Show a document's revisions with the latest chosen."""
        self.model.show_rows(() if entry is None else tuple(reversed(entry.revisions)))  # newest first
        rows = min(max(len(self.model.rows), 1), SHOWN_ROWS)
        self.table.setFixedHeight(rows * ROW_HEIGHT + self.table.horizontalHeader().sizeHint().height() + 4)
        if self.model.rows:
            self.table.selectRow(0)
        else:
            self._on_row()

    @Slot(object)
    def show_difference(self, found: Difference) -> None:
        """Say what changed, unless another pair has been chosen meanwhile."""
        chosen = self.chosen
        if chosen is not None and {found.earlier, found.later} == {chosen.revision, self._other}:
            self.difference.setText(_sentence(found, self._context))

    @property
    def _other(self) -> int:
        return int(self.against.currentData() or 0)

    def _table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        dress_table(table, self._context.texts.gettext("Revisions of the document"), ROW_HEIGHT)
        set_widths(table, [one.width for one in self.model.columns])
        table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        table.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        table.selectionModel().currentRowChanged.connect(self._on_row)
        table.doubleClicked.connect(self.open_wanted)
        return table

    @Slot()
    def _on_row(self) -> None:
        """Offer the others for comparison, first the one before."""
        chosen = self.chosen
        texts = self._context.texts
        numbers = [one.revision for one in self.model.rows if chosen is None or one.revision != chosen.revision]
        if chosen is not None:
            numbers.sort(key=lambda number: (number > chosen.revision, abs(number - chosen.revision)))
        self.against.offer(
            (str(number), texts.gettext("Rev. {revision}").format(revision=number)) for number in numbers
        )
        for widget in (self.against_label, self.against, self.difference):
            widget.setVisible(bool(numbers) and chosen is not None)
        self._ask()

    @Slot()
    def _ask(self) -> None:
        self.difference.setText("")
        chosen = self.chosen
        if chosen is not None and self._other:
            self.compare_wanted.emit(*sorted((chosen.revision, self._other)))


def _columns(context: Context) -> list[Column[Revision]]:
    texts = context.texts
    _, language = texts.gettext, texts.language

    def amount(money: Money | None, revision: Revision) -> str:
        return sum_text(money, revision, texts.tr, language)

    return [
        Column(_("Rev."), lambda one: texts.integer(one.revision), 54, number=True),
        Column(_("State"), lambda one: state_word(one.state, texts.tr), 120),
        Column(_("Issued on"), lambda one: day_text(one.issued_on, language), 110),
        Column(_("Valid until"), lambda one: day_text(one.valid_until, language), 110),
        Column(_("Net"), lambda one: amount(one.net, one), 226, number=True),
        Column(_("Gross"), lambda one: amount(one.gross, one), 226, number=True),
        Column(_("Fingerprint (SHA-256) of the PDF"), lambda one: one.pdf_sha256, 0),
    ]


def _sentence(found: Difference, context: Context) -> str:
    texts = context.texts
    _ = texts.gettext
    head = _("From revision {earlier} to {later}: net {net}, gross {gross}.")
    parts = [
        head.format(
            earlier=found.earlier,
            later=found.later,
            net=_signed(found.net, context),
            gross=_signed(found.gross, context),
        )
    ]
    lists = ((_("New: {names}."), found.added), (_("Gone: {names}."), found.removed))
    for text, names in (*lists, (_("Other quantity or price: {names}."), found.changed)):
        if names:
            parts.append(text.format(names=", ".join(names[:MOST_NAMES]) + (" …" if len(names) > MOST_NAMES else "")))
    return " ".join(parts)


def _signed(money: Money | None, context: Context) -> str:
    """A difference with its sign."""
    if money is None:
        return context.texts.gettext("not comparable")
    text = context.texts.exact_money(money)
    return f"+{text}" if money.amount > 0 else text

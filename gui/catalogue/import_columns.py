"""Which column of a price list holds what, beside sample rows; currency, VAT and dates for the whole list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QTableView, QWidget

from catalog.prices_import.cells import Sheet
from catalog.prices_import.columns import Mapped, Role, find_columns
from catalog.prices_import.preview import Preview, Settings, Vat
from gui.catalogue.dates import day_text, parse_day
from gui.column_table import dress_table
from gui.context import Context
from gui.theme import STEP
from gui.widgets import Choice, TextField, column, label

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
SAMPLES = 3
SAMPLE_HEIGHT = 112
ROW_HEIGHT = 24
COLUMN_WIDTH = 150
FIELD_WIDTH = 148
PER_LINE = 3
NONE = "-1"
FOUND = ""
CURRENCIES = ("EUR", "USD", "CHF", "GBP")


def first_columns(sheet: Sheet) -> Mapped:
    """The columns as they are found, or none of them under the first filled row as headings."""
    found = find_columns(sheet)
    if found is not None:
        return found
    index = next((number for number, line in enumerate(sheet.lines) if not line.is_blank), 0)
    headings = tuple(cell.text for cell in sheet.lines[index].cells) if sheet.lines else ()
    return Mapped({}, headings, index + 1, (index,))


class SampleModel(QAbstractTableModel):
    """The first rows under the headings, as the file has them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._headings: tuple[str, ...] = ()
        self._lines: list[tuple[str, ...]] = []

    def show_sheet(self, sheet: Sheet, columns: Mapped) -> None:
        """Show the sample of a list."""
        self.beginResetModel()
        filled = [line for line in sheet.lines[columns.first_row :] if not line.is_blank][:SAMPLES]
        width = max([len(columns.headings), *(len(line.cells) for line in filled)])
        self._headings = tuple(columns.headings) + ("",) * (width - len(columns.headings))
        self._lines = [tuple(line.at(place).text for place in range(width)) for line in filled]
        self.endResetModel()

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self._headings)

    def headerData(  # noqa: N802  # Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _short(self._headings[section]) or f"{section + 1}"
        return self._headings[section] if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._lines[index.row()][index.column()]
        return None


class ColumnsPanel(QWidget):
    """Hidden until a list is read."""

    changed = Signal()
    sheet_wanted = Signal(str)  # another sheet of the workbook

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.settings = Settings()
        self._columns: Mapped | None = None
        _ = context.texts.gettext
        body = column(self, spacing=2 * STEP)
        body.addWidget(label(_("Sample rows"), "section"))
        self._sample = SampleModel(self)
        self.table = QTableView()
        self.table.setModel(self._sample)
        dress_table(self.table, _("Sample rows"), ROW_HEIGHT)
        self.table.setShowGrid(True)
        self.table.setFixedHeight(SAMPLE_HEIGHT)
        self.table.horizontalHeader().setDefaultSectionSize(COLUMN_WIDTH)
        body.addWidget(self.table)
        body.addWidget(self._choices())
        self.hide()

    def reset(self) -> None:
        """Forget what was chosen for the list before."""
        self.settings = Settings()

    def show_sheet(self, sheet: Sheet, columns: Mapped, found: Preview | None) -> None:
        """Show a list and how it was understood."""
        self._columns = columns
        self._sample.show_sheet(sheet, columns)
        _ = self._context.texts.gettext
        names = [(NONE, "–")]
        names += [
            (str(place), _("{number}: {heading}").format(number=place + 1, heading=_short(heading)))
            for place, heading in enumerate(columns.headings)
        ]
        for role, choice in self.roles.items():
            choice.offer(names)
            choice.show_value(str(columns.columns.get(role, NONE)))
        self.vat.show_value(FOUND if found is None or found.vat in {Vat.UNSTATED, Vat.BY_ROW} else found.vat.value)
        self.currency.show_value(self.settings.currency)
        self.sheet.offer((title, _short(title)) for title in sheet.sheets)
        self.sheet.show_value(sheet.title)
        for part in (self.sheet_title, self.sheet):
            part.setVisible(len(sheet.sheets) > 1)
        self.as_of.show_value("" if found is None else day_text(found.as_of, self._context.texts.language))
        self.show()

    def set_column(self, role: Role, place: int | None) -> None:
        """Say which column holds a role, or that none does."""
        if self._columns is not None:
            known = self.settings.columns or self._columns
            self.settings = replace(self.settings, columns=known.with_column(role, place))
            self.changed.emit()

    def set_vat(self, vat: Vat) -> None:
        """Say whether the amounts include VAT."""
        self.settings = replace(self.settings, vat=vat)
        self.changed.emit()

    def _choices(self) -> QWidget:
        _ = self._context.texts.gettext
        words = {
            Role.NAME: _("Product name"),
            Role.PART_NUMBER: _("Part number"),
            Role.ID: _("Catalogue id"),
            Role.NET: _("Net price"),
            Role.GROSS: _("Gross price"),
            Role.PRICE: _("Price, VAT not stated"),
            Role.PER: _("Price is for (pieces)"),
            Role.CURRENCY: _("Currency"),
            Role.AS_OF: _("Date"),
            Role.VALID_UNTIL: _("Valid until"),
        }
        self.roles: dict[Role, Choice] = {}
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(2 * STEP)
        grid.setVerticalSpacing(STEP)
        fields: list[tuple[str, QWidget]] = []
        for role, word in words.items():
            choice = Choice()
            choice.chosen.connect(self._chooser(role))
            self.roles[role] = choice
            fields.append((word, choice))
        self.currency, self.vat = Choice(), Choice()
        self.currency.offer([(FOUND, _("as in the list")), *((code, code) for code in CURRENCIES)])
        self.currency.chosen.connect(self._on_currency)
        self.vat.offer([(FOUND, _("please choose")), (Vat.NET.value, _("net")), (Vat.GROSS.value, _("gross"))])
        self.vat.chosen.connect(self._on_vat)
        self.sheet = Choice()
        self.sheet.chosen.connect(self.sheet_wanted)
        self.as_of = TextField()
        self.as_of.committed.connect(self._on_date)
        fields += [
            (_("Currency where none is named"), self.currency),
            (_("The prices are"), self.vat),
            (_("Date of the list"), self.as_of),
            (_("Sheet of the workbook"), self.sheet),
        ]
        for number, (word, field) in enumerate(fields):
            line, place = divmod(number, PER_LINE)
            title = label(word, "muted")
            title.setBuddy(field)
            field.setAccessibleName(word)
            field.setMinimumWidth(FIELD_WIDTH)
            grid.addWidget(title, line, 2 * place)
            grid.addWidget(field, line, 2 * place + 1)
            grid.setColumnStretch(2 * place + 1, 1)
        self.sheet_title = title  # the last one
        return holder

    def _chooser(self, role: Role) -> Callable[[str], None]:
        def choose(value: str) -> None:
            self.set_column(role, None if value == NONE else int(value))

        return choose

    @Slot(str)
    def _on_currency(self, value: str) -> None:
        self.settings = replace(self.settings, currency=value)
        self.changed.emit()

    @Slot(str)
    def _on_vat(self, value: str) -> None:
        self.settings = replace(self.settings, vat=Vat(value) if value else None)
        self.changed.emit()

    @Slot(str)
    def _on_date(self, _text: str) -> None:
        self.settings = replace(self.settings, as_of=parse_day(self.as_of.text()))
        self.changed.emit()


def _short(heading: str) -> str:
    return heading if len(heading) <= 24 else heading[:23] + "…"

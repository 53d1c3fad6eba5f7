"""The sheet of one entry: its figures in a table, and what stands behind the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from engine.figures import Grade
from engine.pictures.palette import Ink
from gui.catalogue.figures import FigureLine, Sheet
from gui.context import Context
from gui.theme import STEP
from gui.widgets import button, column, label

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
NAME, VALUE, GRADE = range(3)
ROW_HEIGHT = 28
GRADE_WIDTH = 60
VALUE_WIDTH = 150


class FigureTable(QAbstractTableModel):
    """Figures with their value and grade; a contradiction is marked by a sign beside the value."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.figures: tuple[FigureLine, ...] = ()
        _ = context.texts.gettext
        self._titles = (_("Figure"), _("Value"), _("Grade"))

    def show_figures(self, figures: tuple[FigureLine, ...]) -> None:
        """Show the figures of another entry."""
        self.beginResetModel()
        self.figures = figures
        self.endResetModel()

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self.figures)

    def columnCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self._titles)

    def headerData(  # noqa: N802  # Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        figure = self.figures[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._shown(figure, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join((f"{figure.name}: {figure.value}", *figure.behind))
        if role == Qt.ItemDataRole.ForegroundRole:
            marked = figure.grade is Grade.M or (figure.contradicted and index.column() == VALUE)
            ink = Ink.NO if figure.grade is Grade.M else Ink.TIGHT
            return self._context.theme.colour(ink if marked and index.column() != NAME else Ink.TEXT)
        return None

    def _shown(self, figure: FigureLine, place: int) -> str:
        if place == NAME:
            return figure.name
        if place == VALUE:
            return f"{figure.value}  ≠" if figure.contradicted else figure.value
        if figure.grade is None:
            return ""
        return f"{figure.grade.value} *" if figure.grade is Grade.M else figure.grade.value


class SheetView(QWidget):
    """Title, figures, and the origin of the chosen figure."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        _ = context.texts.gettext
        body = column(self, spacing=2 * STEP)
        self.title = label("", "title", wrap=True)
        self.subtitle = label("", "small", wrap=True)
        self._model = FigureTable(context, self)
        self.table = QTableView()
        self.table.setModel(self._model)
        self.table.setAccessibleName(_("Figures of the entry"))
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(VALUE, VALUE_WIDTH)
        self.table.setColumnWidth(GRADE, GRADE_WIDTH)
        self.table.selectionModel().currentRowChanged.connect(self._on_figure)
        self.origin_title = label("", "section", wrap=True)
        self.origin = label("", "muted", wrap=True)
        self.origin.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.link = button(_("Open the source"), "link")
        self.link.clicked.connect(self._open)
        self.notes = label("", "small", wrap=True)
        for widget in (self.title, self.subtitle):
            body.addWidget(widget)
        body.addWidget(self.table, 1)
        for widget in (self.origin_title, self.origin, self.link, self.notes):
            body.addWidget(widget)
        self._empty()

    def show_sheet(self, sheet: Sheet | None) -> None:
        """Show an entry; None shows how to get one."""
        self._model.show_figures(() if sheet is None else sheet.figures)
        if sheet is None:
            self._empty()
            return
        self.title.setText(sheet.title)
        self.subtitle.setText(sheet.subtitle)
        self.subtitle.setVisible(bool(sheet.subtitle))
        self.notes.setText("\n".join(sheet.notes))
        self.notes.setVisible(bool(sheet.notes))
        self.table.setVisible(bool(sheet.figures))
        if sheet.figures:
            self.table.selectRow(0)

    @Slot(QModelIndex)
    def _on_figure(self, index: QModelIndex) -> None:
        if not index.isValid() or index.row() >= len(self._model.figures):
            return
        figure = self._model.figures[index.row()]
        self.origin_title.setText(f"{figure.name}: {figure.value}")
        self.origin.setText("\n".join(figure.behind))
        self.link.setVisible(figure.url.startswith(("https://", "http://")))

    @Slot()
    def _open(self) -> None:
        figure = self._model.figures[self.table.currentIndex().row()]
        QDesktopServices.openUrl(QUrl(figure.url))

    def _empty(self) -> None:
        _ = self._context.texts.gettext
        self.title.setText(_("Choose a row to see every figure with its source."))
        for widget in (self.subtitle, self.table, self.link, self.notes):
            widget.hide()
        self.origin_title.setText("")
        self.origin.setText("")

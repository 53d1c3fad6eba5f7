"""The sheet of one entry: its figures in a table, and what stands behind the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QTableView, QWidget

from engine.figures import Grade
from engine.pictures.palette import Ink
from gui.catalogue.figures import FigureLine, Sheet
from gui.column_table import Column, ColumnTable, dress_table, set_widths
from gui.context import Context
from gui.theme import STEP
from gui.widgets import button, column, label

ROW_HEIGHT = 28


class FigureTable(ColumnTable[FigureLine]):
    """Figures with their value and grade; a contradiction is marked by a sign beside the value."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        _ = context.texts.gettext
        columns: list[Column[FigureLine]] = [
            Column(_("Figure"), lambda figure: figure.name, ink=lambda _figure: Ink.TEXT),
            Column(_("Value"), _value, 150, ink=_value_ink),
            Column(_("Grade"), _grade, 60, ink=_grade_ink),
        ]
        super().__init__(context, columns, parent)

    def tip(self, row: FigureLine, _column: Column[FigureLine]) -> str:
        """All that stands behind the figure."""
        return "\n".join((f"{row.name}: {row.value}", *row.behind))


def _value(figure: FigureLine) -> str:
    return f"{figure.value}  ≠" if figure.contradicted else figure.value


def _grade(figure: FigureLine) -> str:
    if figure.grade is None:
        return ""
    return f"{figure.grade.value} *" if figure.grade is Grade.M else figure.grade.value


def _value_ink(figure: FigureLine) -> Ink:
    return Ink.TIGHT if figure.contradicted and figure.grade is not Grade.M else _grade_ink(figure)


def _grade_ink(figure: FigureLine) -> Ink:
    return Ink.NO if figure.grade is Grade.M else Ink.TEXT


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
        dress_table(self.table, _("Figures of the entry"), ROW_HEIGHT)
        set_widths(self.table, [one.width for one in self._model.columns])
        self.table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
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
        self._model.show_rows(() if sheet is None else sheet.figures)
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
        if not index.isValid() or index.row() >= len(self._model.rows):
            return
        figure = self._model.rows[index.row()]
        self.origin_title.setText(f"{figure.name}: {figure.value}")
        self.origin.setText("\n".join(figure.behind))
        self.link.setVisible(figure.url.startswith(("https://", "http://")))

    @Slot()
    def _open(self) -> None:
        figure = self._model.rows[self.table.currentIndex().row()]
        QDesktopServices.openUrl(QUrl(figure.url))

    def _empty(self) -> None:
        _ = self._context.texts.gettext
        self.title.setText(_("Choose a row to see every figure with its source."))
        for widget in (self.subtitle, self.table, self.link, self.notes):
            widget.hide()
        self.origin_title.setText("")
        self.origin.setText("")

"""A table by columns: what it shows, where it stands, in what ink; a change of its rows keeps the selection."""

from __future__ import annotations

from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QHeaderView, QTableView
from pytestqt.qtbot import QtBot

from engine.pictures.palette import Ink
from gui.column_table import SORT, Column, ColumnTable, dress_table, set_widths
from tests.gui.conftest import OpenApp

ROWS = (9, 10, 100)
Role = Qt.ItemDataRole


def table_of(open_app: OpenApp) -> ColumnTable[int]:
    columns: list[Column[int]] = [
        Column("Name", lambda row: f"row {row}"),
        Column("Number", str, 80, number=True, key=lambda row: row, ink=lambda row: Ink.NO if row > 50 else None),
    ]
    made = ColumnTable(open_app().context, columns)
    made.show_rows(ROWS)
    return made


def test_that_a_cell_says_what_its_column_shows(open_app: OpenApp) -> None:
    model = table_of(open_app)
    assert [model.index(row, 0).data() for row in range(3)] == ["row 9", "row 10", "row 100"]
    assert [model.headerData(place, Qt.Orientation.Horizontal) for place in range(2)] == ["Name", "Number"]
    assert model.headerData(0, Qt.Orientation.Vertical) is None
    assert model.index(0, 1).data(Role.ToolTipRole) == "9"
    right = model.index(0, 1).data(Role.TextAlignmentRole)
    assert right == model.headerData(1, Qt.Orientation.Horizontal, Role.TextAlignmentRole)
    assert right & Qt.AlignmentFlag.AlignRight
    assert model.index(0, 0).data(Role.TextAlignmentRole) & Qt.AlignmentFlag.AlignLeft
    assert model.index(0, 1).data(Role.ForegroundRole) is None
    assert model.index(2, 1).data(Role.ForegroundRole).isValid()
    assert model.rowCount(model.index(0, 0)) == 0  # a cell has no rows beneath it


def test_that_numbers_sort_as_numbers_and_columns_without_a_key_do_not(open_app: OpenApp) -> None:
    model = table_of(open_app)
    proxy = QSortFilterProxyModel()
    proxy.setSourceModel(model)
    proxy.setSortRole(SORT)
    proxy.sort(1, Qt.SortOrder.DescendingOrder)
    assert [proxy.index(row, 1).data() for row in range(3)] == ["100", "10", "9"]
    assert model.index(0, 0).data(SORT) is None


def test_that_the_selection_stays_while_the_number_of_rows_does(open_app: OpenApp, qtbot: QtBot) -> None:
    model = table_of(open_app)
    view = QTableView()
    qtbot.addWidget(view)
    view.setModel(model)
    dress_table(view, "Rows", 30)
    set_widths(view, [one.width for one in model.columns])
    assert view.horizontalHeader().sectionResizeMode(0) is QHeaderView.ResizeMode.Stretch
    assert view.columnWidth(1) == 80
    view.selectRow(1)
    model.renew_rows((1, 2, 3))
    assert [index.row() for index in view.selectionModel().selectedRows()] == [1]
    assert model.index(1, 0).data() == "row 2"
    model.renew_rows((1, 2))
    assert view.selectionModel().selectedRows() == []
    model.renew_rows(())
    model.renew(0, 1)  # of no rows nothing is told
    assert model.rowCount() == 0

"""Edits the method of a row with a choice of the three methods."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Slot
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from engine.methods import Method
from gui.texts import Texts
from gui.widgets import Choice, choice_of

Index = QModelIndex | QPersistentModelIndex


class MethodDelegate(QStyledItemDelegate):
    """Opens a choice instead of a text field."""

    def __init__(self, texts: Texts, parent: QObject) -> None:
        super().__init__(parent)
        self._texts = texts

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index) -> QWidget:  # noqa: N802  # Qt
        editor = choice_of(self._texts, Method)
        editor.setParent(parent)
        editor.setAccessibleName(self._texts.gettext("Method"))
        editor.chosen.connect(self._close)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:  # noqa: N802  # Qt's name
        if isinstance(editor, Choice):
            editor.show_value(str(index.data(Qt.ItemDataRole.EditRole)))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:  # noqa: N802  # Qt's name
        if isinstance(editor, Choice):
            model.setData(index, editor.currentData())

    @Slot(str)
    def _close(self, _value: str) -> None:
        editor = self.sender()
        if isinstance(editor, QWidget):
            self.commitData.emit(editor)
            self.closeEditor.emit(editor)

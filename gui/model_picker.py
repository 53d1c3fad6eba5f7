"""The search field for base models: suggestions as you type, Enter takes the best, a `config.json` can be dropped."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QStringListModel, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QStyledItemDelegate

from engine.models import ModelSpec
from gui.context import Context
from gui.model_search import find_models
from gui.pages.search_row import dress

SHOWN = 40


class ModelPicker(QLineEdit):
    """Emits the model that was chosen and empties itself."""

    picked = Signal(object)  # ModelSpec

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._found: list[ModelSpec] = []
        dress(self, context.look)
        self._list = QStringListModel(self)
        self._completer = QCompleter(self._list, self)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setMaxVisibleItems(12)
        self._completer.popup().setItemDelegate(QStyledItemDelegate(self))
        self._completer.popup().setAccessibleName(context.texts.gettext("Models found"))
        self._completer.setWidget(self)
        self._completer.activated[QModelIndex].connect(self._activated)
        self.textEdited.connect(self._search)

    @property
    def suggestions(self) -> Sequence[ModelSpec]:
        """What the current text finds."""
        return self._found

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  # Qt's name
        """Enter takes the marked or the best suggestion, Down opens the list."""
        popup = self._completer.popup()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            index = popup.currentIndex() if popup.isVisible() else QModelIndex()
            self._take(index.row() if index.isValid() else 0)
            return
        if event.key() == Qt.Key.Key_Down and not popup.isVisible():
            self._search(self.text())
            return
        super().keyPressEvent(event)

    def resume(self, text: str, cursor: int) -> None:
        """Go on with a text that was begun elsewhere."""
        self.setText(text)
        self.setCursorPosition(cursor)
        if text.strip() and self.isVisible():
            self._search(text)

    def take_best_for(self, text: str) -> None:
        """Take what Enter would take after `text`; where nothing is found the text stands here to be mended."""
        found = self._find(text)
        if found:
            self.picked.emit(found[0])
        else:
            self.setText(text)

    @Slot(str)
    def _search(self, text: str) -> None:
        self._found = self._find(text)
        self._list.setStringList([self._line(model) for model in self._found])
        if self._found:
            self._completer.complete()
        else:
            self._completer.popup().hide()

    def _find(self, text: str) -> list[ModelSpec]:
        return find_models(self._context.catalog.facts.models.values(), text)[:SHOWN]

    def _line(self, model: ModelSpec) -> str:
        parts = (model.name, self._context.texts.parameters(model.parameters), model.licence)
        return " · ".join(part for part in parts if part)

    @Slot(QModelIndex)
    def _activated(self, index: QModelIndex) -> None:
        self._take(index.row())

    def _take(self, row: int) -> None:
        if not self.text().strip() and row == 0 and not self._completer.popup().isVisible():
            return
        if not 0 <= row < len(self._found):
            return
        model = self._found[row]
        self._completer.popup().hide()
        self.clear()
        self._found = []
        self.picked.emit(model)

"""Choosing an entry of the catalogue as a new position."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QWidget

from engine.hardware import ItemKind
from engine.pricing import guide_price
from engine.wording.catalogue_texts import item_name
from gui.context import Context
from gui.theme import STEP
from gui.widgets import button, column, foot, label

SIZE = (620, 520)


class ItemDialog(QDialog):
    """Cards, machines and accessories with their guide price."""

    def __init__(self, context: Context, today: date, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        texts = context.texts
        _ = texts.gettext
        self.setWindowTitle(_("Position from the catalogue"))
        self.resize(*SIZE)
        body = column(self, margin=5 * STEP, spacing=3 * STEP)
        body.addWidget(label(_("Position from the catalogue"), "title"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Search names"))
        self.search.setAccessibleName(_("Search names"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._on_search)
        self.list = QListWidget()
        self.list.setAccessibleName(_("Entries of the catalogue"))
        self.list.itemActivated.connect(self.accept)
        body.addWidget(self.search)
        body.addWidget(self.list, 1)
        self.cancel = button(_("Cancel"))
        self.cancel.clicked.connect(self.reject)
        self.take = button(_("Add"), "primary")
        self.take.clicked.connect(self.accept)
        body.addLayout(foot(self.cancel, self.take))
        self._fill(context, today)

    @property
    def chosen(self) -> str:
        """The catalogue id that is chosen; empty when none is."""
        item = self.list.currentItem()
        return "" if item is None or item.isHidden() else str(item.data(Qt.ItemDataRole.UserRole))

    def choose(self, item_id: str) -> None:
        """Choose an entry."""
        for number in range(self.list.count()):
            if self.list.item(number).data(Qt.ItemDataRole.UserRole) == item_id:
                self.list.setCurrentRow(number)

    def _fill(self, context: Context, today: date) -> None:
        facts, texts = context.catalog.facts, context.texts
        currency = context.document.consultation.currency
        sold = [*facts.cards, *facts.systems]
        sold += [key for key, item in facts.items.items() if item.kind is not ItemKind.PRICE_REFERENCE]
        for key in sorted(sold, key=lambda key: texts.name(key).casefold()):
            guide = guide_price(key, facts, currency, today)
            price = texts.gettext("on request") if guide.net is None else texts.money(guide.net)
            made = QListWidgetItem(f"{item_name(texts.name(key), texts.tr)}  ·  {price}")
            made.setData(Qt.ItemDataRole.UserRole, key)
            self.list.addItem(made)

    @Slot(str)
    def _on_search(self, text: str) -> None:
        words = text.casefold().split()
        first = -1
        for number in range(self.list.count()):
            item = self.list.item(number)
            hidden = not all(word in item.text().casefold() for word in words)
            item.setHidden(hidden)
            if not hidden and first < 0:
                first = number
        if words and first >= 0:
            self.list.setCurrentRow(first)

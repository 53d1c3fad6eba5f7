"""Whose update packages are accepted on this machine: seen, trusted on purpose, removed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from catalog import keys
from catalog.versions import DATA_FOLDER
from engine.errors import PassformError
from gui.catalogue.desk import Desk
from gui.column_table import dress_table
from gui.theme import STEP
from gui.widgets import TextField, button, column, label, set_role

SIZE = (860, 520)
ROW_HEIGHT = 30
NAME, FINGERPRINT, CREATED, TRUSTED = range(4)


class KeysDialog(QDialog):
    """A key is trusted only by typing the fingerprint its publisher has told by another way."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._offered: keys.Publisher | None = None
        self._known: list[keys.Publisher] = []
        _ = desk.context.texts.gettext
        self.setWindowTitle(_("Trusted publishers"))
        self.resize(*SIZE)
        body = column(self, margin=5 * STEP, spacing=3 * STEP)
        body.addWidget(label(_("Trusted publishers"), "title"))
        why = _("Update packages are accepted from these publishers only. A package itself never brings a key along.")
        body.addWidget(label(why, "muted", wrap=True))
        body.addWidget(self._table(), 1)
        body.addWidget(self._offer_panel())
        self.state = label("", "muted", wrap=True)
        self.state.hide()
        body.addWidget(self.state)
        body.addLayout(self._foot())
        self._refresh()

    def offer(self, path: Path) -> None:
        """Show a publisher's key; it is not trusted yet."""
        texts = self._desk.context.texts
        _ = texts.gettext
        self._drop_offer()
        try:
            publisher = keys.read_public(path)
        except PassformError as error:
            self._say(texts.error(error), "error")
            return
        self._offered = publisher
        parts = [
            _("Publisher: {name}").format(name=publisher.name),
            _("Fingerprint: {fingerprint}").format(fingerprint=keys.grouped(publisher.fingerprint)),
        ]
        if publisher.created is not None:
            parts.insert(1, _("Key made on: {date}").format(date=texts.day(publisher.created)))
        self.offered.setText("\n".join(parts))
        self._say("")
        self.panel.show()
        self.typed.setFocus()

    @Slot()
    def trust(self) -> None:
        """Trust the key that is shown, when the typed fingerprint is its own."""
        if self._offered is None:
            return
        texts, publisher = self._desk.context.texts, self._offered
        try:
            keys.trust(self._desk.folder, publisher, self.typed.text(), self._desk.today, DATA_FOLDER)
        except PassformError as error:
            self._say(texts.error(error), "error")
            return
        self._drop_offer()
        self._refresh()
        said = texts.gettext("Update packages of {name} are accepted from now on.")
        self._say(said.format(name=publisher.name))

    @Slot()
    def remove(self) -> None:
        """Trust the chosen publisher no longer."""
        row = self.table.currentRow()
        if not 0 <= row < len(self._known):
            return
        texts = self._desk.context.texts
        try:
            gone = keys.distrust(self._desk.folder, self._known[row].fingerprint, DATA_FOLDER)
        except PassformError as error:
            self._say(texts.error(error), "error")
            return
        self._refresh()
        said = texts.gettext("Update packages of {name} are refused from now on. A catalogue already in use stays.")
        self._say(said.format(name=gone.name))

    def _table(self) -> QTableWidget:
        _ = self._desk.context.texts.gettext
        titles = (_("Publisher"), _("Fingerprint"), _("Key made on"), _("Trusted since"))
        self.table = QTableWidget(0, len(titles))
        self.table.setHorizontalHeaderLabels(titles)
        dress_table(self.table, _("Trusted publishers"), ROW_HEIGHT)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(FINGERPRINT, QHeaderView.ResizeMode.Stretch)
        self.table.itemSelectionChanged.connect(self._on_selection)
        return self.table

    def _offer_panel(self) -> QWidget:
        _ = self._desk.context.texts.gettext
        self.panel = QWidget()
        inner = column(self.panel, spacing=2 * STEP)
        self.offered = label("", wrap=True)
        self.offered.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        inner.addWidget(self.offered)
        ask = _(
            "Have the publisher read the fingerprint to you by telephone or letter, not by the way the file came, "
            "and type what you hear:"
        )
        inner.addWidget(label(ask, "muted", wrap=True))
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.typed = TextField()
        self.typed.setAccessibleName(_("Fingerprint as the publisher told it"))
        self.typed.textChanged.connect(self._on_typed)
        self.typed.returnPressed.connect(self.trust)
        self.trust_button = button(_("Trust"), "primary")
        self.trust_button.setEnabled(False)
        self.trust_button.clicked.connect(self.trust)
        line.addWidget(self.typed, 1)
        line.addWidget(self.trust_button)
        inner.addLayout(line)
        self.panel.hide()
        return self.panel

    def _foot(self) -> QHBoxLayout:
        _ = self._desk.context.texts.gettext
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.add_button = button(_("Add a publisher's key …"))
        self.add_button.clicked.connect(self._ask)
        self.remove_button = button(_("Remove"))
        self.remove_button.clicked.connect(self.remove)
        self.close_button = button(_("Close"))
        self.close_button.clicked.connect(self.reject)
        line.addWidget(self.add_button)
        line.addWidget(self.remove_button)
        line.addStretch(1)
        line.addWidget(self.close_button)
        return line

    def _refresh(self) -> None:
        texts = self._desk.context.texts
        _ = texts.gettext
        try:
            self._known = list(keys.trusted_keys(DATA_FOLDER, self._desk.folder).values())
        except PassformError as error:
            self._known = []
            self._say(texts.error(error), "error")
        self.table.setRowCount(len(self._known))
        for row, publisher in enumerate(self._known):
            since = _("comes with the program") if publisher.bundled else ""
            if publisher.trusted is not None:
                since = texts.day(publisher.trusted)
            created = "" if publisher.created is None else texts.day(publisher.created)
            for place, text in enumerate((publisher.name, keys.grouped(publisher.fingerprint), created, since)):
                self.table.setItem(row, place, QTableWidgetItem(text))
        self._on_selection()

    def _drop_offer(self) -> None:
        self._offered = None
        self.typed.clear()
        self.panel.hide()

    def _say(self, text: str, role: str = "muted") -> None:
        set_role(self.state, role)
        self.state.setText(text)
        self.state.setVisible(bool(text))

    @Slot()
    def _ask(self) -> None:
        _ = self._desk.context.texts.gettext
        kinds = _("Public keys (*{suffix})").format(suffix=keys.PUBLIC_SUFFIX)
        name, _kind = QFileDialog.getOpenFileName(self, _("Add a publisher's key"), "", kinds)
        if name:
            self.offer(Path(name))

    @Slot(str)
    def _on_typed(self, text: str) -> None:
        self.trust_button.setEnabled(bool(text.strip()))

    @Slot()
    def _on_selection(self) -> None:
        row = self.table.currentRow()
        chosen = 0 <= row < len(self._known) and bool(self.table.selectedItems())
        self.remove_button.setEnabled(chosen and not self._known[row].bundled)

"""The frame of the catalogue's dialogs: content, the effect on the consultation, buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QScrollArea, QWidget

from catalog.trial import Change
from engine.errors import PassformError
from gui.catalogue.desk import Desk
from gui.catalogue.effect_view import EffectView
from gui.theme import STEP
from gui.widgets import button, column, foot, label

QUIET_MS = 250
EFFECT_WIDTH = 400


class ChangeDialog(QDialog):
    """Fields on the left, what they do on the right; saving closes. Subclasses give the change their fields make."""

    def __init__(self, desk: Desk, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.desk = desk
        _ = desk.context.texts.gettext
        self.setWindowTitle(title)
        outer = column(self, margin=5 * STEP, spacing=3 * STEP)
        outer.addWidget(label(title, "title", wrap=True))
        sides = QHBoxLayout()
        sides.setSpacing(6 * STEP)
        self.fields = QWidget()
        self.body = column(self.fields, spacing=2 * STEP)
        sides.addWidget(self.fields, 1)
        self.effect = EffectView(desk)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFixedWidth(EFFECT_WIDTH)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(_("Effect on the open consultation"))
        holder = QWidget()
        inner = column(holder)
        inner.addWidget(self.effect)
        inner.addStretch(1)
        area.setWidget(holder)
        sides.addWidget(area)
        outer.addLayout(sides, 1)
        self.problem = label("", "error", wrap=True)
        self.problem.hide()
        outer.addWidget(self.problem)
        self.cancel = button(_("Cancel"))
        self.cancel.clicked.connect(self.reject)
        self.save = button(_("Save"), "primary")
        self.save.clicked.connect(self.store)
        outer.addLayout(foot(self.cancel, self.save))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(QUIET_MS)
        self._timer.timeout.connect(self.attempt)
        self.finished.connect(desk.stop)

    def change(self) -> Change | None:
        """What saving would do; None while a field is missing. Raises `PassformError` for what cannot be read."""
        return None

    @property
    def busy(self) -> bool:
        """Whether a change is being tried or about to be."""
        return self._timer.isActive() or self.desk.busy

    @Slot()
    def edited(self) -> None:
        """Try the change shortly after the last edit."""
        self._timer.start()

    @Slot()
    def attempt(self) -> None:
        """Show what the fields would do."""
        try:
            change = self.change()
        except PassformError as error:
            self.effect.show_refusal(error)
            return
        if change is not None:
            self.effect.wait()
            self.desk.attempt(change)

    @Slot()
    def store(self) -> None:
        """Make the change and close; what is wrong with it is said, and nothing is saved."""
        self._timer.stop()
        try:
            change = self.change()
            if change is None:
                self.complain(self.desk.context.texts.gettext("Please fill in the marked fields."))
                return
            self.desk.make(change)
        except PassformError as error:
            self.complain(self.desk.context.texts.error(error))
            self.locate(error)
            return
        self.accept()

    def complain(self, message: str) -> None:
        """Show what keeps the change from being made; empty hides it."""
        self.problem.setText(message)
        self.problem.setVisible(bool(message))

    def locate(self, error: PassformError) -> None:
        """Bring the field an error is about to the front."""

"""The settings that no menu holds: from when on prices are marked as old and as expired."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QSpinBox, QWidget

from catalog.price_ages import MOST_DAYS, checked, save_age_limits
from engine.errors import PassformError
from engine.prices import DEFAULT_LIMITS, AgeLimits
from gui.catalogue.desk import Desk
from gui.theme import STEP
from gui.widgets import button, column, label

WIDTH = 520
FIELD_WIDTH = 130
RADIUS = 3.0


class DaysField(QSpinBox):
    """A number of days. The style sheet cannot give it a border without taking its arrows away."""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  # Qt's name
        """Draw the border of our other fields over the style's, which is next to nothing on a dark ground."""
        super().paintEvent(event)
        if self.hasFocus():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.PlaceholderText), 1.0))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()


class SettingsDialog(QDialog):
    """Saving marks every price anew: in the window, on paper, and on the command line."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        _ = desk.context.texts.gettext
        self.setWindowTitle(_("Settings"))
        self.setMinimumWidth(WIDTH)
        body = column(self, margin=5 * STEP, spacing=3 * STEP)
        body.addWidget(label(_("Settings"), "title"))
        body.addWidget(label(_("Age of prices"), "section"))
        why = _("Prices are marked by their age in the tables, in findings and on paper. Expired ones are still used.")
        body.addWidget(label(why, "muted", wrap=True))
        grid = QGridLayout()
        grid.setHorizontalSpacing(4 * STEP)
        grid.setVerticalSpacing(2 * STEP)
        grid.setColumnStretch(2, 1)
        self.fresh, self.old = DaysField(), DaysField()
        for line, (name, field) in enumerate(
            ((_("&Fresh up to"), self.fresh), (_("&Old up to, then expired"), self.old))
        ):
            field.setRange(1, MOST_DAYS)
            field.setSuffix(" " + _("days"))
            field.setFixedWidth(FIELD_WIDTH)
            field.setAccessibleName(name.replace("&", ""))
            field.valueChanged.connect(self._check)
            title = label(name)
            title.setTextFormat(Qt.TextFormat.AutoText)
            title.setBuddy(field)
            grid.addWidget(title, line, 0)
            grid.addWidget(field, line, 1)
        body.addLayout(grid)
        self.problem = label("", "error", wrap=True)
        self.problem.hide()
        body.addWidget(self.problem)
        body.addStretch(1)
        body.addLayout(self._foot())
        self.show_limits(desk.catalog.facts.age_limits)
        self.fresh.setFocus()

    def show_limits(self, limits: AgeLimits) -> None:
        """Show limits in the fields."""
        self.fresh.setValue(limits.fresh_days)
        self.old.setValue(limits.old_days)

    @Slot()
    def store(self) -> None:
        """Keep the limits and mark everything anew; what is wrong is said, and nothing is saved."""
        limits = AgeLimits(self.fresh.value(), self.old.value())
        try:
            if limits != self._desk.catalog.facts.age_limits:
                self._desk.make(partial(save_age_limits, limits=limits))
        except PassformError as error:
            self._complain(error)
            return
        self.accept()

    def _foot(self) -> QHBoxLayout:
        _ = self._desk.context.texts.gettext
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.default = button(_("As delivered"))
        self.default.clicked.connect(self._on_default)
        self.cancel = button(_("Cancel"))
        self.cancel.clicked.connect(self.reject)
        self.save = button(_("Save"), "primary")
        self.save.setDefault(True)
        self.save.clicked.connect(self.store)
        line.addWidget(self.default)
        line.addStretch(1)
        line.addWidget(self.cancel)
        line.addWidget(self.save)
        return line

    @Slot()
    def _on_default(self) -> None:
        self.show_limits(DEFAULT_LIMITS)

    @Slot(int)
    def _check(self, _value: int) -> None:
        try:
            checked(self.fresh.value(), self.old.value())
        except PassformError as error:
            self._complain(error)
        else:
            self.problem.hide()
            self.save.setEnabled(True)

    def _complain(self, error: PassformError) -> None:
        self.problem.setText(self._desk.context.texts.error(error))
        self.problem.show()
        self.save.setEnabled(False)

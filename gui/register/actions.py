"""What can be done with the chosen document of the register."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from catalog.register.states import FOLLOWING
from catalog.register.types import Entry, State
from catalog.register.words import state_word
from gui.catalogue.dates import day_text, parse_day
from gui.context import Context
from gui.theme import STEP
from gui.widgets import Choice, TextField, button, column, label

DAY_WIDTH = 120
ANSWERS = (State.ACCEPTED, State.DECLINED)


class Actions(QWidget):
    """Asks for changes by signal; days that cannot be read are refused in words."""

    open_wanted = Signal()
    export_wanted = Signal()
    erase_wanted = Signal()
    state_wanted = Signal(object, object)  # State, the day it came about
    follow_up_wanted = Signal(object, str)  # date or None, remark
    refused = Signal(str)

    def __init__(self, context: Context, today: date) -> None:
        super().__init__()
        self._texts = context.texts
        self._today = today
        body = column(self, spacing=2 * STEP)
        body.addLayout(self._state_line())
        body.addLayout(self._follow_up_line())
        self.show_entry(None)

    def show_entry(self, entry: Entry | None) -> None:
        """Offer what the document's state allows."""
        alive = entry is not None and entry.erased_on is None
        following = _following(entry.state) if entry is not None else ()
        self.to_state.offer((state.value, state_word(state, self._texts.tr)) for state in following)
        for widget in (self.to_state, self.state_day, self.state_button):
            widget.setEnabled(bool(following))
        for widget in (self.open_button, self.export_button):
            widget.setEnabled(alive)
        self.erase_button.setEnabled(alive and entry is not None and bool(entry.company or entry.customer_number))
        for widget in (self.follow_up, self.remark, self.follow_up_button):
            widget.setEnabled(alive)
        self.state_day.setText(day_text(self._today, self._texts.language))
        self.follow_up.setText("" if entry is None else day_text(entry.follow_up, self._texts.language))
        self.remark.setText("" if entry is None else entry.remark)

    def _state_line(self) -> QHBoxLayout:
        _ = self._texts.gettext
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.to_state = Choice()
        self.to_state.setAccessibleName(_("New state"))
        self.to_state.setMinimumWidth(170)
        self.state_day = _day_field(_("Day on which it came about"))
        self.state_button = button(_("Record"))
        self.state_button.clicked.connect(self._on_state)
        self.open_button, self.export_button = button(_("Open PDF"), "primary"), button(_("Export …"))
        self.open_button.clicked.connect(self.open_wanted)
        self.export_button.clicked.connect(self.export_wanted)
        for widget in (label(_("New state")), self.to_state, label(_("on")), self.state_day, self.state_button):
            line.addWidget(widget)
        line.addStretch(1)
        line.addWidget(self.export_button)
        line.addWidget(self.open_button)
        return line

    def _follow_up_line(self) -> QHBoxLayout:
        _ = self._texts.gettext
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.follow_up = _day_field(_("Follow-up"))
        self.remark = TextField()
        self.remark.setAccessibleName(_("What the follow-up is about"))
        self.remark.setPlaceholderText(_("What the follow-up is about"))
        self.follow_up_button = button(_("Set follow-up"))
        self.follow_up_button.setToolTip(_("An empty day means no follow-up"))
        self.follow_up_button.clicked.connect(self._on_follow_up)
        self.erase_button = button(_("Delete customer data …"))
        self.erase_button.clicked.connect(self.erase_wanted)
        line.addWidget(label(_("Follow-up")))
        line.addWidget(self.follow_up)
        line.addWidget(self.remark, 1)
        line.addWidget(self.follow_up_button)
        line.addWidget(self.erase_button)
        return line

    @Slot()
    def _on_state(self) -> None:
        day = self._day(self.state_day)
        if day is not None and self.to_state.currentData():
            self.state_wanted.emit(State(self.to_state.currentData()), day)

    @Slot()
    def _on_follow_up(self) -> None:
        empty = not self.follow_up.text().strip()
        day = None if empty else self._day(self.follow_up)
        if empty or day is not None:
            self.follow_up_wanted.emit(day, self.remark.text().strip())

    def _day(self, field: TextField) -> date | None:
        day = parse_day(field.text())
        if day is None:
            example = day_text(self._today, self._texts.language)
            self.refused.emit(self._texts.gettext("A day is needed, for example {example}.").format(example=example))
        return day


def _following(state: State) -> tuple[State, ...]:
    """An answer that came before a document expired is still recorded, with its day."""
    return ANSWERS if state is State.EXPIRED else tuple(one for one in State if one in FOLLOWING[state])


def _day_field(name: str) -> TextField:
    made = TextField()
    made.setAccessibleName(name)
    made.setFixedWidth(DAY_WIDTH)
    return made

"""The way on the left: every step with its state, always clickable."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QPushButton, QWidget

from engine.pictures.palette import Ink
from gui.flow import Step, StepState
from gui.look import Look
from gui.parts import ICON, button, column
from gui.theme import STEP
from gui.words import Words

WIDTH = 204
STATE_ICONS = {
    StepState.EMPTY: ("step_empty", Ink.MUTED),
    StepState.OK: ("step_ok", Ink.FITS),
    StepState.PROBLEM: ("step_problem", Ink.NO),
}


class Way(QWidget):
    """One button per step."""

    step_chosen = Signal(object)  # Step

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setFixedWidth(WIDTH)
        layout = column(self, margin=3 * STEP, spacing=STEP)
        self._buttons: dict[Step, QPushButton] = {}
        self._group = QButtonGroup(self)
        self._names = step_names(look.texts)
        for number, step in enumerate(Step, start=1):
            made = button(f"{number}  {self._names[step]}", "step")
            made.setCheckable(True)
            made.setIconSize(ICON)
            self._group.addButton(made, number)
            self._buttons[step] = made
            layout.addWidget(made)
        layout.addStretch(1)
        self._group.buttonClicked.connect(self._clicked)

    def show_step(self, step: Step) -> None:
        """Mark the step whose page is shown."""
        self._buttons[step].setChecked(True)

    def show_states(self, states: dict[Step, StepState]) -> None:
        """Show how every step stands, by sign and spoken word."""
        words = {
            StepState.EMPTY: self._look.texts.gettext("not yet filled in"),
            StepState.OK: self._look.texts.gettext("in order"),
            StepState.PROBLEM: self._look.texts.gettext("needs attention"),
        }
        for step, state in states.items():
            name, ink = STATE_ICONS[state]
            self._buttons[step].setIcon(self._look.theme.icon(name, ink))
            self._buttons[step].setAccessibleName(f"{self._names[step]}, {words[state]}")
            self._buttons[step].setToolTip(words[state])

    @Slot(QAbstractButton)
    def _clicked(self, clicked: QAbstractButton) -> None:
        self.step_chosen.emit(next(step for step, made in self._buttons.items() if made is clicked))


def step_names(texts: Words) -> dict[Step, str]:
    """What the steps are called."""
    _ = texts.gettext
    return {
        Step.WORKLOADS: _("Workloads"),
        Step.SITE: _("Site"),
        Step.GOALS: _("Goals and prices"),
        Step.RESULTS: _("Results"),
        Step.OFFER: _("Offer"),
    }

"""A view of the results whose figures are computed off the GUI thread."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from gui.context import Context
from gui.tasks import Runner
from gui.widgets import label


class ComputedView(QWidget):
    """Holds the runner; subclasses connect what it finishes."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._runner = Runner(self)
        self._runner.crashed.connect(context.planner.crashed)

    @property
    def busy_now(self) -> bool:
        """Whether something is being computed."""
        return self._runner.busy

    def close_runner(self) -> None:
        """Stop computing for good."""
        self._runner.close()


def selectable() -> QLabel:
    """An empty text of several lines that can be marked and copied."""
    made = label("", wrap=True)
    made.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return made

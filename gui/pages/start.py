"""The window before the catalogue is there: looks like the first page and takes everything a person may begin with.

What is typed into the search and what is chosen beside it moves over to the first page; clicks wait for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from gui.look import Look
from gui.pages.page import ScrollingColumn
from gui.pages.samples import Samples
from gui.pages.search_row import SearchRow, dress
from gui.parts import column, label
from gui.theme import STEP

ANSWER_WIDTH = 292


@dataclass(frozen=True, slots=True)
class Begun:
    """What stood in the search row."""

    text: str
    cursor: int
    purpose: str


class StartPage(ScrollingColumn):
    """Draws the empty state of the first page from what is there at once."""

    sample_wanted = Signal(object)  # Path
    config_wanted = Signal()
    model_wanted = Signal(str)  # Enter in the search

    def __init__(self, look: Look) -> None:
        _ = look.texts.gettext
        super().__init__(_("Workloads"))
        self.search = QLineEdit()
        dress(self.search, look)
        self.search.returnPressed.connect(self._on_return)
        self._row = SearchRow(look, self.search)
        self._row.config.clicked.connect(self.config_wanted)
        self.samples = Samples(look)
        self.samples.chosen.connect(self.sample_wanted)
        self.body.addWidget(label(_("Which models does the customer want to train or to serve?"), "title", wrap=True))
        self.body.addLayout(self._row)
        self.body.addWidget(self.samples)
        self.body.addStretch(1)

    @property
    def begun(self) -> Begun:
        """What was typed and chosen so far."""
        search = self.search
        return Begun(search.text(), search.cursorPosition(), str(self._row.purpose.currentData()))

    def resume(self, begun: Begun) -> None:
        """Go on with what was begun, for example in another language."""
        self._row.purpose.show_value(begun.purpose)
        self.search.setText(begun.text)
        self.search.setCursorPosition(begun.cursor)

    @Slot()
    def _on_return(self) -> None:
        text = self.search.text()
        if text.strip():
            self.search.clear()
            self.model_wanted.emit(text)


class WaitingAnswer(QWidget):
    """Keeps the place of the recommendation."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        _ = look.texts.gettext
        self.setFixedWidth(ANSWER_WIDTH)
        self.setAccessibleName(_("Recommendation"))
        body = column(self, margin=4 * STEP, spacing=2 * STEP)
        body.addWidget(label(_("Recommendation"), "section"))
        body.addWidget(label(_("Loading the catalogue …"), "muted", wrap=True))
        body.addStretch(1)

"""The row in which a model is looked for: the field, what the model is added for, and the way to a `config.json`."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLineEdit

from gui.look import Look
from gui.parts import Choice, button
from gui.theme import STEP

TRAIN, SERVE = "train", "serve"


class SearchRow(QHBoxLayout):
    """The start page and the first page show the same row."""

    def __init__(self, look: Look, field: QLineEdit) -> None:
        super().__init__()
        _ = look.texts.gettext
        self.purpose = Choice()
        self.purpose.setMinimumContentsLength(9)
        self.purpose.offer(((TRAIN, _("to train")), (SERVE, _("to serve"))))
        self.purpose.setAccessibleName(_("What the model is added for"))
        self.config = button(_("Open config.json …"))
        self.setSpacing(2 * STEP)
        self.addWidget(field, 1)
        self.addWidget(self.purpose)
        self.addWidget(self.config)


def dress(field: QLineEdit, look: Look) -> None:
    """Make a line of text the search for models, as far as it is seen and read aloud."""
    _ = look.texts.gettext
    field.setPlaceholderText(_("Search a model: name, family, size or licence"))
    field.setAccessibleName(_("Add a model"))
    field.setAccessibleDescription(_("Type, choose with the arrow keys, take with Enter"))
    field.setClearButtonEnabled(True)
    field.setAcceptDrops(False)  # a config.json is the window's to take
    field.addAction(look.theme.icon("search"), QLineEdit.ActionPosition.LeadingPosition)

"""What is being typed becomes part of the document before the document is saved, left or printed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication


def take_typed() -> None:
    """Let the field that has the focus hand over its text, as it does when it is left; the focus stays where it is."""
    field = QApplication.focusWidget()
    if field is not None:
        field.clearFocus()
        if field.isVisible():  # the editor of a table's cell closes when it is left
            field.setFocus(Qt.FocusReason.OtherFocusReason)

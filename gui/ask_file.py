"""Asks where something shall be written: the file gets an ending that is offered, and none is replaced unasked.

Qt asks before it replaces the file that was named; of a name without an ending nobody knows yet which file it means.
"""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from gui.texts import Texts

ENDING = re.compile(r"\*(\.[\w.-]+)")


def ask_where(parent: QWidget, title: str, start: str | Path, kinds: str, texts: Texts) -> Path | None:
    """The file to write, None when the person thought better of it. `kinds` is Qt's list of filters."""
    name, kind = QFileDialog.getSaveFileName(parent, title, str(start), kinds)
    if not name:
        return None
    path = with_ending(Path(name), kinds, kind)
    if path.name != Path(name).name and path.exists() and not _may_replace(parent, path, texts):
        return None
    return path


def with_ending(path: Path, kinds: str, kind: str = "") -> Path:
    """The path with an ending of the kinds; one without gets the first of the chosen kind."""
    if path.name.lower().endswith(tuple(ENDING.findall(kinds))):
        return path
    return path.with_name(path.name + ENDING.findall(kind or kinds)[0])


def _may_replace(parent: QWidget, path: Path, texts: Texts) -> bool:
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle("Passform")
    box.setText(texts.gettext("{file} exists already. Replace it?").format(file=path.name))
    replace = box.addButton(texts.gettext("Replace"), QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    box.exec()
    chosen = box.clickedButton()
    box.deleteLater()
    return chosen is replace

"""The building blocks of every page: what `gui.parts` has, and fields for numbers, dates and texts with their error."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QPlainTextEdit, QWidget

from gui.catalogue.dates import day_text, parse_day
from gui.entry import parse_decimal, parse_integer
from gui.parts import ICON, Choice, Panel, WrappedLabel, button, column, foot, icon_button, label, rule, set_role
from gui.theme import STEP

if TYPE_CHECKING:
    from gui.texts import Texts

__all__ = [
    "ICON",
    "Choice",
    "DayField",
    "ErrorLine",
    "Form",
    "LinesField",
    "NumberField",
    "Panel",
    "TextField",
    "WrappedLabel",
    "button",
    "choice_of",
    "column",
    "foot",
    "icon_button",
    "label",
    "rule",
    "set_role",
]

Member = TypeVar("Member", bound=StrEnum)
NAME_WIDTH, NUMBER_WIDTH, FIELD_WIDTH = 180, 180, 380
LINES_HEIGHT = 84


class NumberField(QLineEdit):
    """A number as people write it; `committed` gives an int, a Decimal, or None when empty is allowed."""

    committed = Signal(object)
    refused = Signal(str)  # what would be right; empty when the text is fine again

    def __init__(self, texts: Texts, *, whole: bool = True, optional: bool = False) -> None:
        super().__init__()
        self._texts = texts
        self._whole = whole
        self._optional = optional
        self._shown = ""  # the document's value
        self.setMaxLength(40)
        self.setAcceptDrops(False)  # a file is the window's to take
        self.editingFinished.connect(self._commit)

    def show_value(self, value: Decimal | int | None) -> None:
        """Show the document's value, unless the user is in the middle of another."""
        self._show("" if value is None else self._texts.plain(Decimal(value)))

    def complain(self, message: str) -> None:
        """Mark the field and say what is wrong with its text; empty: all is well again."""
        if bool(self.property("invalid")) != bool(message):
            self.setProperty("invalid", bool(message))
            self.style().unpolish(self)
            self.style().polish(self)
        self.refused.emit(message)

    def forget(self) -> None:
        """Show the document's value in place of a text that was refused: the field shows something else from now on."""
        if self.property("invalid"):
            self.setText(self._shown)
            self.complain("")

    def _show(self, text: str) -> None:
        if self.hasFocus() and self.isModified():
            return
        if self.property("invalid") and text == self._shown:
            return  # a change elsewhere: the refused text stays to be mended
        self._shown = text
        self.setText(text)
        if self.property("invalid"):
            self.complain("")

    @Slot()
    def _commit(self) -> None:
        text = self.text().strip()
        if text == self._shown and not self.property("invalid"):
            return
        if not text and self._optional:
            self._accept(None)
            return
        value = self._read(text)
        if value is None:
            self.complain(self._wanted())
            return
        self._accept(value)

    def _read(self, text: str) -> object:
        """What the text means; None when it means nothing."""
        read = parse_integer if self._whole else parse_decimal
        return read(text, self._texts.language)

    def _wanted(self) -> str:
        """What would be right."""
        example = self._texts.plain(Decimal(8192) if self._whole else Decimal("1.5"))
        return self._texts.gettext("A number is needed, for example {example}.").format(example=example)

    def _accept(self, value: object) -> None:
        self.setModified(False)
        self.complain("")
        self.committed.emit(value)


class DayField(NumberField):
    """A day as people write it; `committed` gives a date, or None when the field is emptied."""

    def __init__(self, texts: Texts) -> None:
        super().__init__(texts, optional=True)

    def show_day(self, day: date | None) -> None:
        """Show the document's day, unless the user is in the middle of another."""
        self._show(day_text(day, self._texts.language))

    def _read(self, text: str) -> object:
        return parse_day(text)

    def _wanted(self) -> str:
        example = day_text(date(2026, 11, 30), self._texts.language)
        return self._texts.gettext("A day is needed, for example {example}.").format(example=example)


class TextField(QLineEdit):
    """A line of text; `committed` when it is left or Enter is pressed."""

    committed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""
        self.setMaxLength(500)
        self.setAcceptDrops(False)  # a file is the window's to take
        self.editingFinished.connect(self._commit)

    def show_value(self, text: str) -> None:
        """Show the document's value, unless the user is in the middle of another."""
        if self.hasFocus() and self.isModified():
            return
        self._shown = text
        self.setText(text)

    @Slot()
    def _commit(self) -> None:
        if self.text() != self._shown:
            self._shown = self.text()
            self.setModified(False)
            self.committed.emit(self._shown)


class LinesField(QPlainTextEdit):
    """Several lines of text; Tab leaves the field."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)  # a file is the window's to take
        self.setFixedHeight(LINES_HEIGHT)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802  # Qt's name
        super().focusOutEvent(event)
        self.left.emit()


def choice_of(texts: Texts, members: Iterable[Member]) -> Choice:
    """A choice among members, worded in the window's language."""
    made = Choice()
    made.offer((member.value, texts.label(member)) for member in members)
    return made


class Form(QWidget):
    """Labelled fields under each other, each with room for its error or a word on its default."""

    def __init__(self, *, stacked: bool = False) -> None:
        super().__init__()
        self._stacked = stacked
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(4 * STEP)
        self._grid.setVerticalSpacing(STEP)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnMinimumWidth(0, 0 if stacked else NAME_WIDTH)
        self._row = 0

    def add(self, name: str, field: QWidget, why: str = "") -> QLabel:
        """Add a field under its name; returns the line beneath, for errors and defaults."""
        title = label(name)
        title.setBuddy(field)
        title.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        field.setAccessibleName(name)
        field.setAccessibleDescription(why)
        beneath = label(why, "small", wrap=True)
        if not why:
            beneath.hide()  # never `setVisible(True)` without a parent: the label would flash up as a window
        side = Qt.AlignmentFlag(0)
        if isinstance(field, NumberField) or not self._stacked:
            side = Qt.AlignmentFlag.AlignLeft
            field.setFixedWidth(NUMBER_WIDTH if isinstance(field, NumberField) else FIELD_WIDTH)
        if self._stacked:
            self._grid.addWidget(title, self._row, 0, 1, 2)
            self._grid.addWidget(field, self._row + 1, 0, 1, 2, side)
            self._grid.addWidget(beneath, self._row + 2, 0, 1, 2)
            self._grid.setRowMinimumHeight(self._row + 3, 2 * STEP)
            self._row += 4
        else:
            self._grid.addWidget(title, self._row, 0)
            self._grid.addWidget(field, self._row, 1, side)
            self._grid.addWidget(beneath, self._row + 1, 1)
            self._grid.setRowMinimumHeight(self._row + 2, STEP)
            self._row += 3
        if isinstance(field, NumberField):
            ErrorLine(field, beneath, why)
        return beneath

    def add_wide(self, widget: QWidget) -> None:
        """Add something over the whole width."""
        self._grid.addWidget(widget, self._row, 0, 1, 2)
        self._row += 1

    def finish(self) -> None:
        """Push everything to the top."""
        self._grid.setRowStretch(self._row, 1)


class ErrorLine(QObject):
    """Shows a field's complaint in the line beneath it, and its remark again when all is well."""

    def __init__(self, field: NumberField, line: QLabel, remark: str) -> None:
        super().__init__(field)
        self._line = line
        self._remark = remark
        self._field = field
        field.refused.connect(self.show_error)

    @Slot(str)
    def show_error(self, message: str) -> None:
        """Show the complaint, or the remark when it is empty."""
        set_role(self._line, "error" if message else "small")
        self._line.setText(message or self._remark)
        self._line.setVisible(bool(message or self._remark))
        self._field.setAccessibleDescription(message or self._remark)

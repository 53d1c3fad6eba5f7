"""What every page is: a scrolling column that shows the document and edits it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QScrollArea, QWidget

from engine.errors import PassformError
from gui.parts import column
from gui.theme import STEP

if TYPE_CHECKING:  # the start page is a column too, and is shown before there is a document
    from catalog.consultation.document import Consultation
    from gui.context import Context
    from gui.widgets import NumberField


class ScrollingColumn(QScrollArea):
    """Widgets under each other in `body`."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setAccessibleName(name)
        self._inner = QWidget()
        self.setWidget(self._inner)
        self.body = column(self._inner, margin=6 * STEP, spacing=3 * STEP)


class Page(ScrollingColumn):
    """Base of the pages. Subclasses build into `body` and show the document in `refresh`."""

    errors_changed = Signal()

    def __init__(self, context: Context, name: str) -> None:
        super().__init__(name)
        self.context = context
        self._watched: list[NumberField] = []
        self._faulty: set[int] = set()
        context.document.replaced.connect(self.forget_complaints)

    def refresh(self) -> None:
        """Show the document as it stands."""

    def initial_focus(self) -> QWidget:
        """What gets the focus when the page is shown."""
        return self

    def prepare_find(self) -> None:
        """Make everything that is shown readable for a search; called before each."""

    @property
    def busy_now(self) -> bool:
        """Whether the page computes in the background."""
        return False

    def close_views(self) -> None:
        """Stop what computes in the background, for good."""

    @property
    def has_errors(self) -> bool:
        """Whether a field holds a text that cannot be read."""
        return bool(self._faulty)

    def watch(self, field: NumberField) -> None:
        """Let a field's complaint count for the state of the page's step."""

        def noted(message: str) -> None:
            before = bool(self._faulty)
            (self._faulty.add if message else self._faulty.discard)(id(field))
            if before != bool(self._faulty):
                self.errors_changed.emit()

        self._watched.append(field)
        field.refused.connect(noted)

    @Slot()
    def forget_complaints(self) -> None:
        """Another document is shown: what was typed for the one before is no text of this one."""
        for field in self._watched:
            field.forget()

    def edit(
        self,
        text: str,
        change: Callable[[Consultation], Consultation],
        field: NumberField | None = None,
        key: str = "",
    ) -> None:
        """Change the document; what the document refuses is said beneath the field."""
        document = self.context.document
        try:
            after = change(document.consultation)
        except PassformError as error:
            if field is None:
                raise
            field.complain(self.context.texts.error(error))
            return
        document.edit(text, after, key)

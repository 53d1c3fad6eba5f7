"""The status bar: catalogue date, aged prices, autosave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel, QStatusBar

from engine.errors import PassformError
from gui.look import Look
from gui.parts import label
from gui.theme import STEP

if TYPE_CHECKING:
    from datetime import datetime

    from gui.autosave import Autosave
    from gui.context import Context


class Status(QStatusBar):
    """Says quietly what the figures stand on and when the work was last kept."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._context: Context | None = None  # none while the catalogue is loaded
        self._heard = False
        self._saved: datetime | None = None
        self.setSizeGripEnabled(False)
        self._text: QLabel = label("", "small")
        self._text.setContentsMargins(3 * STEP, 0, 0, STEP)
        self.addWidget(self._text, 1)
        self.refresh()

    def follow(self, context: Context, autosave: Autosave) -> None:
        """The catalogue is there: tell of it and of the work that is kept."""
        self._context = context
        autosave.saved.connect(self._on_saved)
        autosave.failed.connect(self._on_failed)
        context.document.replaced.connect(self._on_replaced)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Say it again, for example in another language."""
        if self._context is None:
            self._text.setText(self._loading())
            return
        texts = self._context.texts
        _ = texts.gettext
        parts = [_("Catalogue {date}").format(date=texts.recorded_date(self._context.catalog.version))]
        errors = len(self._context.catalog.findings)
        if errors:
            words = texts.ngettext("{count} finding in own entries", "{count} findings in own entries", errors)
            parts.append(words.format(count=errors))
        if self._saved is not None:
            parts.append(_("saved automatically {time}").format(time=self._saved.strftime("%H:%M")))
        self._text.setText(" · ".join(parts))

    @Slot()
    def on_heard(self) -> None:
        """Say that what was clicked is not forgotten."""
        self._heard = True
        self.refresh()

    def _loading(self) -> str:
        _ = self._look.texts.gettext
        if self._heard:
            return _("Loading the catalogue …  What you chose follows at once.")
        return _("Loading the catalogue …")

    @Slot(object)
    def _on_saved(self, when: datetime) -> None:
        self._saved = when
        self.refresh()

    @Slot()
    def _on_replaced(self) -> None:
        """What was kept was another consultation."""
        self._saved = None
        self.refresh()

    @Slot(object)
    def _on_failed(self, error: PassformError) -> None:
        self._text.setText(self._look.texts.error(error))

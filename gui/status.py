"""The status bar: catalogue date, aged prices, autosave."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel, QStatusBar

from engine.errors import PassformError
from gui.autosave import Autosave
from gui.context import Context
from gui.theme import STEP
from gui.widgets import label


class Status(QStatusBar):
    """Says quietly what the figures stand on and when the work was last kept."""

    def __init__(self, context: Context, autosave: Autosave) -> None:
        super().__init__()
        self._context = context
        self._saved: datetime | None = None
        self.setSizeGripEnabled(False)
        self._text: QLabel = label("", "small")
        self._text.setContentsMargins(3 * STEP, 0, 0, STEP)
        self.addWidget(self._text, 1)
        autosave.saved.connect(self._on_saved)
        autosave.failed.connect(self._on_failed)

    @Slot()
    def refresh(self) -> None:
        """Say it again, for example in another language."""
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

    @Slot(object)
    def _on_saved(self, when: datetime) -> None:
        self._saved = when
        self.refresh()

    @Slot(object)
    def _on_failed(self, error: PassformError) -> None:
        self._text.setText(self._context.texts.error(error))

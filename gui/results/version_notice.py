"""A quiet line above the results: the consultation records an older catalogue than the one in use."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from catalog.consultation.document import Consultation
from gui.context import Context
from gui.theme import STEP
from gui.widgets import button, label


class VersionNotice(QWidget):
    """Shown only where there is something to say, and never while a customer looks on."""

    wanted = Signal()  # to see what has changed

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        _ = context.texts.gettext
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(2 * STEP)
        self.text = label("", "hint", wrap=True)
        self.show_button = button(_("Show what changed …"))
        self.show_button.clicked.connect(self.wanted)
        self.take_button = button(_("Take over"))
        self.take_button.setToolTip(_("Records the catalogue in use; can be undone"))
        self.take_button.clicked.connect(self.take_over)
        line.addWidget(self.text, 1)
        line.addWidget(self.show_button)
        line.addWidget(self.take_button)
        context.document.changed.connect(self._on_changed)
        context.document.file_changed.connect(self.refresh)
        self.hide()

    @Slot()
    def refresh(self) -> None:
        """Say it, or hide."""
        texts, version = self._context.texts, self._context.catalog.version
        recorded = self._context.document.consultation.catalogue
        self.setVisible(bool(recorded) and recorded != version and not self._context.customer_view)
        told = texts.gettext("Recorded with the catalogue of {then}; the results are those of the catalogue of {now}.")
        self.text.setText(told.format(then=texts.recorded_date(recorded), now=texts.recorded_date(version)))

    @Slot()
    def take_over(self) -> None:
        """Record the catalogue in use."""
        document, version = self._context.document, self._context.catalog.version
        text = self._context.texts.gettext("Take the newer catalogue over")
        document.edit(text, document.consultation.model_copy(update={"catalogue": version}))

    def close_notice(self) -> None:
        """Listen no more; the page is about to be replaced."""
        self._context.document.changed.disconnect(self._on_changed)
        self._context.document.file_changed.disconnect(self.refresh)

    @Slot(object)
    def _on_changed(self, _consultation: Consultation) -> None:
        self.refresh()

"""The customer's own test runs as a table: what ran where, measured against estimated, the effect, and the memory."""

from __future__ import annotations

from operator import itemgetter

from PySide6.QtCore import QObject

from catalog.consultation.document import CalibrationRow, Consultation
from gui.column_table import Column, ColumnTable
from gui.context import Context
from gui.own_runs import rate_text, row_effect, row_memory, what_text, where_text

NAME, WHAT, WHERE, MEASURED, ESTIMATED, EFFECT, MEMORY = range(7)
Words = tuple[str, ...]


class OwnRunTable(ColumnTable[Words]):
    """Shows the words of the document's rows; they are edited in a dialog."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        _ = context.texts.gettext
        columns: list[Column[Words]] = [
            Column(_("Name"), itemgetter(NAME), 90),
            Column(_("What ran"), itemgetter(WHAT), 200),
            Column(_("Where"), itemgetter(WHERE), 200),
            Column(_("Measured"), itemgetter(MEASURED), 124, number=True),
            Column(_("Estimated"), itemgetter(ESTIMATED), 124, number=True),
            Column(_("Effect"), itemgetter(EFFECT), 130),
            Column(_("Memory"), itemgetter(MEMORY)),
        ]
        super().__init__(context, columns, parent)

    def refresh(self, document: Consultation) -> None:
        """Show the document's rows anew: what they mean also hangs on the workloads they name."""
        if document.calibrations or self.rows:
            self.show_rows([self._words(row) for row in document.calibrations])

    def tip(self, row: Words, _column: Column[Words]) -> str:
        """The whole row."""
        return "\n".join(f"{one.title}: {one.shown(row)}" for one in self.columns)

    def _words(self, row: CalibrationRow) -> Words:
        estimated, effect = row_effect(row, self._context)
        measured = rate_text(row.tokens_per_second, self._context.texts)
        name = row.name or self._context.texts.gettext("without a name")
        memory = row_memory(row, self._context)
        return name, what_text(row, self._context), where_text(row, self._context), measured, estimated, effect, memory

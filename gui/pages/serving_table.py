"""The table of what is served: two lines a row, columns declared as data over the document's rows."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QObject, Qt

from catalog.consultation.document import Consultation
from catalog.consultation.serving import ServingRow
from engine.fit import Verdict
from engine.plan.types import ServingPlacement
from engine.serving.types import LoadKind
from engine.wording.serving import engine_name, format_name
from gui.column_table import Column, ColumnTable, Index
from gui.context import Context
from gui.pages.workload_table import verdict_sign
from gui.serving_draft import load_kind
from gui.serving_words import at_once_text, verdict_text
from gui.texts import Texts


class ServingTable(ColumnTable[ServingRow]):
    """Rows of the document, for reading; they are edited in the form below."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, _columns(context), parent)
        self.rows = context.document.consultation.serving
        self._signs = {verdict: verdict_sign(context, verdict) for verdict in Verdict}

    def refresh(self, document: Consultation) -> None:
        """Show the document's rows, telling the view exactly what changed."""
        self.renew_rows(document.serving)

    def refresh_verdicts(self) -> None:
        """Show the rows with the verdicts of the latest recommendation."""
        self.renew(0, len(self.columns) - 1)

    def tip(self, row: ServingRow, column: Column[ServingRow]) -> str:
        lines = ", ".join(column.shown(row).splitlines())
        return f"{column.title}: {lines}"

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if index.column() == len(self.columns) - 1:
            return self._verdict(index.row(), role)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.tip(self.rows[index.row()], self.columns[index.column()])
        return super().data(index, role)

    def _verdict(self, row: int, role: int) -> object:
        placement, texts = self._placement(row), self._context.texts
        if placement is None:
            return "–" if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DecorationRole:
            return self._signs[placement.verdict]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{texts.label(placement.verdict)}\n{at_once_text(placement, texts)}"
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return verdict_text(placement, texts)
        return None

    def _placement(self, row: int) -> ServingPlacement | None:
        recommendation = self._context.planner.recommendation
        if recommendation is None or recommendation.chosen is None:
            return None
        served = recommendation.chosen.serving
        return served[row] if len(served) == len(self.rows) else None


def _columns(context: Context) -> list[Column[ServingRow]]:
    texts = context.texts
    _ = texts.gettext

    def model(row: ServingRow) -> str:
        found = context.planner.model_of(row)
        name = found.name if found else row.config or row.model or ""
        return _two_lines(row.name, name) if row.name and row.name != name else name

    def formats(row: ServingRow) -> str:
        return _two_lines(f"{format_name(row.weights)} · {row.cache.value.upper()}", engine_name(row.engine))

    def lengths(row: ServingRow) -> str:
        mean = f"{texts.integer(row.prompt_mean)} / {texts.integer(row.output_mean)}"
        most = f"{texts.integer(row.prompt_max)} / {texts.integer(row.output_max)}"
        return _two_lines(mean, f"≤ {most}")

    return [
        Column(_("Model"), model, 160),
        Column(_("Format, server"), formats, 114),
        Column(_("Prompt / answer"), lengths, 138),
        Column(_("Load, limits"), lambda row: _two_lines(_load(row, texts), limits_text(row, texts)), 130),
        Column(_("Verdict"), lambda _row: "", 148),
    ]


def _two_lines(upper: str, lower: str) -> str:
    return f"{upper}\n{lower}" if lower else upper


def _load(row: ServingRow, texts: Texts) -> str:
    _ = texts.gettext
    match load_kind(row):
        case LoadKind.USERS:
            return _("{count} at once").format(count=texts.integer(row.users or 0))
        case LoadKind.RATE:
            return _("{rate} requests/s").format(rate=_figure(row.requests_per_s or 0.0, texts))
        case LoadKind.BATCH:
            return _("{count} a night").format(count=texts.integer(row.requests_per_night or 0))


def limits_text(row: ServingRow, texts: Texts) -> str:
    """What a user accepts, short; empty when nothing is limited."""
    _ = texts.gettext
    limits = []
    if row.first_token_s is not None:
        limits.append(f"≤ {_figure(row.first_token_s, texts)} s")
    if row.tokens_per_s_per_user is not None:
        limits.append(_("≥ {rate} tokens/s").format(rate=_figure(row.tokens_per_s_per_user, texts)))
    return ", ".join(limits)


def _figure(value: float, texts: Texts) -> str:
    """A figure as the user wrote it."""
    return texts.plain(Decimal(str(value)))

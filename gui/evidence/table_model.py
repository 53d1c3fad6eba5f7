"""The records as a table, sorted by value."""

from __future__ import annotations

from PySide6.QtCore import QObject

from engine.pictures.palette import Ink
from gui.column_table import Column, ColumnTable
from gui.context import Context
from gui.evidence.records import Record

CLOSE, FAR = 0.10, 0.20


class RecordModel(ColumnTable[Record]):
    """Shows records; those that do not count stand back."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, _columns(context), parent)

    def ink(self, row: Record, column: Column[Record]) -> Ink | None:
        return super().ink(row, column) if row.counts else Ink.MUTED


def _columns(context: Context) -> list[Column[Record]]:
    texts = context.texts
    _, digits = texts.gettext, texts.significant
    return [
        Column(_("Model"), lambda one: one.model, key=lambda one: one.model.casefold()),
        Column(_("Method"), lambda one: texts.label(one.run.method), 92, key=lambda one: one.run.method.value),
        Column(_("Cards"), lambda one: texts.integer(one.run.cards), 64, number=True, key=lambda one: one.run.cards),
        Column(
            _("Sequence"),
            lambda one: texts.integer(one.run.sequence_length),
            84,
            number=True,
            key=lambda one: one.run.sequence_length,
        ),
        Column(_("Measured"), lambda one: digits(one.measured), 92, number=True, key=lambda one: one.measured),
        Column(_("Estimated"), lambda one: digits(one.estimated), 88, number=True, key=lambda one: one.estimated),
        Column(
            _("Error"),
            lambda one: signed_percent(one.error, context),
            68,
            number=True,
            key=lambda one: one.error,
            ink=_closeness,
        ),
        Column(_("Source"), lambda one: one.source, 100, key=lambda one: one.source.casefold()),
    ]


def _closeness(record: Record) -> Ink:
    off = abs(record.error)
    return Ink.FITS if off <= CLOSE else Ink.TIGHT if off <= FAR else Ink.NO


def signed_percent(share: float, context: Context) -> str:
    """A relative error with its sign."""
    text = context.texts.percent(share)
    return f"+{text}" if round(share, 2) > 0 else text

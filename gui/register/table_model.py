"""The register's documents as a table, newest number first."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QObject

from catalog.register.states import OPEN
from catalog.register.types import Entry, State
from catalog.register.words import state_word, sum_text
from engine.pictures.palette import Ink
from engine.wording.quotes import word
from gui.catalogue.dates import day_text
from gui.column_table import Column, ColumnTable
from gui.context import Context

INKS = {State.ACCEPTED: Ink.FITS, State.EXPIRED: Ink.TIGHT, State.DECLINED: Ink.MUTED, State.SUPERSEDED: Ink.MUTED}


class EntryModel(ColumnTable[Entry]):
    """Shows documents."""

    def __init__(self, context: Context, today: date, parent: QObject | None = None) -> None:
        super().__init__(context, _columns(context, today), parent)

    def ink(self, row: Entry, column: Column[Entry]) -> Ink | None:
        return super().ink(row, column) or INKS.get(row.state)


def customer_of(entry: Entry, context: Context) -> str:
    """The customer of a document, or that his data were erased."""
    return entry.company or (context.texts.gettext("customer data erased") if entry.erased_on else "–")


def _columns(context: Context, today: date) -> list[Column[Entry]]:
    texts = context.texts
    _, language = texts.gettext, texts.language

    def amount(entry: Entry) -> str:
        return sum_text(entry.latest.gross, entry.latest, texts.tr, language)

    def due(entry: Entry) -> Ink | None:
        waits = entry.follow_up is not None and entry.follow_up <= today and entry.state in OPEN
        return Ink.TIGHT if waits else None

    return [
        Column(_("Number"), lambda one: one.number, 122),
        Column(_("Rev."), lambda one: texts.integer(one.latest.revision), 54, number=True),
        Column(_("Kind"), lambda one: word(one.kind, texts.tr), 214),
        Column(_("Customer"), lambda one: customer_of(one, context), 0),
        Column(_("State"), lambda one: state_word(one.state, texts.tr), 116),
        Column(_("Issued on"), lambda one: day_text(one.latest.issued_on, language), 110),
        Column(_("Valid until"), lambda one: day_text(one.latest.valid_until, language), 102),
        Column(_("Follow-up"), lambda one: day_text(one.follow_up, language) or "–", 112, ink=due),
        Column(_("Gross"), amount, 224, number=True),
    ]

"""The window's language: translations and number formats of one language, handed to whoever shows something."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from engine.memory.types import Note
from engine.reasons import Reason
from engine.units import FloatBand, Money, MoneyBand
from engine.wording import labels, notes, numbers, reasons
from engine.wording.catalogue_texts import item_name
from engine.wording.translator import Language
from gui.words import Words
from resources import translations


@dataclass(frozen=True, slots=True)
class Texts(Words):
    """Everything the window needs to say something in one language. It formats, it computes nothing."""

    names: Mapping[str, str] = field(default_factory=dict)  # catalogue id -> what people call it

    def label(self, member: StrEnum) -> str:
        """The word for a member of a closed set."""
        return labels.label(member, self.tr)

    def reason(self, reason: Reason) -> str:
        """The sentence of a reason."""
        return reasons.sentence(reason, self.tr, self.language, self.names)

    def task_reason(self, reason: Reason, task: str) -> str:
        """The sentence of a reason that one task has, with the task's name in front."""
        return reasons.task_sentence(reason, task, self.tr, self.language, self.names)

    def note(self, note: Note) -> str:
        """The sentence of a note of the memory estimate."""
        return notes.note_sentence(note, self.tr, self.language)

    def name(self, item_id: str) -> str:
        """What people call an item of the catalogue."""
        return item_name(self.names.get(item_id, item_id), self.tr)

    def size(self, size_bytes: int) -> str:
        """Bytes as gigabytes, three digits."""
        return numbers.gigabytes(size_bytes, self.language)

    def signed_size(self, size_bytes: int) -> str:
        """Free bytes with their sign."""
        return self.size(size_bytes) if size_bytes < 0 else f"+{self.size(size_bytes)}"

    def integer(self, value: int) -> str:
        """A whole number."""
        return numbers.integer(value, self.language)

    def plain(self, value: Decimal | float) -> str:
        """A figure with all its digits."""
        return numbers.plain(value, self.language)

    def exchange_rate(self, value: Decimal) -> str:
        """A rate between two currencies."""
        return numbers.exchange_rate(value, self.language)

    def money(self, amount: Money) -> str:
        """A guide amount without cents."""
        return numbers.money_whole(amount, self.language)

    def exact_money(self, amount: Money) -> str:
        """An amount to the cent."""
        return numbers.money(amount, self.language)

    def money_band(self, band: MoneyBand) -> str:
        """The ends of a band of money."""
        return numbers.money_band(band.low, band.high, self.language)

    def hours(self, value_h: float) -> str:
        """A duration."""
        return numbers.hours(value_h, self.language)

    def hours_band(self, band: FloatBand) -> str:
        """The ends of a band of hours."""
        return numbers.band(band.low, band.high, lambda value: numbers.hours(float(value), self.language))

    def seconds(self, value_s: float) -> str:
        """A duration of a step."""
        return numbers.seconds(value_s, self.language)

    def significant(self, value: float) -> str:
        """An estimate to three digits."""
        return numbers.significant(value, self.language)

    def percent(self, share: float) -> str:
        """A share of one."""
        return numbers.percent(share, self.language)

    def watts(self, value_w: int) -> str:
        """Power."""
        return numbers.watts(value_w, self.language)

    def parameters(self, count: int) -> str:
        """A model's size."""
        return numbers.parameters(count, self.language)

    def day(self, day: date) -> str:
        """A date."""
        return numbers.long_date(day, self.language)

    def recorded_date(self, text: str) -> str:
        """A date as a source records it."""
        return numbers.recorded_date(text, self.language)


def texts_for(language: Language, names: Mapping[str, str]) -> Texts:
    """The texts of a language; `names` are the catalogue's."""
    return Texts(language, translations(language.value), names)

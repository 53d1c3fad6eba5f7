"""Fresh positions of every kind, worded in the paper's language, with the section they belong to. No Qt."""

from __future__ import annotations

from collections.abc import Callable

from catalog.consultation.quote_rows import LineRow
from engine.quote.draft import LineKind, Measure, SectionRole
from engine.quote.vat import Supply
from engine.wording.translator import Translator

New = tuple[LineRow, SectionRole | None]  # None: wherever the user is
Maker = Callable[[Translator], New]


def item_line(item_id: str, name: str) -> New:
    """An entry of the catalogue, as an option at its guide price."""
    return LineRow(id=item_id, title=name, kind=LineKind.OPTIONAL, item=item_id), SectionRole.SYSTEM


def set_up_line(tr: Translator) -> New:
    """Set-up by the day."""
    return _service(tr.gettext("Set-up and training"))


def test_line(tr: Translator) -> New:
    """The acceptance test by the day."""
    return _service(tr.gettext("Acceptance test with the customer's own run"))


def freight_line(tr: Translator) -> New:
    """Freight."""
    title = tr.gettext("Freight and packing")
    line = LineRow(id="freight", title=title, supply=Supply.FREIGHT, measure=Measure.LUMP_SUM, on_request=True)
    return line, SectionRole.FREIGHT


def free_line(tr: Translator) -> New:
    """A position of the seller's own."""
    return LineRow(id="free", title=tr.gettext("New position"), on_request=True), None


def text_line(tr: Translator) -> New:
    """Words between the positions."""
    return LineRow(id="text", title=tr.gettext("Text"), kind=LineKind.TEXT), None


def _service(title: str) -> New:
    line = LineRow(id="service", title=title, supply=Supply.SERVICE, measure=Measure.DAY, on_request=True)
    return line, SectionRole.SERVICES

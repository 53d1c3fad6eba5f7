"""What `catalog check`, `list` and `show` print: plain tables and lines, in the reader's language."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from types import MappingProxyType

from catalog.catalog import Catalog, Provenance, amount_text
from catalog.field_words import field_name
from catalog.figure_words import figure_words, price_words, value_word
from catalog.findings import Finding, Level
from engine.figures import Figure
from engine.hardware import Card, Item, System
from engine.models import ModelSpec
from engine.prices import Price
from engine.pricing import guide_price
from engine.wording import labels, numbers
from engine.wording.catalogue_texts import item_name, source_title
from engine.wording.translator import Language, Translator


@dataclass(frozen=True, slots=True)
class Table:
    """Headings and rows of text; `right` are the columns that are set flush right."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int] = frozenset()

    def text(self) -> str:
        """Aligned columns, two spaces apart, one line each."""
        lines = [self.headings, *self.rows]
        widths = [max(_width(line[column]) for line in lines) for column in range(len(self.headings))]
        return "\n".join(
            "  ".join(
                _padded(cell, widths[column], right=column in self.right) for column, cell in enumerate(line)
            ).rstrip()
            for line in lines
        )


@dataclass(frozen=True, slots=True)
class View:
    """For whom a table is made: language, currency of the prices, day they are wanted for."""

    tr: Translator
    language: Language
    currency: str
    as_of: date


def cards(catalog: Catalog, view: View) -> Table:
    """Every card: id, name, memory, bandwidth, dense BF16, power, cooling, availability, guide price."""
    tr, language = view.tr, view.language
    rows = tuple(
        (
            card.id,
            card.name,
            _plain(card.memory_gb, language),
            _plain(card.bandwidth_gb_per_s, language),
            _plain(card.bf16_dense_tflops, language),
            _plain(card.power_w, language),
            labels.label(card.cooling.value, tr),
            labels.label(card.availability, tr),
            _guide(catalog, card.id, view),
        )
        for card in catalog.facts.cards.values()
    )
    headings = (
        tr.gettext("Id"),
        tr.gettext("Name"),
        "GB",
        "GB/s",
        "BF16 TFLOPS",
        "W",
        tr.gettext("Cooling"),
        tr.gettext("Availability"),
        tr.gettext("Guide price, net"),
    )
    return Table(headings, rows, frozenset({2, 3, 4, 5, 8}))


def systems(catalog: Catalog, view: View) -> Table:
    """Every machine: id, name, kind, height, slots, the cards it is listed for, guide price."""
    tr, language = view.tr, view.language
    rows = tuple(
        (
            system.id,
            system.name,
            labels.label(system.kind, tr),
            _plain(system.rack_units, language),
            _plain(system.slots, language),
            ", ".join(_option_text(option.card_id, option.max_cards, catalog) for option in system.options) or "–",
            tr.gettext("assumed") if system.built_to_order else "",
            _guide(catalog, system.id, view),
        )
        for system in catalog.facts.systems.values()
    )
    headings = (
        tr.gettext("Id"),
        tr.gettext("Name"),
        tr.gettext("Kind"),
        tr.gettext("Rack units"),
        tr.gettext("Slots"),
        tr.gettext("Cards"),
        "",
        tr.gettext("Guide price, net"),
    )
    return Table(headings, rows, frozenset({3, 4, 7}))


def models(catalog: Catalog, view: View) -> Table:
    """Every base model: id, name, family, exact parameter count, licence."""
    tr = view.tr
    rows = tuple(
        (model.id, model.name, model.family, numbers.integer(model.parameters, view.language), model.licence)
        for model in catalog.facts.models.values()
    )
    headings = (
        tr.gettext("Id"),
        tr.gettext("Name"),
        tr.gettext("Family"),
        tr.gettext("Parameters"),
        tr.gettext("Licence"),
    )
    return Table(headings, rows, frozenset({3}))


def prices(catalog: Catalog, view: View) -> Table:
    """Every price record, newest first within an item, with its source."""
    tr = view.tr
    rows = tuple(
        (
            item_id,
            _amount(price, view.language),
            labels.label(price.kind, tr),
            tr.gettext("gross") if price.includes_vat else tr.gettext("net"),
            price.as_of,
            price.grade.value,
            tr.gettext("not used") if price.superseded else "",
            price.source.title,
        )
        for item_id, records in catalog.facts.prices.items()
        for price in records
    )
    headings = (
        tr.gettext("Id"),
        tr.gettext("Amount"),
        tr.gettext("Kind"),
        tr.gettext("VAT"),
        tr.gettext("Date"),
        tr.gettext("Grade"),
        "",
        tr.gettext("Source"),
    )
    return Table(headings, rows, frozenset({1}))


LISTS: Mapping[str, Callable[[Catalog, View], Table]] = MappingProxyType(
    {"cards": cards, "systems": systems, "models": models, "prices": prices}
)


def show(catalog: Catalog, item_id: str, view: View) -> str:
    """Everything known about one id, each figure with source, date, grade and basis. Raises `UnknownIdError`."""
    entry = catalog.entry(item_id)
    lines = [f"{item_name(entry.name, view.tr)} ({item_id})"]
    lines += _facts_of(entry, view)
    if not isinstance(entry, ModelSpec):
        lines.append(_guide_line(catalog, item_id, view))
    for row in catalog.all_provenance(item_id):
        if not row.field.startswith("prices."):
            lines += _figure_lines(row, catalog, view)
    for price in catalog.facts.prices.get(item_id, ()):
        lines += _price_lines(price, view)
    if isinstance(entry, Card | System):
        lines += [f"  {view.tr.gettext('Note')}: {note}" for note in entry.notes]
    return "\n".join(lines)


def check_summary(findings: tuple[Finding, ...], catalog: Catalog, view: View) -> str:
    """The result of `catalog check`: errors and warnings in full, notes counted by kind."""
    tr, language = view.tr, view.language
    loud = [finding.located(tr.gettext) for finding in findings if finding.level is not Level.NOTE]
    counts: dict[str, int] = {}
    for finding in findings:
        if finding.level is Level.NOTE:
            counts[finding.text(tr.gettext)] = counts.get(finding.text(tr.gettext), 0) + 1
    facts = catalog.facts
    figures = sum(len(catalog.all_provenance(key)) for key in (*facts.cards, *facts.systems, *facts.items))
    head = tr.gettext(
        "Catalogue of {version}: {cards} cards, {systems} machines, {models} models, {prices} prices, "
        "{figures} sourced figures."
    ).format(
        version=catalog.version,
        cards=len(facts.cards),
        systems=len(facts.systems),
        models=len(facts.models),
        prices=sum(len(records) for records in facts.prices.values()),
        figures=numbers.integer(figures, language),
    )
    tail = tr.gettext("{errors} errors, {warnings} warnings.").format(
        errors=sum(finding.level is Level.ERROR for finding in findings),
        warnings=sum(finding.level is Level.WARNING for finding in findings),
    )
    return "\n".join([head, *loud, *(f"  {count} x {text}" for text, count in counts.items()), tail])


def _facts_of(entry: Card | System | Item | ModelSpec, view: View) -> list[str]:
    tr, language = view.tr, view.language
    if isinstance(entry, Card):
        return [f"  {entry.vendor} · {value_word(entry.architecture, tr)} · {labels.label(entry.availability, tr)}"]
    if isinstance(entry, System):
        assumed = " · " + tr.gettext("assumed") if entry.built_to_order else ""
        return [f"  {entry.vendor} · {labels.label(entry.kind, tr)}{assumed}"]
    if isinstance(entry, ModelSpec):
        count = numbers.integer(entry.parameters, language)
        head = f"  {entry.family} · {tr.gettext('Parameters')}: {count} · {entry.licence}"
        return [head, *(f"  {tr.gettext('Source')}: {source}" for source in entry.sources)]
    return [f"  {vendor} {number}" for vendor, number in entry.part_numbers]


def _guide_line(catalog: Catalog, item_id: str, view: View) -> str:
    tr = view.tr
    guide = guide_price(item_id, catalog.facts, view.currency, view.as_of)
    parts = [labels.label(guide.basis, tr)]
    if guide.net is not None:
        parts.insert(0, numbers.money_whole(guide.net, view.language))
    if guide.age is not None:
        parts.append(labels.label(guide.age, tr))
    if guide.stand_in_item_id:
        parts.append(tr.gettext("ordered by the price of {id}").format(id=guide.stand_in_item_id))
    return f"  {tr.gettext('Guide price, net')}: " + " · ".join(parts)


def _figure_lines(row: Provenance, catalog: Catalog, view: View) -> list[str]:
    tr, language = view.tr, view.language
    member = row.field.partition(".")[2].partition("#")[0] if row.field.startswith("options.") else ""
    card = catalog.facts.cards.get(member)
    name = field_name(row.field, tr, member if card is None else card.short_name)
    source = row.source
    dated = source.document_date if source.document_date != "not recorded" else source.read_date
    behind = (
        source_title(source, tr),
        numbers.recorded_date(dated, language),
        row.grade.value,
        labels.label(row.basis, tr),
    )
    marked = " (!)" if row.needs_mark else ""
    lines = [f"  {name}: {figure_words(row, tr, language)}{marked}  [{' · '.join(filter(None, behind))}]"]
    if row.note:
        lines.append(f"      {row.note}")
    lines += [f"      {tr.gettext('elsewhere')}: {other}" for other in row.contradicts]
    return lines


def _price_lines(price: Price, view: View) -> list[str]:
    line = f"  {view.tr.gettext('Price')}: {price_words(price, view.tr, view.language)}"
    return [line, f"      {price.note}"] if price.note else [line]


def _guide(catalog: Catalog, item_id: str, view: View) -> str:
    guide = guide_price(item_id, catalog.facts, view.currency, view.as_of)
    return view.tr.gettext("on request") if guide.net is None else numbers.money_whole(guide.net, view.language)


def _amount(price: Price, language: Language) -> str:
    if language is Language.EN:
        return amount_text(price)
    low = numbers.plain(price.low, language)
    return (
        f"{low} {price.currency}"
        if price.low == price.high
        else f"{low}–{numbers.plain(price.high, language)} {price.currency}"
    )


def _option_text(card_id: str, count: int | None, catalog: Catalog) -> str:
    card = catalog.facts.cards.get(card_id)
    name = card_id if card is None else card.short_name
    return f"{'?' if count is None else count}x {name}"


def _plain(figure: Figure[Decimal] | Figure[int] | None, language: Language) -> str:
    return "–" if figure is None else numbers.plain(figure.value, language)


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _padded(text: str, width: int, *, right: bool) -> str:
    gap = " " * (width - _width(text))
    return gap + text if right else text + gap

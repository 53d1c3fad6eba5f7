"""What the catalogue's tables show: columns and rows as plain values, with the marks every row carries. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from catalog.catalog import Catalog
from catalog.figure_words import amount_words
from catalog.listing import Table
from engine.cost.types import RentalOffer
from engine.figures import Figure, Grade
from engine.prices import GuidePrice, Price, PriceAge
from engine.pricing import age_of, guide_price
from engine.units import Money
from engine.wording.catalogue_texts import item_name, source_title
from engine.wording.renting import offered_card
from engine.wording.translator import Language
from gui.texts import Texts

NONE = "–"


class Tab(StrEnum):
    """The parts of the catalogue. The values name the export."""

    CARDS = "cards"
    SYSTEMS = "systems"
    ITEMS = "items"
    MODELS = "models"
    PRICES = "prices"
    RENTAL = "rental"


class RowMark(StrEnum):
    """What a row should be looked at for; filters go by it."""

    OWN = "own"
    EXPIRED = "expired"
    OLD = "old"
    ON_REQUEST = "on-request"
    MEMORY = "memory"  # a figure of grade M
    CONTRADICTED = "contradicted"
    UNUSED = "unused"


@dataclass(frozen=True, slots=True)
class Column:
    """A head with its width in device-independent pixels; 0 takes what is left."""

    title: str
    width: int
    number: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A text and what it sorts by; None sorts last."""

    text: str
    key: Decimal | str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table."""

    id: str  # of the catalogue's entry, or of the offer
    number: int  # of the price among those of its item; 0 elsewhere
    cells: tuple[Cell, ...]
    marks: frozenset[RowMark]
    maker: str  # vendor, family or provider: the second filter
    search: str  # lower-case text the search looks through


@dataclass(frozen=True, slots=True)
class Listing:
    """A table of the catalogue."""

    tab: Tab
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def makers(self) -> tuple[str, ...]:
        """Every vendor, family or provider once, in order."""
        return tuple(sorted({row.maker for row in self.rows if row.maker}, key=str.casefold))

    def table(self, rows: Iterable[Row]) -> Table:
        """These rows for an export, with their ids."""
        headings = ("id", *(column.title for column in self.columns))
        numbers = frozenset(index + 1 for index, column in enumerate(self.columns) if column.number)
        return Table(headings, tuple((row.id, *(cell.text for cell in row.cells)) for row in rows), numbers)


@dataclass(frozen=True, slots=True)
class Viewer:
    """For whom the tables are made."""

    catalog: Catalog
    texts: Texts
    currency: str
    today: date
    own_models: frozenset[str] = frozenset()
    own_prices: frozenset[tuple[str, str, str]] = frozenset()  # item, date, source
    customer: bool = False  # the customer looks on: own prices stay hidden

    def age(self, recorded: str) -> PriceAge:
        """How old a price of a recorded date is today, by the limits the catalogue carries."""
        return age_of(recorded, self.today, self.catalog.facts.age_limits)


def listing(tab: Tab, viewer: Viewer) -> Listing:
    """The table of a part of the catalogue."""
    return _MAKERS[tab](viewer)


def mark_words(marks: frozenset[RowMark], texts: Texts) -> str:
    """The marks of a row, in words."""
    words = mark_names(texts)
    return " · ".join(words[mark] for mark in RowMark if mark in marks)


def mark_names(texts: Texts) -> dict[RowMark, str]:
    """The word of every mark."""
    _ = texts.gettext
    return {
        RowMark.OWN: _("own entry"),
        RowMark.CONTRADICTED: _("contradiction"),
        RowMark.MEMORY: _("from memory"),
        RowMark.OLD: texts.label(PriceAge.OLD),
        RowMark.EXPIRED: texts.label(PriceAge.EXPIRED),
        RowMark.ON_REQUEST: _("on request"),
        RowMark.UNUSED: _("not used"),
    }


def tab_names(texts: Texts) -> dict[Tab, str]:
    """The word of every part."""
    _ = texts.gettext
    return {
        Tab.CARDS: _("Cards"),
        Tab.SYSTEMS: _("Machines"),
        Tab.ITEMS: _("Accessories"),
        Tab.MODELS: _("Models"),
        Tab.PRICES: _("Prices"),
        Tab.RENTAL: _("Rental offers"),
    }


def _cards(viewer: Viewer) -> Listing:
    _ = viewer.texts.gettext
    columns = (
        Column(_("Name"), 0),
        Column("GB", 56, number=True),
        Column("GB/s", 68, number=True),
        Column("BF16 TFLOPS", 106, number=True),
        Column("W", 60, number=True),
        Column(_("Guide price, net"), 132, number=True),
        Column(_("Marks"), 150),
    )
    rows = []
    for card in viewer.catalog.facts.cards.values():
        guide = _guide(card.id, viewer)
        marks = _entry_marks(card.id, viewer) | _price_marks(guide)
        cells = (
            Cell(card.short_name, card.short_name.casefold()),
            _figure(card.memory_gb, viewer),
            _figure(card.bandwidth_gb_per_s, viewer),
            _figure(card.bf16_dense_tflops, viewer),
            _figure(card.power_w, viewer),
            _guide_cell(guide, viewer),
        )
        rows.append(_row(card.id, cells, marks, card.vendor, (card.name, card.architecture), viewer))
    return Listing(Tab.CARDS, columns, tuple(rows))


def _systems(viewer: Viewer) -> Listing:
    texts = viewer.texts
    _ = texts.gettext
    columns = (
        Column(_("Name"), 0),
        Column(_("Kind"), 104),
        Column(_("Slots"), 92, number=True),
        Column(_("Listed cards"), 152),
        Column(_("Guide price, net"), 124, number=True),
        Column(_("Marks"), 112),
    )
    rows = []
    for system in viewer.catalog.facts.systems.values():
        guide = _guide(system.id, viewer)
        listed = [_option(option.card_id, option.max_cards, viewer) for option in system.options]
        kind = texts.label(system.kind)
        cells = (
            Cell(item_name(system.name, texts.tr), system.name.casefold()),
            Cell(kind, kind),
            _figure(system.slots, viewer),
            Cell(", ".join(listed) or NONE, Decimal(len(listed))),
            _guide_cell(guide, viewer),
        )
        marks = _entry_marks(system.id, viewer) | _price_marks(guide)
        rows.append(_row(system.id, cells, marks, system.vendor, listed, viewer))
    return Listing(Tab.SYSTEMS, columns, tuple(rows))


def _items(viewer: Viewer) -> Listing:
    texts = viewer.texts
    _ = texts.gettext
    columns = (
        Column(_("Name"), 0),
        Column(_("Kind"), 130),
        Column(_("For cards"), 160),
        Column(_("Guide price, net"), 132, number=True),
        Column(_("Marks"), 140),
    )
    rows = []
    for item in viewer.catalog.facts.items.values():
        guide = _guide(item.id, viewer)
        kind = texts.label(item.kind)
        cards = ", ".join(texts.name(card) for card in item.for_cards)
        cells = (
            Cell(item_name(item.name, texts.tr), item.name.casefold()),
            Cell(kind, kind),
            Cell(cards or NONE, cards),
            _guide_cell(guide, viewer),
        )
        marks = _entry_marks(item.id, viewer) | _price_marks(guide)
        numbers = tuple(number for _vendor, number in item.part_numbers)
        rows.append(_row(item.id, cells, marks, kind, numbers, viewer))
    return Listing(Tab.ITEMS, columns, tuple(rows))


def _models(viewer: Viewer) -> Listing:
    texts = viewer.texts
    _ = texts.gettext
    columns = (
        Column(_("Name"), 0),
        Column(_("Family"), 110),
        Column(_("Parameters"), 142, number=True),
        Column(_("Context"), 90, number=True),
        Column(_("Licence"), 150),
        Column(_("Marks"), 130),
    )
    rows = []
    for model in viewer.catalog.facts.models.values():
        context = model.max_position
        cells = (
            Cell(model.name, model.name.casefold()),
            Cell(model.family, model.family.casefold()),
            Cell(texts.integer(model.parameters), Decimal(model.parameters)),
            Cell(NONE if context is None else texts.integer(context), None if context is None else Decimal(context)),
            Cell(model.licence or NONE, model.licence.casefold()),
        )
        marks = {RowMark.OWN} if model.id in viewer.own_models else set()
        if model.grade is Grade.M or (model.licence and not model.licence_seen):
            marks.add(RowMark.MEMORY)
        rows.append(_row(model.id, cells, marks, model.family, (model.hf_id, model.model_type), viewer))
    return Listing(Tab.MODELS, columns, tuple(rows))


def _prices(viewer: Viewer) -> Listing:
    texts = viewer.texts
    _ = texts.gettext
    columns = (
        Column(_("Item"), 0),
        Column(_("Amount"), 140, number=True),
        Column(_("Net/gross"), 104),
        Column(_("Kind"), 96),
        Column(_("Date"), 104),
        Column(_("Source"), 116),
        Column(_("Marks"), 120),
    )
    rows = []
    for item_id, records in viewer.catalog.facts.prices.items():
        for number, price in enumerate(records):
            if viewer.customer and is_own_price(price, viewer):
                continue
            card = viewer.catalog.facts.cards.get(item_id)
            name = item_name(texts.name(item_id), texts.tr) if card is None else card.short_name
            kind = texts.label(price.kind)
            cells = (
                Cell(name, name.casefold()),
                Cell(amount_words(price, texts.language), (price.low + price.high) / 2),
                Cell(_("gross") if price.includes_vat else _("net")),
                Cell(kind, kind),
                Cell(short_date(price.as_of, texts), price.as_of),
                Cell(source_title(price.source, texts.tr), price.source.title.casefold()),
            )
            search = (price.note, price.currency, texts.name(item_id))
            rows.append(_row(item_id, cells, price_record_marks(price, viewer), kind, search, viewer, number))
    return Listing(Tab.PRICES, columns, tuple(rows))


def _rental(viewer: Viewer) -> Listing:
    texts = viewer.texts
    _ = texts.gettext
    columns = (
        Column(_("Provider"), 0),
        Column(_("Card"), 146),
        Column(_("Term"), 120),
        Column(_("Region"), 86),
        Column(_("Per card and hour"), 146, number=True),
        Column(_("Date"), 104),
        Column(_("Marks"), 104),
    )
    rows = []
    for offer in viewer.catalog.facts.rental_offers:
        term = texts.label(offer.term)
        cells = (
            Cell(offer.provider, offer.provider.casefold()),
            Cell(offered_card(offer, texts.tr), offer.card_name.casefold()),
            Cell(term, term),
            Cell(offer.region or NONE, offer.region.casefold()),
            Cell(rate_words(offer, texts), offer.middle),
            Cell(short_date(offer.as_of, texts), offer.as_of),
        )
        search = (offer.shape, offer.note, offer.id)
        rows.append(_row(offer.id, cells, _offer_marks(offer, viewer), offer.provider, search, viewer))
    return Listing(Tab.RENTAL, columns, tuple(rows))


_MAKERS: dict[Tab, Callable[[Viewer], Listing]] = {
    Tab.CARDS: _cards,
    Tab.SYSTEMS: _systems,
    Tab.ITEMS: _items,
    Tab.MODELS: _models,
    Tab.PRICES: _prices,
    Tab.RENTAL: _rental,
}


def short_date(recorded: str, texts: Texts) -> str:
    """A date for a narrow column: in digits."""
    return texts.recorded_date(recorded) if texts.language is Language.DE else recorded


def rate_words(offer: RentalOffer, texts: Texts) -> str:
    """A rental price or range with its currency."""
    low = texts.exact_money(Money(offer.low, offer.currency))
    return low if offer.low == offer.high else f"{low} – {texts.exact_money(Money(offer.high, offer.currency))}"


def price_record_marks(price: Price, viewer: Viewer) -> set[RowMark]:
    """What a price record should be looked at for."""
    marks = {_AGES[age] for age in (viewer.age(price.as_of),) if age in _AGES}
    if price.valid_until is not None and price.valid_until < viewer.today:
        marks = {RowMark.EXPIRED}
    if price.superseded:
        marks = {RowMark.UNUSED}
    if price.grade is Grade.M:
        marks.add(RowMark.MEMORY)
    if is_own_price(price, viewer):
        marks.add(RowMark.OWN)
    return marks


def is_own_price(price: Price, viewer: Viewer) -> bool:
    """Whether the record stands in the user's own price file."""
    return (price.item_id, price.as_of, price.source.id) in viewer.own_prices


_AGES = {PriceAge.OLD: RowMark.OLD, PriceAge.EXPIRED: RowMark.EXPIRED}


def _offer_marks(offer: RentalOffer, viewer: Viewer) -> set[RowMark]:
    age = viewer.age(offer.as_of)
    marks = {_AGES[age]} if age in _AGES else set()
    if offer.superseded:
        marks = {RowMark.UNUSED}
    if offer.grade is Grade.M:
        marks.add(RowMark.MEMORY)
    if offer.contradicts:
        marks.add(RowMark.CONTRADICTED)
    return marks


def _entry_marks(item_id: str, viewer: Viewer) -> set[RowMark]:
    figures = [row for row in viewer.catalog.all_provenance(item_id) if not row.field.startswith("prices.")]
    marks = {RowMark.OWN} if item_id in viewer.catalog.own_ids else set()
    if any(row.contradicts for row in figures):
        marks.add(RowMark.CONTRADICTED)
    if any(row.needs_mark for row in figures):
        marks.add(RowMark.MEMORY)
    return marks


def _price_marks(guide: GuidePrice) -> set[RowMark]:
    if guide.net is None:
        return {RowMark.ON_REQUEST}
    return {_AGES[guide.age]} if guide.age in _AGES else set()


def _guide(item_id: str, viewer: Viewer) -> GuidePrice:
    return guide_price(item_id, viewer.catalog.facts, viewer.currency, viewer.today)


def _guide_cell(guide: GuidePrice, viewer: Viewer) -> Cell:
    if guide.net is None:
        return Cell(viewer.texts.gettext("on request"), None)
    return Cell(viewer.texts.money(guide.net), guide.net.amount)


def _figure(figure: Figure[Decimal] | Figure[int] | None, viewer: Viewer) -> Cell:
    if figure is None:
        return Cell(NONE, None)
    text = viewer.texts.plain(Decimal(figure.value))
    return Cell(f"{text} *" if figure.grade is Grade.M else text, Decimal(figure.value))


def _option(card_id: str, count: int | None, viewer: Viewer) -> str:
    card = viewer.catalog.facts.cards.get(card_id)
    name = card_id if card is None else card.short_name
    return f"{'?' if count is None else count} × {name}"


def _row(
    item_id: str,
    cells: tuple[Cell, ...],
    marks: set[RowMark],
    maker: str,
    search: Iterable[str],
    viewer: Viewer,
    number: int = 0,
) -> Row:
    frozen = frozenset(marks)
    words = Cell(mark_words(frozen, viewer.texts), Decimal(-len(marks)))
    text = " ".join([item_id, maker, *(cell.text for cell in cells), words.text, *search]).casefold()
    return Row(item_id, number, (*cells, words), frozen, maker, text)

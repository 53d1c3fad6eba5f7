"""Every figure of one entry with what stands behind it: value, grade, basis, source, date, contradictions. No Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.catalog import Provenance
from catalog.field_words import field_name
from catalog.figure_words import amount_words, figure_words
from engine.cost.types import RentalOffer
from engine.figures import Basis, Grade
from engine.hardware import Card, Item, System
from engine.models import ModelSpec
from engine.prices import Price, PriceAge
from engine.wording.labels import grade_mark
from engine.wording.renting import offered_card
from gui.catalogue.rows import Row, Tab, Viewer, is_own_price, mark_words, rate_words
from gui.sources import source_lines
from gui.texts import Texts


@dataclass(frozen=True, slots=True)
class FigureLine:
    """One figure. `behind` holds the lines shown on request."""

    name: str
    value: str
    grade: Grade | None
    basis: Basis | None
    behind: tuple[str, ...]
    url: str = ""
    contradicted: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """All about one row of a table."""

    title: str
    subtitle: str
    figures: tuple[FigureLine, ...]
    notes: tuple[str, ...]


def sheet_of(tab: Tab, row: Row, viewer: Viewer) -> Sheet:
    """The sheet of a row."""
    facts, texts = viewer.catalog.facts, viewer.texts
    marks = mark_words(row.marks, texts)
    if tab is Tab.RENTAL:
        offer = next(offer for offer in facts.rental_offers if offer.id == row.id)
        return Sheet(f"{offer.provider} · {offered_card(offer, texts.tr)}", marks, tuple(_offer(offer, viewer)), ())
    if tab is Tab.PRICES:
        price = facts.prices[row.id][row.number]
        return Sheet(texts.name(row.id), marks, (_price(price, viewer),), ())
    entry = viewer.catalog.entry(row.id)
    if isinstance(entry, ModelSpec):
        return Sheet(
            entry.name, " · ".join(filter(None, (entry.family, marks))), tuple(_model(entry, texts)), entry.notes
        )
    figures = [_figure(found, viewer) for found in viewer.catalog.all_provenance(row.id) if _is_figure(found)]
    shown = (price for price in facts.prices.get(row.id, ()) if not (viewer.customer and is_own_price(price, viewer)))
    figures += [_price(price, viewer) for price in shown]
    notes = entry.notes if isinstance(entry, Card | System) else ()
    return Sheet(entry.name, " · ".join(filter(None, (_kind(entry, texts), marks))), tuple(figures), notes)


def _is_figure(found: Provenance) -> bool:
    return not found.field.startswith("prices.")


def _kind(entry: Card | System | Item, texts: Texts) -> str:
    if isinstance(entry, Card):
        return f"{entry.vendor} · {entry.architecture} · {texts.label(entry.availability)}"
    if isinstance(entry, System):
        built = texts.gettext("built to order, figures assumed") if entry.built_to_order else ""
        return " · ".join(filter(None, (entry.vendor, texts.label(entry.kind), built)))
    return texts.label(entry.kind)


def _figure(found: Provenance, viewer: Viewer) -> FigureLine:
    texts = viewer.texts
    member = texts.name(found.field.partition(".")[2].partition("#")[0]) if found.field.startswith("options.") else ""
    behind = [f"{texts.label(found.basis)} · {grade_mark(found.grade, texts.tr)}", *source_lines(found.source, texts)]
    if found.note:
        behind.append(found.note)
    behind += _elsewhere(found.contradicts, texts)
    return FigureLine(
        field_name(found.field, texts.tr, member),
        figure_words(found, texts.tr, texts.language),
        found.grade,
        found.basis,
        tuple(behind),
        found.source.url,
        bool(found.contradicts),
    )


def _elsewhere(values: tuple[str, ...], texts: Texts) -> list[str]:
    if not values:
        return []
    return [texts.gettext("Other published values: {values}").format(values="; ".join(values))]


def _price(price: Price, viewer: Viewer) -> FigureLine:
    texts = viewer.texts
    _ = texts.gettext
    age = PriceAge.EXPIRED if price.valid_until and price.valid_until < viewer.today else viewer.age(price.as_of)
    vat = _("gross") if price.includes_vat else _("net")
    first = [texts.label(price.kind), vat, texts.recorded_date(price.as_of), texts.label(age)]
    if price.superseded:
        first.append(_("not used"))
    behind = [" · ".join(first), grade_mark(price.grade, texts.tr), *source_lines(price.source, texts)]
    if price.valid_until is not None:
        behind.append(_("valid until {date}").format(date=texts.day(price.valid_until)))
    if price.note:
        behind.append(price.note)
    name = _("Price of {date}").format(date=texts.recorded_date(price.as_of))
    return FigureLine(
        name, f"{amount_words(price, texts.language)} {vat}", price.grade, None, tuple(behind), price.source.url
    )


def _offer(offer: RentalOffer, viewer: Viewer) -> Iterator[FigureLine]:
    texts = viewer.texts
    _ = texts.gettext
    age = texts.label(viewer.age(offer.as_of))
    behind = [
        " · ".join((texts.label(offer.term), texts.recorded_date(offer.as_of), age)),
        grade_mark(offer.grade, texts.tr),
        *source_lines(offer.source, texts),
    ]
    if offer.note:
        behind.append(offer.note)
    behind += _elsewhere(offer.contradicts, texts)
    common = (offer.grade, None, tuple(behind), offer.source.url, bool(offer.contradicts))
    yield FigureLine(_("Per card and hour"), f"{rate_words(offer, texts)} {_('net')}", *common)
    if offer.setup_fee is not None:
        yield FigureLine(_("Setup fee"), f"{texts.plain(offer.setup_fee)} {offer.currency}", *common)
    for name, value in (
        (_("Region"), offer.region),
        (_("Shape"), offer.shape),
        (_("Cards per node"), "" if offer.cards is None else texts.integer(offer.cards)),
        (_("Form"), "" if offer.form is None else texts.label(offer.form)),
        (_("Link between the cards"), "" if offer.link is None else texts.label(offer.link)),
        (_("Cards of the catalogue"), ", ".join(texts.name(card) for card in offer.card_ids)),
    ):
        if value:
            yield FigureLine(name, value, *common)


def _model(model: ModelSpec, texts: Texts) -> Iterator[FigureLine]:
    _ = texts.gettext
    behind = (f"{texts.label(model.basis)} · {grade_mark(model.grade, texts.tr)}", *model.sources)

    def line(name: str, value: str) -> FigureLine:
        return FigureLine(name, value, model.grade, model.basis, behind)

    yield line(_("Parameters"), texts.integer(model.parameters))
    if model.is_moe:
        yield line(_("Active per token"), texts.integer(model.active_parameters))
    if model.vision_parameters:
        yield line(_("Vision part, not trained"), texts.integer(model.vision_parameters))
    yield line(_("Layers"), texts.integer(model.layers))
    yield line(_("Hidden width"), texts.integer(model.hidden_size))
    yield line(_("Vocabulary"), texts.integer(model.vocab_size))
    if model.max_position is not None:
        yield line(_("Context"), texts.integer(model.max_position))
    yield line(_("Model type"), model.model_type)
    if model.licence:
        grade = Grade.C if model.licence_seen else Grade.M
        seen = grade_mark(grade, texts.tr)
        yield FigureLine(_("Licence"), model.licence, grade, None, (seen, *model.sources))
    if model.defaulted:
        yield line(_("Taken from the library's defaults"), ", ".join(model.defaulted))

"""What the catalogue means, checked: references resolve, figures are sourced and plausible, prices are dated.

Each `find_*` yields findings of one kind; `check` runs them all. Errors and warnings make `catalog check` fail, notes
name what is known and marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from decimal import Decimal

from catalog.catalog import Catalog, Provenance, shown
from catalog.findings import Finding, Level
from catalog.schema import GateRow
from engine.cost.types import RentalOffer
from engine.figures import Grade
from engine.hardware import Availability, Card, CardForm, Cooling, System, SystemKind
from engine.prices import AgeLimits, Price, PriceAge, PriceKind
from engine.pricing import age_of, first_day
from engine.units import GB, MIB
from engine.wording.translator import mark

NOT_RECORDED = "not recorded"
FORMATS = ("fp8", "mxfp8", "nvfp4")


def check(catalog: Catalog, as_of: date) -> tuple[Finding, ...]:
    """Every finding: of reading, of meaning, of age on `as_of`; errors first."""
    found = [
        *catalog.findings,
        *find_unresolved_references(catalog),
        *find_unresolved_offers(catalog, catalog.facts.rental_offers),
        *find_unsourced_figures(catalog),
        *find_figures_without_unit(catalog),
        *find_figures_from_memory(catalog),
        *find_implausible_cards(catalog),
        *find_wrong_format_gates(catalog),
        *find_implausible_systems(catalog),
        *find_price_problems(catalog, as_of),
        *find_old_rates(catalog, as_of),
        *find_items_without_price(catalog),
        *find_unused_sources(catalog),
    ]
    order = list(Level)
    return tuple(sorted(found, key=lambda finding: order.index(finding.level)))


def find_unresolved_references(catalog: Catalog) -> Iterator[Finding]:
    """Ids that lead nowhere."""
    yield from _unresolved_in_entries(catalog)
    facts = catalog.facts
    priced = set(facts.cards) | set(facts.systems) | set(facts.items)
    for item_id in facts.prices:
        if item_id not in priced:
            yield _plain(Level.ERROR, "unresolved", "prices.yaml", item_id, UNRESOLVED, id=item_id)
    for item_id, sibling in facts.ranking_stand_ins.items():
        for wanted in {item_id, sibling} - priced:
            yield _plain(Level.ERROR, "unresolved", "rules.yaml", "ranking_stand_ins", UNRESOLVED, id=wanted)
        if sibling not in facts.prices:
            yield _plain(
                Level.ERROR,
                "stand-in-without-price",
                "rules.yaml",
                f"ranking_stand_ins.{item_id}",
                mark("{id} has no price of its own and cannot stand in"),
                id=sibling,
            )


def _unresolved_in_entries(catalog: Catalog) -> Iterator[Finding]:
    facts = catalog.facts
    for system in facts.systems.values():
        wanted = [("options", option.card_id) for option in system.options]
        wanted += [("kits", kit.card_id) for kit in system.kits]
        for field, card_id in wanted:
            if card_id not in facts.cards:
                yield _unresolved(catalog, system.id, field, card_id)
        for kit in system.kits:
            if kit.item_id not in facts.items:
                yield _unresolved(catalog, system.id, "kits", kit.item_id)
    for item in facts.items.values():
        for card_id in item.for_cards:
            if card_id not in facts.cards:
                yield _unresolved(catalog, item.id, "for_cards", card_id)


def find_unresolved_offers(catalog: Catalog, offers: Iterable[RentalOffer]) -> Iterator[Finding]:
    """Rental offers for cards that are not in the catalogue."""
    for offer in offers:
        for card_id in offer.card_ids:
            if card_id not in catalog.facts.cards:
                yield _plain(Level.ERROR, "unresolved", "cloud_offers.yaml", offer.id, UNRESOLVED, id=card_id)


def find_unsourced_figures(catalog: Catalog) -> Iterator[Finding]:
    """Figures whose source says neither what it is nor when it was."""
    for row in _figures(catalog):
        source = row.source
        if not source.title:
            yield _at(catalog, row, Level.ERROR, "unsourced", mark("the source has no title"))
        undated = source.document_date == NOT_RECORDED and not source.read_date
        if undated and row.grade is not Grade.M and not source.read_via and not source.url:
            yield _at(catalog, row, Level.WARNING, "undated-source", mark("the source has no date and no place"))


def find_figures_without_unit(catalog: Catalog) -> Iterator[Finding]:
    """Numbers that do not say what they count."""
    for row in _figures(catalog):
        if not row.unit and not row.field.startswith(("prices.", "options.")) and _is_number(row.value):
            bare = row.field in {"compute_capability"} or row.field.startswith("details.part_number")
            if not bare:
                yield _at(catalog, row, Level.ERROR, "no-unit", mark("a number needs a unit"))


def find_figures_from_memory(catalog: Catalog) -> Iterator[Finding]:
    """Figures of grade M: allowed, always shown with a mark."""
    for row in _figures(catalog):
        if row.needs_mark:
            yield _at(
                catalog, row, Level.NOTE, "from-memory", mark("from memory, unverified: shown with a mark everywhere")
            )


def find_implausible_cards(catalog: Catalog) -> Iterator[Finding]:
    """Card figures that contradict each other or lie outside what such cards can be."""
    for card in catalog.facts.cards.values():
        for field, problem in _card_problems(card):
            yield _entry(catalog, card.id, field, Level.ERROR, "implausible", problem)


def _card_problems(card: Card) -> Iterator[tuple[str, str]]:
    datasheet = card.memory_gb.value * GB
    if not Decimal("0.93") * datasheet <= card.usable_bytes.value <= Decimal("1.08") * datasheet:
        yield "usable_bytes", mark("more than 7 % from the datasheet's capacity")
    total = card.details.get("nvsmi_mib")
    if total is not None and total.value != card.usable_bytes.value / MIB:
        yield "usable_bytes", mark("does not follow from the MiB the driver reports")
    if not 20 <= card.power_w.value <= 3000:
        yield "power_w", mark("outside 20 to 3,000 W")
    if any(limit >= card.power_w.value for limit in card.power_limits_w):
        yield "power_limits_w", mark("a limit must be below the card's power")
    bf16, fp8 = card.bf16_dense_tflops, card.fp8_dense_tflops
    if bf16 is not None and fp8 is not None and not Decimal("1.9") <= fp8.value / bf16.value <= Decimal("4.5"):
        yield "fp8_dense_tflops", mark("not about twice the dense BF16 rate")
    measured = card.measured_bf16_tflops
    if bf16 is not None and measured is not None and measured.value > bf16.value:
        yield "measured_bf16_tflops", mark("above the theoretical rate")
    if card.bandwidth_gb_per_s is not None and not 100 <= card.bandwidth_gb_per_s.value <= 30_000:
        yield "bandwidth_gb_per_s", mark("outside 100 to 30,000 GB/s")
    for profile in card.mig:
        if profile.instances * profile.memory_gb > card.memory_gb.value * Decimal("1.01"):
            yield f"mig.{profile.name}", mark("the instances together exceed the card's memory")
    if card.nvlink is not None and any(size > card.nvlink.max_cards for size in card.nvlink.bridge_sizes):
        yield "nvlink", mark("a bridge joins more cards than the link allows")
    if card.form is CardForm.PCIE and card.slot_width == 0:
        yield "slot_width", mark("a PCIe card needs at least one slot")


def find_wrong_format_gates(catalog: Catalog) -> Iterator[Finding]:
    """Format flags that contradict the library's gates on the card's compute capability."""
    gates: dict[str, GateRow] = {gate.format: gate for gate in catalog.documents.rules[0].content.format_gates}
    for card in catalog.facts.cards.values():
        if card.compute_capability is None or card.formats_source is None:
            continue
        capability = _capability(card.compute_capability.value)
        for name in FORMATS:
            gate = gates.get(name)
            if gate is None:
                continue
            below = gate.below_capability
            allowed = _capability(gate.from_capability) <= capability and (
                below is None or capability < _capability(below)
            )
            if getattr(card, name) is not allowed:
                yield _entry(
                    catalog,
                    card.id,
                    f"formats.{name}",
                    Level.ERROR,
                    "format-gate",
                    mark("contradicts the gate of the training library"),
                )


def find_implausible_systems(catalog: Catalog) -> Iterator[Finding]:
    """Machine rules that contradict each other or the cards."""
    for system in catalog.facts.systems.values():
        for level, field, problem in _system_problems(system, catalog):
            yield _entry(catalog, system.id, field, level, "implausible", problem)


def _system_problems(system: System, catalog: Catalog) -> Iterator[tuple[Level, str, str]]:
    for option in system.options:
        card = catalog.facts.cards.get(option.card_id)
        field = f"options.{option.card_id}"
        if card is None:
            continue
        if option.max_cards is not None and option.min_cards > option.max_cards:
            yield Level.ERROR, field, mark("at least more cards than at most")
        wide = card.slot_width >= 2 and system.slots is not None and option.max_cards is not None
        if wide and system.slots is not None and (option.max_cards or 0) > system.slots.value:
            yield Level.ERROR, field, mark("more double-width cards than slots")
        if option.power_cap_w is not None and option.power_cap_w >= card.power_w.value:
            yield Level.ERROR, field, mark("the cap is not below the card's power")
        if option.nvlink_bridges and (card.nvlink is None or not card.nvlink.bridge_sizes):
            yield Level.ERROR, field, mark("bridges for a card that takes none")
        if system.kind is SystemKind.WORKSTATION and card.cooling.value is Cooling.PASSIVE:
            yield Level.WARNING, field, mark("a passive card in a workstation")
        if _needs_watts(system, card, option.max_cards, option.power_cap_w):
            yield Level.WARNING, field, mark("the supplies do not carry that many cards")
    for rule in system.psu_rules:
        if rule.cards_from > rule.cards_to:
            yield Level.ERROR, "psu_rules", mark("from more cards than to")
    if system.built_to_order and system.base_power_w is None:
        yield Level.ERROR, "base_power_w", mark("the seller's own chassis needs this figure")


def _needs_watts(system: System, card: Card, cards: int | None, cap_w: int | None) -> bool:
    if cards is None or system.psu_watts_usable is None:
        return False
    base_w = 0 if system.base_power_w is None else system.base_power_w.value
    return cards * (cap_w or card.power_w.value) + base_w > system.psu_watts_usable.value


def find_price_problems(catalog: Catalog, as_of: date) -> Iterator[Finding]:
    """Prices from the future, past their validity, or old without a mark."""
    for item_id, prices in catalog.facts.prices.items():
        for price in prices:
            yield from _one_price(item_id, price, as_of, catalog.facts.age_limits)


def _one_price(item_id: str, price: Price, as_of: date, limits: AgeLimits) -> Iterator[Finding]:
    day = first_day(price.as_of)
    if day is None:
        raise AssertionError("the schema takes no price without a day of the calendar")
    if day > as_of:
        yield _price(Level.WARNING, "future-price", item_id, price, mark("the price is from the future"))
    if price.superseded or price.kind is PriceKind.INCLUDED:
        return
    if price.valid_until is not None and price.valid_until < as_of:
        yield _price(Level.NOTE, "invalid-price", item_id, price, mark("no longer valid, so not used"))
    elif age_of(price.as_of, as_of, limits) is PriceAge.EXPIRED:
        yield _price(Level.NOTE, "expired-price", item_id, price, mark("old: shown as expired wherever it is used"))


def find_old_rates(catalog: Catalog, as_of: date) -> Iterator[Finding]:
    """Currency pairs whose newest rate is old."""
    newest: dict[tuple[str, str], date] = {}
    for rate in catalog.facts.rates:
        pair = (rate.base, rate.quote)
        newest[pair] = max(newest.get(pair, date.min), rate.as_of)
    for (base, quote), day in newest.items():
        if as_of - day > timedelta(days=catalog.facts.age_limits.old_days):
            yield _plain(
                Level.WARNING,
                "old-rate",
                "exchange_rates.yaml",
                f"{base}/{quote}",
                mark("the newest rate is of {day}; please enter a newer one"),
                day=day.isoformat(),
            )


def find_items_without_price(catalog: Catalog) -> Iterator[Finding]:
    """Cards on sale that have neither a price nor a sibling that orders them."""
    facts = catalog.facts
    for card in facts.cards.values():
        if card.availability is not Availability.CURRENT or card.form is CardForm.UNIT:
            continue
        usable = any(not price.superseded for price in facts.prices.get(card.id, ()))
        if not usable and card.id not in facts.ranking_stand_ins:
            yield _entry(
                catalog,
                card.id,
                "prices",
                Level.NOTE,
                "no-price",
                mark("no price and no sibling to order it by: on request"),
            )


def find_unused_sources(catalog: Catalog) -> Iterator[Finding]:
    """Sources no figure rests on."""
    used = {row.source.id for row in _figures(catalog)}
    facts = catalog.facts
    used |= {rate.source.id for rate in facts.rates} | {rate.source.id for rate in facts.vat_rates}
    used |= {card.formats_source.id for card in facts.cards.values() if card.formats_source is not None}
    used |= {system.source.id for system in facts.systems.values()}
    used |= {kit.source.id for system in facts.systems.values() for kit in system.kits}
    used |= {limit.db_a.source.id for limit in facts.noise_limits}
    for circuit in facts.circuits:
        used |= {figure.source.id for figure in (circuit.amps, circuit.nominal_w, circuit.sustained_w)}
    if facts.host_minimum is not None:
        used |= {facts.host_minimum.cores_per_card.source.id, facts.host_minimum.memory_gb_per_card.source.id}
    for document in catalog.documents.sources:
        for key in document.content.sources:
            if key not in used:
                yield _plain(
                    Level.NOTE,
                    "unused-source",
                    document.path.name,
                    key,
                    mark("no figure of the catalogue rests on this source"),
                )


UNRESOLVED = mark("{id} is not in the catalogue")


def _figures(catalog: Catalog) -> Iterable[Provenance]:
    facts = catalog.facts
    for item_id in (*facts.cards, *facts.systems, *facts.items):
        yield from catalog.all_provenance(item_id)


def _is_number(value: str) -> bool:
    try:
        Decimal(value)
    except ArithmeticError:
        return False
    return True


def _capability(text: str) -> tuple[int, int]:
    major, _, minor = text.partition(".")
    return int(major), int(minor)


def _unresolved(catalog: Catalog, item_id: str, field: str, wanted: str) -> Finding:
    return _entry(catalog, item_id, field, Level.ERROR, "unresolved", UNRESOLVED, id=wanted)


def _entry(
    catalog: Catalog, item_id: str, field: str, level: Level, code: str, template: str, **values: object
) -> Finding:
    origin = catalog.origins.get(item_id)
    file = "" if origin is None else origin.path.name
    line = 0 if level is Level.NOTE else catalog.line(item_id)
    return Finding(level, code, file, line, f"{item_id}.{field}", template, values)


def _at(catalog: Catalog, row: Provenance, level: Level, code: str, template: str) -> Finding:
    return _entry(catalog, row.item_id, row.field, level, code, template)


def _plain(level: Level, code: str, file: str, field: str, template: str, **values: object) -> Finding:
    return Finding(level, code, file, 0, field, template, values)


def _price(level: Level, code: str, item_id: str, price: Price, template: str) -> Finding:
    place = f"{item_id} {shown(price.low)} {price.currency} {price.as_of}"
    return Finding(level, code, "prices.yaml", 0, place, template)

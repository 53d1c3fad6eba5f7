"""The catalogue as the rest of Passform sees it: facts, findings, and where every figure comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from typing import Any, TypeGuard

from catalog.documents import Document, line_in
from catalog.findings import Finding, Level
from catalog.schema import CardsFile, ItemsFile, PricesFile, RatesFile, RulesFile, SourcesFile, SystemsFile
from engine.errors import PassformError
from engine.facts import Facts
from engine.figures import Basis, Figure, Grade, Source
from engine.hardware import Card, CardOption, Item, MigProfile, NvLink, System
from engine.models import ModelSpec
from engine.prices import Price

Entry = Card | System | Item | ModelSpec


class UnknownIdError(PassformError):
    """No entry of the catalogue has this id."""

    def __init__(self, item_id: str, near: str = "") -> None:
        template = "{id} is not in the catalogue; did you mean {near}?" if near else "{id} is not in the catalogue."
        super().__init__(template, id=item_id, near=near)


@dataclass(frozen=True, slots=True)
class Origin:
    """Which file an entry was read from; `own` files belong to the user."""

    path: Path
    index: int
    list_name: str
    own: bool


@dataclass(frozen=True, slots=True)
class Provenance:
    """One figure with everything that stands behind it."""

    item_id: str
    field: str  # path inside the entry, e.g. `memory_gb`, `details.chip`, `mig.1g.24gb`, `prices.0`
    value: str
    unit: str
    source: Source
    grade: Grade
    basis: Basis
    note: str
    contradicts: tuple[str, ...]

    @property
    def needs_mark(self) -> bool:
        """From memory: never in a customer's document without a visible mark."""
        return self.grade is Grade.M


@dataclass(frozen=True, slots=True)
class Documents:
    """The validated files behind the facts: bundled first, own after."""

    sources: tuple[Document[SourcesFile], ...]
    cards: tuple[Document[CardsFile], ...]
    systems: tuple[Document[SystemsFile], ...]
    items: tuple[Document[ItemsFile], ...]
    prices: tuple[Document[PricesFile], ...]
    rates: tuple[Document[RatesFile], ...]
    rules: tuple[Document[RulesFile], ...]


@dataclass(frozen=True, slots=True)
class Catalog:
    """One immutable snapshot."""

    facts: Facts
    findings: tuple[Finding, ...]  # of reading and validating; `integrity.check` finds the rest
    documents: Documents
    origins: Mapping[str, Origin]
    sources: Mapping[str, Source]
    own_ids: frozenset[str] = field(default_factory=frozenset)

    @property
    def version(self) -> str:
        """Date of the bundled catalogue; a consultation records it."""
        return self.facts.version

    @property
    def has_errors(self) -> bool:
        """Whether an entry had to be left out."""
        return any(finding.level is Level.ERROR for finding in self.findings)

    def entry(self, item_id: str) -> Entry:
        """The card, machine, item or model of an id. Raises `UnknownIdError`, naming the nearest id."""
        facts = self.facts
        for table in (facts.cards, facts.systems, facts.items, facts.models):
            found = table.get(item_id)
            if found is not None:
                return found
        raise UnknownIdError(item_id, self._nearest(item_id))

    def line(self, item_id: str) -> int:
        """Line of an entry in its file; 0 when it has none. Reads the file again."""
        origin = self.origins.get(item_id)
        if origin is None:
            return 0
        return line_in(origin.path, (origin.list_name, origin.index))

    def all_provenance(self, item_id: str) -> tuple[Provenance, ...]:
        """Every figure of an entry, its options and its prices, in the order of the type. Raises `UnknownIdError`."""
        entry = self.entry(item_id)
        rows = [] if isinstance(entry, ModelSpec) else list(_walk(item_id, entry))
        rows.extend(
            _price_row(item_id, number, price) for number, price in enumerate(self.facts.prices.get(item_id, ()))
        )
        return tuple(rows)

    def _nearest(self, item_id: str) -> str:
        facts = self.facts
        known = [*facts.cards, *facts.systems, *facts.items, *facts.models]
        return next(iter(get_close_matches(item_id, known, n=1)), "")


def shown(value: object) -> str:
    """A value as the command line and exports print it: enums by their word, numbers without trailing zeros."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, Decimal):
        text = format(value, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    return str(value)


def amount_text(price: Price) -> str:
    """An amount or a range, with its currency."""
    low, high = shown(price.low), shown(price.high)
    return f"{low} {price.currency}" if low == high else f"{low}-{high} {price.currency}"


def _walk(item_id: str, entry: Card | System | Item) -> list[Provenance]:
    rows: list[Provenance] = []
    if isinstance(entry, Item):
        return [Provenance(item_id, "item", entry.name, "", entry.source, entry.grade, entry.basis, entry.note, ())]
    for part in fields(entry):
        value = getattr(entry, part.name)
        if isinstance(value, Figure):
            rows.append(_row(item_id, part.name, value))
        elif isinstance(value, NvLink):
            rows.append(_row(item_id, "nvlink.gb_per_s_per_direction", value.gb_per_s_per_direction))
        elif part.name == "details":
            rows.extend(_row(item_id, f"details.{key}", detail) for key, detail in value.items())
        elif isinstance(value, tuple):
            for member in filter(_is_sourced, value):
                rows.append(_nested(item_id, part.name, member))
                if isinstance(member, MigProfile) and member.usable_bytes is not None:
                    rows.append(_row(item_id, f"{part.name}.{member.name}.usable_bytes", member.usable_bytes))
    return _told_apart(rows)


def _told_apart(rows: list[Provenance]) -> list[Provenance]:
    """A machine may list a card twice, with different counts and caps: the second is `options.card#2`."""
    seen: dict[str, int] = {}
    unique = []
    for row in rows:
        seen[row.field] = seen.get(row.field, 0) + 1
        number = seen[row.field]
        unique.append(row if number == 1 else replace(row, field=f"{row.field}#{number}"))
    return unique


def _is_sourced(member: object) -> TypeGuard[MigProfile | CardOption]:
    return isinstance(member, MigProfile | CardOption)


def _nested(item_id: str, name: str, member: MigProfile | CardOption) -> Provenance:
    if isinstance(member, MigProfile):
        value = f"{member.instances} x {shown(member.memory_gb)}"
        return replace(_row(item_id, f"{name}.{member.name}", member.figure), value=value, unit="GB")
    count = "count not stated" if member.max_cards is None else str(member.max_cards)
    cap = f" at {member.power_cap_w} W" if member.power_cap_w else ""
    return Provenance(
        item_id=item_id,
        field=f"{name}.{member.card_id}",
        value=count + cap,
        unit="cards",
        source=member.source,
        grade=member.grade,
        basis=member.basis,
        note=member.note,
        contradicts=(),
    )


def _row(item_id: str, name: str, figure: Figure[Any]) -> Provenance:
    return Provenance(
        item_id,
        name,
        shown(figure.value),
        figure.unit,
        figure.source,
        figure.grade,
        figure.basis,
        figure.note,
        figure.contradicts,
    )


def _price_row(item_id: str, number: int, price: Price) -> Provenance:
    basis = Basis.ASSUMED if price.grade is Grade.M else Basis.DERIVED if price.grade is Grade.D else Basis.PUBLISHED
    note = "; ".join(part for part in (price.as_of, "superseded" if price.superseded else "", price.note) if part)
    return Provenance(item_id, f"prices.{number}", amount_text(price), "", price.source, price.grade, basis, note, ())

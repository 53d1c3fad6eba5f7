"""What is different between two catalogues: entries, figures, prices, rates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from catalog.catalog import Catalog, amount_text, rate_text
from engine.models import ModelSpec
from engine.prices import Price
from engine.wording.translator import Translator


class Kind(StrEnum):
    """What happened to an entry or a figure."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `field` is empty when a whole entry came or went."""

    kind: Kind
    part: str  # cards, systems, items, models, prices, rates
    item_id: str
    field: str
    before: str
    after: str

    def text(self, tr: Translator) -> str:
        """One line for the command line and the window."""
        name = f"{self.item_id}.{self.field}" if self.field else self.item_id
        if self.kind is Kind.ADDED:
            return tr.gettext("+ {name}: {after}").format(name=name, after=self.after)
        if self.kind is Kind.REMOVED:
            return tr.gettext("- {name}: {before}").format(name=name, before=self.before)
        return tr.gettext("~ {name}: {before} -> {after}").format(name=name, before=self.before, after=self.after)


def diff(old: Catalog, new: Catalog) -> tuple[Change, ...]:
    """Every difference, by part and id."""
    return (
        *_entries(old, new, "cards", old.facts.cards, new.facts.cards),
        *_entries(old, new, "systems", old.facts.systems, new.facts.systems),
        *_entries(old, new, "items", old.facts.items, new.facts.items),
        *_models(old.facts.models, new.facts.models),
        *_prices(old.facts.prices, new.facts.prices),
        *_rates(old, new),
    )


def about(changes: Iterable[Change], item_ids: Iterable[str]) -> tuple[Change, ...]:
    """The changes that touch these ids, and every changed rate."""
    wanted = set(item_ids)
    return tuple(change for change in changes if change.item_id in wanted or change.part == "rates")


def _entries(
    old: Catalog, new: Catalog, part: str, before: Mapping[str, object], after: Mapping[str, object]
) -> Iterator[Change]:
    for item_id in [*before, *(key for key in after if key not in before)]:
        if item_id not in after:
            yield Change(Kind.REMOVED, part, item_id, "", _name(before[item_id]), "")
        elif item_id not in before:
            yield Change(Kind.ADDED, part, item_id, "", "", _name(after[item_id]))
        elif before[item_id] != after[item_id]:
            yield from _figures(old, new, part, item_id)


def _figures(old: Catalog, new: Catalog, part: str, item_id: str) -> Iterator[Change]:
    left, right = _values(old, item_id), _values(new, item_id)
    found = False
    for field in [*left, *(field for field in right if field not in left)]:
        before, after = left.get(field), right.get(field)
        if before == after:
            continue
        found = True
        kind = Kind.ADDED if before is None else Kind.REMOVED if after is None else Kind.CHANGED
        yield Change(kind, part, item_id, field, before or "", after or "")
    if not found:
        yield Change(Kind.CHANGED, part, item_id, "", old.entry(item_id).name, new.entry(item_id).name)


def _values(catalog: Catalog, item_id: str) -> dict[str, str]:
    """Figures as text, with grade and source, so that a changed source is a change too."""
    values = {"name": catalog.entry(item_id).name}
    for row in catalog.all_provenance(item_id):
        if not row.field.startswith("prices."):
            values[row.field] = f"{row.value} {row.unit} [{row.source.title}, {row.grade.value}]".replace("  ", " ")
    return values


def _models(before: Mapping[str, ModelSpec], after: Mapping[str, ModelSpec]) -> Iterator[Change]:
    for model_id in [*before, *(key for key in after if key not in before)]:
        left, right = before.get(model_id), after.get(model_id)
        if left == right:
            continue
        if right is None and left is not None:
            yield Change(Kind.REMOVED, "models", model_id, "", left.name, "")
        elif left is None and right is not None:
            yield Change(Kind.ADDED, "models", model_id, "", "", right.name)
        elif left is not None and right is not None:
            yield Change(Kind.CHANGED, "models", model_id, "parameters", str(left.parameters), str(right.parameters))


def _prices(before: Mapping[str, tuple[Price, ...]], after: Mapping[str, tuple[Price, ...]]) -> Iterator[Change]:
    for item_id in sorted(set(before) | set(after)):
        left = {_price_text(price) for price in before.get(item_id, ())}
        right = {_price_text(price) for price in after.get(item_id, ())}
        for text in sorted(left - right):
            yield Change(Kind.REMOVED, "prices", item_id, "price", text, "")
        for text in sorted(right - left):
            yield Change(Kind.ADDED, "prices", item_id, "price", "", text)


def _price_text(price: Price) -> str:
    used = " (not used)" if price.superseded else ""
    return f"{amount_text(price)}, {price.kind.value}, {price.as_of}, {price.source.title}{used}"


def _rates(old: Catalog, new: Catalog) -> Iterator[Change]:
    left = {rate_text(rate) for rate in old.facts.rates}
    right = {rate_text(rate) for rate in new.facts.rates}
    for text in sorted(left - right):
        yield Change(Kind.REMOVED, "rates", "exchange_rates", "rate", text, "")
    for text in sorted(right - left):
        yield Change(Kind.ADDED, "rates", "exchange_rates", "rate", "", text)


def _name(entry: object) -> str:
    return str(getattr(entry, "name", ""))

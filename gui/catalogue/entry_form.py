"""An own card, machine or accessory as a form: its parts, their fields, and changes to them. No Qt.

The entry is kept as the plain fields its file will hold; the shape of the file checks them when they are saved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from catalog.field_words import field_name, unit_name
from catalog.figure_words import value_word
from catalog.own_entries import number
from engine.figures import Basis, Grade, Source
from engine.hardware import Availability, CardForm, Cooling, ItemKind, LinkKind, SystemKind
from engine.wording.catalogue_texts import source_title
from engine.wording.labels import grade_mark
from engine.wording.translator import Language, Translator
from gui.entry import parse_decimal
from gui.texts import Texts

Raw = dict[str, Any]
Place = tuple[str | int, ...]

SEPARATOR = ";"
LISTS = ("options", "mig", "kits", "psu_rules")
TEXT_LISTS = frozenset({"notes", "contradicts", "for_cards"})
NUMBER_LISTS = frozenset({"power_limits_w", "bridge_sizes"})
FLAGS = frozenset(
    {
        *("built_to_order", "fixed_cards", "supports_vgpu", "nvlink_bridges", "included_with_card"),
        *("fp8", "mxfp8", "nvfp4"),
    }
)
CHOICES: Mapping[str, type[StrEnum]] = {
    "grade": Grade,
    "basis": Basis,
    "availability": Availability,
    "form": CardForm,
    "cooling.value": Cooling,
    "nvlink.kind": LinkKind,
}
KINDS: Mapping[str, type[StrEnum]] = {"systems.yaml": SystemKind, "items.yaml": ItemKind}
FIGURES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "cards.yaml": (
        *(("bandwidth_gb_per_s", "GB/s"), ("bf16_dense_tflops", "TFLOPS"), ("measured_bf16_tflops", "TFLOPS")),
        *(("fp8_dense_tflops", "TFLOPS"), ("fp32_tflops", "TFLOPS"), ("pcie_gb_per_s", "GB/s")),
        *(("max_per_workstation", "cards"), ("vgpu", ""), ("ecc", ""), ("compute_capability", "")),
    ),
    "systems.yaml": (
        *(("rack_units", "U"), ("slots", "double-width slots"), ("host_memory_max_gb", "GB")),
        *(("host_cores_max", "cores"), ("psu_watts_usable", "W"), ("base_power_w", "W"), ("inlet_max_c", "°C")),
        *(("noise_db_a", "dB(A)"), ("topology", ""), ("pcie_peer_gb_per_s", "GB/s")),
    ),
    "items.yaml": (),
}
ORDER = (
    "id",
    "name",
    "short_name",
    "vendor",
    "kind",
    "value",
    "unit",
    "source",
    "grade",
    "basis",
    "note",
    "contradicts",
)
UNSHOWN = frozenset({"source", "grade", "basis", "note", "name"})
MADE_UP = ("details", "part_numbers")


@dataclass(frozen=True, slots=True)
class FormField:
    """One value as text. `choices` not empty: one of these values with their words."""

    place: Place
    name: str
    text: str
    choices: tuple[tuple[str, str], ...] = ()
    is_source: bool = False


@dataclass(frozen=True, slots=True)
class FormPart:
    """The entry itself, or one figure or listed member of it."""

    place: Place
    name: str
    summary: str
    fields: tuple[FormField, ...]
    removable: bool


class EntryForm:
    """The parts of an entry and the changes to them."""

    def __init__(self, file: str, raw: Mapping[str, Any], texts: Texts) -> None:
        self.file = file
        self.raw: Raw = deepcopy(dict(raw))
        self._texts = texts

    def parts(self) -> list[FormPart]:
        """The entry itself first, then its figures and lists in the order of the file."""
        found = [self._part((), self.raw)]
        for key, value in self.raw.items():
            if isinstance(value, dict):
                found += self._nested((key,), value)
            elif key in LISTS:
                found += [self._part((key, number), member) for number, member in enumerate(value)]
        return found

    def addable(self) -> list[tuple[str, str]]:
        """Figures the entry does not have yet, and lists it can have another member of, with their words."""
        figures = [(key, field_name(key, self._texts.tr)) for key, _unit in FIGURES[self.file] if key not in self.raw]
        if self.file == "systems.yaml":
            figures.append(("options", self._texts.gettext("Listed card")))
        return figures

    def add(self, key: str, source: str) -> Place:
        """Add a figure or a listed card; returns its place."""
        if key == "options":
            option = {"card": "", "max_cards": 1, "source": source, "grade": "C", "basis": "published"}
            self.raw.setdefault("options", []).append(option)
            return ("options", len(self.raw["options"]) - 1)
        unit = dict(FIGURES[self.file])[key]
        figure = {"value": "", "unit": unit, "source": source, "grade": "C", "basis": "published"}
        self.raw[key] = figure if unit else {name: value for name, value in figure.items() if name != "unit"}
        return (key,)

    def remove(self, place: Place) -> None:
        """Take a figure or a member of a list away."""
        holder = self._at(place[:-1])
        del holder[place[-1]]
        if len(place) > 1 and not holder:
            del self.raw[place[0]]

    def set(self, place: Place, text: str) -> None:
        """Change a value; empty takes an optional one away."""
        holder, key = self._at(place[:-1]), place[-1]
        value = self._value(str(key), text.strip(), holder.get(key))
        if place == ("compute_capability", "value"):
            value = text.strip().replace(",", ".")  # a name like 9.0, no number
        if value is None and key not in ("value", "source", "grade", "basis", "id", "name"):
            holder.pop(key, None)
        else:
            holder[key] = "" if value is None else value

    def place_of(self, path: str) -> Place | None:
        """The part a message's field path `cards.3.memory_gb.value` is about; None when it names none."""
        steps = path.split(".")[2:]
        places = [part.place for part in self.parts()]
        for length in range(len(steps), -1, -1):
            wanted = tuple(int(step) if step.isdigit() else step for step in steps[:length])
            if wanted in places:
                return wanted
        return None

    def _nested(self, place: Place, value: Raw) -> Iterator[FormPart]:
        if place[0] in MADE_UP:
            for key, member in value.items():
                if isinstance(member, dict):
                    yield self._part((*place, key), member)
            return
        yield self._part(place, value)
        for key, member in value.items():
            if isinstance(member, dict):
                yield self._part((*place, key), member)

    def _part(self, place: Place, value: Raw) -> FormPart:
        fields = tuple(
            self._field((*place, key), value.get(key)) for key in sorted(self._keys(place, value), key=_order)
        )
        required = (
            not place
            or place[0] in ("cooling", "memory_gb", "usable_bytes", "power_w")
            or (len(place) == 2 and place[0] == "nvlink")
        )
        return FormPart(place, self._name(place, value), self._summary(place, value), fields, not required)

    def _keys(self, place: Place, value: Raw) -> list[str]:
        keys = [key for key, member in value.items() if not isinstance(member, dict) and key not in LISTS]
        if "value" in value or (place and place[0] in LISTS):
            keys += [key for key in ("note",) if key not in keys]
        if place and place[0] == "options":
            keys += [key for key in ("power_cap_w", "nvlink_bridges") if key not in keys]
        return keys

    def _field(self, place: Place, value: object) -> FormField:
        key = str(place[-1])
        name = field_name(key, self._texts.tr)
        path = ".".join(str(step) for step in place)
        if key in FLAGS or path == "ecc.value":
            words = (("true", self._texts.gettext("yes")), ("false", self._texts.gettext("no")))
            return FormField(place, name, "" if value is None else str(value).lower(), (("", "–"), *words))
        members = KINDS.get(self.file) if path == "kind" else CHOICES.get(path) or CHOICES.get(key)
        if members is not None:
            return FormField(place, name, str(value), tuple((one.value, self._word(one)) for one in members))
        return FormField(place, name, self._text(value), is_source=key == "source")

    def _word(self, member: StrEnum) -> str:
        if isinstance(member, Grade):
            return grade_mark(member, self._texts.tr)
        return self._texts.label(member)

    def _text(self, value: object) -> str:
        if value is None:
            return ""
        if isinstance(value, bool):
            return self._texts.gettext("yes") if value else self._texts.gettext("no")
        if isinstance(value, list | tuple):
            return f"{SEPARATOR} ".join(str(member) for member in value)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        text = str(value)
        german = self._texts.language is Language.DE
        return text.replace(".", ",") if german and re.fullmatch(r"\d+\.\d+", text) and text.count(".") == 1 else text

    def _name(self, place: Place, value: Raw) -> str:
        if not place:
            return field_name("", self._texts.tr)
        path = ".".join(str(step) for step in place)
        called = value.get("card") or value.get("name") or value.get("item") or ""
        if place[0] == "psu_rules":
            called = f"{value.get('cards_from')}–{value.get('cards_to')}"
        return field_name(path, self._texts.tr, self._texts.name(str(called)))

    def _summary(self, place: Place, value: Raw) -> str:
        if not place:
            return str(value.get("name", ""))
        if "value" in value:
            unit = unit_name(str(value.get("unit", "")), self._texts.tr)
            return f"{self._short(place, 'value', value['value'])} {unit}".strip()
        if place[0] == "options":
            count = value.get("max_cards")
            return self._texts.gettext("count not stated") if count is None else f"{count} ×"
        shown = [key for key in value if key not in UNSHOWN and not isinstance(value[key], dict)]
        return ", ".join(self._short(place, key, value[key]) for key in shown[:3])

    def _short(self, place: Place, key: str, value: object) -> str:
        """A value as it is read, where `_text` is as it is typed."""
        members = CHOICES.get(f"{place[0]}.{key}")
        if members is not None:
            return self._word(members(value))
        if isinstance(value, int) and not isinstance(value, bool):
            return self._texts.integer(value)
        return value_word(value, self._texts.tr) if isinstance(value, str) else self._text(value)

    def _at(self, place: Place) -> Any:  # noqa: ANN401  # a value of a plain tree of dictionaries and lists
        value: Any = self.raw
        for step in place:
            value = value[step]
        return value

    def _value(self, key: str, text: str, known: object) -> object:
        if not text:
            return None
        if key in FLAGS or isinstance(known, bool):
            return text == "true"
        if key in TEXT_LISTS:
            return [part.strip() for part in text.split(SEPARATOR) if part.strip()]
        if key in NUMBER_LISTS:
            return [_number(part.strip(), self._texts.language) for part in text.split(SEPARATOR) if part.strip()]
        return text if key in PLAIN_TEXT else _number(text, self._texts.language)


PLAIN_TEXT = frozenset(
    {"id", "name", "short_name", "vendor", "family", "architecture", "note", "source", "unit", "card", "item", "kind"}
)


def _number(text: str, language: Language) -> int | float | str:
    """A number as the file writes it, or the text itself."""
    if not re.fullmatch(r"[\d.,'\s\u00a0]+", text):
        return text
    value = parse_decimal(text, language)
    return text if value is None else number(value)


def _order(key: str) -> tuple[int, str]:
    return (ORDER.index(key), "") if key in ORDER else (len(ORDER), key)


def known_sources(sources: Mapping[str, Source], used: Sequence[str], tr: Translator) -> list[tuple[str, str]]:
    """Sources to choose from, those of the entry first, as id and title."""
    first = [key for key in dict.fromkeys(used) if key in sources]
    rest = sorted((key for key in sources if key not in first), key=lambda key: str(sources[key].title).casefold())
    return [(key, source_title(sources[key], tr)) for key in (*first, *rest)]

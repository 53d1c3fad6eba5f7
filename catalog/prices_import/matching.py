"""Product names of a list against the catalogue: part numbers first, then names, editions never mixed up."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from rapidfuzz import fuzz

from engine.facts import Facts
from engine.hardware import CardForm, ItemKind

SURE = 90.0  # from here on a match needs no confirmation, unless another is close
LIKELY = 62.0  # below nothing is proposed
MARGIN = 4.0
_PROPOSED = 6


@dataclass(frozen=True, slots=True)
class Match:
    """The catalogue id a product name most likely means."""

    item_id: str
    score: float  # 0 to 100
    by_part_number: bool = False
    others: tuple[str, ...] = ()  # further ids that may be meant
    doubt: str = ""  # code of what the name says beside the product: used, several pieces, a part for it

    @property
    def is_sure(self) -> bool:
        """No confirmation needed."""
        return not self.doubt and (self.by_part_number or (self.score >= SURE and not self.others))


_NOISE = re.compile(
    r"\b(nvidia|pny|amd|intel|geforce|instinct|gddr\d?x?|hbm\d?e?|ecc|pci-?e?x?|pcie|express|gen\s*\d|x16|karte|card|gpu|grafikkarte|"
    r"graphics|accelerator|beschleuniger|retail|bulk|oem|neu|new|tensor|core|cores|fhfl|dual|slot|active|passive|aktiv|passiv|"
    r"generation|architecture|blackwell|hopper|professional|workstation-?karte|server-?karte|tcsr\w*|vcn\w*|small|box|std|kit|für|for|with|mit|w|und|and|"
    r"warranty|jahre|years?|garantie|\d+\s*y)\b",
    re.IGNORECASE,
)
_SPELLINGS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), word)
    for pattern, word in (
        (r"rtx\s*pro\s*tm|rtx™|®|™", "rtx"),
        (r"max[\s_-]*q", " maxq "),
        (r"\bmaxq\s+workstation(\s+edition)?", " maxq "),
        (r"\b(server\s*(edition|ed\.?)|srv\s*ed\.?|\bse\b|server-edition)", " se "),
        (r"\b(workstation\s*(edition|ed\.?)|\bws\b|\bwe\b)", " ws "),
        (r"(?<!\d)(\d+)\s*(gb|gib|gbyte)\b", r" \1gb "),
        (r"\bsxm\s*\d?\b", " sxm "),
        (r"\bnvl\b", " nvl "),
        (r"\bada\s*(lovelace)?\b", " ada "),
        (r"\bpro\s*(\d{4})", r"pro \1"),
        (r"\b([ahblq]\d{2,3}s?)(pcie|sxm|nvl)", r"\1 \2"),
        (r"2[\s-]*(way|fach|wege)|\b(for|für)\s+(two|zwei|2)\b", " 2way "),
        (r"4[\s-]*(way|fach|wege)|\b(for|für)\s+(four|vier|4)\b", " 4way "),
        (r"\b(bridge|br(ü|ue)cke)\b", " bridge "),
    )
)
_USED = re.compile(
    r"gebraucht|refurb|b[-\s]?ware|b[-\s]?stock|\bused\b|second\s*hand|vorführ|ausstellung|\bdemo\b|renewed|"
    r"generalüberholt|open\s*box|rückläufer|defekt",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"^\s*([2-9]|\d{2,3})\s*([x×]|stk|stück|pcs)\b|\b([2-9]|\d{2,3})er[-\s]?(pack|set|bundle)|bundle|"
    r"\b(mit|with|inkl\.?|incl\.?)\s*\d{1,3}\s*[x×]\s*(?!dp|display|hdmi|mini|usb|\d*-?pin)",
    re.IGNORECASE,
)
_PART = re.compile(
    r"kühler|kühlkörper|wasserblock|water\s*block|heatsink|cooler\b|halterung|halter\b|bracket|slotblech|kabel|cable|"
    r"riser|backplate|netzteil|gehäuse|lizenz|licen[cs]e|subscription|ersatzteil|spare\s*part|upgrade|leasing|miete",
    re.IGNORECASE,
)
_DECIDING = re.compile(
    r"^(maxq|se|ws|nvl|sxm|pcie|ada|\d+gb|2way|4way|bridge|super|ti|server|tower|dgx|hgx|station|spark|[a-z]{0,3}\d{2,5}[a-z]{0,3})$"
)
_EXCLUSIVE = tuple(map(frozenset, ({"maxq", "se", "ws"}, {"nvl", "sxm", "pcie"}, {"2way", "4way"}, {"ada", "pro"})))
_SIZE = re.compile(r"^\d+gb$")
_MODEL = re.compile(r"^(?!\d+(gb|way|u)$)[a-z]{0,4}\d{1,5}[a-z]{0,3}$")


def normal(name: str) -> str:
    """A product name reduced to what tells products apart."""
    text = unicodedata.normalize("NFKC", name).lower()
    form = " pcie " if re.search(r"\b(a100|h100|a800)\b", text) and re.search(r"pci\s*-?e", text) else ""
    for pattern, word in _SPELLINGS:
        text = pattern.sub(word, text)
    text = _NOISE.sub(" ", text)
    text = re.sub(r"[^a-z0-9äöü]+", " ", text)
    return " ".join((text + form).split())


def part_key(number: str) -> str:
    """A part number without the signs that differ between lists."""
    return re.sub(r"[^A-Z0-9]", "", number.upper())


class Matcher:
    """Knows the catalogue's names and part numbers."""

    def __init__(self, facts: Facts, remembered: Mapping[str, str] | None = None) -> None:
        """`remembered` are names the user confirmed before, normalised, with their id."""
        self._names: dict[str, str] = {}
        self._parts: dict[str, str] = {}
        self._whole = frozenset(facts.cards) | frozenset(facts.systems)
        self._ids = frozenset(facts.cards) | frozenset(facts.systems) | frozenset(facts.items)
        self._remembered = dict(remembered or {})
        for card in facts.cards.values():
            if card.form is CardForm.UNIT:
                continue  # a complete computer is sold and priced as a machine
            self._add(card.id, (card.name, card.short_name))
            self._add_parts(
                card.id, (str(detail.value) for key, detail in card.details.items() if key.startswith("part_number"))
            )
        for system in facts.systems.values():
            self._add(system.id, (system.name,))
        for item in facts.items.values():
            if item.kind is not ItemKind.PRICE_REFERENCE:
                self._add(item.id, (item.name,))
                self._add_parts(item.id, (number for _, number in item.part_numbers))
        self._by_model: dict[str, list[_Words]] = {}
        self._without_model: list[_Words] = []
        for choice in map(_Words.of, self._names):
            for model in choice.models:
                self._by_model.setdefault(model, []).append(choice)
            if not choice.models:
                self._without_model.append(choice)
        self._by_name = lru_cache(maxsize=65_536)(self._match_name)

    def match(self, item_id: str, part_numbers: Iterable[str], name: str) -> Match | None:
        """The id that is meant, by the list's own id, a part number or the name; None when nothing is near."""
        if item_id in self._ids:
            return Match(item_id, 100.0)
        for number in part_numbers:
            found = self._parts.get(part_key(number))
            if found is not None:
                return self._doubted(Match(found, 100.0, by_part_number=True), name)
        wanted = normal(name) if name else ""
        near = self._by_name(wanted) if wanted else None
        return near if near is None or self._remembered.get(wanted) == near.item_id else self._doubted(near, name)

    def _doubted(self, match: Match, name: str) -> Match:
        """The match with what makes its price another one than that of one new piece."""
        if _USED.search(name):
            return replace(match, doubt="used")
        if _SEVERAL.search(name):
            return replace(match, doubt="several")
        foreign = match.item_id in self._whole and _PART.search(name)
        return replace(match, doubt="part") if foreign else match

    def _add(self, item_id: str, names: Iterable[str]) -> None:
        for name in names:
            self._names.setdefault(normal(name), item_id)

    def _add_parts(self, item_id: str, numbers: Iterable[str]) -> None:
        for number in numbers:
            key = part_key(number)
            if len(key) >= 5:
                self._parts[key] = item_id

    def _candidates(self, wanted: _Words) -> list[_Words]:
        """Names that share a model number with the wanted one, or carry none and share a word."""
        shared = [choice for model in wanted.models for choice in self._by_model.get(model, ())]
        return shared + [choice for choice in self._without_model if choice.words & wanted.words]

    def _match_name(self, wanted: str) -> Match | None:
        known = self._remembered.get(wanted)
        if known in self._ids:
            return Match(str(known), 100.0)
        scored: dict[str, float] = {}
        words = _Words.of(wanted)
        for choice in self._candidates(words):
            item_id = self._names[choice.text]
            scored[item_id] = max(_score(words, choice), scored.get(item_id, 0.0))
        ranked = sorted(scored.items(), key=lambda pair: -pair[1])[:_PROPOSED]
        if not ranked or ranked[0][1] < LIKELY:
            return None
        best_id, best = ranked[0]
        others = tuple(other for other, score in ranked[1:] if score >= max(LIKELY, best - MARGIN))
        return Match(best_id, best, others=others)


@dataclass(frozen=True, slots=True)
class _Words:
    """A normalised name taken apart once."""

    text: str
    words: frozenset[str]
    deciding: frozenset[str]
    sizes: frozenset[str]
    models: frozenset[str]

    @classmethod
    def of(cls, text: str) -> _Words:
        words = frozenset(text.split())
        return cls(
            text,
            words,
            deciding=frozenset(word for word in words if _DECIDING.match(word)),
            sizes=frozenset(word for word in words if _SIZE.match(word)),
            models=frozenset(word for word in words if _MODEL.match(word)),
        )


def _score(wanted: _Words, choice: _Words) -> float:
    """Likeness of two names; a deciding word that only one of them has costs dearly."""
    if _contradict(wanted, choice):
        return 0.0
    missing = len(choice.deciding - wanted.deciding)
    extra = len(wanted.deciding - choice.deciding - wanted.sizes)
    base = 0.5 * fuzz.token_set_ratio(wanted.text, choice.text) + 0.5 * fuzz.token_sort_ratio(wanted.text, choice.text)
    covered = 98.0 if choice.words <= wanted.words else base
    return max(0.0, max(base, covered) - 16 * missing - 12 * extra)


def _contradict(left: _Words, right: _Words) -> bool:
    """Different edition, form, memory size or model number; or a bridge against a card."""
    if ("bridge" in left.words) is not ("bridge" in right.words):
        return True
    for mine, theirs in ((left.models, right.models), (left.sizes, right.sizes)):
        if mine and theirs and not mine & theirs:
            return True
    return any(
        left.words & group and right.words & group and not left.words & right.words & group for group in _EXCLUSIVE
    )

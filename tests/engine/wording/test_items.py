"""Names in the catalogue that are English words have their German; product names stay."""

from __future__ import annotations

import re

from catalog.load import load_catalog
from engine.wording.items import item_name
from resources import translations

ENGLISH = re.compile(r"\b(with|without|for|servers?|cards?|years?|boards|general|workstations|fixed|price)\b")


def test_that_no_english_words_are_left_in_german_names() -> None:
    facts = load_catalog().facts
    tr = translations("de")
    names = [*facts.systems.values(), *facts.items.values(), *facts.cards.values()]
    left = [item.name for item in names if ENGLISH.search(item_name(item.name, tr))]
    assert left == []


def test_that_a_sellers_own_title_is_never_translated() -> None:
    assert item_name("Date", translations("de")) == "Date"

"""Titles of sources in the reader's language."""

from __future__ import annotations

import pytest

from catalog.load import load_catalog
from engine.wording.sources import DESCRIPTIONS, source_title
from resources import translations


@pytest.fixture(scope="module")
def titles() -> dict[str, str]:
    return {key: source.title for key, source in load_catalog().sources.items()}


def test_that_every_description_is_one_of_the_catalogue(titles: dict[str, str]) -> None:
    assert set(titles.values()) >= DESCRIPTIONS


def test_that_a_description_is_german_and_a_documents_own_title_stays() -> None:
    sources = load_catalog().sources
    german = translations("de")
    memory = sources["memory"]
    assert source_title(memory, german) == "Aus dem Gedächtnis, ungeprüft"
    guide = sources["nv_mig"]
    assert source_title(guide, german) == guide.title

"""The words for rental offers."""

from __future__ import annotations

import pytest

from catalog.load import load_catalog
from engine.wording.renting import offered_card
from resources import translations


@pytest.mark.parametrize(
    ("offer_id", "language", "words"),
    [
        ("ovhcloud-h100-on-demand", "de", "H100, Ausführung nicht genannt"),
        ("ovhcloud-h100-on-demand", "en", "H100, edition not stated"),
        ("aws-l40s-g6e-2xlarge-on-demand", "de", "L40S"),
    ],
)
def test_that_an_offer_says_in_the_readers_language_what_its_source_leaves_open(
    offer_id: str, language: str, words: str
) -> None:
    offers = {offer.id: offer for offer in load_catalog().facts.rental_offers}
    assert offered_card(offers[offer_id], translations(language)) == words

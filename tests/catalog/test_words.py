"""What is said of the rows of a price list."""

from __future__ import annotations

import pytest

from catalog.prices_import.preview import Row, Status
from catalog.prices_import.words import status_words
from resources import translations


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("status", list(Status))
def test_that_every_status_has_words(status: Status, language: str) -> None:
    row = Row(7, status, "name", "", "1", detail="3")
    words = status_words(row, translations(language))
    assert words
    assert "{" not in words

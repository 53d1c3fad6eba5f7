"""What is said of the rows of a price list, and of the fields of entries."""

from __future__ import annotations

import pytest

from catalog.field_words import field_name
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


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("details.cuda_cores_total", "CUDA cores total"),
        ("details.part_number_hpe", "Part number HPE"),
        ("details.part_number_dell", "Part number Dell"),
        ("circuit.power_w", "Power"),
        ("mig.1g.24gb.usable_bytes", "MIG 1g.24gb: Usable by driver"),
        ("options.h200_nvl#2", "Listed: h200_nvl (2)"),
    ],
)
def test_that_a_field_nobody_translated_is_told_in_readable_words(path: str, words: str) -> None:
    """Own entries may state any detail."""
    assert field_name(path, translations("en")) == words

"""The catalogue's facts, read once."""

import pytest

from catalog.load import load_catalog


@pytest.fixture(scope="session")
def facts():
    return load_catalog().facts

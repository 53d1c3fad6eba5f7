"""The bundled catalogue, read once for all tests of the area."""

from __future__ import annotations

import pytest

from catalog.catalog import Catalog
from catalog.load import load_catalog


@pytest.fixture(scope="session")
def bundled() -> Catalog:
    return load_catalog()

"""The bundled catalogue, read once for all tests of the area; a consultation's file, and a window that is gone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from catalog.catalog import Catalog
from catalog.consultation.document import Consultation
from catalog.consultation.files import write
from catalog.consultation.locks import Owner, this_window
from catalog.load import load_catalog
from tests.catalog.windows import NAME, ended_process


@pytest.fixture(scope="session")
def bundled() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="session")
def dead() -> Owner:
    """A window of this machine whose process is gone."""
    return replace(this_window(), token="dead", process=ended_process(), birth="")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / NAME
    write(Consultation(title="old"), path)
    return path

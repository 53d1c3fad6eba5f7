"""`catalog diff`, `import`, `export`, `verify`, and the ways back."""

from __future__ import annotations

import base64
import io
from datetime import date
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from catalog import listing
from catalog.commands import catalogue_files as commands
from catalog.compiled import JsonStore
from catalog.load import load_catalog
from engine.wording.translator import Language
from resources import translations
from tests.catalog.test_updates import KEY, newer, package

TODAY = date(2026, 11, 30)
VIEW = listing.View(translations("en"), Language.EN, "EUR", TODAY)


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """A user's data folder that trusts the test's publisher."""
    public = base64.b64encode(KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()
    folder = tmp_path / "user"
    folder.mkdir()
    (folder / "trusted_keys.yaml").write_text(f"keys:\n  - {{name: Test, public: {public}}}\n", encoding="utf-8")
    return folder


def test_that_a_list_is_reported_applied_and_taken_back(user: Path, tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(
        "Name;Netto EUR\nL40S;6.100,00\nL40S;6.200,00\nKabel;5,00\nRTX 5090;\nL4;gratis\n", encoding="utf-8"
    )
    out = io.StringIO()
    assert commands.import_prices(path, user, VIEW, out, apply=False) == 0
    assert "prices.yaml" not in {file.name for file in user.iterdir()}
    text = out.getvalue()
    assert "already in line 2 with another amount" in text
    assert "no entry of the catalogue is near" in text
    assert "the cell holds no number" in text
    assert "4 rows, 1 ready, 0 to confirm, 3 reported." in text
    assert commands.import_prices(path, user, VIEW, io.StringIO(), apply=True) == 0
    assert load_catalog(user).facts.prices["l40s"][0].kind.value == "seller"
    assert commands.undo_import(user, VIEW, io.StringIO()) == 0
    assert commands.undo_import(user, VIEW, io.StringIO()) == 1


def test_that_a_list_without_ready_rows_exits_with_one(user: Path, tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("Name;Netto\nKabel;5,00\n", encoding="utf-8")
    assert commands.import_prices(path, user, VIEW, io.StringIO(), apply=True, currency="EUR", vat="net") == 1


@pytest.mark.parametrize("what", ["cards", "prices"])
def test_that_an_export_is_written_and_named(user: Path, tmp_path: Path, what: str) -> None:
    out, path = io.StringIO(), tmp_path / f"{what}.xlsx"
    assert commands.export(what, path, user, VIEW, out) == 0
    assert path.stat().st_size > 1_000
    assert str(path) in out.getvalue()


def test_that_a_package_is_verified_applied_and_reverted(user: Path, tmp_path: Path) -> None:
    path, out = package(tmp_path), io.StringIO()
    assert commands.verify(path, user, VIEW, out, apply=False) == 0
    assert "Signed by Test, catalogue of 2027-01-15." in out.getvalue()
    assert "350\u00a0W" in out.getvalue()
    assert load_catalog(user).version == "2026-11-30"
    commands.verify(path, user, VIEW, io.StringIO(), apply=True)
    assert load_catalog(user).version == "2027-01-15"
    assert commands.compare("2026-11-30", user, VIEW, io.StringIO()) == 1
    assert commands.revert(user, VIEW, io.StringIO()) == 0
    assert load_catalog(user).version == "2026-11-30"


def test_that_differences_are_told_against_versions_folders_and_packages(user: Path, tmp_path: Path) -> None:
    assert commands.compare("2026-11-30", user, VIEW, io.StringIO()) == 0
    out = io.StringIO()
    assert commands.compare(str(newer(tmp_path, "2027-03-01")), user, VIEW, out) == 1
    assert out.getvalue().endswith("4 differences.\n")
    assert commands.compare(str(package(tmp_path)), user, VIEW, io.StringIO()) == 1


def test_that_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    assert JsonStore(blocked / "cache").data("a: 1\n", "x.yaml") == {"a": 1}


def test_that_values_json_does_not_know_are_parsed_every_time(tmp_path: Path) -> None:
    store = JsonStore(tmp_path)
    assert store.data("a: 2026-11-30\n", "x.yaml") == {"a": TODAY}
    assert store.data("1: x\n", "x.yaml") == {1: "x"}
    assert list(tmp_path.glob("*.json")) == []


def test_that_an_older_entry_of_a_file_leaves_the_cache(tmp_path: Path) -> None:
    store = JsonStore(tmp_path)
    store.data("a: 1\n", "x.yaml")
    store.data("a: 2\n", "x.yaml")
    assert len(list(tmp_path.glob("x.*.json"))) == 1

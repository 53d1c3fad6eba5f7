"""The user's folder is where the platform keeps application data."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from platformdirs import user_data_path

from catalog.user_folder import VARIABLE, user_folder


@pytest.mark.parametrize("place", [None, "", " ", "elsewhere"])
def test_that_the_folder_is_the_platforms(place: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    if place is not None:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / place) if place.strip() else place)
    assert user_folder() == user_data_path("passform", appauthor=False, roaming=False)


@pytest.mark.parametrize(
    ("system", "variable", "place"),
    [
        ("win32", "C:/Users/x/AppData/Local", "C:/Users/x/AppData/Local/passform"),
        ("win32", "", "{home}/AppData/Local/passform"),
        ("darwin", "ignored", "{home}/Library/Application Support/passform"),
    ],
)
def test_that_other_systems_have_their_own_place(
    system: str, variable: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("LOCALAPPDATA", variable)
    assert user_folder() == Path(place.format(home=tmp_path))


def test_that_a_portable_installation_names_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert user_folder() == tmp_path

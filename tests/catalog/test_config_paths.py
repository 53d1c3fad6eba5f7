"""A consultation from anybody reads nothing outside its own folder and the user's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.consultation.config_paths import OutsideError, config_path, keep_config
from engine.errors import PassformError


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    folder, own = tmp_path / "kunde", tmp_path / "own"
    for place in (folder / "modell", own):
        place.mkdir(parents=True)
    (tmp_path / "secret.json").write_text("{}", encoding="utf-8")
    return folder, own


@pytest.mark.parametrize("config", ["config.json", "modell/config.json", "./modell/../config.json"])
def test_that_files_in_the_folder_are_allowed(folders: tuple[Path, Path], config: str) -> None:
    folder, own = folders
    assert config_path(config, folder, own).is_relative_to(folder)


def test_that_files_in_the_users_folder_are_allowed(folders: tuple[Path, Path]) -> None:
    folder, own = folders
    assert config_path(str(own / "models" / "config.json"), folder, own) == own / "models" / "config.json"


@pytest.mark.parametrize(
    "config",
    [
        "../secret.json",
        "modell/../../secret.json",
        "/etc/passwd",
        "/proc/self/environ",
        "//host/share/config.json",
        r"\\host\share\config.json",
        r"\\?\UNC\host\share\config.json",
        "config.json\x00.txt",
        "",
        "  ",
    ],
)
def test_that_files_elsewhere_are_refused_in_words(folders: tuple[Path, Path], config: str) -> None:
    with pytest.raises(OutsideError, match="outside the folder"):
        config_path(config, *folders)


def test_that_a_link_out_of_the_folder_is_refused(folders: tuple[Path, Path]) -> None:
    folder, own = folders
    (folder / "link.json").symlink_to(folder.parent / "secret.json")
    with pytest.raises(OutsideError):
        config_path("link.json", folder, own)


@given(st.text(max_size=40) | st.lists(st.sampled_from(["..", ".", "a", "/", "\\", "C:", ""])).map("/".join))
def test_that_no_text_leads_out(tmp_path_factory, config: str) -> None:
    base = tmp_path_factory.getbasetemp()
    try:
        found = config_path(config, base / "kunde", base / "own")
    except OutsideError:
        return
    inside = (base / "kunde", base / "own")
    assert any(Path(os.path.normpath(found)).is_relative_to(place) for place in inside)


def test_that_a_configuration_from_elsewhere_is_copied_once_and_keeps_its_name(folders: tuple[Path, Path]) -> None:
    folder, own = folders
    source = folder.parent / "Our Model" / "config.json"
    source.parent.mkdir()
    source.write_text('{"a": 1}', encoding="utf-8")
    kept = keep_config(source, own)
    assert kept == keep_config(source, own)
    assert kept.parent.name == "Our-Model"
    assert config_path(str(kept), folder, own).read_text(encoding="utf-8") == '{"a": 1}'
    source.write_text('{"a": 2}', encoding="utf-8")
    assert keep_config(source, own) != kept


def test_that_a_configuration_that_cannot_be_read_or_kept_is_named(folders: tuple[Path, Path]) -> None:
    folder, own = folders
    with pytest.raises(PassformError, match=r"gone\.json: cannot be read"):
        keep_config(folder / "gone.json", own)
    (own / "models").write_text("", encoding="utf-8")
    with pytest.raises(PassformError, match="cannot be written"):
        keep_config(folder.parent / "secret.json", own)

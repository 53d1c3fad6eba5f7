"""Sections kept for the next proposal: kept, replaced, dropped, and a damaged file named."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from catalog.consultation.quote_rows import SectionRow
from catalog.disk import DiskError
from catalog.price_ages import save_age_limits
from catalog.quote_templates import FILE_NAME, MAX_BYTES, drop_template, keep_template, templates
from catalog.versions import set_applied
from catalog.yaml_nodes import FileFormatError
from engine.prices import AgeLimits


def _section(title: str) -> SectionRow:
    return SectionRow.model_validate(
        {"role": "free", "title": title, "lines": [{"id": "a", "title": "Aufbau", "quantity": 2, "planned": True}]}
    )


def test_that_templates_are_kept_by_name_in_order_and_no_longer_follow_a_plan(tmp_path: Path) -> None:
    assert templates(tmp_path) == ()
    for name in ("service", "Aufbau", "zubehör"):
        keep_template(tmp_path / "new", name, _section(name))
    kept = templates(tmp_path / "new")
    assert [template.name for template in kept] == ["Aufbau", "service", "zubehör"]
    assert [line.planned for template in kept for line in template.section.lines] == [False] * 3


def test_that_a_template_of_the_same_name_is_replaced_and_a_dropped_one_is_gone(tmp_path: Path) -> None:
    keep_template(tmp_path, "a", _section("old"))
    keep_template(tmp_path, "b", _section("b"))
    keep_template(tmp_path, "a", _section("new"))
    assert [template.section.title for template in templates(tmp_path)] == ["new", "b"]
    drop_template(tmp_path, "a")
    drop_template(tmp_path, "never there")
    assert [template.name for template in templates(tmp_path)] == ["b"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe", "quote_templates.yaml: the file is not UTF-8 text"),
        (b"schema: 2\n", "quote_templates.yaml:1"),
        (b"schema: 1\ntemplates:\n- name: ''\n", "quote_templates.yaml:3"),
        (b"#" * (MAX_BYTES + 1), "larger than 4000000 bytes"),
    ],
)
def test_that_a_damaged_file_is_named_and_left_alone(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(FileFormatError, match=message):
        templates(tmp_path)
    with pytest.raises(FileFormatError):
        keep_template(tmp_path, "a", _section("a"))
    assert (tmp_path / FILE_NAME).read_bytes() == content


def test_that_an_unreachable_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_template(tmp_path, "a", _section("a"))

    def fail(*_arguments: object, **_more: object) -> str:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Path, "open", fail)
    with pytest.raises(FileFormatError, match=r"quote_templates.yaml: cannot be read: .*Input/output error"):
        templates(tmp_path)


def test_that_a_data_folder_that_cannot_be_made_is_told_with_what_helps(tmp_path: Path) -> None:
    """Settings of every kind go through the same door: none may end in a traceback."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    folder = tmp_path / "file" / "passform"
    for write in (
        lambda: keep_template(folder, "a", _section("a")),
        lambda: save_age_limits(folder, AgeLimits(30, 90)),
        lambda: set_applied(folder, ["2026-11-01"]),
    ):
        with pytest.raises(DiskError, match="cannot be reached"):
            write()

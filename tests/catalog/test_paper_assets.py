"""The seller's logo as it lies in his folder."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image

from catalog import paper_assets
from catalog.paper_assets import LOGO_NAME, report_assets
from engine.report.logo import read_logo
from engine.report.text import TextGuard
from engine.wording.findings import FindingKind


@pytest.fixture
def picture(tmp_path: Path) -> bytes:
    """Noise, which no packing makes small."""
    stream = BytesIO()
    Image.frombytes("RGB", (60, 20), Random(7).randbytes(60 * 20 * 3)).save(stream, "PNG")
    (tmp_path / LOGO_NAME).write_bytes(stream.getvalue())
    return stream.getvalue()


def _left_out(folder: Path) -> list[FindingKind]:
    guard = TextGuard(range(32, 127))
    assert read_logo(report_assets("de", folder).logo_png, guard) is None
    return [finding.kind for finding in guard.findings]


def test_that_the_logo_is_the_picture_in_the_sellers_folder(tmp_path: Path, picture: bytes) -> None:
    assert report_assets("de", tmp_path).logo_png == picture
    assert report_assets("de", tmp_path / "empty").logo_png is None
    assert _left_out(tmp_path / "empty") == []


def test_that_a_logo_that_is_far_too_large_is_left_out_with_a_word(
    tmp_path: Path, picture: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paper_assets, "MAX_LOGO_BYTES", len(picture) - 1000)
    assert _left_out(tmp_path) == [FindingKind.UNREADABLE_LOGO]


def test_that_a_logo_that_cannot_be_read_is_left_out_with_a_word(
    tmp_path: Path, picture: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.open

    def refuse(path: Path, *more: Any, **named: Any) -> Any:
        if path.name == LOGO_NAME:
            raise PermissionError(13, "Permission denied")
        return real(path, *more, **named)

    assert picture
    monkeypatch.setattr(Path, "open", refuse)
    assert _left_out(tmp_path) == [FindingKind.UNREADABLE_LOGO]

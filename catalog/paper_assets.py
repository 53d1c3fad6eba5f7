"""What the paper needs from the disk: fonts, words and the seller's logo."""

from __future__ import annotations

from pathlib import Path

from catalog.text_files import is_given
from catalog.user_folder import user_folder
from engine.report.assets import Assets
from resources import COLOUR, FONTS, translations

LOGO_NAME = "logo.png"
MAX_LOGO_BYTES = 20_000_000


def report_assets(language: str, folder: Path | None = None, *, archivable: bool = False) -> Assets:
    """Fonts and translations for a paper in `language`; `logo.png` of the user's folder when there is one."""
    return Assets(
        regular=(FONTS / "Inter-Regular.ttf").read_bytes(),
        bold=(FONTS / "Inter-Bold.ttf").read_bytes(),
        tr=translations(language),
        logo_png=_logo(folder or user_folder()),
        colour_profile=(COLOUR / "sRGB.icc").read_bytes() if archivable else None,
    )


def _logo(folder: Path) -> bytes | None:
    """The file as far as it may reach. What is cut off or cannot be read is no picture, which the paper reports."""
    path = folder / LOGO_NAME
    if not is_given(path):
        return None
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_LOGO_BYTES)
    except OSError:
        return b""

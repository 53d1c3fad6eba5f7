"""Make the two fonts of window and paper from the variable Inter: static, subset, with tabular figures.

Needs fontTools and the package fontpkg-inter, which the program itself does not:

    python -m venv fonts-venv && fonts-venv/bin/pip install fonttools fontpkg-inter
    fonts-venv/bin/python scripts/make_fonts.py

Why static: reportlab draws only the default instance of a variable font, so there would be no bold. Why tabular
figures by default: reportlab applies no OpenType features, and columns of prices need digits of one width.
"""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

TARGET = Path(__file__).parents[1] / "resources" / "fonts"
WEIGHTS = {"Regular": 400, "Bold": 700}
OPTICAL_SIZE = 14
# Latin with all extensions, Greek, Cyrillic, punctuation with thin spaces, super- and subscripts, currency,
# letterlike, number forms, arrows, mathematical, technical and geometric signs, dingbats.
RANGES = (
    *((0x20, 0x7E), (0xA0, 0x24F), (0x2B0, 0x36F), (0x370, 0x3FF), (0x400, 0x52F), (0x1E00, 0x1EFF)),
    *((0x2000, 0x206F), (0x2070, 0x209F), (0x20A0, 0x20CF), (0x2100, 0x218F), (0x2190, 0x21FF)),
    *((0x2200, 0x22FF), (0x2300, 0x23FF), (0x2460, 0x24FF), (0x25A0, 0x25FF), (0x2600, 0x27BF), (0xFB00, 0xFB06)),
)
DROPPED_TABLES = ["GSUB", "GPOS", "GDEF", "STAT", "DSIG", "meta"]


def source_folder() -> Path:
    """Where the package with the variable font lies."""
    spec = find_spec("fontpkg_inter")
    if spec is None or spec.origin is None:
        raise SystemExit("The package fontpkg-inter is not installed.")
    return Path(spec.origin).parent


def tabular_digits(font: TTFont) -> dict[str, str]:
    """Glyph names of the digits and of their tabular forms, from the font's own `tnum` feature."""
    table = font["GSUB"].table
    lookups = {
        index
        for record in table.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for index in record.Feature.LookupListIndex
    }
    substitutions: dict[str, str] = {}
    for index in sorted(lookups):
        for subtable in table.LookupList.Lookup[index].SubTable:
            substitutions.update(getattr(subtable, "ExtSubTable", subtable).mapping)
    return substitutions


def make(source: Path, style: str, weight: int) -> Path:
    """Write one static instance and return its path."""
    font = instantiateVariableFont(TTFont(source), {"wght": weight, "opsz": OPTICAL_SIZE}, inplace=True)
    substitutions = tabular_digits(font)
    digits = range(ord("0"), ord("9") + 1)
    tabular = {code: substitutions[font.getBestCmap()[code]] for code in digits}
    for subtable in font["cmap"].tables:
        subtable.cmap.update(tabular)
    options = Options(hinting=False, layout_features=[], name_IDs=[0, 1, 2, 4, 5, 6, 13, 14], notdef_outline=True)
    options.drop_tables += DROPPED_TABLES
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[code for low, high in RANGES for code in range(low, high + 1)])
    subsetter.subset(font)
    names = {1: "Inter", 2: style, 4: f"Inter {style}", 6: f"Inter-{style}"}
    for name_id, text in names.items():
        font["name"].setName(text, name_id, 3, 1, 0x409)
    bold = style == "Bold"
    font["OS/2"].usWeightClass = weight
    font["OS/2"].fsSelection = 0x20 if bold else 0x40
    font["OS/2"].fsType = 0  # installable embedding, as the licence allows
    font["head"].macStyle = 1 if bold else 0
    font["head"].modified = font["head"].created  # the same input gives the same file
    font.recalcTimestamp = False
    target = TARGET / f"Inter-{style}.ttf"
    font.save(target)
    return target


def main() -> None:
    folder = source_folder()
    TARGET.mkdir(parents=True, exist_ok=True)
    for style, weight in WEIGHTS.items():
        make(folder / "files" / "Inter[opsz,wght].ttf", style, weight)
    shutil.copyfile(folder / "LICENSE", TARGET / "OFL.txt")


if __name__ == "__main__":
    main()

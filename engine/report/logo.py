"""The seller's logo: whatever lies in the file, a picture that can be printed or a word that there is none."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

from PIL import Image
from reportlab.lib.units import inch, mm
from reportlab.lib.utils import ImageReader

from engine.report.text import TextGuard
from engine.wording.findings import FindingKind

ROOM = (60 * mm, 20 * mm)  # on the letterhead
SHARPEST_DPI = 600  # what office printers show; more only makes the file larger
MOST_PIXELS = 30_000_000  # 120 MB in memory
_BROKEN = (OSError, ValueError, SyntaxError, EOFError, OverflowError, struct.error, zlib.error)


def read_logo(content: bytes | None, guard: TextGuard) -> ImageReader | None:
    """The logo, no sharper than a printer shows; None, and a remark, where it cannot be read or is far too large."""
    if content is None:
        return None
    try:
        with Image.open(BytesIO(content)) as image:
            if image.width * image.height <= MOST_PIXELS:
                return ImageReader(_reduced(image))
            why = f"{image.width} × {image.height} px"
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):  # the second where warnings are errors
        why = f"> {MOST_PIXELS // 1_000_000} Mpx"
    except _BROKEN:
        why = f"{len(content)} B"
    guard.note(FindingKind.UNREADABLE_LOGO, "seller.logo", why)
    return None


def _reduced(image: Image.Image) -> Image.Image:
    """The decoded picture in a form that reportlab prints, with as many pixels as its place can show."""
    transparent = image.mode in {"LA", "PA", "RGBA", "La", "RGBa"} or "transparency" in image.info
    if image.mode.startswith("I"):  # 16 bits of grey, which convert() would cut off instead of scaling
        image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    made = image.convert("RGBA" if transparent else "RGB")
    width, height = (round(side / inch * SHARPEST_DPI) for side in ROOM)
    made.thumbnail((max(width, 1), max(height, 1)), Image.Resampling.LANCZOS)
    return made

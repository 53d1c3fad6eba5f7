"""Writes resources/colour/sRGB.icc, the colours of an archivable PDF: `python -m scripts.make_colour_profile`.

LittleCMS, which Pillow carries, makes the profile and leaves it free ("No copyright, use freely" stands in it). It also
writes the time of making and its own newest version into the head; both are fixed here, so that every run gives the
same file. Version 4.2 is the newest that PDF 1.7 knows, and the profile uses nothing that came later.
"""

from __future__ import annotations

import struct

from PIL import ImageCms

from resources import COLOUR

MADE = struct.pack(">6H", 2026, 1, 1, 0, 0, 0)
VERSION = bytes((4, 0x20, 0, 0))


def profile() -> bytes:
    """The profile with a head that never changes."""
    made = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    made[8:12] = VERSION
    made[24:36] = MADE
    return bytes(made)


if __name__ == "__main__":
    (COLOUR / "sRGB.icc").write_bytes(profile())

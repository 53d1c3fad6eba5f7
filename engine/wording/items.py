"""Names of catalogue items that are words rather than product names, in the reader's language."""

from __future__ import annotations

from engine.wording.translator import Translator, mark

_NAMES = frozenset(
    {
        mark("8-GPU HGX H100 server"),
        mark("8-GPU HGX H200 server"),
        mark("Gigabyte GPU servers"),
        mark("Lenovo ThinkSystem SR650i V4 (fixed configuration)"),
        mark("NVIDIA AI Enterprise H200 NVL (5 years)"),
        mark("Puget Systems workstations"),
        mark("Server for eight cards without cards (price reference)"),
        mark("WRX90 boards in general"),
        mark("Workstation without cards (price reference)"),
    }
)


def item_name(name: str, tr: Translator) -> str:
    """The name in the reader's language; product names and the seller's own titles stay as they are."""
    return tr.gettext(name) if name in _NAMES else name

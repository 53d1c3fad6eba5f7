"""Names of catalogue items that are words rather than product names, in the reader's language."""

from __future__ import annotations

from engine.wording.translator import Translator, mark

_NAMES = frozenset(
    {
        mark("8-GPU HGX H100 server"),
        mark("8-GPU HGX H200 server"),
        mark("Built-to-order 2U server for four PCIe cards"),
        mark("Built-to-order 4U server for eight PCIe cards"),
        mark("Built-to-order tower for four blower cards"),
        mark("Built-to-order tower for two cards"),
        mark("Gigabyte GPU servers"),
        mark("HPE front fan kit for eight RTX PRO 6000 Server Edition in the DL380a Gen12"),
        mark("Lenovo ThinkSystem SR650i V4 (fixed configuration)"),
        mark("NVIDIA AI Enterprise, five years, included with H200 NVL"),
        mark("NVLink bridge for four H200 NVL"),
        mark("NVLink bridge for two H200 NVL"),
        mark("Puget Systems workstations"),
        mark("Server for eight cards without cards (price reference)"),
        mark("WRX90 boards in general"),
        mark("Workstation without cards (price reference)"),
    }
)


def item_name(name: str, tr: Translator) -> str:
    """The name in the reader's language; product names and the seller's own titles stay as they are."""
    return tr.gettext(name) if name in _NAMES else name

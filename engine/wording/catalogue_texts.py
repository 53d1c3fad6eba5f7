"""Texts of the catalogue that are words rather than names, in the reader's language.

Names of products, titles that a document bears, and whatever somebody typed stay as they are, even where they happen to
be a message of the program.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from engine.figures import Source
from engine.wording.translator import Translator, mark

ITEM_NAMES = frozenset(
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
"""Items that have no product name."""

TOPOLOGIES = frozenset(
    {
        mark("Broadcom PEX890xx switches; about 54 GB/s peer to peer inside one NUMA domain"),
        mark("both cards at one processor, Gen5 x16 each"),
        mark("four cards at one processor, Gen5 x16 each"),
        mark("two cards per processor, Gen5 x16 each"),
        mark("four cards per processor, Gen5 x16 each"),
    }
)
"""How the cards of machines are joined."""

SOURCE_TITLES = frozenset(
    {
        mark("From memory, unverified"),
        mark("Derived from other figures of this catalogue; the formula stands in the note"),
        mark("Seller's own built-to-order chassis: assumption to be edited by the seller"),
        mark("No public document was found"),
        mark(
            "Dated price and market statements in public GitHub files; the exact file was not "
            "recorded, so re-check before use"
        ),
        mark("Statements on workstations in public GitHub files; exact file not recorded"),
        mark("NVIDIA/AMD/Intel product pages and datasheets as transcribed in public spec tables"),
        mark("Purchase prices of September 2026, quoting the IntuitionLabs GPU pricing guide and Tom's Hardware"),
        mark("nvidia-smi outputs, several independent logs per card"),
        mark("OEM server library quoting Dell/HPE/Lenovo/Supermicro documents"),
        mark("B&H / Best Buy observed prices"),
        mark("AMD Instinct product pages"),
        mark("Supermicro product documents"),
        mark("DGX Spark figures and prices"),
        mark("DGX Station GB300 price reports"),
        mark("DGX Spark price reports (NVIDIA, Tom's Hardware)"),
        mark("ThinkStation PX prices in EUR"),
        mark("toppreise / digitec CHF prices"),
        mark("NVIDIA Vera Rubin announcement and datasheet (preliminary)"),
        mark(
            "Beste GPU für Fine-Tuning 2026: RTX-PRO-6000-Editionen, H200 NVL oder RTX PRO 5000 72 "
            "GB (reseller guide, German)"
        ),
    }
)
"""What the catalogue calls a source that has no title of its own."""


def item_name(name: str, tr: Translator) -> str:
    """The name of a card, machine or item."""
    return _translated(name, ITEM_NAMES, tr)


def topology_text(topology: str, tr: Translator) -> str:
    """How the cards of a machine are joined."""
    return _translated(topology, TOPOLOGIES, tr)


def source_title(source: Source, tr: Translator) -> str:
    """The title of a source."""
    return _translated(source.title, SOURCE_TITLES, tr)


def _translated(text: str, ours: AbstractSet[str], tr: Translator) -> str:
    return tr.gettext(text) if text in ours else text

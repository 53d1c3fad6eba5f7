"""Titles of sources: those a document bears stay as they are, descriptions of ours are translated."""

from __future__ import annotations

from engine.figures import Source
from engine.wording.translator import Translator, mark

DESCRIPTIONS = frozenset(
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


def source_title(source: Source, tr: Translator) -> str:
    """The title for a reader."""
    return tr.gettext(source.title) if source.title in DESCRIPTIONS else source.title

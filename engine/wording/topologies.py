"""How the cards of a machine are joined, in the reader's language."""

from __future__ import annotations

from engine.wording.translator import Translator, mark

DESCRIPTIONS = frozenset(
    {
        mark("Broadcom PEX890xx switches; about 54 GB/s peer to peer inside one NUMA domain"),
        mark("both cards at one processor, Gen5 x16 each"),
        mark("four cards at one processor, Gen5 x16 each"),
        mark("two cards per processor, Gen5 x16 each"),
        mark("four cards per processor, Gen5 x16 each"),
    }
)
"""What the catalogue says of its machines."""


def topology_text(topology: str, tr: Translator) -> str:
    """The description for a reader; one that somebody typed stays as it is."""
    return tr.gettext(topology) if topology in DESCRIPTIONS else topology

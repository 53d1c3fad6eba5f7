"""The path between the cards of one run, in words."""

from __future__ import annotations

from engine.hardware import Bridging, LinkKind
from engine.methods import Layout
from engine.speed.types import StepTime
from engine.wording.labels import label
from engine.wording.translator import Translator


def path(step: StepTime, layout: Layout, bridging: Bridging | None, tr: Translator) -> str:
    """The link, and what joins the islands where a run is larger than its bridges."""
    link = label(step.link, tr)
    if step.link is LinkKind.NVLINK_BRIDGE and bridging is not None and layout.cards > bridging.size:
        return tr.gettext("{link}, PCIe between the islands").format(link=link)
    return link

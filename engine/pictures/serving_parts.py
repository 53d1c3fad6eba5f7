"""A served model's card as a memory bar: the same order, colours and hatching as what is trained."""

from __future__ import annotations

from collections.abc import Mapping

from engine.pictures.parts import MemoryBar, MemoryPart, PartBytes
from engine.plan.types import ServingPlacement
from engine.serving.summary import memory_parts

SERVING_PARTS: Mapping[str, MemoryPart] = {
    "weights": MemoryPart.WEIGHTS,
    "adapters": MemoryPart.ADAPTERS,
    "cache": MemoryPart.OPTIMISER,
    "activation": MemoryPart.ACTIVATIONS,
    "graphs": MemoryPart.LOSS,
    "non_torch": MemoryPart.WORKSPACE,
    "reserve": MemoryPart.HEADROOM,
}


def serving_memory_bar(id_: str, title: str, subtitle: str, placement: ServingPlacement) -> MemoryBar:
    """The bar of the fullest card. The engine takes the whole cache at start-up, so the need has no band."""
    memory = placement.memory
    sizes = dict(memory_parts(memory.card))
    reserve = max(sizes.pop("reserve"), 0)
    parts = tuple(PartBytes(SERVING_PARTS[key], size) for key, size in sizes.items() if size > 0)
    taken = sum(part.size_bytes for part in parts)
    return MemoryBar(id_, title, subtitle, parts, taken, taken, taken, reserve, memory.usable_bytes, placement.verdict)

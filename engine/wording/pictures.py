"""The words on the pictures of `engine.pictures`, in one language; number formats are handed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.fit import Verdict
from engine.pictures.memory_bars import MemoryWords
from engine.pictures.parts import MemoryBar, MemoryPart
from engine.wording.labels import label, memory_part
from engine.wording.translator import Translator

SizeFormat = Callable[[int], str]

_FIELDS = {
    MemoryPart.WEIGHTS: "weights",
    MemoryPart.ADAPTERS: "adapters",
    MemoryPart.GRADIENTS: "gradients",
    MemoryPart.OPTIMISER: "optimizer",
    MemoryPart.ACTIVATIONS: "activations",
    MemoryPart.LOSS: "logits",
    MemoryPart.HEADROOM: "headroom",
}


def part_names(tr: Translator) -> dict[MemoryPart, str]:
    """The parts of a card's memory, as every legend names them."""
    names = {part: memory_part(field, tr) for part, field in _FIELDS.items()}
    names[MemoryPart.WORKSPACE] = tr.gettext("Workspace and reserve")
    return {part: names[part] for part in MemoryPart}


def memory_words(tr: Translator, size: SizeFormat, signed_size: SizeFormat) -> MemoryWords:
    """Everything the memory bars say. `size` and `signed_size` format bytes in the language of `tr`."""
    parts = part_names(tr)
    verdicts = {verdict: label(verdict, tr) for verdict in Verdict}

    def tip(bar: MemoryBar, part: MemoryPart | None) -> str:
        if part is MemoryPart.HEADROOM:
            return f"{parts[part]}: {size(bar.headroom_bytes)}"
        if part is not None:
            return "\n".join(f"{parts[part]}: {size(item.size_bytes)}" for item in bar.parts if item.part is part)
        return tr.gettext("Needs {expected} ({low} to {high}) of {capacity} usable per card").format(
            expected=size(bar.expected_bytes),
            low=size(bar.low_bytes),
            high=size(bar.high_bytes),
            capacity=size(bar.capacity_bytes),
        )

    def description(bars: Sequence[MemoryBar]) -> str:
        lines = [f"{bar.title}, {bar.subtitle}: {verdicts[bar.verdict]}. {tip(bar, None)}" for bar in bars]
        return "\n".join(lines)

    return MemoryWords(parts, verdicts, size, signed_size, tr.gettext("Usable capacity"), tip, description)

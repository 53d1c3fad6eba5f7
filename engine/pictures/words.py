"""The words on pictures, from the translations of one language; number formats are handed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gettext import NullTranslations

from engine.pictures.memory_bars import MemoryWords
from engine.pictures.parts import MemoryBar, MemoryPart
from engine.plan.types import Verdict

SizeFormat = Callable[[int], str]


def part_names(tr: NullTranslations) -> dict[MemoryPart, str]:
    """The parts of a card's memory, as every legend names them."""
    return {
        MemoryPart.WEIGHTS: tr.gettext("Weights"),
        MemoryPart.ADAPTERS: tr.gettext("Adapters"),
        MemoryPart.GRADIENTS: tr.gettext("Gradients"),
        MemoryPart.OPTIMISER: tr.gettext("Optimiser"),
        MemoryPart.ACTIVATIONS: tr.gettext("Activations"),
        MemoryPart.LOSS: tr.gettext("Loss"),
        MemoryPart.WORKSPACE: tr.gettext("Workspace and reserve"),
        MemoryPart.HEADROOM: tr.gettext("Headroom"),
    }


def verdict_names(tr: NullTranslations) -> dict[Verdict, str]:
    """The four verdicts in one or two words."""
    return {
        Verdict.FITS: tr.gettext("fits"),
        Verdict.TIGHT: tr.gettext("tight"),
        Verdict.UNCERTAIN: tr.gettext("uncertain"),
        Verdict.NO: tr.gettext("does not fit"),
    }


def memory_words(tr: NullTranslations, size: SizeFormat, signed_size: SizeFormat) -> MemoryWords:
    """Everything the memory bars say. `size` and `signed_size` format bytes in the language of `tr`."""
    parts = part_names(tr)
    verdicts = verdict_names(tr)

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

"""The words on the memory bars of served models, in one language."""

from __future__ import annotations

from collections.abc import Sequence

from engine.fit import Verdict
from engine.pictures.memory_bars import MemoryWords
from engine.pictures.parts import MemoryBar, MemoryPart
from engine.pictures.serving_parts import SERVING_PARTS
from engine.wording.labels import label
from engine.wording.pictures import SizeFormat, part_names
from engine.wording.serving import part_name
from engine.wording.translator import Translator


def serving_bar_words(tr: Translator, size: SizeFormat, signed_size: SizeFormat) -> MemoryWords:
    """Everything the bars of served models say. `size` and `signed_size` format bytes in the language of `tr`."""
    parts = part_names(tr) | {part: part_name(key, tr) for key, part in SERVING_PARTS.items()}
    verdicts = {verdict: label(verdict, tr) for verdict in Verdict}

    def tip(bar: MemoryBar, part: MemoryPart | None) -> str:
        if part is MemoryPart.HEADROOM:
            return f"{parts[part]}: {size(bar.headroom_bytes)}"
        if part is not None:
            return "\n".join(f"{parts[part]}: {size(item.size_bytes)}" for item in bar.parts if item.part is part)
        cache = sum(item.size_bytes for item in bar.parts if item.part is SERVING_PARTS["cache"])
        return tr.gettext("Takes {taken} of {capacity} usable per card, {cache} of it for keys and values").format(
            taken=size(bar.expected_bytes), capacity=size(bar.capacity_bytes), cache=size(cache)
        )

    def description(bars: Sequence[MemoryBar]) -> str:
        lines = [f"{bar.title}, {bar.subtitle}: {verdicts[bar.verdict]}. {tip(bar, None)}" for bar in bars]
        return "\n".join(lines)

    return MemoryWords(parts, verdicts, size, signed_size, tr.gettext("Usable capacity"), tip, description)

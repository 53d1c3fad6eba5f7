"""Words for the memory a customer measured in a test run, beside the estimate of the same run."""

from __future__ import annotations

from collections.abc import Mapping

from engine.memory.evidence import Reading
from engine.memory.own_peak import OwnPeak, Side
from engine.wording.labels import label
from engine.wording.numbers import gibibytes
from engine.wording.translator import Language, Translator, mark

_OUTSIDE: Mapping[Side, str] = {
    Side.BELOW: mark(
        "The measurement lies below the estimated range. Please check what ran and what was read; no estimate is moved."
    ),
    Side.ABOVE: mark(
        "The measurement lies above the estimated range. Please check what ran and what was read before relying on a "
        "close verdict; no estimate is moved."
    ),
}
_CACHED = mark("nvidia-smi also counts blocks that PyTorch could give back; max_memory_allocated leaves them out.")


def peak_sentence(peak: OwnPeak, tr: Translator, language: Language) -> str:
    """Measured and estimated memory of the fullest card."""
    text = tr.gettext("Memory per card: {measured} measured, {estimated} estimated ({low} to {high})")
    band = peak.estimated
    return text.format(
        measured=gibibytes(peak.measured_bytes, language),
        estimated=gibibytes(band.expected, language),
        low=gibibytes(band.low, language),
        high=gibibytes(band.high, language),
    )


def peak_finding(peak: OwnPeak, tr: Translator) -> str:
    """What to think of a measurement outside the range; empty within it."""
    if peak.side is Side.WITHIN:
        return ""
    text = tr.gettext(_OUTSIDE[peak.side])
    if peak.side is Side.ABOVE and peak.reading is Reading.DRIVER:
        return f"{text} {tr.gettext(_CACHED)}"
    return text


def peak_text(peak: OwnPeak, tr: Translator, language: Language) -> str:
    """Both numbers, how the memory was read, and the finding."""
    said = f"{peak_sentence(peak, tr, language)}, {label(peak.reading, tr)}."
    finding = peak_finding(peak, tr)
    return f"{said} {finding}" if finding else said

"""How wide a time is printed, and why.

The widths come from leaving whole sources out of the fit: a known stack on a card with a record of its own stays within
a factor of 1.5 in nine of ten cases; everything the records say little about gets a factor of 2 on the slow side,
expert models 4 (Megatron-Bridge's tables; no record of one was used for the fit). Two kinds of runs were met worse than
others, see `WEAK_SLOW_FACTOR`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import log

from engine.hardware import LinkKind
from engine.methods import Layout, Method, Objective, Offload, Sharding
from engine.speed.types import Calibration, CardRecord, SpeedFacts, SpeedNote, SpeedSetup
from engine.units import FloatBand

KNOWN_FACTOR = 1.5
WIDE_SLOW_FACTOR = 2.0
WIDE_FAST_FACTOR = 1.3
CALIBRATED_FACTOR = 1.25
EXPERTS_SLOW_FACTOR = 4.0  # vendor-tuned expert models reach 0.1 to 0.3 of the peak where dense ones reach 0.37
WEAK_SLOW_FACTOR = 2.5
"""Where published runs were up to 1.8 times slower than computed (llm-foundry at 65,536 tokens on H100, Qwen's 4-bit
72B at 256): that, times what is left between one source and another."""
SHORT_MICRO_BATCH_TOKENS = 1024
SHORT_QUANTISED_TOKENS = 512
LONG_SEQUENCE_TOKENS = 32_768
LONG_MEASURED = "Ampere"
"""The one generation whose long sequences come out as published: xtuner and llm-foundry up to 131,072 tokens on A100
within a factor of 1.3. On Hopper the same code is up to 1.8 times slower than computed; none was found on others."""

_INSIDE_PASS = (Sharding.FSDP, Sharding.TENSOR, Sharding.HYBRID)
_WIDENING = (
    SpeedNote.NO_CARD_RECORD,
    SpeedNote.INCOMPLETE_RECORD,
    SpeedNote.SHARDED_OVER_PCIE,
    SpeedNote.OFFLOADED,
    SpeedNote.SHORT_MICRO_BATCH,
    SpeedNote.STACK_ASSUMED,
    SpeedNote.PREFERENCE_PAIRS,
    SpeedNote.ACROSS_NODES,
)
_WEAK = (SpeedNote.LONG_SEQUENCE, SpeedNote.SHORT_QUANTISED)
CARD_RECORD_NOTES = frozenset({SpeedNote.NO_CARD_RECORD, SpeedNote.INCOMPLETE_RECORD})
_ABOUT_CARD_AND_STACK = CARD_RECORD_NOTES | {SpeedNote.STACK_ASSUMED}
"""What any test run settles: how the customer's software does on real cards."""


@dataclass(frozen=True, slots=True)
class Width:
    """Factors on the expected seconds: fast end below, slow end above."""

    fast: float
    slow: float


def notes_for(setup: SpeedSetup, facts: SpeedFacts) -> tuple[SpeedNote, ...]:
    """What has to be said about the certainty of this setup's time."""
    training = setup.training
    recipe, layout = training.recipe, training.layout
    notes = []
    if setup.calibration is not None:
        notes.append(SpeedNote.CALIBRATED if setup.calibration.alike else SpeedNote.CALIBRATED_ELSEWHERE)
    no_record = record_note(setup.card.id, facts)
    if no_record is not None:
        notes.append(no_record)
    if sharded_over_pcie(setup, layout):
        notes.append(SpeedNote.SHARDED_OVER_PCIE)
    if recipe.offload is not Offload.NONE:
        notes.append(SpeedNote.OFFLOADED)
    if training.tokens_per_micro_batch < SHORT_MICRO_BATCH_TOKENS:
        notes.append(SpeedNote.SHORT_MICRO_BATCH)
    if not setup.stack_known:
        notes.append(SpeedNote.STACK_ASSUMED)
    if training.model.is_moe:
        notes.append(SpeedNote.MIXTURE_OF_EXPERTS)
    if not recipe.packing:
        notes.append(SpeedNote.PADDED)
    if recipe.objective is Objective.DPO:
        notes.append(SpeedNote.PREFERENCE_PAIRS)
    tokens = training.tokens_per_micro_batch
    return (*notes, *weak_spots(setup.card.architecture, recipe.method, training.sequence_length, tokens))


def weak_spots(architecture: str, method: Method, sequence_length: int, tokens: int) -> tuple[SpeedNote, ...]:
    """Where published runs were met worse than others. `tokens` per micro-batch."""
    found = []
    if sequence_length >= LONG_SEQUENCE_TOKENS and architecture != LONG_MEASURED:
        found.append(SpeedNote.LONG_SEQUENCE)
    if method is Method.QLORA and tokens <= SHORT_QUANTISED_TOKENS:
        found.append(SpeedNote.SHORT_QUANTISED)
    return tuple(found)


def record_note(card_id: str, facts: SpeedFacts) -> SpeedNote | None:
    """What has to be said when no measurement on this card can be compared with; None when one can."""
    if card_id in facts.records:
        return None
    return SpeedNote.INCOMPLETE_RECORD if card_id in facts.incomplete_records else SpeedNote.NO_CARD_RECORD


def sharded_over_pcie(setup: SpeedSetup, layout: Layout) -> bool:
    """Whether weights or activations cross PCIe inside every pass."""
    if layout.cards <= 1 or layout.sharding not in _INSIDE_PASS:
        return False
    link = setup.link
    return link.kind is LinkKind.PCIE or (link.outer is not None and link.outer.kind is LinkKind.PCIE)


@lru_cache(maxsize=1024)
def width_for(notes: tuple[SpeedNote, ...], calibration: Calibration | None = None) -> Width:
    """The factors that belong to a set of remarks; a customer's own run settles what it had in common with this one."""
    settled: frozenset[SpeedNote] = frozenset()
    if calibration is not None:
        settled = _ABOUT_CARD_AND_STACK | calibration.covers
    left = [note for note in notes if note not in settled]
    if SpeedNote.MIXTURE_OF_EXPERTS in left:
        return Width(WIDE_FAST_FACTOR, EXPERTS_SLOW_FACTOR)
    if any(note in _WEAK for note in left):
        return Width(WIDE_FAST_FACTOR, WEAK_SLOW_FACTOR)
    if any(note in _WIDENING for note in left):
        return Width(WIDE_FAST_FACTOR, WIDE_SLOW_FACTOR)
    if calibration is not None and calibration.alike:
        return Width(CALIBRATED_FACTOR, CALIBRATED_FACTOR)
    return Width(KNOWN_FACTOR, KNOWN_FACTOR)


def band(expected_s: float, width: Width) -> FloatBand:
    """Seconds with their uncertainty: low is the fast end."""
    return FloatBand(expected_s / width.fast, expected_s, expected_s * width.slow)


def nearest_record(setup: SpeedSetup, matrix_parameters: int, facts: SpeedFacts) -> CardRecord | None:
    """The published measurement on this card that is most like the setup: method, then stack, then size and tokens.

    None: no training measurement of this card is known.
    """
    records = facts.records.get(setup.card.id)
    if not records:
        return None
    training, stack = setup.training, setup.stack
    method, tokens = training.recipe.method, training.tokens_per_micro_batch

    def distance(record: CardRecord) -> tuple[bool, bool, float]:
        size = abs(log(matrix_parameters / record.matrix_parameters))
        length = abs(log(tokens / (record.sequence_length * record.micro_batch)))
        return record.method is not method, record.stack is not stack, size + length / 2

    return min(records, key=distance)

"""The speed model against published measurements: every record is timed by the same terms as a plan.

A record is judged with coefficients that never saw its source (leave one source out) where such a set exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from statistics import median

from engine.evidence import Unscored
from engine.hardware import LinkKind
from engine.methods import Checkpointing, Layout, Method, Recipe, Sharding
from engine.speed.bands import SHORT_MICRO_BATCH_TOKENS, Width, weak_spots, width_for
from engine.speed.shape import ModelShape
from engine.speed.terms import GB, TERA, MachineRates, StepWork, step_terms
from engine.speed.types import Coefficients, ComputeFormat, Link, SpeedNote, StackClass, StepTerms
from engine.speed.work import StepJob, work_of
from engine.units import FloatBand

IMPOSSIBLE_HFU = 0.80  # a record above it claims more than any card has sustained in training


class RecordUse(StrEnum):
    """What a record may be used for."""

    FIT = "fit"
    CONTEXT = "context"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class RecordCard:
    """A card as records name it. Rates in TFLOPS by number format, links in GB/s per direction."""

    name: str
    card_id: str | None
    rates: Mapping[ComputeFormat, float]
    bandwidth_gb_per_s: float
    memory_gb: float
    nvlink_gb_per_s: float | None
    pcie_gb_per_s: float
    architecture: str


@dataclass(frozen=True, slots=True)
class SpeedRecord:
    """A published throughput with everything the model needs. `cards` is what the source used in all."""

    id: str
    family: str  # publications that share authors and code count as one source
    use: RecordUse
    shape: ModelShape
    model: str
    method: Method
    dora: bool
    stack: StackClass
    card: RecordCard
    cards: int
    over_pcie: bool
    sharding: Sharding
    tensor_parallel: int | None  # None: the source does not say
    sequence_parallel: int  # cards that share one sequence
    compute: ComputeFormat
    sequence_length: int
    micro_batch: int
    accumulation: int
    checkpointing: bool
    tokens_per_s_per_card: float
    hfu: float | None


@dataclass(frozen=True, slots=True)
class FittedSet:
    """One outcome of the fit: the model's constants and the share of NVLink's rate that sharded training reaches."""

    coefficients: Coefficients
    nvlink_share: float


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What scoring needs beside the records."""

    fitted: FittedSet
    without: Mapping[str, FittedSet]  # source family -> fitted on all other families
    never_used: frozenset[str]  # families kept out of every fit
    pcie_share: float
    pcie_pair_share: float  # two cards alone
    dora_speed: float


@dataclass(frozen=True, slots=True)
class RecordScore:
    """One record: tokens/s per card as published and as computed, and whether the printed band holds the former."""

    record: SpeedRecord
    predicted: float
    band: FloatBand  # tokens/s per card as a plan would print them
    ratio: float  # computed over published
    inside_band: bool
    left_out: bool  # the coefficients never saw this source

    @property
    def error(self) -> float:
        """Absolute relative error."""
        return abs(self.ratio - 1)


@dataclass(frozen=True, slots=True)
class Summary:
    """Errors of a group of records."""

    records: int
    median_error: float
    error_80: float  # four of five are within
    error_90: float
    worst_factor: float
    inside_band: float  # share


@dataclass(frozen=True, slots=True)
class SpeedScore:
    """How well published speeds are met."""

    overall: Summary
    by_family: Mapping[str, Summary]
    by_stack: Mapping[str, Summary]
    by_method: Mapping[str, Summary]
    never_used: Summary | None
    median_of_families: float
    scores: tuple[RecordScore, ...]
    context: tuple[RecordScore, ...]  # computed for information, not part of any figure above
    unscored: tuple[Unscored, ...]


def tensor_group(record: SpeedRecord) -> int:
    """Cards one copy of the model was split over.

    Where the source does not say, the smallest power of two at which the BF16 weights leave a fifth of the card free:
    vendor stacks split no further than memory asks.
    """
    if record.tensor_parallel is not None:
        return record.tensor_parallel
    if record.stack is not StackClass.VENDOR_TUNED:
        return 1
    weights_gb = 2 * record.shape.matrix_parameters / GB
    cards = 1
    while weights_gb / cards > 0.8 * record.card.memory_gb and cards < min(record.cards, 8):
        cards *= 2
    return cards


def record_work(record: SpeedRecord) -> tuple[StepWork, int]:
    """The record's step in numbers, and the cards that exchange inside it."""
    group = tensor_group(record)
    layout = Layout(group, Sharding.TENSOR) if group > 1 else Layout(record.cards, record.sharding)
    recipe = Recipe(
        record.method,
        checkpointing=Checkpointing.ON if record.checkpointing else Checkpointing.OFF,
        gradient_accumulation=record.accumulation,
    )
    cards = layout.cards if layout.sharding is not Sharding.NONE else 1
    trained = record.shape.stored_parameters if record.method is Method.FULL else 0
    tokens = max(1, record.sequence_length * record.micro_batch // record.sequence_parallel)
    job = StepJob(recipe, layout, cards, tokens, record.sequence_length, trained)
    return work_of(job, record.shape), cards


def record_terms(record: SpeedRecord, fitted: FittedSet, given: Circumstances) -> StepTerms | None:
    """Seconds of the record's step by cause; None when its card has no rate at its number format."""
    rate, bf16 = record.card.rates.get(record.compute), record.card.rates.get(ComputeFormat.BF16)
    if rate is None or bf16 is None:
        return None
    work, cards = record_work(record)
    card = record.card
    if record.over_pcie or card.nvlink_gb_per_s is None:
        share = given.pcie_pair_share if cards == 2 else given.pcie_share
        theoretical, kind = card.pcie_gb_per_s, LinkKind.PCIE
    else:
        theoretical, share, kind = card.nvlink_gb_per_s, fitted.nvlink_share, LinkKind.NVSWITCH
    effective = theoretical * share
    link = Link(kind, theoretical, effective, effective, effective)
    rates = MachineRates(rate * TERA, bf16 * TERA, card.bandwidth_gb_per_s * GB, link, cards)
    return step_terms(work, rates, record.stack, fitted.coefficients)


def tokens_per_step_and_card(record: SpeedRecord) -> float:
    """Tokens of one optimiser step over the cards that share them."""
    shared_by = record.sequence_parallel * tensor_group(record)
    return record.sequence_length * record.micro_batch * record.accumulation / shared_by


def score(records: Iterable[SpeedRecord], unscored: Iterable[Unscored], given: Circumstances) -> SpeedScore:
    """Compare every record with the model. Raises ValueError when no record marked for scoring is left."""
    listed = tuple(records)
    left = list(unscored)
    own_cards = _families_by_card(listed)
    scores: list[RecordScore] = []
    context: list[RecordScore] = []
    for record in listed:
        if record.use is RecordUse.REJECTED or (record.hfu is not None and record.hfu > IMPOSSIBLE_HFU):
            left.append(Unscored(record.id, "impossible-rate"))
            continue
        outcome = _score(record, given, alone=own_cards[record.card.name] <= {record.family})
        if outcome is None:
            left.append(Unscored(record.id, "no-card-rate"))
        elif record.use is RecordUse.FIT:
            scores.append(outcome)
        else:
            context.append(outcome)
    families = sorted({outcome.record.family for outcome in scores})
    by_family = {name: summary([s for s in scores if s.record.family == name]) for name in families}
    unseen = [s for s in scores if s.record.family in given.never_used]
    return SpeedScore(
        overall=summary(scores),
        by_family=by_family,
        by_stack=_grouped(scores, lambda record: record.stack.value),
        by_method=_grouped(scores, lambda record: record.method.value),
        never_used=summary(unseen) if unseen else None,
        median_of_families=median(group.median_error for group in by_family.values()),
        scores=tuple(scores),
        context=tuple(context),
        unscored=tuple(left),
    )


def summary(scores: Sequence[RecordScore]) -> Summary:
    """Error figures of a group. Raises ValueError for an empty one."""
    if not scores:
        raise ValueError("no record to summarise")
    errors = sorted(outcome.error for outcome in scores)
    return Summary(
        records=len(errors),
        median_error=median(errors),
        error_80=_within(errors, 0.8),
        error_90=_within(errors, 0.9),
        worst_factor=max(max(outcome.ratio, 1 / outcome.ratio) for outcome in scores),
        inside_band=sum(outcome.inside_band for outcome in scores) / len(scores),
    )


def _within(errors: Sequence[float], share: float) -> float:
    """The smallest error that at least `share` of the records keep."""
    return errors[max(0, ceil(share * len(errors)) - 1)]


def _grouped(scores: Sequence[RecordScore], key: Callable[[SpeedRecord], str]) -> dict[str, Summary]:
    names = sorted({key(outcome.record) for outcome in scores})
    return {name: summary([s for s in scores if key(s.record) == name]) for name in names}


def _families_by_card(records: Sequence[SpeedRecord]) -> dict[str, set[str]]:
    families: dict[str, set[str]] = {}
    for record in records:
        families.setdefault(record.card.name, set())
        if record.use is RecordUse.FIT:
            families[record.card.name].add(record.family)
    return families


def _score(record: SpeedRecord, given: Circumstances, *, alone: bool) -> RecordScore | None:
    """One record; `alone`: no other source measured this card, so a plan would print the wide band."""
    fitted = given.without.get(record.family, given.fitted)
    terms = record_terms(record, fitted, given)
    if terms is None:
        return None
    predicted = tokens_per_step_and_card(record) / terms.total_s * (given.dora_speed if record.dora else 1)
    ratio = predicted / record.tokens_per_s_per_card
    width = record_width(record, alone=alone)
    # seconds are printed from expected / fast to expected * slow, so tokens/s the other way round
    band = FloatBand(predicted / width.slow, predicted, predicted * width.fast)
    inside = band.low <= record.tokens_per_s_per_card <= band.high
    left_out = record.family in given.without or record.family in given.never_used
    return RecordScore(record, predicted, band, ratio, inside, left_out)


def record_width(record: SpeedRecord, *, alone: bool) -> Width:
    """The band a plan of the same setup would print, the stack being known."""
    notes = []
    if alone:
        notes.append(SpeedNote.NO_CARD_RECORD)
    sharded = record.sharding is Sharding.FSDP or tensor_group(record) > 1
    if sharded and record.cards > 1 and (record.over_pcie or record.card.nvlink_gb_per_s is None):
        notes.append(SpeedNote.SHARDED_OVER_PCIE)
    tokens = record.sequence_length * record.micro_batch
    if tokens < SHORT_MICRO_BATCH_TOKENS:
        notes.append(SpeedNote.SHORT_MICRO_BATCH)
    notes += weak_spots(record.card.architecture, record.method, record.sequence_length, tokens)
    return width_for(tuple(notes))

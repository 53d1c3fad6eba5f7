"""The serving model against published measurements: throughput, cache bytes per token, cache pools.

Every throughput is computed with constants fitted without its source, and scaled by the nearest measurement of another
source where there is one; every source has the same weight, however many records it published.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from math import inf
from statistics import median

from engine.evidence import Unscored, quantile
from engine.figures import Source
from engine.serving.anchors import Query, nearest
from engine.serving.bands import band, width_for
from engine.serving.facts import Anchor, ServingCoefficients, Widths
from engine.serving.formats import cache_bytes, weight_bytes
from engine.serving.terms import Work, copy_rate, decode_step
from engine.units import GIB, FloatBand

START_UP_BYTES = 1.5 * GIB  # start-up memory of a card where a record states nothing
_QUERY_FIELDS = tuple(field.name for field in fields(Query))
USUAL_SHARE = 0.9  # memory share where a record states none


@dataclass(frozen=True, slots=True)
class ServingRecord:
    """A published throughput with everything the model needs."""

    id: str
    source: str
    family: str  # sources of the same authors count as one and are left out together
    model: str
    card_key: str  # catalogue id of the card, or the source's words where it leaves the edition open
    work: Work
    replicas: int
    prompt: int
    output: int
    offline: bool  # everything queued at once
    users: float | None  # requests in flight over all replicas; None when queued
    decode_only: bool  # the source gives 1 / time per output token
    max_sequences: int | None
    memory_share: float
    tokens_per_s: float
    software: str  # engine and version as the source names them


@dataclass(frozen=True, slots=True)
class RecordScore:
    """Output tokens/s as published and as computed, and whether the printed range holds the former."""

    record: ServingRecord
    predicted: float
    band: FloatBand
    anchor_id: str  # empty: computed

    @property
    def ratio(self) -> float:
        """Computed over published."""
        return self.predicted / self.record.tokens_per_s

    @property
    def error(self) -> float:
        """Absolute relative error."""
        return abs(self.ratio - 1)

    @property
    def inside_band(self) -> bool:
        """Whether the printed range holds the published figure."""
        return self.band.low <= self.record.tokens_per_s <= self.band.high


@dataclass(frozen=True, slots=True)
class Summary:
    """Errors of a group; shares are of the records' weights."""

    records: int
    median_error: float
    error_90: float
    within_40: float
    inside_band: float
    bias: float  # median of computed over published, less 1


@dataclass(frozen=True, slots=True)
class SpeedScore:
    """How well published throughputs are met."""

    overall: Summary  # every family of sources with the same weight
    by_record: Summary  # every record with the same weight
    by_source: Mapping[str, Summary]
    scores: tuple[RecordScore, ...]
    unscored: tuple[Unscored, ...]


def in_flight(record: ServingRecord, fitted: ServingCoefficients) -> float:
    """Sequences one copy works on: as many as are asked for, fit into its cache and are allowed."""
    work = record.work
    cards = work.layout.cards_per_replica
    held = work.card.usable_bytes * record.memory_share * cards
    pool = held - weight_bytes(work.shape, work.weights) - START_UP_BYTES * cards
    need = cache_bytes(work.shape, work.cache, record.prompt + record.output / 2)
    most: float = max(1.0, pool / need) if need else inf
    if record.users is None:
        return min(most, fitted.offline_sequences * float(cards**fitted.offline_growth))
    asked = max(1.0, record.users / record.replicas)
    return min(asked, most, record.max_sequences or inf)


def computed_rate(record: ServingRecord, fitted: ServingCoefficients) -> float | None:
    """Output tokens/s of the whole system by the formula; None without a published bandwidth or rate."""
    sequences = in_flight(record, fitted)
    if record.decode_only:
        step = decode_step(record.work, sequences, record.prompt + record.output / 2, fitted)
        return None if step is None else sequences / step.total_s
    rate = copy_rate(record.work, sequences, record.prompt, record.output, fitted)
    return None if rate is None else rate * busy_copies(record)


def busy_copies(record: ServingRecord) -> float:
    """Copies that have a request: one user keeps one copy busy, however many there are."""
    return record.replicas if record.users is None else min(record.replicas, record.users)


def query_of(record: ServingRecord, fitted: ServingCoefficients) -> Query:
    """The record in the terms of an anchor."""
    work = record.work
    return Query(
        model=record.model,
        parameters=work.shape.parameters,
        active_parameters=work.shape.active_parameters,
        experts=work.shape.is_moe,
        compute=work.compute,
        engine=work.engine,
        prompt=record.prompt,
        output=record.output,
        offline=record.offline,
        users=in_flight(record, fitted),
        tensor=work.layout.tensor,
        pipeline=work.layout.pipeline,
    )


def anchors_of(
    records: Iterable[ServingRecord], fitted: ServingCoefficients, sources: Mapping[str, Source]
) -> dict[str, list[Anchor]]:
    """Every computable record as an anchor of its card, with the factor the formula misses it by."""
    anchors: dict[str, list[Anchor]] = {}
    for record in records:
        computed = computed_rate(record, fitted)
        if computed is None:
            continue
        query = query_of(record, fitted)
        anchor = Anchor(
            record_id=record.id,
            source=sources.get(record.source, Source(record.source, record.source, "", "")),
            card_id=record.card_key,
            weights=record.work.weights,
            tokens_per_s=record.tokens_per_s / busy_copies(record),
            ratio=record.tokens_per_s / computed,
            software=record.software,
            **{field: getattr(query, field) for field in _QUERY_FIELDS},
        )
        anchors.setdefault(record.card_key, []).append(anchor)
    return anchors


def score_speed(
    records: Sequence[ServingRecord],
    unscored: Iterable[Unscored],
    fitted: ServingCoefficients,
    without: Mapping[str, ServingCoefficients],
    known: Sequence[ServingRecord],
    widths: Widths,
) -> SpeedScore:
    """Compare every record with the model. Raises ValueError when none can be computed.

    `known` are the measurements figures may be scaled from: a record is never scaled by its own family of sources,
    and the factors of the others are taken with the constants that never saw it. `without` is by family.
    """
    left = list(unscored)
    scores: list[RecordScore] = []
    for family in sorted({record.family for record in records}):
        constants = without.get(family, fitted)
        anchors = anchors_of((record for record in known if record.family != family), constants, {})
        for record in records:
            if record.family != family:
                continue
            outcome = _score(record, constants, anchors, widths)
            if outcome is None:
                left.append(Unscored(record.id, "no-card-rate"))
            else:
                scores.append(outcome)
    if not scores:
        raise ValueError("no record can be computed")
    sizes = Counter(score.record.family for score in scores)
    sources = sorted({score.record.source for score in scores})
    by_source = {
        name: summary([score for score in scores if score.record.source == name], Counter()) for name in sources
    }
    return SpeedScore(summary(scores, sizes), summary(scores, Counter()), by_source, tuple(scores), tuple(left))


def _score(
    record: ServingRecord, fitted: ServingCoefficients, anchors: Mapping[str, Sequence[Anchor]], widths: Widths
) -> RecordScore | None:
    computed = computed_rate(record, fitted)
    if computed is None:
        return None
    found = nearest(anchors.get(record.card_key, ()), query_of(record, fitted))
    predicted = computed * (1.0 if found is None else found.factor)
    width = width_for(record.work.shape, found, widths)
    return RecordScore(record, predicted, band(predicted, width), "" if found is None else found.anchor.record_id)


def summary(scores: Sequence[RecordScore], sizes: Mapping[str, int]) -> Summary:
    """Errors of a group. `sizes` gives every family of sources the same weight; empty: every record the same."""
    weights = [1 / sizes.get(score.record.family, 1) if sizes else 1.0 for score in scores]
    total = sum(weights)
    errors = list(zip((score.error for score in scores), weights, strict=True))
    return Summary(
        records=len(scores),
        median_error=quantile(errors, 0.5),
        error_90=quantile(errors, 0.9),
        within_40=sum(weight for error, weight in errors if error <= 0.4) / total,
        inside_band=sum(w for score, w in zip(scores, weights, strict=True) if score.inside_band) / total,
        bias=median(score.ratio for score in scores) - 1,
    )

"""What a layout delivers, at one user, at the planned users and with a full batch, each as a range with its basis."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.serving.anchors import Nearest, Query, nearest
from engine.serving.bands import band, width_for
from engine.serving.facts import Anchor, ServingCoefficients, ServingFacts
from engine.serving.machine import ServingCard
from engine.serving.memory import ServeMemory
from engine.serving.shape import ServingShape, serving_shape
from engine.serving.terms import Work, copy_rate, fastest_rate, prefill_s
from engine.serving.types import ONE_CARD, ServeLayout, ServeSetup
from engine.units import FloatBand


class SpeedBasis(StrEnum):
    """What a throughput rests on."""

    MEASURED = "measured"  # this very setup was measured on this card; the record is named
    SCALED = "scaled"  # a measurement on this card, moved by the formula
    COMPUTED = "computed"  # the formula alone


class ServingNote(StrEnum):
    """Remarks about a serving figure; sentences are made in `engine.wording`."""

    QUEUED_FIRST_ANSWER = "queued-first-answer"  # under load the first token waits in a queue: no figure
    EXPERTS = "experts"  # few records of such models: a wide range
    HYBRID = "hybrid"
    DEFAULT_SEQUENCES = "default-sequences"  # a hybrid: the engine's default number of sequences does not start here
    LATENT_NOT_STATED = "latent-not-stated"  # compressed attention: memory computed, speed not stated
    NO_RATE = "no-rate"  # the card's bandwidth or rate is not published
    TENSOR_OVER_PCIE = "tensor-over-pcie"
    ADAPTERS_UNMEASURED = "adapters-unmeasured"  # several adapters slow decoding; nobody published by how much
    NO_RECORD = "no-record"  # nothing comparable was measured on this card
    PLAIN_DECODING = "plain-decoding"  # no speculative decoding, no prefix caching


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """Output tokens/s at a number of requests in flight."""

    users: float  # of all copies together
    tokens_per_s: FloatBand  # of all copies together
    tokens_per_s_per_user: FloatBand  # the prompt's computation included
    basis: SpeedBasis
    record: Anchor | None


@dataclass(frozen=True, slots=True)
class ServeSpeed:
    """Speeds of a layout. `planned` is None without a number of users."""

    one_user: OperatingPoint
    planned: OperatingPoint | None
    full: OperatingPoint
    prefill_s: float  # of a mean prompt alone on one copy: the lower bound of its first token
    prefill_longest_s: float  # of the longest prompt
    notes: tuple[ServingNote, ...]


def notes_for(setup: ServeSetup, card: ServingCard, layout: ServeLayout) -> tuple[ServingNote, ...]:
    """What has to be said whatever the figures are."""
    shape = serving_shape(setup.model)
    notes = [ServingNote.PLAIN_DECODING, ServingNote.QUEUED_FIRST_ANSWER]
    if shape.is_latent:
        notes.append(ServingNote.LATENT_NOT_STATED)
    elif not card.stated:
        notes.append(ServingNote.NO_RATE)
    if shape.is_hybrid:
        notes.append(ServingNote.HYBRID)
    elif shape.is_moe:
        notes.append(ServingNote.EXPERTS)
    if layout.tensor > 1 and card.nvlink_b_per_s is None:
        notes.append(ServingNote.TENSOR_OVER_PCIE)
    if setup.adapters:
        notes.append(ServingNote.ADAPTERS_UNMEASURED)
    return tuple(notes)


def serve_speed(
    setup: ServeSetup,
    card: ServingCard,
    memory: ServeMemory,
    facts: ServingFacts,
    layout: ServeLayout = ONE_CARD,
    users: float | None = None,
) -> ServeSpeed | None:
    """Speeds of a layout; `users` in flight over all copies.

    None where no figure can be stood behind: latent attention, an unpublished bandwidth or rate, or a copy that does
    not start.
    """
    shape = serving_shape(setup.model)
    fitted, widths = facts.coefficients, facts.widths
    if fitted is None or widths is None or shape.is_latent or not card.stated or memory.sequences_mean < 1:
        return None
    gauge = _Gauge(setup, card, layout, shape, facts, fitted)
    filling = prefill_s(gauge.work, setup.lengths.prompt_mean, fitted)
    longest = prefill_s(gauge.work, setup.lengths.prompt_max, fitted)
    if filling is None or longest is None:
        return None
    full = memory.sequences_mean * layout.replicas
    one, most = gauge.point(1.0), gauge.point(float(full))
    planned = None if users is None else gauge.point(min(max(users, 1.0), float(full)))
    notes = notes_for(setup, card, layout)
    if not memory.default_starts:
        notes = (*notes, ServingNote.DEFAULT_SEQUENCES)
    if most.basis is SpeedBasis.COMPUTED:
        notes = (*notes, ServingNote.NO_RECORD)
    return ServeSpeed(one, planned, most, filling, longest, notes)


class _Gauge:
    """One setup on one layout; knows its work once and gauges any number of users."""

    def __init__(
        self,
        setup: ServeSetup,
        card: ServingCard,
        layout: ServeLayout,
        shape: ServingShape,
        facts: ServingFacts,
        fitted: ServingCoefficients,
    ) -> None:
        self.work = Work(shape, setup.weights, setup.cache, setup.engine, card, layout)
        self._setup = setup
        self._fitted = fitted
        self._widths = facts.widths
        self._anchors = facts.anchors.get(card.card_id, ())

    def point(self, users: float) -> OperatingPoint:
        """Output tokens/s with `users` in flight, spread over the copies."""
        setup, layout = self._setup, self.work.layout
        busy = min(float(layout.replicas), users)
        per_copy = users / busy
        lengths = setup.lengths
        rate = copy_rate(self.work, per_copy, lengths.prompt_mean, lengths.output_mean, self._fitted)
        if rate is None or self._widths is None:
            raise AssertionError("a gauge is made only where bandwidth, rate and widths are there")
        found = nearest(self._anchors, self._query(per_copy))
        width = width_for(self.work.shape, found, self._widths)
        expected = rate * busy * (1.0 if found is None else found.factor)
        limit = fastest_rate(self.work, per_copy, lengths.prompt_mean, lengths.output_mean)
        printed = _below(band(expected, width), None if limit is None else limit * busy)
        system = _holding(printed, found, busy)
        basis = SpeedBasis.COMPUTED
        if found is not None:
            basis = SpeedBasis.MEASURED if found.same_setup else SpeedBasis.SCALED
        each = FloatBand(system.low / users, expected / users, system.high / users)
        return OperatingPoint(users, system, each, basis, None if found is None else found.anchor)

    def _query(self, per_copy: float) -> Query:
        work, lengths = self.work, self._setup.lengths
        return Query(
            model=self._setup.model.id,
            parameters=work.shape.parameters,
            active_parameters=work.shape.active_parameters,
            experts=work.shape.is_moe,
            compute=work.compute,
            engine=work.engine,
            prompt=lengths.prompt_mean,
            output=lengths.output_mean,
            offline=False,
            users=per_copy,
            tensor=work.layout.tensor,
            pipeline=work.layout.pipeline,
        )


def _below(computed: FloatBand, limit: float | None) -> FloatBand:
    """The range without what the card's memory could never deliver; a rate scaled from a measurement stays."""
    if limit is None or limit >= computed.high:
        return computed
    return FloatBand(computed.low, computed.expected, max(computed.expected, limit))


def _holding(computed: FloatBand, found: Nearest | None, busy: float) -> FloatBand:
    """The range, widened to hold what was measured where the very setup was."""
    if found is None or not found.same_setup:
        return computed
    measured = found.anchor.tokens_per_s * busy
    return FloatBand(min(computed.low, measured), computed.expected, max(computed.high, measured))

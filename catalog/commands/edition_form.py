"""Editions side by side: how every task sits on them, what was measured of them, and who is out; text and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.compare import Comparison
from engine.editions import EditionRange
from engine.plan.types import Placement, ServingPlacement
from engine.ruled_out import RuledOut
from engine.serving.editions import ServedPair
from engine.speed.editions import TrainedPair
from engine.wording.comparison import cell_text, figure_name
from engine.wording.editions import edition_remarks, served_text, trained_text, why_ruled_out
from engine.wording.filling import Reader

Form = dict[str, Any]
SHOWN_GROUP = "fits"


def edition_lines(comparison: Comparison, words: Reader) -> Iterator[str]:
    """Each task on each card in one line, then the remarks."""
    rows = [row for row in comparison.rows if row.group == SHOWN_GROUP]
    for subject in dict.fromkeys(row.subject for row in rows):
        yield subject
        for place, column in enumerate(comparison.columns):
            cells = [
                f"{figure_name(row.key, words.tr)}: {cell_text(row, row.cells[place], words.tr, words.language)}"
                for row in rows
                if row.subject == subject
            ]
            yield f"  {column.short_name} · " + " · ".join(cells)
    yield from (f"- {text}" for text in edition_remarks(comparison, words))


def edition_form(comparison: Comparison, words: Reader) -> Form:
    """The public JSON form: what was measured side by side, of which cards nothing was, and which are out."""
    return {
        "compared": [column.id for column in comparison.columns],
        "served": [
            {**_range(found), "setups": list(map(_served_setup, found.pairs)), "message": served_text(found, words)}
            for found in comparison.served
        ],
        "not_served": list(comparison.unserved),
        "trained": [
            {**_range(found), "setups": list(map(_trained_setup, found.pairs)), "message": trained_text(found, words)}
            for found in comparison.trained
        ],
        "ruled_out": [_ruled_out(out, words) for out in comparison.ruled_out],
    }


def _range(found: EditionRange[Any]) -> Form:
    """Shares of the other edition's tokens per second."""
    source = found.source
    return {
        "card": found.card_id,
        "other": found.other_id,
        "low_share": found.low,
        "high_share": found.high,
        "contradictory": found.contradictory,
        "source": {"id": source.id, "title": source.title, "url": source.url, "date": source.document_date},
    }


def _trained_setup(pair: TrainedPair) -> Form:
    record = pair.record
    return {
        "share": pair.ratio,
        "model": record.model,
        "method": record.method.value,
        "format": record.compute.value,
        "cards": record.cards,
        "sequence_length": record.sequence_length,
        "micro_batch": record.micro_batch,
        "tokens_per_second_per_card": record.tokens_per_s_per_card,
        "other_tokens_per_second_per_card": pair.beside.tokens_per_s_per_card,
        "records": [record.record_id, pair.beside.record_id],
    }


def _served_setup(pair: ServedPair) -> Form:
    anchor = pair.record
    return {
        "share": pair.ratio,
        "model": anchor.model,
        "weights": anchor.weights.value,
        "software": anchor.software,
        "prompt_tokens": anchor.prompt,
        "answer_tokens": anchor.output,
        "requests_at_once": anchor.users,
        "tokens_per_second": anchor.tokens_per_s,
        "other_tokens_per_second": pair.beside.tokens_per_s,
        "records": [anchor.record_id, pair.beside.record_id],
    }


def _ruled_out(out: RuledOut, words: Reader) -> Form:
    return {
        "card": out.card.id,
        "reasons": [item.code.value for item in out.reasons],
        "message": why_ruled_out(out, words),
        "cards": out.cards or None,
        "workloads": [_held(item) for item in out.placements],
        "serving": [_served(item) for item in out.serving],
    }


def _held(placement: Placement) -> Form:
    required = placement.estimate.required
    return {
        "name": placement.workload.name,
        "verdict": placement.verdict.value,
        "micro_batch": placement.micro_batch,
        "cards": placement.layout.cards,
        "required_bytes": {"low": required.low, "expected": required.expected, "high": required.high},
        "usable_bytes": placement.capacity_bytes,
        "free_bytes": placement.free_bytes,
    }


def _served(placement: ServingPlacement) -> Form:
    return {
        "name": placement.workload.name,
        "verdict": placement.verdict.value,
        "cards": placement.cards,
        "usable_bytes": placement.memory.usable_bytes,
        "free_bytes": placement.free_bytes,
        "requests_at_once": placement.memory.sequences_mean * placement.layout.replicas,
    }

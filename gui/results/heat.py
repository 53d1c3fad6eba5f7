"""The heat map's rows from a recommendation, and what a click on a cell means. No Qt."""

from __future__ import annotations

from engine.fit import Verdict
from engine.glance import CardGlance, Standing
from engine.pictures.heat_map import HeatCell, HeatRow
from engine.plan.types import Placement, Recommendation, ServingPlacement
from engine.serving.speed import OperatingPoint
from engine.wording.serving import basis_text, rate_text
from engine.workload import ServingWorkload, Workload
from gui.serving_words import at_once_text, main_point, point_name, verdict_text
from gui.texts import Texts

SEPARATOR = "|"


def target_of(card_id: str, workload: int) -> str:
    """The name of a cell."""
    return f"{card_id}{SEPARATOR}{workload}"


def read_target(target: str) -> tuple[str, int]:
    """Card id and workload number of a cell's name."""
    card_id, _, number = target.rpartition(SEPARATOR)
    return card_id, int(number)


def heat_rows(recommendation: Recommendation, glances: list[CardGlance], texts: Texts) -> list[HeatRow]:
    """One row per card."""
    workloads, served = recommendation.scenario.workloads, recommendation.scenario.serving
    return [
        HeatRow(
            f"{item.cards} × {item.card.short_name}",
            subtitle(item, texts),
            (
                *(_cell(item, workload, number, texts) for number, workload in enumerate(workloads)),
                *(_serving_cell(item, row, len(workloads) + number, texts) for number, row in enumerate(served)),
            ),
            strong=item.standing is Standing.CHOSEN,
        )
        for item in glances
    ]


def subtitle(item: CardGlance, texts: Texts) -> str:
    """What stands below a card's name: its standing, or the first reason why it is out."""
    _ = texts.gettext
    if item.standing is Standing.CHOSEN:
        return _("recommended")
    if item.standing is Standing.ALTERNATIVE:
        return _("alternative")
    return texts.reason(item.reasons[0]) if item.reasons else _("not possible here")


def description(recommendation: Recommendation, glances: list[CardGlance], texts: Texts) -> str:
    """The heat map in words."""
    lines = []
    for item in glances:
        parts = [
            f"{workload.name}: {_words(item.placement(workload), texts)}"
            for workload in recommendation.scenario.workloads
        ]
        parts += [f"{row.name}: {verdict_text(served_on(item, row), texts)}" for row in recommendation.scenario.serving]
        lines.append(f"{item.cards} × {item.card.name} ({subtitle(item, texts)}): " + "; ".join(parts))
    return "\n".join(lines)


def _cell(item: CardGlance, workload: Workload, number: int, texts: Texts) -> HeatCell:
    placement = item.placement(workload)
    target = target_of(item.card.id, number)
    if placement is None:
        reasons = "\n".join(texts.reason(reason) for reason in item.reasons)
        return HeatCell(None, "–", reasons or texts.gettext("not examined"), "")
    lines = [
        f"{item.cards} × {item.card.name}",
        f"{placement.workload.name}: {_words(placement, texts)}",
        *(texts.reason(reason) for reason in (*item.reasons, *placement.reasons)),
    ]
    return HeatCell(placement.verdict, texts.signed_size(placement.free_bytes), "\n".join(lines), target)


def _words(placement: Placement | None, texts: Texts) -> str:
    if placement is None:
        return texts.gettext("not examined")
    free = texts.gettext("{size} free per card").format(size=texts.signed_size(placement.free_bytes))
    return f"{texts.label(placement.verdict)}, {free}"


def served_on(item: CardGlance, row: ServingWorkload) -> ServingPlacement | None:
    """How a served model sits on a card; None when the card was rejected before it was placed."""
    return item.served(row)


def _serving_cell(item: CardGlance, row: ServingWorkload, number: int, texts: Texts) -> HeatCell:
    placement = served_on(item, row)
    if placement is None:
        reasons = "\n".join(texts.reason(reason) for reason in item.reasons)
        return HeatCell(None, "–", reasons or texts.gettext("not examined"), "")
    point = main_point(placement)
    lines = [
        f"{item.cards} × {item.card.name}",
        f"{placement.workload.name}: {verdict_text(placement, texts)}",
        *([] if point is None else [f"{point_name(placement, texts)}: {_rate(point, texts)}"]),
        *dict.fromkeys(texts.reason(reason) for reason in (*item.reasons, *placement.reasons)),
    ]
    target = target_of(item.card.id, number)
    return HeatCell(placement.verdict, _served_text(placement, texts), "\n".join(lines), target)


def _served_text(placement: ServingPlacement, texts: Texts) -> str:
    """Requests at once; of what does not fit the bytes that are missing, where it is bytes."""
    if placement.verdict is not Verdict.NO:
        return at_once_text(placement, texts)
    short = placement.free_bytes < 0
    return texts.signed_size(placement.free_bytes) if short else texts.label(placement.verdict)


def _rate(point: OperatingPoint, texts: Texts) -> str:
    rate = rate_text(point.tokens_per_s, texts.tr, texts.language)
    return f"{rate}, {basis_text(point, texts.tr, texts.language)}"

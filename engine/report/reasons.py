"""Why this system, and why the others stand behind it: every card of the catalogue once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from engine.glance import CardGlance, Standing
from engine.plan.types import Plan
from engine.quote.document import Advice, OrderedAt
from engine.quote.draft import DocumentKind
from engine.quote.offered import ABOUT_PRICES
from engine.reasons import Reason, ReasonCode
from engine.report.context import Paper, chapter
from engine.report.style import TEXT_WIDTH
from engine.report.tables import table
from engine.report.text import Piece
from engine.wording import numbers
from engine.wording.labels import label
from engine.wording.reasons import sentence

BULLET = "\N{EN DASH}\N{NO-BREAK SPACE}"
MOST_REASONS = 3  # per card in the table; the number of further ones is stated


def why_chosen(paper: Paper, advice: Advice) -> Iterator[Flowable]:
    """All grounds and remarks of the recommended system and of its tasks."""
    _ = paper.tr.gettext
    yield from chapter(paper, _("Why this system"), "why")
    priority = label(advice.scenario.priority, paper.tr)
    yield paper.body(
        _("What decided between systems that carry every task: {priority}.").format(priority=priority), "why"
    )
    of_tasks = [
        (placement.workload.name, text)
        for placement in advice.chosen.placements
        for text in sentences(paper, placement.reasons, priced=True)
    ]
    told = {text for _name, text in of_tasks}
    for text in plan_sentences(paper, advice.chosen):
        if text not in told:
            yield paper.body(BULLET + text, "reason")
    if advice.ordered_at:
        yield paper.body(BULLET + _order_sentence(paper, advice.ordered_at), "reason")
    for name, text in of_tasks:
        yield paper.body(BULLET + _("{workload}: {sentence}").format(workload=name, sentence=text), "reason")


def why_not(paper: Paper, advice: Advice) -> Iterator[Flowable]:
    """The other cards in order, then those that do not carry the tasks, each with its reason."""
    _, styles = paper.tr.gettext, paper.styles
    others = [glance for glance in advice.standings if glance.standing is not Standing.CHOSEN]
    if not others:
        return
    yield from chapter(paper, _("Why the others stand behind it"), "why-not", room=160)
    text = _(
        "Every card of the catalogue with the plan that comes nearest. {candidates} combinations of card, number and "
        "machine were ruled out; each had a reason of this kind."
    )
    count = numbers.integer(len(advice.rejected), paper.language)
    yield paper.small(text.format(candidates=count), "why-not")
    head = [
        paper.paragraph(_("Card"), styles.head, "head"),
        paper.paragraph(_("Standing"), styles.head, "head"),
        paper.paragraph(_("Reason"), styles.head, "head"),
    ]
    rows = [_row(paper, glance) for glance in others]
    yield table(head, rows, [44 * mm, 25 * mm, TEXT_WIDTH - 69 * mm])


def plan_sentences(paper: Paper, plan: Plan) -> Iterator[str]:
    """The reasons of a plan.

    Their amounts are printed only where the paper's own sum is the planner's: none that rests on a stand-in, none
    beside a sum that services, discounts or entered prices have changed.
    """
    advice, totals = paper.quote.advice, paper.quote.totals
    same = advice is not None and totals.net == advice.chosen.price.priced.rounded() and totals.complete
    reasons = plan.reasons
    if paper.quote.kind is DocumentKind.OFFER and advice is not None and plan is advice.chosen:
        # It is offered as it is, and where the sum is complete, every position has a price of the seller's.
        settled = {ReasonCode.ASSUMED_SYSTEM} | (ABOUT_PRICES if totals.complete else frozenset())
        reasons = tuple(item for item in reasons if item.code not in settled)
    priced = same and not plan.price.gaps
    said = tuple(item for item in reasons if not _says_alternative_only(item, priced=priced))
    yield from sentences(paper, said or reasons, priced=priced)


def _says_alternative_only(reason: Reason, *, priced: bool) -> bool:
    """Whether nothing would be said but that the plan is an alternative, which its place in the paper says."""
    return reason.code is ReasonCode.ALTERNATIVE and not (
        priced and any(name.endswith("_amount") for name, _ in reason.values)
    )


def _order_sentence(paper: Paper, items: Iterable[tuple[str, OrderedAt]]) -> str:
    """Which of the document's prices the order of the systems did not know, and what counted instead."""
    _ = paper.tr.gettext
    kinds = {
        OrderedAt.GUIDE_PRICE: _("{item} at its guide price"),
        OrderedAt.EARLIER_PRICE: _("{item} at an earlier price"),
        OrderedAt.RELATED_ITEM: _("{item} at the price of a related item"),
        OrderedAt.NO_PRICE: _("{item} without a price"),
    }
    listed = "; ".join(kinds[kind].format(item=paper.names.get(item_id, item_id)) for item_id, kind in items)
    text = _("The systems were put in order before all prices of this document were known; until then stood: {items}.")
    return text.format(items=listed)


def sentences(paper: Paper, reasons: Iterable[Reason], *, priced: bool) -> Iterator[str]:
    """Reasons in words, each once."""
    seen = set()
    names = paper.names
    for reason in reasons:
        shown = reason if priced else _without_amounts(reason)
        text = sentence(shown, paper.tr, paper.language, names)
        if text not in seen:
            seen.add(text)
            yield text


def _without_amounts(reason: Reason) -> Reason:
    return Reason(reason.code, tuple(item for item in reason.values if not item[0].endswith("_amount")))


def _row(paper: Paper, glance: CardGlance) -> list[Flowable | list[Flowable]]:
    styles, tr = paper.styles, paper.tr
    if glance.plan is not None:
        standing = tr.gettext("alternative")
        texts = list(plan_sentences(paper, glance.plan))
    else:
        standing = tr.gettext("ruled out")
        texts = list(sentences(paper, glance.reasons, priced=True))
    more = len(texts) - MOST_REASONS
    words: list[Flowable] = [
        paper.paragraph(text, styles.cell_small, f"reason {glance.card.id}") for text in texts[:MOST_REASONS]
    ]
    if more > 0:
        text = tr.ngettext("and {count} further reason", "and {count} further reasons", more).format(count=more)
        words.append(paper.paragraph(text, styles.tiny, "reason"))
    where = paper.name(glance.system.name) if glance.system is not None else ""
    card: list[Flowable] = [paper.paragraph(Piece(_count(glance), bold=True), styles.cell_small, glance.card.id)]
    if where:
        card.append(paper.paragraph(where, styles.tiny, glance.card.id))
    return [card, paper.paragraph(standing, styles.cell_small, glance.card.id), words]


def _count(glance: CardGlance) -> str:
    return f"{glance.cards} × {glance.card.short_name}" if glance.system is not None else glance.card.short_name

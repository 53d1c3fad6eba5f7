"""Rent or buy: the verdict, what owning costs, and the cheapest offers that hold the same work."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from engine.cost.break_even import BreakEvenStatus
from engine.cost.compare import RentOrBuyReport
from engine.cost.offers import OfferComparison
from engine.cost.ownership import Ownership
from engine.report.context import Paper, chapter
from engine.report.reasons import BULLET
from engine.report.style import TEXT_WIDTH
from engine.report.tables import table
from engine.report.text import Piece
from engine.wording import numbers
from engine.wording.decisions import decision_sentence, verdict_sentence
from engine.wording.labels import label
from engine.wording.renting import offered_card

SHOWN_OFFERS = 6


def renting_chapter(paper: Paper, report: RentOrBuyReport) -> Iterator[Flowable]:
    """The chapter; nothing without a comparison."""
    _ = paper.tr.gettext
    if report.comparison is None:
        return
    yield from chapter(paper, _("Rent or buy"), "renting", room=120)
    yield paper.body(Piece(verdict_sentence(report.decision.verdict, paper.tr), bold=True), "renting")
    for reason in report.decision.reasons:
        text = decision_sentence(reason, report.currency, paper.tr, paper.language)
        yield paper.body(BULLET + text, "renting")
    if report.ownership is not None and not report.price_uses_stand_ins:
        yield from _ownership(paper, report.ownership)
    yield from _offers(paper, report)


def _ownership(paper: Paper, ownership: Ownership) -> Iterator[Flowable]:
    _, styles, language = paper.tr.gettext, paper.styles, paper.language
    yield from chapter(paper, _("What owning costs"), "owning", level=1)
    years = paper.tr.ngettext("{count} year", "{count} years", ownership.years).format(count=ownership.years)
    head = [
        paper.paragraph("", styles.head, "head"),
        paper.paragraph(_("per year"), styles.head_right, "head"),
        paper.paragraph(years, styles.head_right, "head"),
    ]
    entries = [(label(line.kind, paper.tr), line.per_year, line.over_horizon, False) for line in ownership.lines]
    entries.append((_("Sum"), ownership.per_year, ownership.over_horizon, True))
    left_out = {label(kind, paper.tr) for kind in ownership.not_included}
    rows: list[list[Flowable | list[Flowable]]] = []
    for name, per_year, over_horizon, bold in entries:
        shown = [numbers.money(amount, language) for amount in (per_year, over_horizon)]
        if name in left_out and not bold:
            shown = [_("not included"), ""]
        rows.append(
            [
                paper.paragraph(Piece(name, bold=bold), styles.cell_small, "owning"),
                *(paper.paragraph(Piece(text, bold=bold), styles.cell_small_right, "owning") for text in shown),
            ]
        )
    yield table(head, rows, [TEXT_WIDTH - 80 * mm, 40 * mm, 40 * mm])
    if ownership.per_useful_hour is not None:
        text = _("{hours} useful hours a year: {amount} per useful hour, {energy} kWh a year.")
        yield paper.small(
            text.format(
                hours=numbers.number(ownership.useful_hours_per_year, 0, language),
                amount=numbers.money(ownership.per_useful_hour, language),
                energy=numbers.number(ownership.energy_kwh_per_year, 0, language),
            ),
            "owning",
        )


def _offers(paper: Paper, report: RentOrBuyReport) -> Iterator[Flowable]:
    _, styles = paper.tr.gettext, paper.styles
    comparison = report.comparison
    if comparison is None or not comparison.offers:
        return
    yield from chapter(paper, _("Cheapest offers for the same work"), "offers", level=1)
    head = [
        paper.paragraph(_("Provider"), styles.head, "head"),
        paper.paragraph(_("Cards"), styles.head, "head"),
        paper.paragraph(_("Terms"), styles.head, "head"),
        paper.paragraph(_("Price as of"), styles.head, "head"),
        paper.paragraph(_("Per year"), styles.head_right, "head"),
        paper.paragraph(_("Buying pays from"), styles.head_right, "head"),
    ]
    weighed = comparison.decision.best_offer
    rows = [_offer_row(paper, offer, weighed=offer is weighed) for offer in comparison.shown(SHOWN_OFFERS)]
    widths = [24 * mm, 33 * mm, 28 * mm, 30 * mm, 29 * mm]
    yield table(head, rows, [*widths, TEXT_WIDTH - sum(widths)])
    text = paper.tr.ngettext(
        "{count} offer was compared, {left_out} left out with a reason.",
        "{count} offers were compared, {left_out} left out with a reason.",
        len(comparison.offers),
    )
    counted = text.format(count=len(comparison.offers), left_out=len(comparison.left_out))
    if weighed is not None:
        counted += " " + _(
            "In bold: the offer the sentences above stand on. Offers that may be interrupted or whose price has "
            "expired are weighed only where the customer allows it or there are no others."
        )
    yield paper.small(counted, "offers")


def _offer_row(paper: Paper, item: OfferComparison, *, weighed: bool) -> list[Flowable | list[Flowable]]:
    styles, language, offer = paper.styles, paper.language, item.offer
    share = "–"
    if item.break_even is not None and item.break_even.utilisation is not None:
        share = paper.tr.gettext("{share} use").format(share=numbers.percent(item.break_even.utilisation, language))
        if item.break_even.status is BreakEvenStatus.ABOVE_FULL_USE:
            share = paper.tr.gettext("above {share}").format(share=numbers.percent(1, language))
    rent = item.rent_per_year
    year = numbers.money_band(rent.low.rounded(), rent.high.rounded(), language)
    dated = numbers.recorded_date(offer.as_of, language)
    return [
        paper.paragraph(Piece(offer.provider, bold=weighed), styles.cell_small, "offer"),
        paper.paragraph(f"{item.match.cards} × {offered_card(offer, paper.tr)}", styles.cell_small, "offer"),
        paper.paragraph(label(offer.term, paper.tr), styles.cell_small, "offer"),
        paper.paragraph(f"{dated}, {label(item.age, paper.tr)}", styles.cell_small, "offer"),
        paper.paragraph(Piece(year, bold=weighed), styles.cell_small_right, "offer"),
        paper.paragraph(share, styles.cell_small_right, "offer"),
    ]

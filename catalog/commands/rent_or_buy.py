"""`rent-or-buy`: owning the recommended machine against renting and services."""

from __future__ import annotations

import argparse
import json
from typing import TextIO

from catalog.clock import today
from catalog.consultation.open import open_consultation
from engine.cost.break_even import BreakEvenStatus
from engine.cost.compare import RentOrBuyReport, compare
from engine.cost.offers import OfferComparison
from engine.cost.plain import report_form
from engine.plan.recommend import recommend
from engine.wording import numbers
from engine.wording.decisions import decision_sentence, verdict_sentence
from engine.wording.renting import renting_label
from engine.wording.translator import Language, Translator
from resources import translations

SHOWN_OFFERS = 8


def run(arguments: argparse.Namespace, out: TextIO) -> int:
    """Print the comparison; 1 when nothing fits."""
    opened = open_consultation(arguments.file, today())
    recommendation = recommend(opened.scenario, opened.catalog.facts)
    report = compare(recommendation, opened.catalog.facts)
    if arguments.json:
        json.dump(report_form(report, opened.catalog.facts), out, indent=1, ensure_ascii=False)
        out.write("\n")
    else:
        _print(report, Language(arguments.language), out)
    return 0 if recommendation.chosen is not None else 1


def _print(report: RentOrBuyReport, language: Language, out: TextIO) -> None:
    tr = translations(language)
    if report.plan is None:
        out.write(tr.gettext("Nothing in the catalogue carries these workloads.") + "\n")
    if report.comparison is None:
        out.write(tr.gettext("The work of a year is unknown, so nothing can be compared.") + "\n")
        return
    decision = report.comparison.decision
    out.write(verdict_sentence(decision.verdict, tr) + "\n")
    out.writelines(f"- {decision_sentence(reason, report.currency, tr, language)}\n" for reason in decision.reasons)
    if report.ownership is not None:
        per_year = numbers.money(report.ownership.per_year, language)
        out.write(tr.gettext("Owning: {amount} per year").format(amount=per_year) + "\n")
    weighed = decision.best_offer
    if weighed is not None:
        line = tr.gettext("Weighed: {offer}").format(offer=_offer(weighed, tr, language))
        out.write(line + "\n")
    out.write(tr.gettext("Renting, cheapest first (per year for the same work):") + "\n")
    out.writelines(f"  {_offer(row, tr, language)}\n" for row in report.comparison.offers[:SHOWN_OFFERS])


def _offer(row: OfferComparison, tr: Translator, language: Language) -> str:
    parts = [
        row.offer.provider,
        f"{row.match.cards}x {'/'.join(row.offer.card_ids)}",
        row.offer.term.value,
        numbers.money(row.rent_per_year.expected, language),
    ]
    found = row.break_even
    if found is not None and found.status is BreakEvenStatus.ABOVE_FULL_USE:
        parts.append(renting_label(found.status, tr))
    elif found is not None and found.utilisation is not None:
        share = numbers.percent(found.utilisation, language)
        parts.append(tr.gettext("buying pays from {share} utilisation").format(share=share))
    return " · ".join(parts)

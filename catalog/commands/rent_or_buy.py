"""`rent-or-buy`: owning the recommended machine against renting and services."""

from __future__ import annotations

import argparse
import json
from typing import TextIO

from catalog.clock import today
from catalog.consultation.open import open_consultation
from engine.cost.compare import RentOrBuyReport, compare
from engine.cost.plain import report_form
from engine.plan.recommend import recommend
from engine.wording import numbers
from engine.wording.decisions import decision_sentence, verdict_sentence
from engine.wording.translator import Language
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
    if report.comparison is None:
        out.write(tr.gettext("The work of a year is unknown, so nothing can be compared.") + "\n")
        return
    decision = report.comparison.decision
    out.write(verdict_sentence(decision.verdict, tr) + "\n")
    out.writelines(f"- {decision_sentence(reason, report.currency, tr, language)}\n" for reason in decision.reasons)
    if report.ownership is not None:
        per_year = numbers.money(report.ownership.per_year, language)
        out.write(tr.gettext("Owning: {amount} per year").format(amount=per_year) + "\n")
    out.write(tr.gettext("Renting, cheapest first (per year for the same work):") + "\n")
    for row in report.comparison.offers[:SHOWN_OFFERS]:
        share = (
            ""
            if row.break_even is None or row.break_even.utilisation is None
            else " · "
            + tr.gettext("buying pays from {share} utilisation").format(
                share=numbers.percent(row.break_even.utilisation, language)
            )
        )
        out.write(
            f"  {row.offer.provider} · {row.match.cards}x {'/'.join(row.offer.card_ids)} · {row.offer.term.value} · "
            f"{numbers.money(row.rent_per_year.expected, language)}{share}\n"
        )

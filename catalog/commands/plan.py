"""`plan`: the recommendation for a consultation file, as text or JSON."""

from __future__ import annotations

import argparse
import json
from typing import TextIO

from catalog.clock import today
from catalog.commands.edition_form import edition_lines
from catalog.commands.plan_form import as_json, peak_lines, say
from catalog.commands.serving_form import serving_lines
from catalog.consultation.open import OpenConsultation, open_consultation
from catalog.diff_words import line
from catalog.recompute import changes_since, used_ids
from catalog.user_folder import user_folder
from engine.compare import compare_cards
from engine.editions import compared_cards
from engine.facts import Facts
from engine.plan.nearly import with_remedies
from engine.plan.recommend import recommend
from engine.plan.types import Plan, Recommendation, Rejection
from engine.quote.build import names_of
from engine.reasons import Reason
from engine.wording import labels, numbers
from engine.wording.filling import Reader
from engine.wording.translator import Language
from resources import translations

SHOWN_REJECTIONS = 12


def run(arguments: argparse.Namespace, out: TextIO) -> int:
    """Print the plan; 1 when nothing fits."""
    opened = open_consultation(arguments.file, today())
    facts = opened.catalog.facts
    recommendation = with_remedies(recommend(opened.scenario, facts))
    language = Language(arguments.language)
    words = Reader(translations(language), language, names_of(facts, recommendation))
    if arguments.json:
        json.dump(as_json(recommendation, facts, words), out, indent=1, ensure_ascii=False)
        out.write("\n")
    else:
        _older_catalogue(opened, recommendation, words, out)
        _print(recommendation, facts, words, out)
    return 0 if recommendation.chosen is not None else 1


def _older_catalogue(opened: OpenConsultation, recommendation: Recommendation, words: Reader, out: TextIO) -> None:
    """Say when the consultation records another catalogue, and what has changed since of what the answer uses."""
    version, used = opened.consultation.catalogue, used_ids(recommendation)
    since = changes_since(version, opened.catalog, user_folder(), used)
    if since is None:
        return
    tr = words.tr
    out.write(
        tr.gettext("Recorded with the catalogue of {then}; now that of {now} is in use.").format(
            then=since.then, now=since.now
        )
        + "\n"
    )
    if since.changes is None:
        out.write("  " + tr.gettext("The older catalogue is not kept here, so the differences are not known.") + "\n")
    else:
        out.writelines(f"  {line(change, tr, words.language)}\n" for change in since.changes)


def _print(recommendation: Recommendation, facts: Facts, words: Reader, out: TextIO) -> None:
    tr = words.tr
    chosen = recommendation.chosen
    if chosen is None:
        out.write(tr.gettext("Nothing in the catalogue carries these workloads.") + "\n")
        out.writelines(f"  - {say(reason, words)}\n" for reason in recommendation.beyond)
    else:
        out.write(tr.gettext("Recommendation") + "\n")
        _plan(chosen, words, out)
        out.writelines(f"  - {say(reason, words)}\n" for reason in chosen.reasons)
        for placement in chosen.placements:
            out.write(f"  {placement.workload.name}: {labels.label(placement.verdict, tr)}\n")
            out.writelines(f"    - {say(reason, words)}\n" for reason in placement.reasons)
        for served in chosen.serving:
            first, *more = serving_lines(served, words)
            out.write(f"  {first}\n")
            out.writelines(f"    {line}\n" for line in more)
        _would_fit(chosen.would_fit, words, out)
    if recommendation.alternatives:
        out.write(tr.gettext("Alternatives") + "\n")
        for plan in recommendation.alternatives:
            _plan(plan, words, out)
            out.writelines(f"  - {say(reason, words)}\n" for reason in plan.reasons)
            _would_fit(plan.would_fit, words, out)
    out.write(tr.gettext("Editions side by side") + "\n")
    cards = compared_cards(facts, None if chosen is None else chosen.card)
    compared = compare_cards(cards, {}, facts, recommendation)
    out.writelines(f"  {text}\n" for text in edition_lines(compared, words))
    out.writelines(f"{text}\n" for text in peak_lines(recommendation.scenario.calibrations, words))
    _rejections(recommendation.rejected, words, out)


def _rejections(rejected: tuple[Rejection, ...], words: Reader, out: TextIO) -> None:
    """The nearest misses; machines that the same words keep out share a line."""
    tr = words.tr
    out.write(tr.gettext("Rejected") + "\n")
    lines: dict[tuple[str, str], list[Rejection]] = {}
    for rejection in rejected:
        why = " ".join(say(reason, words) for reason in rejection.reasons)
        lines.setdefault((f"{rejection.cards}x {rejection.card.short_name}", why), []).append(rejection)
    shown = list(lines.items())[:SHOWN_REJECTIONS]
    for (cards, why), alike in shown:
        machines = ", ".join(item.system.name for item in alike if item.system is not None)
        out.write(f"  {cards}" + (f" · {machines}" if machines else "") + f": {why}\n")
        _would_fit(alike[0].would_fit, words, out)
    hidden = len(rejected) - sum(len(alike) for _, alike in shown)
    if hidden > 0:
        text = tr.ngettext("and {count} more (--json lists all)", "and {count} more (--json lists all)", hidden)
        out.write("  " + text.format(count=hidden) + "\n")


def _would_fit(reasons: tuple[Reason, ...], words: Reader, out: TextIO) -> None:
    """What would make it fit, one change a line."""
    if reasons:
        out.write("    " + words.tr.gettext("What would make it fit:") + "\n")
        out.writelines(f"      + {say(reason, words)}\n" for reason in reasons)


def _plan(plan: Plan, words: Reader, out: TextIO) -> None:
    tr, language = words.tr, words.language
    bridge = ""
    if plan.bridging is not None:
        bridge = " · " + tr.ngettext("{count} NVLink bridge", "{count} NVLink bridges", plan.bridging.count).format(
            count=plan.bridging.count
        )
    price = (
        tr.gettext("on request")
        if plan.price.gaps and not plan.price.priced.amount
        else numbers.money(plan.price.priced, language)
    )
    free = numbers.gigabytes(plan.free_bytes, language)
    out.write(
        f"  {plan.cards}x {plan.card.name} · {plan.system.name}{bridge} · {labels.label(plan.verdict, tr)} · "
        + tr.gettext("{size} free").format(size=free)
        + f" · {price} ({labels.label(plan.price.basis, tr)})\n"
    )

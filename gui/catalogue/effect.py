"""What a change of the catalogue does to the open consultation, side by side. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.catalog import Catalog
from engine.facts import Facts
from engine.plan.types import Plan, Recommendation
from engine.serving.summary import summaries
from gui.serving_words import summary_rows
from gui.texts import Texts

NONE = "–"


@dataclass(frozen=True, slots=True)
class Tried:
    """A catalogue that was tried out, and the recommendation with it; None without workloads or when none fits."""

    catalog: Catalog
    recommendation: Recommendation | None

    @property
    def facts(self) -> Facts:
        """What the recommendation rests on."""
        return self.catalog.facts


@dataclass(frozen=True, slots=True)
class EffectRow:
    """One property of the recommendation before and after."""

    name: str
    before: str
    after: str

    @property
    def differs(self) -> bool:
        """Whether the change touches it."""
        return self.before != self.after


def effect_rows(before: Tried, after: Tried, texts: Texts) -> tuple[EffectRow, ...]:
    """The recommendation before and after: system, verdict, price, memory; time, speed and cost of every workload."""
    left, right = _properties(before, texts), _properties(after, texts)
    names = [*left, *(name for name in right if name not in left)]
    return tuple(EffectRow(name, left.get(name, NONE), right.get(name, NONE)) for name in names)


def _properties(tried: Tried, texts: Texts) -> dict[str, str]:
    _ = texts.gettext
    recommendation = tried.recommendation
    plan = None if recommendation is None else recommendation.chosen
    if recommendation is None or plan is None:
        return {_("Recommendation"): _("no system carries every workload")}
    return {
        _("Recommendation"): f"{plan.cards} × {plan.card.name}",
        _("Machine"): plan.system.name,
        _("Verdict"): texts.label(plan.verdict),
        _("Net price"): _price(plan, texts),
        _("Free per card"): texts.signed_size(plan.free_bytes),
        **_trained(plan, texts),
        **_served(recommendation, plan, tried.facts, texts),
        _("Further cards that fit"): ", ".join(plan.card.short_name for plan in recommendation.alternatives) or NONE,
    }


def _trained(plan: Plan, texts: Texts) -> dict[str, str]:
    _ = texts.gettext
    found = {}
    for placement in plan.placements:
        name = placement.workload.name
        if placement.hours_per_run is not None:
            found[_("{workload}: time per run").format(workload=name)] = texts.hours(placement.hours_per_run.expected)
        if placement.cost_per_run is not None:
            cost = texts.money(placement.cost_per_run.expected)
            found[_("{workload}: cost per run").format(workload=name)] = cost
    return found


def _served(recommendation: Recommendation, plan: Plan, facts: Facts, texts: Texts) -> dict[str, str]:
    """The rows of the results page for every served model; what has one name stands in one row."""
    found: dict[str, str] = {}
    for summary in summaries(plan, recommendation.scenario, facts):
        for figure, text in summary_rows(summary, texts):
            name = f"{summary.placement.workload.name}: {figure}"
            found[name] = f"{found[name]}; {text}" if name in found else text
    return found


def _price(plan: Plan, texts: Texts) -> str:
    if not plan.price.gaps:
        return f"{texts.money(plan.price.priced)} · {texts.label(plan.price.basis)}"
    names = ", ".join(texts.name(item) for item in plan.price.gaps)
    if plan.price.priced.amount == 0:
        return texts.gettext("on request")
    return texts.gettext("{amount} without {names} (on request)").format(
        amount=texts.money(plan.price.priced), names=names
    )

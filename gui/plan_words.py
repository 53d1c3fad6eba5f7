"""What a plan is called, and why there is none or none that is current, in the words of the window. No Qt."""

from __future__ import annotations

from engine.plan.types import Plan
from gui.context import Context
from gui.draft import Severity
from gui.planning import PlanState
from gui.texts import Texts


def plan_title(plan: Plan, texts: Texts) -> str:
    """Its cards and their machine."""
    return f"{plan.cards} × {plan.card.name} · {texts.name(plan.system.id)}"


def explanation(context: Context) -> str:
    """What is missing, what went wrong, or that it is being calculated; empty when the answer speaks for itself."""
    texts, planner = context.texts, context.planner
    if planner.state is PlanState.FAILED and planner.error is not None:
        return texts.error(planner.error)
    if planner.state is PlanState.EMPTY:
        errors = [problem for problem in planner.problems() if problem.severity is Severity.ERROR]
        return "\n".join(texts.gettext(item.template).format(**dict(item.values)) for item in errors)
    if planner.state is PlanState.WORKING and planner.recommendation is None:
        return texts.gettext("Calculating …")
    if planner.recommendation is not None and planner.recommendation.chosen is None:
        return texts.gettext("No system in the catalogue carries every workload. The results say what is missing.")
    return ""

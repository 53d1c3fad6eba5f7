"""What the painted window is furnished with once the catalogue is there. Imported behind the first paint only.

Every page is imported when it is built or a moment after the first one is shown, whichever comes first.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from gui.answer import Answer
from gui.context import Context
from gui.files import Files
from gui.find_bar import FindBar
from gui.flow import Situation, Step
from gui.pages.page import Page
from gui.planning import PlanState
from gui.register.desk import RegisterDesk
from gui.tools import Tools

__all__ = [
    "Answer",
    "Files",
    "FindBar",
    "RegisterDesk",
    "Tools",
    "build_page",
    "situation",
]


def build_page(step: Step, context: Context, today: Callable[[], date]) -> Page:
    """The page of a step."""
    match step:
        case Step.WORKLOADS:
            from gui.pages.workloads import WorkloadsPage  # noqa: PLC0415  # see above

            return WorkloadsPage(context)
        case Step.SITE:
            from gui.pages.site import SitePage  # noqa: PLC0415

            return SitePage(context)
        case Step.GOALS:
            from gui.pages.goals import GoalsPage  # noqa: PLC0415

            return GoalsPage(context, today())
        case Step.RESULTS:
            from gui.pages.results import ResultsPage  # noqa: PLC0415

            return ResultsPage(context, today())
        case Step.OFFER:
            from gui.pages.offer import OfferPage  # noqa: PLC0415

            return OfferPage(context)


def situation(context: Context, pages: dict[Step, Page]) -> Situation:
    """What the states of the steps depend on."""
    planner = context.planner
    ready = planner.state is PlanState.READY
    return Situation(
        document=context.document.consultation,
        problems=tuple(planner.problems()),
        field_errors={step for step, page in pages.items() if page.has_errors},
        recommendation=planner.recommendation if ready else None,
        failed=planner.state is PlanState.FAILED,
    )

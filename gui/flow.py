"""The way through a consultation: which steps there are and how each of them stands. No Qt.

The menus need the steps before there is a document, so what a document is made of is imported where one is judged.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catalog.consultation.document import Consultation
    from engine.plan.types import Recommendation
    from gui.draft import Problem


class Step(StrEnum):
    """The steps in their order."""

    WORKLOADS = "workloads"
    SITE = "site"
    GOALS = "goals"
    RESULTS = "results"
    OFFER = "offer"


class StepState(StrEnum):
    """How a step stands."""

    EMPTY = "empty"
    OK = "ok"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything the states of the steps depend on."""

    document: Consultation
    problems: tuple[Problem, ...] = ()
    field_errors: Collection[Step] = ()  # steps with a field whose text cannot be read
    recommendation: Recommendation | None = None
    failed: bool = False  # the last calculation ended with an error


def state(step: Step, situation: Situation) -> StepState:
    """The state of one step."""
    if step in situation.field_errors:
        return StepState.PROBLEM
    if step is Step.WORKLOADS:
        return _workloads(situation)
    if step is Step.RESULTS:
        return _results(situation)
    if step is Step.OFFER:
        return StepState.OK if situation.document.customer.company else StepState.EMPTY
    return StepState.OK


def states(situation: Situation) -> dict[Step, StepState]:
    """The state of every step."""
    return {step: state(step, situation) for step in Step}


def following(step: Step) -> Step | None:
    """The step after this one; None after the last."""
    steps = list(Step)
    index = steps.index(step) + 1
    return steps[index] if index < len(steps) else None


def preceding(step: Step) -> Step | None:
    """The step before this one; None before the first."""
    steps = list(Step)
    index = steps.index(step) - 1
    return steps[index] if index >= 0 else None


def _workloads(situation: Situation) -> StepState:
    from gui.draft import Severity  # noqa: PLC0415  # see above

    if not situation.document.workloads and not situation.document.serving:
        return StepState.EMPTY
    errors = any(problem.severity is Severity.ERROR for problem in situation.problems)
    return StepState.PROBLEM if errors else StepState.OK


def _results(situation: Situation) -> StepState:
    if situation.failed:
        return StepState.PROBLEM
    if situation.recommendation is None:
        return StepState.EMPTY
    return StepState.OK if situation.recommendation.chosen else StepState.PROBLEM

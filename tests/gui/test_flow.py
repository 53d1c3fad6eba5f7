"""The way: order of the steps and how each of them stands."""

from __future__ import annotations

from catalog.consultation.document import Consultation, Customer, WorkloadRow
from engine.methods import Method
from gui.draft import Problem, Severity
from gui.flow import Situation, Step, StepState, following, preceding, states

FILLED = Consultation(workloads=(WorkloadRow(model="m", method=Method.LORA, sequence_length=512),))


def test_that_the_steps_lead_forward_and_back_and_end() -> None:
    forward = [Step.WORKLOADS]
    while (step := following(forward[-1])) is not None:
        forward.append(step)
    assert forward == list(Step)
    back = [Step.OFFER]
    while (step := preceding(back[-1])) is not None:
        back.append(step)
    assert back == list(reversed(Step))


def test_that_an_empty_document_has_its_inputs_to_do_and_no_result() -> None:
    found = states(Situation(Consultation()))
    assert found[Step.WORKLOADS] is StepState.EMPTY
    assert found[Step.SITE] is StepState.OK
    assert found[Step.RESULTS] is StepState.EMPTY
    assert found[Step.OFFER] is StepState.EMPTY


def test_that_errors_and_unreadable_fields_show_on_their_step() -> None:
    problem = Problem("workloads.0.model", Severity.ERROR, "{name} is not known.")
    found = states(Situation(FILLED, problems=(problem,), field_errors={Step.GOALS}))
    assert found[Step.WORKLOADS] is StepState.PROBLEM
    assert found[Step.GOALS] is StepState.PROBLEM
    hint = Problem("workloads.0.sequence_length", Severity.HINT, "long")
    assert states(Situation(FILLED, problems=(hint,)))[Step.WORKLOADS] is StepState.OK


def test_that_a_failed_calculation_shows_on_the_results() -> None:
    assert states(Situation(FILLED, failed=True))[Step.RESULTS] is StepState.PROBLEM


def test_that_a_customer_makes_the_offer_complete() -> None:
    document = FILLED.model_copy(update={"customer": Customer(company="Beispiel AG")})
    assert states(Situation(document))[Step.OFFER] is StepState.OK

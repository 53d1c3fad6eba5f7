"""The customer's own test runs, from the consultation file to the plan."""

from __future__ import annotations

import json
from argparse import Namespace
from datetime import date
from io import StringIO
from pathlib import Path

import pytest

from catalog.commands import plan
from catalog.config_model import model_from_file
from catalog.consultation.document import Consultation
from catalog.consultation.files import InvalidConsultationError, parse_text
from catalog.consultation.scenario import to_scenario
from catalog.load import load_catalog
from engine.errors import InvalidInputError
from engine.plan.recommend import recommend
from engine.plan.types import Placement
from engine.reasons import ReasonCode
from engine.speed.types import SpeedNote, StackClass
from engine.workload import Scenario
from tests.catalog.plan_command import CHAT_AT_THE_DESK, MAX_Q

FACTS = load_catalog().facts
MEASURED = f"""\
calibrations:
  - {{name: pilot, workload: chat, card: {MAX_Q}, stack: plain-hf, tokens_per_second: 2000}}
"""


def consultation(text: str) -> Consultation:
    return parse_text(text, "test.passform.yaml")


def scenario(text: str) -> Scenario:
    return to_scenario(consultation(text), FACTS, date(2026, 11, 30), model_from_file)


def placement(text: str, card: str) -> Placement:
    result = recommend(scenario(text), FACTS)
    return next(item.placements[0] for item in result.ranked if item.card.id == card and item.cards == 1)


def spread(found: Placement) -> float:
    assert found.step is not None
    return found.step.total_s.high / found.step.total_s.low


def test_that_the_measured_rate_is_the_rate_of_the_plan() -> None:
    found = placement(CHAT_AT_THE_DESK + MEASURED, MAX_Q)
    assert found.tokens_per_second is not None
    assert found.tokens_per_second.expected == pytest.approx(2000)
    # 2,000 / 1.25 to 2,000 x 1.25
    assert found.tokens_per_second.low == pytest.approx(1600)
    assert found.tokens_per_second.high == pytest.approx(2500)
    assert ReasonCode.CALIBRATED in {item.code for item in found.reasons}


def test_that_another_card_is_moved_but_keeps_a_wider_band() -> None:
    plain = placement(CHAT_AT_THE_DESK + "stack: plain-hf\n", "rtx_pro_6000_blackwell_ws")
    found = placement(CHAT_AT_THE_DESK + MEASURED, "rtx_pro_6000_blackwell_ws")
    calibrated = placement(CHAT_AT_THE_DESK + MEASURED, MAX_Q).step
    assert plain.step is not None
    assert found.step is not None
    assert calibrated is not None
    assert calibrated.calibration is not None
    moved = found.step.total_s.expected / plain.step.total_s.expected
    assert moved == pytest.approx(1 / calibrated.calibration.factor)
    assert spread(found) == pytest.approx(1.5 * 1.5)
    assert SpeedNote.CALIBRATED_ELSEWHERE in found.step.notes
    assert ReasonCode.CALIBRATED_ELSEWHERE in {item.code for item in found.reasons}


def test_that_another_stack_says_nothing() -> None:
    plain = placement(CHAT_AT_THE_DESK + "stack: tuned-pytorch\n", MAX_Q)
    assert placement(CHAT_AT_THE_DESK + MEASURED + "stack: tuned-pytorch\n", MAX_Q).step == plain.step


def test_that_the_measured_software_counts_where_none_is_stated() -> None:
    assert scenario(CHAT_AT_THE_DESK + MEASURED).stack is StackClass.PLAIN_HF
    second = "  - {workload: chat, card: h200_nvl, stack: tuned-pytorch, tokens_per_second: 2000}\n"
    assert scenario(CHAT_AT_THE_DESK + MEASURED + second).stack is None


def test_that_the_run_most_like_the_job_is_taken() -> None:
    other = f"""\
  - {{name: larger, model: qwen3-32b, method: qlora, sequence_length: 2048, card: {MAX_Q}, stack: plain-hf,
     tokens_per_second: 300}}
"""
    found = placement(CHAT_AT_THE_DESK + MEASURED + other, MAX_Q).step
    assert found is not None
    assert found.calibration is not None
    assert found.calibration.name == "pilot"


def test_that_a_run_kept_from_an_earlier_answer_does_not_stay() -> None:
    before = placement(CHAT_AT_THE_DESK + "stack: plain-hf\n", MAX_Q).step
    moved = placement(CHAT_AT_THE_DESK + MEASURED, MAX_Q).step
    assert moved != before
    assert placement(CHAT_AT_THE_DESK + "stack: plain-hf\n", MAX_Q).step == before
    faster = placement(CHAT_AT_THE_DESK + MEASURED.replace("2000", "2400"), MAX_Q)
    assert faster.tokens_per_second is not None
    assert faster.tokens_per_second.expected == pytest.approx(2400)


def test_that_bridged_cards_are_compared_over_their_bridge() -> None:
    text = (
        CHAT_AT_THE_DESK.replace("desk", "rack")
        + """\
calibrations:
  - {model: llama-3.3-70b, method: lora, sequence_length: 2048, card: h200_nvl, cards: 2, sharding: fsdp,
     bridge_cards: 2, stack: tuned-pytorch, tokens_per_second: 1500}
"""
    )
    bridged = scenario(text).calibrations[0]
    unbridged = scenario(text.replace("bridge_cards: 2, ", "")).calibrations[0]
    assert bridged.modelled_tokens_per_s > unbridged.modelled_tokens_per_s
    assert SpeedNote.SHARDED_OVER_PCIE in unbridged.notes - bridged.notes


def test_that_the_plan_names_the_run(tmp_path: Path) -> None:
    path = tmp_path / "a.passform.yaml"
    path.write_text(CHAT_AT_THE_DESK + MEASURED, encoding="utf-8")
    out = StringIO()
    plan.run(Namespace(file=path, language="en", json=True), out)
    answer = json.loads(out.getvalue())
    for found in (answer["recommendation"], *answer["alternatives"]):
        form = found["workloads"][0]["calibration"]
        assert (form["run"], form["measured_tokens_per_second"]) == ("pilot", 2000)
        assert form["alike"] is (found["card"] == MAX_Q)
    out = StringIO()
    plan.run(Namespace(file=path, language="de", json=False), out)
    assert "Testlauf des Kunden (pilot): 2.000 Token/s gemessen" in out.getvalue()


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("{workload: other, card: h200_nvl, stack: plain-hf, tokens_per_second: 9}", "no workload"),
        ("{workload: chat, card: none, stack: plain-hf, tokens_per_second: 9}", "no item"),
        ("{workload: chat, card: h200_nvl, system: none, stack: plain-hf, tokens_per_second: 9}", "no item"),
        ("{workload: chat, card: h200_nvl, stack: plain-hf, tokens_per_second: 90000}", "more than"),
        (
            "{model: none, method: lora, sequence_length: 9, card: h200_nvl, stack: plain-hf, tokens_per_second: 9}",
            "no model",
        ),
    ],
)
def test_that_what_cannot_have_run_is_refused(row: str, problem: str) -> None:
    with pytest.raises(InvalidInputError, match=problem):
        scenario(CHAT_AT_THE_DESK + f"calibrations:\n  - {row}\n")


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("{card: h200_nvl, stack: plain-hf, tokens_per_second: 9}", "either workload"),
        ("{model: llama-3.1-8b, card: h200_nvl, stack: plain-hf, tokens_per_second: 9}", "together with model"),
        (
            "{workload: chat, method: lora, card: h200_nvl, stack: plain-hf, tokens_per_second: 9}",
            "those of the workload",
        ),
        ("{workload: chat, card: h200_nvl, cards: 2, stack: plain-hf, tokens_per_second: 9}", "give sharding"),
        ("{workload: chat, card: h200_nvl, stack: plain-hf, tokens_per_second: .nan}", "nan"),
        ("{workload: chat, card: h200_nvl, stack: plain-hf, tokens_per_second: 0}", "0"),
        ("{workload: chat, card: h200_nvl, tokens_per_second: 9}", "missing"),
    ],
)
def test_that_a_row_says_what_ran(row: str, problem: str) -> None:
    with pytest.raises(InvalidConsultationError, match=problem):
        consultation(CHAT_AT_THE_DESK + f"calibrations:\n  - {row}\n")

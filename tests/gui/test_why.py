"""Why a candidate is out: every reason, and what would make it fit."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from engine.fit import Verdict
from engine.methods import Method, Recipe
from engine.plan.nearly import with_remedies, would_fit
from engine.plan.recommend import recommend
from engine.plan.types import Rejection
from engine.reasons import Reason, ReasonCode
from engine.workload import Workload
from gui.flow import Step
from gui.results.why import WhyView
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle

MIXED = EXAMPLES / "mixed-portfolio.passform.yaml"


def candidates(why: WhyView) -> list[tuple[QTreeWidgetItem, Rejection]]:
    why.fill_all()
    tops = [why.tree.topLevelItem(number) for number in range(why.tree.topLevelItemCount())]
    children = [top.child(number) for top in tops for number in range(top.childCount())]
    return [(child, child.data(0, Qt.ItemDataRole.UserRole)) for child in children]


def test_that_each_ground_of_a_task_names_its_task_once(open_app: OpenApp) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.RESULTS)
    app.window.results.show_why()
    chosen = app.planner.recommendation.chosen
    shown = [line.removeprefix("•  ") for text in grounds(app.window.results.why) for line in text.splitlines()]
    named = 0
    for placed in (*chosen.placements, *chosen.serving):
        own = [line for line in shown if line.startswith(f"{placed.workload.name}: ")]
        assert len(own) >= len({app.context.texts.reason(one) for one in placed.reasons})
        assert not any(line.count(f"{placed.workload.name}: ") > 1 for line in own)
        named += len(own)
    assert named > 0
    for placed in (*chosen.placements, *chosen.serving):
        for one in placed.reasons:
            if "workload" not in dict(one.values):
                assert app.context.texts.reason(one) not in shown  # without its task it is no ground


def grounds(why: WhyView) -> list[str]:
    return [line.text() for line in why.findChildren(QLabel) if line.text().startswith("•")]


def test_that_a_near_miss_says_what_would_make_it_fit(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.RESULTS)
    app.window.results.show_why()
    why = app.window.results.why
    assert not why.detail.isVisible()
    assert why.hint.isVisible()
    item, rejection = next(
        (item, rejection)
        for item, rejection in candidates(why)
        if {one.code for one in rejection.reasons} == {ReasonCode.MEMORY} and rejection.placements
    )
    why.tree.setCurrentItem(item)
    wait_idle(qtbot, app)
    texts = app.context.texts
    for reason in rejection.reasons:
        assert texts.reason(reason) in why.detail.reasons.text()
    scenario = app.planner.recommendation.scenario
    wanted = [
        texts.reason(reason)
        for placement in rejection.placements
        if placement.verdict in (Verdict.NO, Verdict.UNCERTAIN)
        for reason in would_fit(placement, rejection.card, scenario.headroom)
    ]
    assert wanted
    assert why.detail.changes.isVisible()
    for sentence in wanted:
        assert sentence in why.detail.changes.text()


def test_that_every_rejection_explains_itself(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.RESULTS)
    app.window.results.show_why()
    why = app.window.results.why
    seen = set()
    for item, rejection in candidates(why):
        kind = tuple(sorted(one.code for one in rejection.reasons))
        if kind in seen:
            continue
        seen.add(kind)
        why.tree.setCurrentItem(item)
        assert why.detail.isVisible()
        assert rejection.card.name in why.detail.title.text()
        assert why.detail.reasons.text().count("•") >= len({app.context.texts.reason(one) for one in rejection.reasons})
    assert len(seen) > 3
    wait_idle(qtbot, app)
    why.tree.setCurrentItem(why.tree.topLevelItem(0))  # a card is no candidate
    assert not why.detail.isVisible()


def test_that_a_tight_plan_says_what_would_restore_the_headroom(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.RESULTS)
    app.window.results.show_why()
    why, texts = app.window.results.why, app.context.texts
    wait_idle(qtbot, app)
    recommendation = app.planner.recommendation
    assert all(plan.verdict is Verdict.FITS for plan in (recommendation.chosen, *recommendation.alternatives))
    assert not why.headroom.isVisible()
    # 8B LoRA with a stated micro-batch of 20: the logits of 20 x 2,048 tokens over 128,256 words fill a 96 GB card.
    facts = app.context.catalog.facts
    work = Workload("LoRA 8B", facts.models["llama-3.1-8b"], Recipe(Method.LORA), 2048, micro_batch=20)
    asked = replace(recommendation.scenario, workloads=(work,), headroom=0.3, must_have=frozenset())
    told = with_remedies(recommend(asked, facts))
    tight = [plan for plan in (told.chosen, *told.alternatives) if plan.verdict is Verdict.TIGHT]
    assert tight
    why.show_recommendation(told)
    qtbot.waitUntil(lambda: not why.busy_now)
    assert why.headroom.isVisible()
    lines = why.headroom.changes.text().splitlines()
    for plan in tight:
        at = lines.index(f"{plan.cards} × {plan.card.name} · {texts.name(plan.system.id)}")
        wanted = [f"•  {texts.reason(item)}" for item in plan.would_fit]
        assert wanted
        assert lines[at + 1 : at + 1 + len(wanted)] == wanted
    why.show_recommendation(recommendation)
    assert not why.headroom.isVisible()


def test_that_what_a_plan_says_of_its_one_task_is_said_once(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.RESULTS)
    app.window.results.show_why()
    why, texts = app.window.results.why, app.context.texts
    plan = app.planner.recommendation.chosen
    said = Reason(ReasonCode.HEADROOM, (("free_bytes", 8 * 10**9), ("headroom", 0.3)))
    placement = replace(plan.placements[0], reasons=(said,))
    twice = replace(plan, placements=(placement,), reasons=(*plan.reasons, said))
    why.show_recommendation(replace(app.planner.recommendation, chosen=twice, alternatives=(), ranked=(twice,)))
    qtbot.waitUntil(lambda: not why.busy_now)
    lines = [line for shown in why.findChildren(QLabel) for line in shown.text().splitlines()]
    assert [line for line in lines if texts.reason(said) in line] == [
        f"•  {placement.workload.name}: {texts.reason(said)}"
    ]

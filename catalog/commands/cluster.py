"""`cluster`: a job over several machines: layout, time, network, questions and, with an hourly price, cost."""

from __future__ import annotations

import argparse
import json
from decimal import Decimal
from pathlib import Path
from typing import Any, TextIO

from catalog.catalog import Catalog
from catalog.commands.plain import plain
from catalog.commands.plan_form import calibration_form, peak_lines, test_run_form
from catalog.config_model import model_from_file
from catalog.consultation.calibrations import measured_stack
from catalog.consultation.files import read
from catalog.consultation.scenario import own_run_of
from catalog.load import load_catalog
from catalog.user_folder import user_folder
from engine.errors import InvalidInputError
from engine.hardware import Bridging, Card
from engine.methods import Loss, Method, Optimizer, Recipe, StateRecipe
from engine.models import ModelSpec
from engine.speed.cluster.nodes import node_of
from engine.speed.cluster.plan import cluster_cost, plan_cluster
from engine.speed.cluster.types import ClusterJob, ClusterOutlook, ClusterPlan, NodeType
from engine.speed.types import ComputeFormat, Fabric, OwnRun, StackClass
from engine.units import Money, MoneyBand
from engine.wording import numbers
from engine.wording.cluster import calibration_sentence, gap_sentence, layout_text, question_sentence
from engine.wording.filling import Reader
from engine.wording.translator import Language
from resources import translations

SCHEMA = 1
HOURS_PER_DAY = 24


def run(arguments: argparse.Namespace, out: TextIO) -> int:
    """Print the plan; 1 when there is none.

    Reads `model`, `method`, `states`, `optimizer`, `sequence_length`, `tokens`, `batch_tokens`, `deadline_days`,
    `card`, `cards_per_node`, `network_gbit`, `fabric`, `most_nodes`, `stack`, `test_runs`, `compute`, `price` and
    `currency`.
    """
    catalog = load_catalog(user_folder())
    node = _node(arguments, catalog)
    job = _job(arguments, catalog)
    outlook = plan_cluster(job, node, catalog.facts.speed)
    cost = _cost(arguments, outlook.chosen)
    language = Language(arguments.language)
    words = Reader(translations(language), language, {})
    if arguments.json:
        runs = [test_run_form(run, words) for run in job.own_runs]
        json.dump({**_document(outlook, cost), "test_runs": runs}, out, indent=1, ensure_ascii=False)
        out.write("\n")
    else:
        _print(outlook, cost, language, out)
        out.writelines(f"{line}\n" for line in peak_lines(job.own_runs, words))
    return 0 if outlook.chosen is not None else 1


def _job(arguments: argparse.Namespace, catalog: Catalog) -> ClusterJob:
    model = catalog.entry(arguments.model)
    if not isinstance(model, ModelSpec):
        raise InvalidInputError("{id} is not a model.", id=arguments.model)
    recipe = Recipe(
        Method(arguments.method),
        states=StateRecipe(arguments.states),
        optimizer=Optimizer(arguments.optimizer),
        loss=Loss.FUSED,
    )
    runs, measured = _own_runs(arguments, catalog)
    stack = measured or StackClass.TUNED_PYTORCH if arguments.stack is None else StackClass(arguments.stack)
    return ClusterJob(
        model,
        recipe,
        arguments.sequence_length,
        arguments.tokens,
        arguments.batch_tokens,
        deadline_h=None if arguments.deadline_days is None else arguments.deadline_days * HOURS_PER_DAY,
        stack=stack,
        stack_known=arguments.stack is not None or measured is not None,
        compute=ComputeFormat(arguments.compute),
        most_nodes=arguments.most_nodes,
        own_runs=runs,
    )


def _own_runs(arguments: argparse.Namespace, catalog: Catalog) -> tuple[tuple[OwnRun, ...], StackClass | None]:
    """The test runs of the named consultation, and the software where all used the same."""
    path: Path | None = arguments.test_runs
    if path is None:
        return (), None
    consultation = read(path)
    if not consultation.calibrations:
        raise InvalidInputError("{file} holds no test runs.", file=path.name)
    runs = tuple(
        own_run_of(row, consultation, catalog.facts, model_from_file, path.parent) for row in consultation.calibrations
    )
    return runs, measured_stack(consultation.calibrations)


def _node(arguments: argparse.Namespace, catalog: Catalog) -> NodeType:
    card = catalog.entry(arguments.card)
    if not isinstance(card, Card):
        raise InvalidInputError("{id} is not a card.", id=arguments.card)
    cards, bridging = arguments.cards_per_node, None
    if card.nvlink is not None and card.nvlink.bridge_sizes and cards > 1:
        size = max(card.nvlink.bridge_sizes)
        if cards % size == 0:
            bridging = Bridging(size=size, count=cards // size, islands=cards // size)
    per_card = arguments.network_gbit / cards  # asked for as machines are offered, used as collectives see it
    return node_of(card, cards, per_card, catalog.facts.speed, bridging=bridging, fabric=Fabric(arguments.fabric))


def _cost(arguments: argparse.Namespace, chosen: ClusterPlan | None) -> MoneyBand | None:
    if chosen is None or arguments.price is None:
        return None
    return cluster_cost(chosen, Money(Decimal(str(arguments.price)), arguments.currency))


def _document(outlook: ClusterOutlook, cost: MoneyBand | None) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "gap": None if outlook.gap is None else outlook.gap.value,
        "chosen": None if outlook.chosen is None else _plan(outlook.chosen),
        "cost_per_run": plain(cost),
        "options": [_plan(option) for option in outlook.options],
    }


def _plan(option: ClusterPlan) -> dict[str, Any]:
    return {
        "nodes": option.nodes,
        "cards": option.cards,
        "card": option.node.card.id,
        "layout": plain(option.layout),
        "micro_batch": option.micro_batch,
        "micro_batches": option.micro_batches,
        "need_bytes": plain(option.memory.required),
        "usable_bytes": option.node.card.usable_bytes.value,
        "verdict": option.verdict.value,
        "step": plain(option.step),
        "tokens_per_second": plain(option.run.tokens_per_second),
        "hours_per_run": plain(option.run.hours),
        "network": plain(option.network),
        "questions": [{"code": asked.code.value, **dict(asked.values)} for asked in option.questions],
        "notes": [note.value for note in option.notes],
        "meets_deadline": option.meets_deadline,
        "calibration": calibration_form(option.calibration),
    }


def _print(outlook: ClusterOutlook, cost: MoneyBand | None, language: Language, out: TextIO) -> None:
    tr = translations(language)
    if outlook.gap is not None:
        out.write(gap_sentence(outlook.gap, tr) + "\n")
    for option in outlook.options:
        hours = option.run.hours
        row = tr.ngettext(
            "{nodes} node, {cards} cards: {hours} ({low} to {high}), {need} of {usable} per card, {layout}",
            "{nodes} nodes, {cards} cards: {hours} ({low} to {high}), {need} of {usable} per card, {layout}",
            option.nodes,
        )
        text = row.format(
            nodes=numbers.integer(option.nodes, language),
            cards=numbers.integer(option.cards, language),
            hours=numbers.hours(hours.expected, language),
            low=numbers.hours(hours.low, language),
            high=numbers.hours(hours.high, language),
            need=numbers.gigabytes(option.memory.required.expected, language),
            usable=numbers.gigabytes(option.node.card.usable_bytes.value, language),
            layout=layout_text(option.layout, tr, language),
        )
        out.write(("* " if option is outlook.chosen else "  ") + text + "\n")
    if outlook.chosen is None:
        return
    if cost is not None:
        shown = tr.gettext("Cost of one run: {low} to {high}").format(
            low=numbers.money_whole(cost.low, language), high=numbers.money_whole(cost.high, language)
        )
        out.write(shown + "\n")
    if outlook.chosen.calibration is not None:
        run, nodes = outlook.chosen.calibration, outlook.chosen.nodes
        out.write(calibration_sentence(run, nodes, tr, language) + "\n")
    out.write(tr.gettext("Questions before money is committed:") + "\n")
    out.writelines(f"- {question_sentence(asked, tr, language)}\n" for asked in outlook.chosen.questions)

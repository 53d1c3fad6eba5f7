"""Words for cluster plans: how the work is spread, why there is no plan, and what to ask a provider."""

from __future__ import annotations

from collections.abc import Mapping

from engine.speed.cluster.types import ClusterGap, ParallelLayout, Question, QuestionCode, ShardScope
from engine.speed.types import Calibration
from engine.wording.filling import Reader, fill
from engine.wording.numbers import integer
from engine.wording.translator import Language, Translator, mark

_SCOPES: Mapping[ShardScope, str] = {
    ShardScope.OPTIMIZER: mark("optimiser states divided over all replicas (ZeRO-1)"),
    ShardScope.NODE: mark("fully sharded inside each node, replicated across nodes"),
    ShardScope.ALL: mark("fully sharded over all replicas (FSDP)"),
}
_GAPS: Mapping[ClusterGap, str] = {
    ClusterGap.NO_RATE: mark("No time can be given: a rate of the card or of its link is not published."),
    ClusterGap.MEMORY: mark("The job does not fit on the most nodes allowed, however it is spread."),
    ClusterGap.DEADLINE: mark("The job fits, but on the most nodes allowed its slow end misses the deadline."),
    ClusterGap.BATCH: mark("The batch is too small to be spread over the cards."),
}
# The richest message whose numbers are given is used; the last needs none.
_QUESTIONS: Mapping[QuestionCode, tuple[str, ...]] = {
    QuestionCode.FABRIC_RATE: (
        mark("Does the fabric carry {gbit_rate} Gbit/s per card without blocking at {nodes} nodes?"),
        mark("Which rate per card does the fabric carry without blocking?"),
    ),
    QuestionCode.GPU_DIRECT: (mark("Does the network reach the cards' memory directly (GPUDirect RDMA)?"),),
    QuestionCode.ALL_GATHER_RATE: (
        mark("Which all-gather rate do NCCL tests show on the offered nodes? At least {gb_per_s} per card is needed."),
        mark("Which all-gather rate do NCCL tests show on the offered nodes?"),
    ),
    QuestionCode.ALL_REDUCE_RATE: (
        mark("Which all-reduce rate do NCCL tests show on the offered nodes? At least {gb_per_s} per card is needed."),
        mark("Which all-reduce rate do NCCL tests show on the offered nodes?"),
    ),
    QuestionCode.INSIDE_LINK: (
        mark("Are the cards of a node joined all to all, and is the topology visible to the user?"),
    ),
    QuestionCode.PLACEMENT: (
        mark("Are all {nodes} nodes guaranteed to stand in one block of the fabric?"),
        mark("Are all nodes guaranteed to stand in one block of the fabric?"),
    ),
    QuestionCode.CHECKPOINT_STORAGE: (
        mark("Can {checkpoint_bytes} be written at {write_gb_per_s} under load, and how long does a restore take?"),
        mark("How fast are checkpoints written and restored under load?"),
    ),
    QuestionCode.FAILURES: (
        mark("How are failed nodes replaced, are there spare nodes, and can the run be pre-empted?"),
    ),
    QuestionCode.SUPPORT: (mark("How soon does somebody who knows NCCL react to a fault?"),),
    QuestionCode.TEST_RUN: (
        mark("Can the customer's own job be tested on {nodes} nodes before the commitment?"),
        mark("Can the customer's own job be tested before the commitment?"),
    ),
}


def calibration_sentence(run: Calibration, nodes: int, tr: Translator, language: Language) -> str:
    """What a customer's test run did to the times of a plan on so many nodes."""
    inside = tr.gettext(
        "Times follow the customer's own test run ({run}): {measured_tokens} tokens/s measured, {modelled_tokens} "
        "computed."
    )
    text = inside.format(
        run=run.name,
        measured_tokens=integer(round(run.measured_tokens_per_s), language),
        modelled_tokens=integer(round(run.modelled_tokens_per_s), language),
    )
    if nodes == 1:
        return text
    return f"{text} {tr.gettext('The network between the machines was no part of it and stays as computed.')}"


def question_sentence(question: Question, tr: Translator, language: Language) -> str:
    """What to ask, with the plan's numbers."""
    return fill(_QUESTIONS[question.code], dict(question.values), Reader(tr, language, {}))


def gap_sentence(gap: ClusterGap, tr: Translator) -> str:
    """Why there is no plan."""
    return tr.gettext(_GAPS[gap])


def layout_text(layout: ParallelLayout, tr: Translator, language: Language) -> str:
    """How the cards share the work, in one line."""
    template = tr.gettext("tensor {tensor} x pipeline {pipeline} x replicas {replicas}; {scope}")
    return template.format(
        tensor=integer(layout.tensor, language),
        pipeline=integer(layout.pipeline, language),
        replicas=integer(layout.replicas, language),
        scope=tr.gettext(_SCOPES[layout.scope]),
    )

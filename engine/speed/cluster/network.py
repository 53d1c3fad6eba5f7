"""How much network and storage keep the cards busy, and what to have a provider confirm."""

from __future__ import annotations

from math import ceil

from engine.hardware import LinkKind
from engine.memory.states import model_states
from engine.speed.cluster.types import (
    ClusterJob,
    ClusterStep,
    NetworkNeed,
    NodeType,
    Question,
    QuestionCode,
)
from engine.speed.types import SpeedFacts
from engine.units import GB

TOLERATED_SHARE = 0.10  # of the step: more network would not shorten it noticeably
HOUR_S = 3600


def network_need(job: ClusterJob, node: NodeType, step: ClusterStep, facts: SpeedFacts) -> NetworkNeed:
    """The rate at which the traffic across nodes, were none of it hidden, would take a tenth of the rest of the step.

    Storage: a checkpoint one can resume from, written within a tenth of the time between two of them.
    """
    fabric = facts.fabrics.get(node.fabric)
    share = fabric.expected if fabric is not None else 1.0
    rest = step.total_s.expected - min(step.across_s, step.total_s.expected / 2)
    least = step.across_bytes / (TOLERATED_SHARE * rest) / GB / share
    checkpoint = checkpoint_bytes(job)
    return NetworkNeed(
        least_gb_per_s=least,
        tolerated_share=TOLERATED_SHARE,
        enough=node.network_gb_per_s >= least,
        checkpoint_bytes=checkpoint,
        storage_gb_per_s=checkpoint / (TOLERATED_SHARE * job.checkpoint_every_h * HOUR_S) / GB,
    )


def checkpoint_bytes(job: ClusterJob) -> int:
    """Bytes of a checkpoint one can resume from: weights that change, their master copies and moments."""
    states = model_states(job.model, job.recipe)
    return states.trained_weights + states.master_weights + states.optimizer + states.scales


def _asked(gb_per_s: float) -> float:
    """A rate to ask for: to a tenth, never below what is needed."""
    return ceil(gb_per_s * 10) / 10


def _several(nodes: int) -> tuple[tuple[str, int], ...]:
    return (("nodes", nodes),) if nodes > 1 else ()


def questions_for(
    job: ClusterJob, node: NodeType, nodes: int, step: ClusterStep, network: NetworkNeed
) -> tuple[Question, ...]:
    """What the plan rests on and the data sheet does not say, with the numbers to ask for."""
    asked = [
        Question(QuestionCode.INSIDE_LINK, (("link", node.inner.kind.value), ("cards", node.cards))),
        Question(
            QuestionCode.CHECKPOINT_STORAGE,
            (("checkpoint_bytes", network.checkpoint_bytes), ("write_gb_per_s", _asked(network.storage_gb_per_s))),
        ),
        Question(QuestionCode.TEST_RUN, (("tokens_per_step", step.tokens_per_step), *_several(nodes))),
        Question(QuestionCode.SUPPORT),
    ]
    if node.inner.kind is LinkKind.PCIE:
        asked.append(
            Question(QuestionCode.ALL_REDUCE_RATE, (("gb_per_s", _asked(node.inner.effective_expected_gb_per_s)),))
        )
    if nodes > 1:
        rate = (("gb_per_s", _asked(network.least_gb_per_s)),)
        asked += [
            Question(QuestionCode.FABRIC_RATE, (("gbit_rate", network.least_gb_per_s * 8), ("nodes", nodes))),
            Question(QuestionCode.GPU_DIRECT),
            Question(QuestionCode.ALL_GATHER_RATE, rate),
            Question(QuestionCode.ALL_REDUCE_RATE, rate),
            Question(QuestionCode.PLACEMENT, (("nodes", nodes),)),
            Question(QuestionCode.FAILURES, (("nodes", nodes), ("checkpoint_every_h", job.checkpoint_every_h))),
        ]
    return tuple(asked)

"""The smallest number of machines whose memory holds a job, whatever network joins them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from engine.fit import Verdict, judge
from engine.hardware import Card
from engine.memory.estimate import estimate
from engine.memory.states import model_states
from engine.speed.cluster.exchange import shard_cards
from engine.speed.cluster.layouts import layouts
from engine.speed.cluster.memory import cluster_memory
from engine.speed.cluster.types import ClusterJob, ClusterMemory, NodeType, ParallelLayout
from engine.speed.types import NO_LINK, Fabric


@dataclass(frozen=True, slots=True)
class FewestNodes:
    """So many machines hold the job with the headroom, and no smaller number does."""

    nodes: int
    layout: ParallelLayout  # the simplest that does on that number, not the quickest
    memory: ClusterMemory


def fewest_nodes(job: ClusterJob, card: Card, cards: int, micro_batch: int = 1, least: int = 1) -> FewestNodes | None:
    """The smallest number of machines of so many cards whose fullest card keeps the headroom; None up to the most.

    Looked for from `least` machines on. Neither rates nor the batch of a step matter here. Raises InvalidInputError for
    numbers the memory estimate refuses.
    """
    node = NodeType(f"{cards}x{card.id}", card, cards, NO_LINK, Fabric.INFINIBAND, 0.0)  # no memory asks for a network
    for nodes in range(max(least, _at_least(job, node)), job.most_nodes + 1):
        found = next(_holding(job, node, nodes, micro_batch), None)
        if found is not None:
            return found
    return None


def _at_least(job: ClusterJob, node: NodeType) -> int:
    """Machines without which not even the weights have room, were they divided to the last byte."""
    states = model_states(job.model, job.recipe)
    weights = states.frozen_weights + states.trained_weights
    return max(1, ceil(weights / (node.cards * node.card.usable_bytes.value)))


def _holding(job: ClusterJob, node: NodeType, nodes: int, micro_batch: int) -> Iterator[FewestNodes]:
    """What keeps the headroom, simplest first: sharding alone before tensor groups and stages."""
    spread = sorted(layouts(job, node, nodes), key=lambda layout: (layout.tensor * layout.pipeline, layout.pipeline))
    for layout in spread:
        memory = cluster_memory(job, layout, shard_cards(layout, node), micro_batch, estimate)
        if judge(memory.figure, node.card.usable_bytes.value, job.headroom) is Verdict.FITS:
            yield FewestNodes(nodes, layout, memory)

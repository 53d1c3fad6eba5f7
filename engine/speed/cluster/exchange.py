"""What cards of a cluster send each other: inside the node over its link, across nodes over the network."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from engine.methods import Checkpointing
from engine.speed.cluster.types import ClusterJob, NodeType, ParallelLayout, ShardScope
from engine.speed.shape import ModelShape
from engine.speed.terms import GB, exchange_s, received_bytes
from engine.speed.work import BF16_BYTES, gradient_bytes_each, weight_bytes


@dataclass(frozen=True, slots=True)
class Exchange:
    """Seconds and received bytes per card, inside the node and across nodes."""

    inside_s: float = 0.0
    across_s: float = 0.0
    inside_bytes: float = 0.0
    across_bytes: float = 0.0

    def __add__(self, other: Exchange) -> Exchange:
        return Exchange(
            self.inside_s + other.inside_s,
            self.across_s + other.across_s,
            self.inside_bytes + other.inside_bytes,
            self.across_bytes + other.across_bytes,
        )

    def at_speed(self, factor: float) -> Exchange:
        """The same exchange where everything inside the node runs at `factor` of its computed speed."""
        return replace(self, inside_s=self.inside_s / factor)

    @property
    def total_s(self) -> float:
        """Both, one after the other."""
        return self.inside_s + self.across_s


@dataclass(frozen=True, slots=True)
class Paths:
    """The node and its network at the rate collectives reach, in GB/s per card."""

    node: NodeType
    network_gb_per_s: float

    def gather(self, payload_bytes: float, cards: int, per_node: int) -> Exchange:
        """All-gather or reduce-scatter of a tensor over `cards` cards, `per_node` of them in each node.

        Across nodes each card fetches its share of what the other nodes hold, inside the node these shares are passed
        on: the two-level scheme NCCL uses.
        """
        if cards <= 1 or payload_bytes <= 0:
            return Exchange()
        nodes = ceil(cards / per_node)
        across = payload_bytes * (1 - 1 / nodes) / per_node
        across_s = across / (self.network_gb_per_s * GB) if nodes > 1 else 0.0
        if per_node == 1:
            return Exchange(0.0, across_s, 0.0, across)
        return Exchange(
            self._inside_s(payload_bytes, min(cards, per_node) if nodes == 1 else cards),
            across_s,
            received_bytes(payload_bytes, cards) - across,
            across,
        )

    def _inside_s(self, payload_bytes: float, cards: int) -> float:
        link = self.node.inner
        rate = link.effective_expected_gb_per_s
        outer = link.outer.effective_expected_gb_per_s if link.outer is not None else rate
        return exchange_s(payload_bytes, link, cards, rate, outer)

    def across(self, received: float) -> Exchange:
        """Bytes that come over the network."""
        return Exchange(0.0, received / (self.network_gb_per_s * GB), 0.0, received)


def shard_cards(layout: ParallelLayout, node: NodeType) -> int:
    """Cards over which a stage's states are divided, beside the tensor split."""
    if layout.scope is ShardScope.NODE:
        return min(layout.replicas, per_node(layout, node))
    return layout.replicas


def per_node(layout: ParallelLayout, node: NodeType) -> int:
    """Replicas of one stage in one node."""
    return max(1, node.cards // layout.tensor)


def micro_exchange(
    job: ClusterJob, layout: ParallelLayout, shape: ModelShape, tokens: int, trainable: int, paths: Paths
) -> Exchange:
    """Exchange of one card during one micro-batch.

    Tensor parallelism with sequence parallelism: two reductions per layer and pass, each a reduce-scatter and an
    all-gather of the activations. Full sharding: weights gathered twice, gradients scattered once. Pipeline: one
    activation in, one gradient in; stages are taken to lie on different nodes.
    """
    activation = tokens * shape.width * BF16_BYTES
    total = Exchange()
    if layout.tensor > 1:
        passes = 2 + int(job.recipe.checkpointing is not Checkpointing.OFF)
        payload = 2.0 * 2 * passes * ceil(shape.layers / layout.pipeline) * activation
        total += paths.gather(payload, layout.tensor, paths.node.cards)
    shards = shard_cards(layout, paths.node)
    if layout.scope is not ShardScope.OPTIMIZER and shards > 1:
        gradients = trainable * gradient_bytes_each(job.recipe)
        payload = (2 * weight_bytes(job.recipe, shape) + gradients) / layout.pipeline / layout.tensor
        total += paths.gather(payload, shards, per_node(layout, paths.node))
    if layout.pipeline > 1:
        total += paths.across(2 * activation / layout.tensor)
    return total


def step_exchange(job: ClusterJob, layout: ParallelLayout, trainable: int, paths: Paths) -> Exchange:
    """Exchange of one card once per step: gradients between replicas that do not share them inside the micro-batch."""
    gradients = trainable * gradient_bytes_each(job.recipe) / layout.pipeline / layout.tensor
    if layout.scope is ShardScope.OPTIMIZER:
        return paths.gather(2 * gradients, layout.replicas, per_node(layout, paths.node))
    shards = shard_cards(layout, paths.node)
    copies = layout.replicas // shards
    if copies <= 1:
        return Exchange()
    return paths.across(received_bytes(2 * gradients / shards, copies))

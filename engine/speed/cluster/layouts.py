"""How a job may be spread over machines, and the numbers of machines that are tried."""

from __future__ import annotations

from collections.abc import Iterator

from engine.methods import Method
from engine.speed.cluster.types import ClusterJob, NodeType, ParallelLayout, ShardScope

NODE_COUNTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
DEGREES = (1, 2, 4, 8, 16)


def layouts(job: ClusterJob, node: NodeType, nodes: int) -> Iterator[ParallelLayout]:
    """Every way to spread the job: tensor groups inside a node, stages across nodes, replicas over the rest.

    A 4-bit base is neither split nor staged: no published stack with it offers either.
    """
    cards = nodes * node.cards
    degrees = DEGREES[:1] if job.recipe.method is Method.QLORA else DEGREES
    for tensor in degrees:
        if tensor > node.cards or node.cards % tensor or not job.model.divides_over(tensor):
            continue
        for pipeline in degrees:
            if pipeline > min(nodes, job.model.layers) or cards % (tensor * pipeline):
                continue
            replicas = cards // (tensor * pipeline)
            for scope in ShardScope:
                if scope is ShardScope.NODE and not _replicated_whole(replicas, node.cards // tensor):
                    continue
                yield ParallelLayout(tensor, pipeline, replicas, scope)


def _replicated_whole(replicas: int, inside: int) -> bool:
    """Whether shards inside each node are replicated across nodes: equal groups, and more than one of them.

    Hybrid sharding is a grid of replicas and shards (PyTorch HYBRID_SHARD), so twelve replicas, eight to a node, have
    none. One group alone is full sharding.
    """
    return 1 < inside < replicas and replicas % inside == 0

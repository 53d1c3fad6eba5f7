"""What the customer's test runs inside one machine say about a cluster's layouts."""

from __future__ import annotations

from dataclasses import replace

from engine.memory.types import TrainingSetup
from engine.methods import SINGLE_CARD, Layout, Sharding
from engine.speed.calibration import calibration_for
from engine.speed.cluster.exchange import shard_cards
from engine.speed.cluster.types import ClusterJob, NodeType, ParallelLayout, ShardScope
from engine.speed.types import Calibration, SpeedSetup


class OwnRuns:
    """Finds the test run most like a layout; the answer is kept, since layouts differ little in what it depends on."""

    def __init__(self, job: ClusterJob, node: NodeType, trainable: int) -> None:
        self._job = job
        self._node = node
        self._trainable = trainable
        self._runs = [run for run in job.own_runs if run.setup.compute is job.compute]
        self._known: dict[tuple[bool, int, bool], Calibration | None] = {}

    def of(self, layout: ParallelLayout, micro_batch: int, nodes: int) -> Calibration | None:
        """The test run that moves this layout's time; None without one with the same software and number format.

        Over several nodes no run inside one machine is of the same kind: the network was not part of it.
        """
        inside = layout.tensor > 1 or (layout.scope is not ShardScope.OPTIMIZER and shard_cards(layout, self._node) > 1)
        key = inside, micro_batch, nodes > 1
        if not self._runs:
            return None
        if key not in self._known:
            found = calibration_for(self._setup(micro_batch, exchanges=inside), self._runs)
            away = found is not None and nodes > 1
            self._known[key] = replace(found, alike=False) if found is not None and away else found
        return self._known[key]

    def _setup(self, micro_batch: int, *, exchanges: bool) -> SpeedSetup:
        job = self._job
        layout = Layout(2, Sharding.FSDP) if exchanges else SINGLE_CARD
        training = TrainingSetup(job.model, job.recipe, job.sequence_length, micro_batch, layout)
        return SpeedSetup(
            training, self._node.card, self._trainable, self._node.inner, stack=job.stack, compute=job.compute
        )

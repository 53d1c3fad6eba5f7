"""A task that memory keeps out of every machine is shown the way on, with the fewest machines that hold it."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import pytest

from engine.fit import CARRIED, Verdict, judge
from engine.memory.estimate import estimate
from engine.memory.states import model_states
from engine.methods import Method, Offload, Recipe
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation
from engine.reasons import Reason, ReasonCode
from engine.speed.cluster.exchange import shard_cards
from engine.speed.cluster.fewest import fewest_nodes
from engine.speed.cluster.layouts import layouts
from engine.speed.cluster.memory import cluster_memory
from engine.speed.cluster.types import ClusterJob, NodeType
from engine.speed.types import NO_LINK, Fabric
from engine.units import Money
from engine.workload import Place, Site, Workload
from tests.engine.plan.builders import scenario
from tests.engine.plan.real import facts, task

FULL = Recipe(Method.FULL)


def run(*tasks: Workload, place: Place = Place.RACK, **changes: object) -> Recommendation:
    asked = replace(scenario(*tasks), site=Site(place))
    return recommend(replace(asked, **changes), facts())


def full(model: str, recipe: Recipe = FULL) -> Workload:
    return task(f"Full {model}", model, recipe, 4, 20)


def said(reason: Reason) -> dict[str, str | int | float]:
    return dict(reason.values)


def test_that_a_trillion_parameters_are_shown_how_many_machines_hold_them() -> None:
    result = run(full("kimi-k2"))
    assert result.chosen is None
    assert [item.code for item in result.beyond] == [ReasonCode.SEVERAL_MACHINES] * 2
    rack, server = (said(item) for item in result.beyond)
    # 1,026.4e9 parameters x 16 B = 16.4 TB of weights, gradients, master weights and moments.
    # 72 cards of 199 GB hold 14.3 TB, so one rack cannot; eight of 288 GB hold 2.3 TB, so eight machines at the least.
    assert (rack["machines"], rack["cards"], rack["card"]) == (2, 72, "gb200_nvl72")
    assert (server["cards"], server["card"]) == (8, "b300_hgx")
    assert int(server["machines"]) >= ceil(1026.4e9 * 16 / (8 * int(server["usable_bytes"]))) == 8
    for values in (rack, server):
        assert float(values["need_bytes"]) * 1.15 <= float(values["usable_bytes"])


def test_that_one_machine_is_named_where_only_split_layers_hold_the_task() -> None:
    # The planner shards; without software that splits layers it does not count on it. `cluster` tries both.
    result = run(full("deepseek-v3"))
    first, second = result.beyond
    assert (first.code, said(first)["machines"], said(first)["tensor_cards"]) == (ReasonCode.SPLIT_LAYERS, 1, 8)
    assert second.code is ReasonCode.SEVERAL_MACHINES
    assert int(said(second)["machines"]) * int(said(second)["cards"]) < int(said(first)["cards"])


def test_that_a_desk_is_pointed_to_a_rack_before_to_several_machines() -> None:
    result = run(full("llama-3.3-70b"), place=Place.DESK)
    rack = run(full("llama-3.3-70b")).chosen
    assert rack is not None
    (reason,) = result.beyond
    assert reason.code is ReasonCode.OTHER_PLACE
    assert said(reason)["other"] == f"{rack.cards} × {rack.card.short_name}"
    both = run(full("llama-3.3-70b"), full("kimi-k2"), place=Place.DESK)
    assert {item.code for item in both.beyond} == {ReasonCode.OTHER_PLACE, ReasonCode.SEVERAL_MACHINES}


@pytest.mark.parametrize(
    "result",
    [
        run(task("LoRA", "llama-3.1-8b", Recipe(Method.LORA), 4, 20)),  # fits
        run(task("LoRA", "llama-3.1-8b", Recipe(Method.LORA), 4, 20), budget=Money(1, "EUR")),  # too dear
        run(task("LoRA", "llama-3.1-8b", Recipe(Method.LORA), 300, 2000)),  # too much for a month
    ],
    ids=["fits", "budget", "load"],
)
def test_that_nothing_else_points_beyond_one_machine(result: Recommendation) -> None:
    assert result.beyond == ()


def test_that_only_the_outgrown_task_is_named() -> None:
    small = task("LoRA", "llama-3.1-8b", Recipe(Method.LORA), 4, 20)
    result = run(small, full("kimi-k2"))
    assert {said(item)["workload"] for item in result.beyond} == {"Full kimi-k2"}


def test_that_more_headroom_and_longer_sequences_never_take_fewer_machines() -> None:
    card = facts().cards["h200_sxm"]

    def machines(length: int, headroom: float) -> int:
        job = ClusterJob(facts().models["llama-3.1-405b"], FULL, length, 10**9, 2**20, headroom=headroom)
        found = fewest_nodes(job, card, 8)
        assert found is not None
        return found.nodes

    counts = [machines(length, headroom) for length, headroom in ((2048, 0.0), (2048, 0.15), (16384, 0.15))]
    assert counts == sorted(counts)


@pytest.mark.parametrize("method", [Method.FULL, Method.LORA, Method.QLORA])
def test_that_no_smaller_number_holds_the_job_in_any_layout(method: Method) -> None:
    card = facts().cards["h100_sxm"]
    job = ClusterJob(facts().models["llama-3.1-405b"], Recipe(method), 4096, 10**9, 2**20)
    found = fewest_nodes(job, card, 8)
    assert found is not None
    assert judge(found.memory.figure, card.usable_bytes.value, job.headroom) is Verdict.FITS
    node = NodeType("node", card, 8, NO_LINK, Fabric.INFINIBAND, 0.0)
    for nodes in range(1, found.nodes):
        for layout in layouts(job, node, nodes):
            memory = cluster_memory(job, layout, shard_cards(layout, node), 1, estimate)
            assert judge(memory.figure, card.usable_bytes.value, job.headroom) is not Verdict.FITS, layout


def test_that_what_not_even_many_machines_hold_is_said() -> None:
    job = ClusterJob(facts().models["kimi-k2"], FULL, 2048, 10**9, 2**20, most_nodes=2)
    assert fewest_nodes(job, facts().cards["h100_sxm"], 8) is None
    giant = replace(full("kimi-k2"), sequence_length=4_000_000)
    (reason,) = run(giant).beyond
    assert reason.code is ReasonCode.TOO_MANY_MACHINES
    assert said(reason)["limit_machines"] == 64


def test_that_a_four_bit_base_is_neither_split_nor_staged() -> None:
    model = facts().models["llama-3.1-405b"]
    node = NodeType("node", facts().cards["h100_sxm"], 8, NO_LINK, Fabric.INFINIBAND, 0.0)
    spread = list(layouts(ClusterJob(model, Recipe(Method.QLORA), 4096, 10**9, 2**20), node, 4))
    assert spread
    assert {(layout.tensor, layout.pipeline) for layout in spread} == {(1, 1)}


def test_that_an_offloaded_task_whose_host_is_too_small_is_counted_without_its_offload() -> None:
    # 1,026.4e9 parameters x 14 B of states offloaded are 14 TB, more than any stated host takes.
    known = {key: item for key, item in facts().systems.items() if item.host_memory_max_gb is not None}
    stated = replace(facts(), systems=known)
    plain, offloaded = (
        recommend(replace(scenario(full("kimi-k2", recipe)), site=Site(Place.RACK)), stated)
        for recipe in (FULL, Recipe(Method.FULL, offload=Offload.ALL))
    )
    hosts = [item for item in offloaded.rejected if item.reasons[0].code is ReasonCode.HOST_MEMORY and item.placements]
    assert hosts
    assert all(item.placements[0].verdict in CARRIED for item in hosts)
    assert offloaded.beyond == plain.beyond != ()


def test_that_the_planner_itself_held_it_nowhere() -> None:
    result = run(full("kimi-k2"))
    sized = [item for rejection in result.rejected for item in rejection.placements]
    assert sized
    assert not [item for item in sized if item.verdict in CARRIED]
    states = model_states(facts().models["kimi-k2"], FULL)
    assert states.trained_weights + states.gradients + states.master_weights + states.optimizer > 16e12

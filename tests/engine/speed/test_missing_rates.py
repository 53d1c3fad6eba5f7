"""What is computed where a rate, a link or a record is missing from the catalogue."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.facts import Facts
from engine.methods import Layout, Method, Recipe, Sharding
from engine.speed.cluster.memory import stages
from engine.speed.cluster.nodes import node_of
from engine.speed.cluster.plan import notes_for
from engine.speed.cluster.types import ClusterJob
from engine.speed.evidence import summary
from engine.speed.links import host_factor, link_between
from engine.speed.rates import matmul_rate
from engine.speed.types import NO_LINK, ComputeFormat, MachineLink, SpeedNote
from tests.engine.speed.builders import LLAMA_8B, SERVER

TERA = 10**12


def test_that_a_format_nobody_measured_is_scaled_from_the_data_sheet(facts: Facts) -> None:
    card, speed = facts.cards[SERVER], facts.speed
    assert card.fp8_dense_tflops is not None
    without_fp8 = replace(speed, rates={SERVER: replace(speed.rates[SERVER], fp8=None)})
    found = matmul_rate(card, ComputeFormat.FP8, without_fp8)
    assert found is not None
    assert found.scaled
    share = speed.scaled_share[card.architecture]
    assert found.flop_per_s == pytest.approx(float(card.fp8_dense_tflops.value) * TERA * share)
    assert matmul_rate(card, ComputeFormat.FP8, replace(without_fp8, scaled_share={})) is None
    assert matmul_rate(replace(card, fp8_dense_tflops=None), ComputeFormat.FP8, without_fp8) is None


def test_that_a_rate_measured_on_the_card_goes_before_the_data_sheet(facts: Facts) -> None:
    card, speed = facts.cards[SERVER], replace(facts.speed, rates={})
    assert card.bf16_dense_tflops is not None
    measured = replace(card, measured_bf16_tflops=card.bf16_dense_tflops)
    found = matmul_rate(measured, ComputeFormat.BF16, speed)
    assert found is not None
    assert not found.scaled
    assert found.flop_per_s == float(card.bf16_dense_tflops.value) * TERA
    sheet = matmul_rate(replace(card, measured_bf16_tflops=None), ComputeFormat.BF16, speed)
    assert sheet is not None
    assert sheet.scaled


def test_that_a_measured_machine_has_its_own_link_and_an_unknown_rate_none(facts: Facts) -> None:
    card, system = facts.cards[SERVER], next(iter(facts.systems.values()))
    figure = next(iter(facts.speed.links.values())).figure
    machine = MachineLink(system.id, None, 33.0, 0.9, 0.95, figure)
    measured = replace(facts.speed, machines=(machine,))
    link = link_between(card, system, 4, None, measured)
    ends = (link.effective_low_gb_per_s, link.effective_expected_gb_per_s, link.effective_high_gb_per_s)
    assert ends == (33.0, 33.0, 33.0)
    assert link.measured
    assert not link_between(card, None, 4, None, measured).measured
    assert host_factor(system, card, Layout(4, Sharding.FSDP), measured) == 0.9
    assert host_factor(system, card, Layout(4, Sharding.DDP), measured) == 0.95
    unknown = replace(facts.speed, links={}, pcie_pair=None, assumptions={})
    assert link_between(card, None, 2, None, unknown) is NO_LINK
    assert link_between(card, None, 4, None, unknown) is NO_LINK
    assert link_between(replace(card, pcie_gb_per_s=None), None, 4, None, facts.speed) is NO_LINK
    assert host_factor(None, card, Layout(4, Sharding.FSDP), unknown) == 1.0


# Three layers of one kind and five of another in four stages of two: the first has none of the second kind.
def test_that_a_stage_ends_within_a_kind_of_layer(facts: Facts) -> None:
    model = facts.models[LLAMA_8B]
    (block,) = model.blocks
    mixed = replace(model, blocks=(replace(block, count=3), replace(block, count=5, other_parameters=7)))
    (first, waiting), (last, none) = stages(mixed, 4)
    assert [(part.count, part.other_parameters) for part in first.blocks] == [(2, block.other_parameters)]
    assert [(part.count, part.other_parameters) for part in last.blocks] == [(2, 7)]
    assert (waiting, none) == (3, 0)


def test_that_the_notes_of_a_cluster_say_what_nobody_measured(facts: Facts) -> None:
    job = ClusterJob(facts.models[LLAMA_8B], Recipe(Method.FULL), 4096, 10**9, 2**20, most_nodes=16)
    over_pcie, switched = (node_of(facts.cards[name], 8, 400, facts.speed) for name in (SERVER, "h100_sxm"))
    assert SpeedNote.SHARDED_OVER_PCIE in notes_for(job, over_pcie, 1, facts.speed)
    assert SpeedNote.SHARDED_OVER_PCIE not in notes_for(job, switched, 1, facts.speed)
    unmeasured = replace(facts.speed, records={}, incomplete_records={})
    assert SpeedNote.NO_CARD_RECORD in notes_for(job, switched, 1, unmeasured)
    assert SpeedNote.NO_CARD_RECORD not in notes_for(job, switched, 1, facts.speed)
    assert SpeedNote.ACROSS_NODES in notes_for(job, switched, 2, facts.speed)


def test_that_no_record_has_no_summary() -> None:
    with pytest.raises(ValueError, match="no record"):
        summary([])

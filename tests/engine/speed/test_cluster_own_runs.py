"""The customer's test runs inside one machine correct the times of a cluster."""

from dataclasses import replace

import pytest

from engine.memory.estimate import estimate
from engine.memory.types import TrainingSetup
from engine.methods import Layout, Loss, Method, Recipe, Sharding
from engine.speed.calibration import own_run
from engine.speed.cluster.nodes import node_of
from engine.speed.cluster.plan import plan_cluster
from engine.speed.cluster.types import ClusterJob
from engine.speed.run import tokens_per_second
from engine.speed.step import step_time
from engine.speed.types import ComputeFormat, SpeedNote, SpeedSetup, StackClass
from tests.engine.speed.builders import LLAMA_8B

FULL = Recipe(Method.FULL, loss=Loss.FUSED)


@pytest.fixture(scope="module")
def node(facts):
    return node_of(facts.cards["h100_sxm"], 8, 400, facts.speed)


@pytest.fixture(scope="module")
def job(facts):
    return ClusterJob(facts.models[LLAMA_8B], FULL, 4096, 10**9, 2**20, most_nodes=4)


@pytest.fixture(scope="module")
def half_speed(facts, node, job):
    """Full fine-tuning on the node's eight cards, measured at half of what the model says."""
    training = TrainingSetup(job.model, FULL, 4096, 2, Layout(8, Sharding.FSDP))
    setup = SpeedSetup(training, node.card, estimate(training).trainable_parameters, node.inner)
    modelled = tokens_per_second(step_time(setup, facts.speed)).expected
    return own_run("pilot", setup, modelled / 2, facts.speed)


def test_that_a_run_at_half_speed_halves_the_speed_of_one_node(facts, node, job, half_speed):
    single = replace(job, most_nodes=1)
    plain = plan_cluster(single, node, facts.speed).chosen
    moved = plan_cluster(replace(single, own_runs=(half_speed,)), node, facts.speed).chosen
    assert half_speed.measured_tokens_per_s / half_speed.modelled_tokens_per_s == pytest.approx(0.5)
    assert (moved.layout, moved.micro_batch) == (plain.layout, plain.micro_batch)
    # Compute, optimiser and the exchange inside the node all take twice as long, so the step does.
    assert moved.step.total_s.expected == pytest.approx(2 * plain.step.total_s.expected)
    assert moved.calibration.name == "pilot"
    assert SpeedNote.CALIBRATED in moved.notes or SpeedNote.CALIBRATED_ELSEWHERE in moved.notes


def test_that_the_network_between_nodes_is_left_as_computed(facts, node, job, half_speed):
    def four(own_runs):
        options = plan_cluster(replace(job, own_runs=own_runs), node, facts.speed).options
        return next(plan for plan in options if plan.nodes == 4)

    plain, moved = four(()), four((half_speed,))
    assert moved.layout == plain.layout
    assert moved.step.across_s == pytest.approx(plain.step.across_s)
    assert moved.step.compute_s == pytest.approx(2 * plain.step.compute_s)
    assert plain.step.total_s.expected < moved.step.total_s.expected <= 2 * plain.step.total_s.expected
    assert not moved.calibration.alike
    assert SpeedNote.CALIBRATED_ELSEWHERE in moved.notes
    assert SpeedNote.ACROSS_NODES in moved.notes


@pytest.mark.parametrize("changes", [{"stack": StackClass.PLAIN_HF}, {"compute": ComputeFormat.FP8}])
def test_that_other_software_or_another_format_says_nothing(facts, node, job, half_speed, changes):
    other = replace(job, most_nodes=1, **changes)
    plain = plan_cluster(other, node, facts.speed)
    assert plan_cluster(replace(other, own_runs=(half_speed,)), node, facts.speed) == plain


def test_that_a_slower_measurement_asks_for_more_nodes(facts, node, job, half_speed):
    alone = plan_cluster(replace(job, most_nodes=1), node, facts.speed).chosen
    due = replace(job, deadline_h=alone.run.hours.high * 1.05)
    assert plan_cluster(due, node, facts.speed).chosen.nodes == 1
    assert plan_cluster(replace(due, own_runs=(half_speed,)), node, facts.speed).chosen.nodes > 1

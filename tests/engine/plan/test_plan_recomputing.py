"""Whatever is kept from one recommendation to the next: the answer is the one that computing everything anew gives."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cost.types import EconomicsKey, OwnershipAnswers
from engine.memory.types import MemoryEstimate, TrainingSetup
from engine.methods import Method, Offload, Optimizer, Recipe
from engine.plan import sizing
from engine.plan.memo import LARGEST_SHELF, Recent, shelf_for
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation
from engine.speed.types import StackClass
from engine.units import Money
from engine.workload import MustHave, Place, Priority, Scenario, Site, Workload
from tests.engine.plan.builders import scenario
from tests.engine.plan.real import facts, task
from tests.engine.plan.sameness import Fingerprints

Change = Callable[[Scenario], Scenario]


def of_workload(**values: st.SearchStrategy[object]) -> st.SearchStrategy[Change]:
    """A change of one workload."""

    def change(index: int, new: dict[str, object]) -> Change:
        return lambda before: _with(before, index, lambda one: replace(one, **new))

    return st.builds(change, st.integers(0, 1), st.fixed_dictionaries(values))


def of_recipe(**values: st.SearchStrategy[object]) -> st.SearchStrategy[Change]:
    """A change of how one workload is trained."""

    def change(index: int, new: dict[str, object]) -> Change:
        return lambda before: _with(before, index, lambda one: replace(one, recipe=replace(one.recipe, **new)))

    return st.builds(change, st.integers(0, 1), st.fixed_dictionaries(values))


def of_scenario(**values: st.SearchStrategy[object]) -> st.SearchStrategy[Change]:
    """A change of everything else."""

    def change(new: dict[str, object]) -> Change:
        return lambda before: replace(before, **new)

    return st.builds(change, st.fixed_dictionaries(values))


def assuming(key: EconomicsKey, amounts: list[str]) -> st.SearchStrategy[Change]:
    """Another assumption of the customer's."""
    answers = st.sampled_from(amounts).map(lambda amount: OwnershipAnswers(overrides={key: Decimal(amount)}))
    return of_scenario(ownership=answers)


def _with(before: Scenario, index: int, change: Callable[[Workload], Workload]) -> Scenario:
    workloads = list(before.workloads)
    workloads[index] = change(workloads[index])
    return replace(before, workloads=tuple(workloads))


def one_of(kind: type) -> st.SearchStrategy[object]:
    return st.sampled_from(list(kind))


SITES = st.builds(
    Site,
    one_of(Place),
    st.sampled_from([None, 2_000, 6_000]),
    st.sampled_from([None, 8_000]),
    st.sampled_from([None, 45]),
    st.sampled_from([None, 2, 8]),
)
CHANGES = st.one_of(
    of_workload(sequence_length=st.integers(128, 40_000)),
    of_workload(runs_per_month=st.sampled_from([Decimal(1), Decimal(2), Decimal("2.0"), Decimal(40)])),
    of_workload(runs_at_once=st.integers(1, 9)),
    of_workload(deadline_h=st.sampled_from([None, 2, 2.0, 60.0])),
    of_workload(tokens_per_run=st.sampled_from([10**6, 10**8])),
    of_workload(micro_batch=st.sampled_from([None, 1, 4])),
    of_workload(name=st.sampled_from(["a", "b"])),
    of_recipe(rank=st.sampled_from([8, 64, 256])),
    of_recipe(method=one_of(Method)),
    of_recipe(optimizer=st.sampled_from([Optimizer.ADAMW, Optimizer.PAGED_ADAMW_8BIT])),
    of_recipe(offload=st.sampled_from([Offload.NONE, Offload.OPTIMIZER])),
    of_recipe(dora=st.booleans()),
    of_scenario(priority=one_of(Priority)),
    of_scenario(headroom=st.sampled_from([0, 0.0, 0.15, 0.3])),
    of_scenario(stack=st.sampled_from([None, *StackClass])),
    of_scenario(must_have=st.sets(one_of(MustHave), max_size=2).map(frozenset)),
    of_scenario(budget=st.sampled_from([None, Money(Decimal(30_000), "EUR"), Money(Decimal(120_000), "EUR")])),
    of_scenario(price_overrides=st.sampled_from([{}, {"l40s": Money(Decimal(5_000), "EUR")}])),
    of_scenario(site=SITES),
    assuming(EconomicsKey.ELECTRICITY_PER_KWH, ["0.15", "0.30"]),
    assuming(EconomicsKey.UTILISATION, ["0.2", "0.8"]),
    assuming(EconomicsKey.FAILED_RUN_SHARE, ["0.0", "0.5"]),
)


def start() -> Scenario:
    return scenario(
        task("one", "llama-3.1-8b", Recipe(Method.LORA), 4, 20),
        task("two", "qwen2.5-32b", Recipe(Method.QLORA), 2, 10),
    )


def anew(asked: Scenario) -> Recommendation:
    """Nothing is kept for copies of the facts and of the models."""
    workloads = tuple(replace(one, model=replace(one.model)) for one in asked.workloads)
    return recommend(replace(asked, workloads=workloads), replace(facts()))


def same(one: Recommendation, other: Recommendation) -> bool:
    return Fingerprints().of(one) == Fingerprints().of(other)


@settings(max_examples=15, deadline=None)
@given(st.lists(CHANGES, min_size=1, max_size=4))
def test_that_changes_one_after_another_give_what_computing_anew_gives(changes: list[Change]) -> None:
    asked = start()
    recommend(asked, facts())
    for change in changes:
        asked = change(asked)
        kept = recommend(asked, facts())
        assert same(kept, anew(asked))
    assert same(recommend(start(), facts()), recommend(start(), facts()))


SINGLE: dict[str, Change] = {
    "length": lambda before: _with(before, 0, lambda one: replace(one, sequence_length=4096)),
    "rank": lambda before: _with(before, 0, lambda one: replace(one, recipe=replace(one.recipe, rank=128))),
    "tokens": lambda before: _with(before, 0, lambda one: replace(one, tokens_per_run=10**8)),
    "runs": lambda before: _with(before, 0, lambda one: replace(one, runs_per_month=Decimal(9))),
    "power price": lambda before: replace(
        before, ownership=OwnershipAnswers(overrides={EconomicsKey.ELECTRICITY_PER_KWH: Decimal("0.9")})
    ),
    "failed runs": lambda before: replace(
        before, ownership=OwnershipAnswers(overrides={EconomicsKey.FAILED_RUN_SHARE: Decimal("0.7")})
    ),
    "own price": lambda before: replace(
        before, price_overrides={"rtx_pro_6000_blackwell_ws": Money(Decimal(5_000), "EUR")}
    ),
    "place": lambda before: replace(before, site=Site(Place.RACK, circuit_watts=3_000)),
    "software": lambda before: replace(before, stack=StackClass.PLAIN_HF),
    "headroom": lambda before: replace(before, headroom=0.3),
}


@pytest.mark.parametrize("name", SINGLE)
def test_that_every_single_change_is_seen(name: str) -> None:
    before = recommend(start(), facts())
    asked = SINGLE[name](start())
    kept = recommend(asked, facts())
    assert same(kept, anew(asked))
    assert kept.ranked != before.ranked


def test_that_a_written_figure_stays_as_it_is_written() -> None:
    asked = start()
    recommend(asked, facts())
    again = _with(asked, 0, lambda one: replace(one, runs_per_month=Decimal("4.00")))
    result = recommend(again, facts())
    assert result.chosen is not None
    assert str(result.chosen.placements[0].workload.runs_per_month) == "4.00"


def test_that_several_threads_get_the_same_answers() -> None:
    asked = [_with(start(), 0, lambda one, n=n: replace(one, sequence_length=n)) for n in range(1000, 5000, 500)]
    shared = replace(facts())
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda one: recommend(one, shared), asked))
    for one, kept in zip(asked, found, strict=True):
        assert same(kept, recommend(one, facts()))


def test_that_a_slider_never_makes_the_other_workloads_be_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    estimated: list[str] = []

    def counted(setup: TrainingSetup) -> MemoryEstimate:
        estimated.append(setup.model.id)
        return estimate(setup)

    estimate = sizing.estimate
    own = replace(facts())
    recommend(start(), own)
    monkeypatch.setattr(sizing, "estimate", counted)
    for length in range(1000, 1000 + 64 * 90, 64):
        recommend(_with(start(), 0, lambda one, n=length: replace(one, sequence_length=n)), own)
    assert set(estimated) == {"llama-3.1-8b"}


def test_that_what_is_kept_stays_bounded() -> None:
    own = replace(facts())
    for length in range(1000, 1000 + 64 * 90, 64):
        recommend(_with(start(), 0, lambda one, n=length: replace(one, sequence_length=n)), own)
    shelf = shelf_for(own)
    most = LARGEST_SHELF + 1_000  # the workloads at hand come on top
    assert LARGEST_SHELF / 2 < shelf.works.total(len) <= most
    assert shelf.tables.total(len) <= most


def test_that_the_value_used_longest_ago_is_forgotten_first() -> None:
    made: list[str] = []

    def make(name: str) -> Callable[[], str]:
        return lambda: made.append(name) or name

    recent: Recent[str, str] = Recent(2)
    for name in ("a", "b", "a", "c", "a", "b"):
        recent.get(name, make(name))
    assert made == ["a", "b", "c", "b"]


def test_that_weight_is_lost_from_the_oldest_and_some_always_stay() -> None:
    recent: Recent[str, str] = Recent(9)
    for name in ("aaaa", "bbb", "cc", "d"):
        recent.get(name, lambda name=name: name)
    recent.lighten(len, 6, 1)
    assert recent.total(len) == 6
    recent.lighten(len, 0, 2)
    assert recent.total(len) == 3

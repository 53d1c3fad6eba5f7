"""Cost per result, and the two errors of the usual lists: hours added to money, and no division by results."""

from decimal import Decimal
from types import SimpleNamespace

import pytest

from engine.cost.results import (
    compute_prices,
    cost_per_million_tokens,
    cost_per_run,
    cost_per_tflop_hour,
    validated_checkpoint,
)
from engine.errors import InvalidInputError
from engine.units import FloatBand, Money, MoneyBand

D = Decimal


def test_that_a_run_costs_its_hours(usd):
    band = cost_per_run(FloatBand(4.0, 5.0, 7.5), usd("12.345"))
    assert [value.amount for value in (band.low, band.expected, band.high)] == [D("49.38"), D("61.73"), D("92.59")]


@pytest.mark.parametrize("hours", [(-1.0, 1.0, 2.0), (2.0, 1.0, 3.0), (float("nan"),) * 3])
def test_that_hours_out_of_order_are_refused(usd, hours):
    with pytest.raises(InvalidInputError):
        cost_per_run(FloatBand(*hours), usd(1))


# 61.73 for 20 million tokens = 3.09 a million.
def test_that_tokens_share_the_cost_of_a_run(usd):
    run = MoneyBand(usd("49.38"), usd("61.73"), usd("92.59"))
    assert cost_per_million_tokens(run, 20_000_000).expected == usd("3.09")
    with pytest.raises(InvalidInputError):
        cost_per_million_tokens(run, 0)


# Three search runs for each that counts, a tenth fails: 10 x 4 x 1.1 = 44 runs for 8 validated checkpoints = 5.5;
# compute 5.5 x 10 h x 3.00 = 165.00; failed 4 runs x 2 h x 80 = 640 / 8 = 80.00; and 5 + 3 + 2.
def test_that_a_validated_checkpoint_carries_every_run_behind_it(assume, usd):
    cost = validated_checkpoint(
        D(10),
        usd("3.00"),
        assume(
            search_factor=D(3),
            failed_run_share=D("0.1"),
            recovery_hours=D(2),
            wage_per_hour=D(80),
            storage_per_checkpoint=D(5),
            transfer_per_checkpoint=D(3),
            orchestration_per_checkpoint=D(2),
        ),
        successful_runs=10,
        validated=8,
        reusable_value=usd(100),
    )
    assert cost.runs == D("5.5")
    assert cost.compute == usd("165.00")
    assert cost.recovery == usd("80.00")
    assert cost.total == usd("255.00")
    assert cost.reusable_value == usd(100), "shown beside the total, not taken off it"


@pytest.mark.parametrize(("successful", "validated"), [(0, 0), (3, 0), (3, 4)])
def test_that_checkpoints_without_runs_are_refused(assume, usd, successful, validated):
    with pytest.raises(InvalidInputError):
        validated_checkpoint(D(1), usd(1), assume(), successful_runs=successful, validated=validated)


def test_that_a_checkpoint_is_not_counted_in_two_currencies(assume):
    with pytest.raises(InvalidInputError, match="expected USD, got EUR"):
        validated_checkpoint(D(1), Money(D(1), "EUR"), assume())


def fake_card(card_id, tflops):
    figure = None if tflops is None else SimpleNamespace(value=D(tflops))
    return SimpleNamespace(id=card_id, bf16_dense_tflops=figure)


def test_that_only_cards_that_hold_the_job_are_ranked_by_tflop_hour():
    cards = [fake_card("small", "165.2"), fake_card("large", "989.4"), fake_card("rateless", None)]
    priced = [(cards[0], D("0.60")), (cards[1], D("3.15")), (cards[2], D("0.10"))]
    ranked, left_out = compute_prices(priced, lambda card: card.id != "small")
    assert [entry.card_id for entry in ranked] == ["large"]
    assert left_out == ("small", "rateless")


def test_that_a_tflop_hour_needs_a_rate():
    with pytest.raises(InvalidInputError):
        cost_per_tflop_hour(D(1), D(0))

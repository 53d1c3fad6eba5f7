"""The guide's inference advice on today's facts: what still holds and what does not."""

from datetime import date

import pytest

from engine.serving.advice import Claim, recompute

TODAY = date(2026, 11, 30)


@pytest.fixture(scope="module")
def findings(facts):
    return {finding.claim: finding for finding in recompute(facts, "EUR", TODAY)}


def test_that_the_l40s_is_no_longer_the_efficient_card_for_large_batches(findings):
    # Qwen3 32B in FP8 leaves 45 GiB about 10 GiB of cache; cards with more bandwidth and memory give more per euro
    finding = findings[Claim.BATCH_LARGE]
    assert finding.holds_to_buy is False
    assert finding.holds_to_rent is False
    assert finding.best_to_buy.per_price > 1.5 * finding.named.per_price
    assert finding.best_to_rent.rent_per_million < 0.5 * finding.named.rent_per_million


def test_that_the_rtx_4090_cannot_be_bought_new_any_more(findings):
    finding = findings[Claim.BATCH_SMALL]
    assert finding.named.for_sale is False
    assert finding.holds_to_buy is False
    assert finding.best_to_buy.for_sale
    # per euro of its last price it would still be far above the L40S, as the guide says
    l40s = next(row for row in finding.cards if row.card.id == "l40s")
    assert finding.named.per_price > l40s.per_price


def test_that_the_h200_is_the_fastest_card_to_buy_singly_but_not_to_rent(findings):
    finding = findings[Claim.LATENCY]
    assert finding.holds_to_buy is True
    assert finding.best_to_buy.card.id == "h200_nvl"
    assert finding.holds_to_rent is False
    assert finding.best_to_rent.card.bandwidth_gb_per_s.value > finding.named.card.bandwidth_gb_per_s.value


def test_that_the_l4_is_still_the_cheapest_hour_at_the_edge_and_has_no_price_to_buy(findings):
    finding = findings[Claim.EDGE]
    assert finding.named.card.id == "l4"
    assert finding.named.price is None
    assert finding.holds_to_buy is None
    assert finding.holds_to_rent is True


def test_that_cards_are_compared_without_scaling_from_measurements(facts, findings):
    # the same chip and memory: the two H200 differ in nothing a single user feels
    rows = {row.card.id: row.tokens_per_s for row in findings[Claim.LATENCY].cards}
    assert rows["h200_nvl"] == pytest.approx(rows["h200_sxm"], rel=0.01)

"""What a plan costs, what is missing, and how far two prices compare."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from engine.cost.types import EconomicsKey, OwnershipAnswers
from engine.methods import Method, Recipe
from engine.plan.candidates import Candidate, enumerate_candidates
from engine.plan.purchase import PriceClass, Prices, Purchase
from engine.plan.recommend import recommend
from engine.prices import PriceBasis
from engine.pricing import guide_price
from engine.reasons import ReasonCode
from engine.units import Money
from engine.workload import Place, Scenario, Site
from tests.engine.plan.builders import scenario
from tests.engine.plan.real import facts, task


def asked(**changes: object) -> Scenario:
    plain = scenario(task("task", "llama-3.1-8b", Recipe(Method.LORA), 4, 20))
    return replace(plain, **{"site": Site(Place.RACK), **changes})


def candidate(card_id: str, cards: int, system_id: str) -> Candidate:
    return next(
        item
        for item in enumerate_candidates(asked(), facts()).candidates
        if (item.card.id, item.cards, item.system.id) == (card_id, cards, system_id)
    )


def purchase(card_id: str, cards: int, system_id: str, **changes: object) -> Purchase:
    return Prices(asked(**changes), facts()).purchase(candidate(card_id, cards, system_id))


def guide(item_id: str) -> Decimal:
    found = guide_price(item_id, facts(), "EUR", asked().as_of).net
    assert found is not None
    return found.amount


def test_that_an_item_without_a_price_is_on_request_and_ordered_by_its_sibling() -> None:
    edition, sibling = "rtx_pro_6000_blackwell_se", "rtx_pro_6000_blackwell_ws"
    unpriced = replace(
        facts(),
        prices={key: records for key, records in facts().prices.items() if key not in (edition, "bto_2u_4")},
        ranking_stand_ins={edition: sibling, "bto_2u_4": "reference_tower_without_cards"},
    )
    bought = Prices(asked(), unpriced).purchase(candidate(edition, 2, "bto_2u_4"))
    assert bought.price.priced == Money(Decimal(0), "EUR")
    assert bought.price.gaps == (edition, "bto_2u_4")
    assert bought.price.basis is PriceBasis.ON_REQUEST
    assert bought.price_class is PriceClass.COMPLETE
    assert bought.price.ranking == 2 * guide(sibling) + guide("reference_tower_without_cards")
    stand_ins = [item.value("stand_in") for item in bought.remarks if item.code is ReasonCode.PRICE_STAND_IN]
    assert stand_ins == [sibling, "reference_tower_without_cards"]


def test_that_an_own_price_fills_the_gap() -> None:
    own = {"rtx_pro_6000_blackwell_se": Money(Decimal("9000.50"), "EUR"), "bto_2u_4": Money(Decimal(12_000), "EUR")}
    bought = purchase("rtx_pro_6000_blackwell_se", 2, "bto_2u_4", price_overrides=own)
    assert bought.price.priced.amount == bought.price.ranking == Decimal("30001.00")
    assert (bought.price.gaps, bought.price.basis) == ((), PriceBasis.SELLER)


def test_that_a_bridge_without_a_price_is_left_out_of_the_order_and_named() -> None:
    with_bridge = purchase("h200_nvl", 2, "bto_2u_4")
    assert "nvlink_bridge_2way" in with_bridge.price.gaps
    left_out = [item.value("item") for item in with_bridge.remarks if item.code is ReasonCode.PRICE_NOT_COMPARABLE]
    assert left_out == ["nvlink_bridge_2way"]


def test_that_a_siblings_price_orders_a_populated_machine_only_with_the_same_cards() -> None:
    # The machine lists H200 and B200; its sibling's price is that of eight H200.
    assert purchase("h200_sxm", 8, "lenovo_sr680a_v3").price_class is PriceClass.COMPLETE
    other = purchase("b200_hgx", 8, "lenovo_sr680a_v3")
    assert other.price_class is PriceClass.WITHOUT_CARDS
    assert other.price.ranking == 0
    assert other.least == 8 * guide("b200_hgx")


def test_that_a_machine_without_any_figure_is_left_out() -> None:
    bare = replace(facts(), ranking_stand_ins={})
    priced = candidate("h200_nvl", 1, "bto_2u_4")
    bought = Prices(asked(), bare).purchase(priced)
    assert bought.price_class is PriceClass.WITHOUT_MACHINE
    assert ReasonCode.PRICE_NOT_COMPARABLE in {item.code for item in bought.remarks}


def test_that_grounds_built_on_stand_ins_are_told_apart() -> None:
    result = recommend(asked(), facts())
    assert result.chosen is not None
    assert result.chosen.price.gaps
    cheapest = result.chosen.reasons[0]
    assert (cheapest.code, cheapest.values) == (ReasonCode.CHEAPEST, (("stand_ins", 1),))
    compared = {
        plan.card.id: plan.reasons[0].value("stand_ins")
        for plan in result.alternatives
        if plan.reasons[0].code in (ReasonCode.DEARER_BUT_FASTER, ReasonCode.DEARER_AND_SLOWER)
    }
    assert 1 in compared.values()
    for plan in result.alternatives:
        one_sided = set(plan.price.gaps) != set(result.chosen.price.gaps)
        if plan.card.id in compared and one_sided:
            assert compared[plan.card.id] == 1


def test_that_the_customers_share_of_failed_runs_lengthens_the_month() -> None:
    def hours(share: str) -> float:
        answers = OwnershipAnswers(overrides={EconomicsKey.FAILED_RUN_SHARE: Decimal(share)})
        chosen = recommend(asked(ownership=answers), facts()).chosen
        assert chosen is not None
        assert chosen.monthly_hours is not None
        return chosen.monthly_hours.expected

    assert hours("0.5") == pytest.approx(1.5 * hours("0"))

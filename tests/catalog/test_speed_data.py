"""The speed file: what it holds, and what it refuses."""

import re

import pytest

from catalog.load import load_catalog
from catalog.speed_data import SPEED_FILE, load_speed_facts
from catalog.yaml_nodes import FileFormatError
from engine.figures import Basis, Grade
from engine.hardware import LinkKind

TEXT = SPEED_FILE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def speed():
    return load_speed_facts()


def test_that_every_card_and_machine_named_exists_in_the_catalogue(speed):
    facts = load_catalog().facts
    named = set(speed.rates) | set(speed.power) | set(speed.records) | set(speed.incomplete_records)
    assert not set(speed.records) & set(speed.incomplete_records)
    named |= {machine.card_id for machine in speed.machines if machine.card_id is not None}
    assert named <= set(facts.cards)
    assert {machine.system_id for machine in speed.machines} <= set(facts.systems)
    assert set(speed.scaled_share) <= {card.architecture for card in facts.cards.values()}


def test_that_nothing_stands_there_from_memory(speed):
    figures = [rates.bf16 for rates in speed.rates.values()] + list(speed.assumptions.values())
    figures += [rates.fp8 for rates in speed.rates.values() if rates.fp8 is not None]
    assert all(figure.grade is not Grade.M for figure in figures)


def test_that_rates_scaled_from_another_card_are_not_called_published(speed):
    for rates in speed.rates.values():
        for compute in rates.scaled:
            assert getattr(rates, compute.value).basis in {Basis.ASSUMED, Basis.DERIVED}


def test_that_measured_rates_stay_below_the_data_sheet_except_for_geforce(speed):
    cards = load_catalog().facts.cards
    above = {
        card_id
        for card_id, rates in speed.rates.items()
        if (sheet := cards[card_id].bf16_dense_tflops) is not None and rates.bf16.value > float(sheet.value)
    }
    # GeForce cards exceed their data sheet: 168 against 165.2 and 236 against 209.5 TFLOPS
    assert above == {"rtx_4090", "rtx_5090"}


def test_that_links_and_coefficients_are_complete(speed):
    assert {LinkKind.PCIE, LinkKind.NVLINK_BRIDGE, LinkKind.NVSWITCH} <= set(speed.links)
    assert speed.coefficients is not None


@pytest.mark.parametrize(
    ("pattern", "replacement", "field"),
    [
        (r"value: 376,", "value: -376,", "rates.rtx_pro_6000_blackwell_ws.bf16.value"),
        (r"limits_w: \[150, 200,", "limits_w: [200, 150,", "power.rtx_pro_6000_blackwell_ws"),
        (r"limits_w: \[150, 200,", "limits_w: [150,", "limits_w and gflops differ in length"),
        (r", vendor-tuned: \{[^}]*\}\}", "}", "no coefficients for vendor-tuned"),
        (r"attention_efficiency: [\d.]+", "attention_efficiency: 7", "coefficients.attention_efficiency"),
        (r"pcie: \{low: 0.31", "pcie: {low: 0.9", "links.pcie"),
    ],
)
def test_that_a_wrong_value_is_named_with_its_line(pattern, replacement, field):
    broken, count = re.subn(pattern, replacement, TEXT, count=1)
    assert count == 1
    with pytest.raises(FileFormatError) as caught:
        load_speed_facts(broken, "speed.yaml")
    message = str(caught.value)
    assert field in message
    assert re.match(r"speed\.yaml:\d+:", message)


def test_that_an_unlisted_source_is_refused():
    broken = TEXT.replace("source: aurora", "source: hearsay", 1)
    with pytest.raises(FileFormatError, match="hearsay"):
        load_speed_facts(broken, "speed.yaml")

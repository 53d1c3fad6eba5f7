"""The bundled rental offers and fine-tuning services."""

import itertools
from decimal import Decimal

import pytest

from catalog.cloud_data import CLOUD_FILE, load_cloud
from catalog.yaml_nodes import FileFormatError
from engine.cost.types import RentalTerm
from engine.hardware import CardForm, LinkKind
from engine.methods import Method

PROVIDERS = {
    "AWS",
    "Azure",
    "CoreWeave",
    "Crusoe",
    "DigitalOcean",
    "GCP",
    "Hetzner",
    "Hyperstack",
    "IONOS",
    "Lambda",
    "Nebius",
    "OCI",
    "OVHcloud",
    "RunPod",
    "Scaleway",
    "Together",
    "Vast.ai",
    "Verda",
}


@pytest.fixture(scope="module")
def cloud():
    return load_cloud()


def by_id(cloud, offer_id):
    return next(offer for offer in cloud.offers if offer.id == offer_id)


def test_that_there_are_more_than_100_offers_of_every_provider(cloud):
    assert len(cloud.offers) >= 100
    assert {offer.provider for offer in cloud.offers} == PROVIDERS
    assert len({offer.id for offer in cloud.offers}) == len(cloud.offers)


def test_that_every_offer_has_price_date_source_and_currency(cloud):
    for offer in cloud.offers:
        assert 0 < offer.low <= offer.high
        assert offer.as_of >= "2025"
        assert offer.source.title
        assert offer.currency in ("USD", "EUR")


def test_that_on_demand_spot_and_reserved_are_told_apart(cloud):
    prices = {offer.term: offer.low for offer in cloud.offers if offer.id.startswith("azure-h100-sxm-nd96isr-h100-v5-")}
    assert prices == {
        RentalTerm.ON_DEMAND: Decimal("12.290"),
        RentalTerm.SPOT: Decimal("2.373"),
        RentalTerm.RESERVED_1Y: Decimal("7.866"),
        RentalTerm.RESERVED_3Y: Decimal("5.395"),
    }


def test_that_topology_and_network_are_carried_where_stated(cloud):
    aws = by_id(cloud, "aws-h100-sxm-p5-48xlarge-on-demand")
    assert (aws.cards, aws.form, aws.link, aws.network_gbit_per_s) == (8, CardForm.SXM, LinkKind.NVSWITCH, 3200)
    single = by_id(cloud, "aws-l40s-g6e-2xlarge-on-demand")
    assert (single.cards, single.link) == (1, LinkKind.NONE)
    unknown = by_id(cloud, "ovhcloud-h100-on-demand")
    assert unknown.form is None
    assert unknown.card_ids == ("h100_pcie", "h100_sxm", "h100_nvl")


# 1,497.30 a month over 730 h = 2.0511 an hour, due whether used or not.
def test_that_a_monthly_price_becomes_a_committed_hour(cloud):
    monthly = by_id(cloud, "hetzner-rtx-pro-6000-blackwell-maxq-gex131-monthly")
    assert round(monthly.low, 4) == Decimal("2.0511")
    assert monthly.setup_fee == 1499
    assert monthly.currency == "EUR"


def test_that_ranges_keep_both_ends_and_use_their_middle(cloud):
    block = by_id(cloud, "aws-h200-sxm-p5en-48xlarge-capacity-block")
    assert (block.low, block.high, block.middle) == (Decimal("6.241"), Decimal("6.865"), Decimal("6.553"))


def test_that_lists_that_disagree_are_recorded_and_old_ones_superseded(cloud):
    assert by_id(cloud, "crusoe-a100-sxm-80-on-demand").contradicts
    assert by_id(cloud, "nebius-h100-sxm-2025-on-demand").superseded
    assert not by_id(cloud, "nebius-h100-sxm-on-demand").superseded


def test_that_what_has_no_price_is_listed_and_not_counted(cloud):
    assert "Genesis Cloud" in cloud.not_priced
    assert not any(offer.provider == "Genesis Cloud" for offer in cloud.offers)


def test_that_the_tiers_of_a_service_leave_no_gap(cloud):
    for method in (Method.LORA, Method.FULL):
        tiers = sorted(
            (api for api in cloud.fine_tuning_apis if api.provider == "Together" and api.method is method),
            key=lambda api: api.parameters_from,
        )
        assert tiers[0].parameters_from == 1
        for lower, upper in itertools.pairwise(tiers):
            assert upper.parameters_from == lower.parameters_to + 1


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('on-demand: "2.745"', "on-demand: 2.745", "in quotes"),
        ('on-demand: "2.745"', 'on-demand: "-1"', "too small"),
        ('on-demand: "2.745"', 'monthly: "2.745"', "per_month"),
        ("on-demand:", "on-demamd:", "not one of"),
        ("id: aws-a100-sxm-80-p4de-24xlarge", "id: aws-a100-sxm-40-p4d-24xlarge", "given twice"),
    ],
)
def test_that_a_damaged_file_is_refused_with_its_place(tmp_path, old, new, says):
    path = tmp_path / "cloud_offers.yaml"
    path.write_text(CLOUD_FILE.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(FileFormatError, match=says):
        load_cloud(path)

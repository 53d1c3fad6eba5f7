"""Builders for the cost tests: assumptions that are all zero unless a test says otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from engine.cost.types import CostAssumptions, RentalOffer, RentalTerm
from engine.figures import Grade, Source
from engine.prices import ExchangeRate
from engine.units import Money

SOURCE = Source("test", "test", "", "2026-11-30")


@pytest.fixture(scope="session")
def assume() -> Callable[..., CostAssumptions]:
    """Three years, PUE 1, everything else zero or off; keyword arguments replace fields."""
    zero = Decimal(0)
    plain = CostAssumptions(
        currency="USD",
        years=3,
        life_years=Decimal(3),
        electricity_per_kwh=zero,
        pue=Decimal(1),
        load_power_share=Decimal(1),
        idle_power_share=zero,
        co2_g_per_kwh=zero,
        residual_share=zero,
        maintenance_share=zero,
        licences_per_year=zero,
        staff_per_year=zero,
        room_per_year=zero,
        interest_per_year=zero,
        useful_hours_per_year=None,
        failed_run_share=zero,
        search_factor=zero,
        recovery_hours=zero,
        wage_per_hour=zero,
        storage_per_checkpoint=zero,
        transfer_per_checkpoint=zero,
        orchestration_per_checkpoint=zero,
        rental_extra_per_hour=zero,
        speed_ratio_band=Decimal("1.25"),
        decision_margin=Decimal("0.10"),
    )

    def build(**fields: object) -> CostAssumptions:
        return replace(plain, **fields)

    return build


@pytest.fixture(scope="session")
def usd() -> Callable[[object], Money]:
    return lambda amount: Money(Decimal(str(amount)), "USD")


@pytest.fixture(scope="session")
def offer() -> Callable[..., RentalOffer]:
    """An on-demand offer in US dollars; keyword arguments replace fields."""
    plain = RentalOffer(
        id="offer",
        provider="Provider",
        card_ids=("h100_sxm",),
        card_name="H100 SXM",
        region="",
        shape="",
        cards=None,
        form=None,
        link=None,
        network_gbit_per_s=None,
        term=RentalTerm.ON_DEMAND,
        low=Decimal("3.15"),
        high=Decimal("3.15"),
        currency="USD",
        as_of="2026-11-01",
        source=SOURCE,
        grade=Grade.C,
    )

    def build(price: object = "3.15", **fields: object) -> RentalOffer:
        amount = Decimal(str(price))
        return replace(plain, low=amount, high=amount, **fields)

    return build


@pytest.fixture(scope="session")
def euro_rate() -> ExchangeRate:
    """1 EUR = 1.25 USD: a round number that shows which way a conversion went."""
    return ExchangeRate("EUR", "USD", Decimal("1.25"), date(2026, 11, 1), SOURCE, Grade.A)

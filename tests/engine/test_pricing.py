"""The guide price: which record counts, what it becomes, and how old it is."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.facts import Facts
from engine.figures import Grade, Source
from engine.prices import AgeLimits, ExchangeRate, Price, PriceAge, PriceBasis, PriceKind, VatRate
from engine.pricing import age_of, first_day, guide_price, net_amount
from engine.units import Money

SOURCE = Source("test", "test", "", "2026-11-30")
TODAY = date(2026, 11, 30)


def price(
    amount: str,
    currency: str = "EUR",
    kind: PriceKind = PriceKind.STREET,
    as_of: str = "2026-11-01",
    *,
    high: str = "",
    vat: str = "",
    valid_until: date | None = None,
    superseded: bool = False,
) -> Price:
    return Price(
        "card",
        Decimal(amount),
        Decimal(high or amount),
        currency,
        kind,
        bool(vat),
        as_of,
        SOURCE,
        Grade.C,
        valid_until,
        superseded,
        vat_country=vat,
    )


def facts(*prices: Price, stand_ins: dict[str, str] | None = None, sibling: Price | None = None) -> Facts:
    records: dict[str, tuple[Price, ...]] = {"card": prices} if prices else {}
    if sibling is not None:
        records["sibling"] = (sibling,)
    return Facts(
        version="2026-11-30",
        cards={},
        systems={},
        models={},
        prices=records,
        rates=(
            ExchangeRate("EUR", "USD", Decimal("1.10"), date(2026, 10, 1), SOURCE, Grade.C),
            ExchangeRate("EUR", "USD", Decimal("1.25"), date(2026, 11, 1), SOURCE, Grade.C),
            ExchangeRate("EUR", "CHF", Decimal("0.90"), date(2026, 10, 1), SOURCE, Grade.C),
        ),
        ranking_stand_ins=stand_ins or {},
        vat_rates=(
            VatRate("DE", Decimal(19), None, SOURCE, Grade.A),
            VatRate("CH", Decimal("7.7"), None, SOURCE, Grade.A),
            VatRate("CH", Decimal("8.1"), date(2024, 1, 1), SOURCE, Grade.A),
        ),
    )


def net(known: Facts, currency: str = "EUR", as_of: date = TODAY, **overrides: Money) -> Decimal | None:
    guide = guide_price("card", known, currency, as_of, overrides)
    return None if guide.net is None else guide.net.amount


def test_that_an_override_beats_the_sellers_list_and_that_beats_what_is_published() -> None:
    known = facts(price("100"), price("90", kind=PriceKind.SELLER, as_of="2026-01-01"))
    assert net(known, card=Money(Decimal(80), "EUR")) == 80
    assert net(known) == 90
    assert guide_price("card", known, "EUR", TODAY).basis is PriceBasis.SELLER
    assert net(facts(price("100"))) == 100


def test_that_a_price_in_the_currency_beats_a_newer_one_that_must_be_converted() -> None:
    known = facts(price("125", "USD", as_of="2026-11-20"), price("95", as_of="2026-10-01"))
    guide = guide_price("card", known, "EUR", TODAY)
    assert (guide.net, guide.basis) == (Money(Decimal("95.00"), "EUR"), PriceBasis.PUBLISHED)


# 2026-06-02 is 181 days before 2026-11-30, one more than the limit of 180: the foreign price of November counts,
# 125 / 1.25 = 100.00. On 2026-06-03 the price in the currency is only old. The seller's own list stays before both.
def test_that_an_expired_price_gives_way_to_a_current_one_that_must_be_converted() -> None:
    foreign = price("125", "USD", as_of="2026-11-20")
    assert net(facts(foreign, price("80", as_of="2026-06-02"))) == Decimal("100.00")
    assert net(facts(foreign, price("80", as_of="2026-06-03"))) == 80
    assert net(facts(foreign, price("80", as_of="2026"))) == Decimal("100.00")
    assert net(facts(foreign, price("80", kind=PriceKind.SELLER, as_of="2026-01-01"))) == 80
    both = facts(price("125", "USD", as_of="2025-11-20"), price("80", as_of="2025-06-02"))
    assert net(both) == 80


def test_that_a_conversion_uses_the_newest_rate_not_later_than_the_day_and_is_an_estimate() -> None:
    known = facts(price("125", "USD", as_of="2026-09-01"))
    # 125 / 1.25 = 100.00 on 2026-11-30; 125 / 1.10 = 113.64 on 2026-10-15
    assert net(known) == Decimal("100.00")
    assert net(known, as_of=date(2026, 10, 15)) == Decimal("113.64")
    guide = guide_price("card", known, "EUR", TODAY)
    assert guide.basis is PriceBasis.ESTIMATED
    assert guide.rate is not None
    assert guide.rate.as_of == date(2026, 11, 1)


def test_that_two_foreign_currencies_meet_over_the_euro_at_the_older_date() -> None:
    # 125 USD / 1.25 = 100 EUR; 100 EUR x 0.90 = 90 CHF
    guide = guide_price("card", facts(price("125", "USD")), "CHF", TODAY)
    assert guide.net == Money(Decimal("90.00"), "CHF")
    assert guide.rate is not None
    assert (guide.rate.base, guide.rate.quote, guide.rate.as_of) == ("USD", "CHF", date(2026, 10, 1))


def test_that_a_currency_without_a_rate_stays_on_request() -> None:
    guide = guide_price("card", facts(price("125", "JPY")), "EUR", TODAY)
    assert (guide.net, guide.basis) == (None, PriceBasis.ON_REQUEST)


def test_that_an_own_price_that_cannot_be_converted_gives_way_to_the_published_one() -> None:
    known = facts(price("100"))
    assert net(known, card=Money(Decimal(125), "USD")) == Decimal("100.00")
    assert guide_price("card", known, "EUR", TODAY, {"card": Money(Decimal(125), "USD")}).basis is PriceBasis.SELLER
    unknown = guide_price("card", known, "EUR", TODAY, {"card": Money(Decimal(9), "JPY")})
    assert (unknown.net, unknown.basis) == (Money(Decimal("100.00"), "EUR"), PriceBasis.PUBLISHED)


def test_that_a_gross_price_loses_the_vat_of_its_country_on_its_date() -> None:
    assert net(facts(price("119", vat="DE"))) == Decimal("100.00")
    # 108.10 / 1.081 = 100 CHF since 2024; 107.70 / 1.077 = 100 CHF before
    assert net_amount(Decimal("108.10"), "CH", "2024-01-01", facts().vat_rates) == 100
    assert net_amount(Decimal("107.70"), "CH", "2023-12", facts().vat_rates) == 100
    assert net_amount(Decimal(100), "XX", "2026", facts().vat_rates) is None


def test_that_a_gross_price_of_an_unknown_country_is_not_used() -> None:
    assert net(facts(price("119", vat="XX"))) is None


def test_that_a_range_gives_its_middle_as_an_estimate() -> None:
    guide = guide_price("card", facts(price("28000", high="34000")), "EUR", TODAY)
    assert (guide.net, guide.basis) == (Money(Decimal("31000.00"), "EUR"), PriceBasis.ESTIMATED)


def test_that_superseded_invalid_and_future_prices_are_not_used() -> None:
    known = facts(
        price("1", superseded=True),
        price("2", valid_until=date(2026, 11, 29)),
        price("3", as_of="2026-12-01"),
        price("4", as_of="2026-09-01"),
    )
    assert net(known) == 4
    assert net(facts(price("2", valid_until=TODAY))) == 2


def test_that_without_a_price_nothing_is_counted_and_the_sibling_only_orders() -> None:
    known = facts(stand_ins={"card": "sibling"}, sibling=price("70"))
    guide = guide_price("card", known, "EUR", TODAY)
    assert (guide.net, guide.basis, guide.age) == (None, PriceBasis.ON_REQUEST, None)
    assert guide.stand_in_for_ranking == Money(Decimal("70.00"), "EUR")
    assert guide.stand_in_item_id == "sibling"


def test_that_siblings_without_prices_that_name_each_other_end() -> None:
    known = facts(stand_ins={"card": "sibling", "sibling": "card"})
    assert guide_price("card", known, "EUR", TODAY).stand_in_for_ranking is None


def test_that_only_included_items_cost_zero() -> None:
    guide = guide_price("card", facts(price("0", kind=PriceKind.INCLUDED)), "CHF", TODAY)
    assert (guide.net, guide.basis) == (Money(Decimal(0), "CHF"), PriceBasis.PUBLISHED)


@pytest.mark.parametrize(
    ("as_of", "age"),
    [
        ("2026-10-01", PriceAge.FRESH),  # 60 days
        ("2026-09-30", PriceAge.OLD),  # 61 days
        ("2026-06-03", PriceAge.OLD),  # 180 days
        ("2026-06-02", PriceAge.EXPIRED),
        ("2026", PriceAge.EXPIRED),  # counts from 1 January
        ("not recorded", PriceAge.EXPIRED),
    ],
)
def test_that_age_turns_at_the_limits(as_of: str, age: PriceAge) -> None:
    assert age_of(as_of, TODAY) is age


def test_that_the_limits_can_be_set() -> None:
    assert age_of("2026-11-01", TODAY, AgeLimits(fresh_days=10, old_days=20)) is PriceAge.EXPIRED


def test_that_a_partial_date_means_its_first_day() -> None:
    assert (first_day("2026"), first_day("2024-02")) == (date(2026, 1, 1), date(2024, 2, 1))
    assert first_day("2026-11-30") == TODAY
    assert [first_day(text) for text in ("soon", "2026-13")] == [None, None]


@given(st.decimals("0.01", "1000000", places=2), st.sampled_from(["EUR", "USD", "CHF"]))
def test_that_conversion_there_and_back_stays_within_a_cent_and_the_rate(amount: Decimal, currency: str) -> None:
    there = guide_price("card", facts(price(str(amount), currency)), "EUR", TODAY).net
    assert there is not None
    back = guide_price("card", facts(price(str(there.amount), "EUR")), currency, TODAY).net if there.amount else None
    if back is not None:
        assert abs(back.amount - amount) <= Decimal("0.02")

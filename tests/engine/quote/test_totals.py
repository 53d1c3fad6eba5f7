"""Sums: the rounding vectors of known quote tools' defects, and invariants over random quotes."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInputError
from engine.quote.totals import Charge, line_net, sum_up
from engine.quote.vat import VatCase
from engine.units import Money, round_money

nets = st.decimals(min_value=-(10**7), max_value=10**7, places=2, allow_nan=False, allow_infinity=False)
shares = st.decimals(min_value=0, max_value=1, places=4, allow_nan=False, allow_infinity=False)


def _charge(net: str | None, rate: str = "0.19", case: VatCase | None = VatCase.DOMESTIC, label: str = "1.1") -> Charge:
    amount = None if net is None else Decimal(net)
    return Charge(label, amount, amount, case, Decimal(rate))


def test_that_vat_is_rounded_once_on_the_sum() -> None:
    # 3 x 33.33 = 99.99; 19 % = 18.9981 -> 19.00. Per line it would be 3 x 6.33 = 18.99.
    totals = sum_up([_charge("33.33")] * 3, "EUR")
    assert totals.vat is not None
    assert [item.vat for item in totals.vat] == [Money(Decimal("19.00"), "EUR")]
    assert totals.gross == Money(Decimal("118.99"), "EUR")


def test_that_a_line_is_rounded_before_it_is_summed() -> None:
    # 16 x 348.35 x 0.96 = 5350.656 -> 5350.66; 22 % = 1177.1452 -> 1177.15; gross 6527.81 (unrounded line: 6527.80).
    net = line_net(Decimal(16), Decimal("348.35"), Decimal("0.04"))
    assert net == Decimal("5350.66")
    totals = sum_up([_charge(str(net), "0.22")], "EUR")
    assert totals.gross == Money(Decimal("6527.81"), "EUR")


def test_that_cents_are_rounded_half_up() -> None:
    assert round_money(Decimal("2.665")) == Decimal("2.67")
    assert line_net(Decimal(1), Decimal("2.675")) == Decimal("2.68")


def test_that_a_negative_line_does_not_shift_the_tax() -> None:
    # 54.45 + 600.00 - 500.00 = 154.45; 10 % = 15.445 -> 15.45.
    totals = sum_up([_charge("54.45", "0.10"), _charge("600.00", "0.10"), _charge("-500.00", "0.10")], "EUR")
    assert totals.vat is not None
    assert totals.vat[0].vat.amount == Decimal("15.45")


def test_that_what_is_on_request_is_named_and_never_zero() -> None:
    totals = sum_up([_charge("100.00"), _charge(None, label="1.2")], "EUR")
    assert totals.net.amount == Decimal("100.00")
    assert totals.gaps == ("1.2",)
    assert not totals.complete


def test_that_there_is_no_gross_while_the_treatment_is_open() -> None:
    totals = sum_up([_charge("100.00", "0", None)], "EUR")
    assert totals.vat is None
    assert totals.gross is None


def test_that_every_case_has_its_own_sum() -> None:
    charges = [
        _charge("1000.00", "0", VatCase.INTRA_COMMUNITY),
        _charge("200.00", "0", VatCase.REVERSE_CHARGE),
        _charge("50.00", "0", VatCase.INTRA_COMMUNITY),
    ]
    totals = sum_up(charges, "EUR")
    assert totals.vat is not None
    assert {item.case: item.net.amount for item in totals.vat} == {
        VatCase.INTRA_COMMUNITY: Decimal("1050.00"),
        VatCase.REVERSE_CHARGE: Decimal("200.00"),
    }


@pytest.mark.parametrize("discount", ["-0.01", "1.01"])
def test_that_a_surcharge_is_no_discount(discount: str) -> None:
    with pytest.raises(InvalidInputError):
        line_net(Decimal(1), Decimal(1), Decimal(discount))
    with pytest.raises(InvalidInputError):
        sum_up([], "EUR", Decimal(discount))


@given(st.lists(st.tuples(nets, shares, st.sampled_from(VatCase))), shares)
def test_that_sums_are_consistent(lines: list[tuple[Decimal, Decimal, VatCase]], document_discount: Decimal) -> None:
    charges = [
        Charge(
            "1",
            line_net(Decimal(1), net, discount),
            net,
            case,
            Decimal("0.19") if case is VatCase.DOMESTIC else Decimal(0),
        )
        for net, discount, case in lines
    ]
    totals = sum_up(charges, "EUR", document_discount)
    assert totals.vat is not None
    assert totals.gross is not None
    assert totals.before_discount.amount - totals.discount.amount == totals.net.amount
    assert sum((item.net.amount for item in totals.vat), Decimal(0)) == totals.net.amount
    assert totals.gross.amount == totals.net.amount + sum((item.vat.amount for item in totals.vat), Decimal(0))
    for amount in (totals.net, totals.gross, totals.discount, totals.before_discount):
        assert amount.amount == round_money(amount.amount)


@given(st.lists(nets, min_size=1))
def test_that_no_discount_shows_no_discount(lines: list[Decimal]) -> None:
    totals = sum_up([_charge(str(net)) for net in lines], "EUR")
    assert totals.discount.amount == 0


def test_that_only_a_quote_without_any_price_is_on_request_as_a_whole() -> None:
    assert sum_up([_charge(None)], "EUR").nothing_priced
    assert not sum_up([_charge(None), _charge("10.00")], "EUR").nothing_priced
    assert not sum_up([_charge("10.00")], "EUR").nothing_priced
    assert not sum_up([], "EUR").nothing_priced

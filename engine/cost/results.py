"""Cost per result: per run, per million tokens, per validated checkpoint, per TFLOP-hour.

Machines are compared per result and only where they hold the job: an hour on a slow card is not an hour on a fast one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from engine.cost.exact import exact
from engine.cost.types import CostAssumptions
from engine.errors import InvalidInputError
from engine.hardware import Card
from engine.units import FloatBand, Money, MoneyBand, round_money

MILLION = Decimal(1_000_000)


def cost_per_run(hours: FloatBand, cost_per_hour: Money) -> MoneyBand:
    """Hours of one run times the cost of a system hour, rounded to the cent."""
    if not 0 <= hours.low <= hours.expected <= hours.high:
        raise InvalidInputError("The hours of a run must be at least 0 and in the order low, expected, high.")
    low, expected, high = (
        Money(round_money(exact(value) * cost_per_hour.amount), cost_per_hour.currency)
        for value in (hours.low, hours.expected, hours.high)
    )
    return MoneyBand(low, expected, high)


def cost_per_million_tokens(run_cost: MoneyBand, tokens_per_run: int) -> MoneyBand:
    """Cost of a million trained tokens; every epoch's tokens count."""
    if tokens_per_run < 1:
        raise InvalidInputError("The tokens per run must be at least 1.")
    low, expected, high = (
        Money(round_money(value.amount * MILLION / tokens_per_run), value.currency)
        for value in (run_cost.low, run_cost.expected, run_cost.high)
    )
    return MoneyBand(low, expected, high)


@dataclass(frozen=True, slots=True)
class CheckpointCost:
    """What one validated checkpoint costs; `total` is the sum of the lines to the cent.

    `reusable_value` stands beside it and is not subtracted: other results of the same money.
    """

    runs: Decimal  # all runs behind one validated checkpoint, failed and searching ones included
    compute: Money
    recovery: Money
    storage: Money
    transfer: Money
    orchestration: Money
    total: Money
    reusable_value: Money | None


def validated_checkpoint(
    run_hours: Decimal,
    cost_per_hour: Money,
    assumptions: CostAssumptions,
    *,
    successful_runs: int = 1,
    validated: int = 1,
    reusable_value: Money | None = None,
) -> CheckpointCost:
    """Cost per validated checkpoint.

    [hours of all runs x cost per hour + storage + transfer + orchestration + recovery hours x wage] / checkpoints that
    passed validation, with all runs = successful x (1 + search factor) x (1 + failed share). The list of a
    buyer's guide of 2026, divided by the number of results and without adding hours to money.
    """
    if cost_per_hour.currency != assumptions.currency:
        raise InvalidInputError(
            "Cost per hour: expected {expected}, got {given}.",
            expected=assumptions.currency,
            given=cost_per_hour.currency,
        )
    if run_hours < 0 or successful_runs < 1 or not 1 <= validated <= successful_runs:
        raise InvalidInputError("Validated checkpoints must lie between 1 and the number of successful runs.")
    wanted_runs = successful_runs * (1 + assumptions.search_factor)
    failed_runs = wanted_runs * assumptions.failed_run_share
    runs = (wanted_runs + failed_runs) / validated

    def line(amount: Decimal) -> Money:
        return Money(round_money(amount), assumptions.currency)

    compute = line(runs * run_hours * cost_per_hour.amount)
    recovery = line(failed_runs * assumptions.recovery_hours * assumptions.wage_per_hour / validated)
    storage = line(assumptions.storage_per_checkpoint)
    transfer = line(assumptions.transfer_per_checkpoint)
    orchestration = line(assumptions.orchestration_per_checkpoint)
    return CheckpointCost(
        runs=runs,
        compute=compute,
        recovery=recovery,
        storage=storage,
        transfer=transfer,
        orchestration=orchestration,
        total=compute + recovery + storage + transfer + orchestration,
        reusable_value=reusable_value,
    )


@dataclass(frozen=True, slots=True)
class ComputePrice:
    """Price of one dense BF16 TFLOPS for an hour, FP32 accumulation as training uses it."""

    card_id: str
    per_tflop_hour: Decimal  # unrounded, currency of the price
    tflops: Decimal


def cost_per_tflop_hour(price_per_hour: Decimal, tflops: Decimal) -> Decimal:
    """Price of one TFLOPS for an hour; `tflops` dense at the precision used, never a sparse or FP16-accumulate peak."""
    if tflops <= 0:
        raise InvalidInputError("The card's TFLOPS must be greater than 0.")
    return price_per_hour / tflops


def compute_prices(
    priced: Iterable[tuple[Card, Decimal]], holds: Callable[[Card], bool]
) -> tuple[tuple[ComputePrice, ...], tuple[str, ...]]:
    """Order cards by price per TFLOP-hour, and name those left out: they do not hold the job or have no rate."""
    ranked: list[ComputePrice] = []
    left_out: list[str] = []
    for card, price in priced:
        if card.bf16_dense_tflops is None or not holds(card):
            left_out.append(card.id)
            continue
        tflops = card.bf16_dense_tflops.value
        ranked.append(ComputePrice(card.id, cost_per_tflop_hour(price, tflops), tflops))
    ranked.sort(key=lambda entry: (entry.per_tflop_hour, entry.card_id))
    return tuple(ranked), tuple(left_out)

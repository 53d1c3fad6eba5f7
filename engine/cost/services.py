"""Fine-tuning services priced per million trained tokens, as the alternative to any machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from engine.cost.exchange import factor
from engine.cost.types import FineTuningApi
from engine.errors import InvalidInputError
from engine.methods import Method
from engine.prices import ExchangeRate
from engine.units import Money, round_money

MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class ApiJob:
    """What a fine-tuning service would have to do: one workload's tokens."""

    parameters: int
    method: Method
    tokens_per_run: int
    runs_per_year: Decimal
    supervised: bool = True  # the published tiers are for supervised fine-tuning


@dataclass(frozen=True, slots=True)
class ApiComparison:
    """A provider that can train every workload, and what that costs per year."""

    provider: str
    tiers: tuple[FineTuningApi, ...]  # one per job; empty: the customer's own price
    rate: ExchangeRate | None
    per_year: Money

    @property
    def entered(self) -> bool:
        """Whether the price is the customer's own."""
        return not self.tiers


def compare_apis(
    jobs: Sequence[ApiJob],
    apis: Iterable[FineTuningApi],
    entered: Mapping[str, Money],
    currency: str,
    rates: Sequence[ExchangeRate],
    as_of: date,
) -> tuple[ApiComparison, ...]:
    """Providers that can train every job, cheapest first. QLoRA jobs are asked as LoRA: both deliver an adapter.

    Raises InvalidInputError when an entered price is in another currency without a rate.
    """
    found: list[ApiComparison] = []
    if not jobs:
        return ()
    tiers = tuple(apis)
    for provider in dict.fromkeys(api.provider for api in tiers):
        comparison = _provider(
            provider, [api for api in tiers if api.provider == provider], jobs, currency, rates, as_of
        )
        if comparison is not None:
            found.append(comparison)
    for provider, price in entered.items():
        converted = factor(price.currency, currency, rates, as_of)
        if converted is None:
            raise InvalidInputError(
                "API price of {provider}: expected {expected}, got {given}.",
                provider=provider,
                expected=currency,
                given=price.currency,
            )
        tokens = sum((job.tokens_per_run * job.runs_per_year for job in jobs), Decimal(0))
        yearly = tokens / MILLION * price.amount * converted[0]
        found.append(ApiComparison(provider, (), converted[1], Money(round_money(yearly), currency)))
    return tuple(sorted(found, key=lambda entry: (entry.per_year.amount, entry.provider)))


def _provider(
    provider: str,
    tiers: Sequence[FineTuningApi],
    jobs: Sequence[ApiJob],
    currency: str,
    rates: Sequence[ExchangeRate],
    as_of: date,
) -> ApiComparison | None:
    chosen: list[FineTuningApi] = []
    yearly = Decimal(0)
    rate: ExchangeRate | None = None
    for job in jobs:
        method = Method.LORA if job.method is Method.QLORA else job.method
        tier = next(
            (
                api
                for api in tiers
                if job.supervised
                and api.method is method
                and api.parameters_from <= job.parameters
                and (api.parameters_to is None or job.parameters <= api.parameters_to)
            ),
            None,
        )
        converted = None if tier is None else factor(tier.currency, currency, rates, as_of)
        if tier is None or converted is None:
            return None
        worth, rate = converted
        per_run = max(tier.per_million_tokens * job.tokens_per_run / MILLION, tier.minimum or Decimal(0))
        yearly += per_run * worth * job.runs_per_year
        chosen.append(tier)
    return ApiComparison(provider, tuple(chosen), rate, Money(round_money(yearly), currency))

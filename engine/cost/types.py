"""Assumptions about money and power, offers of others, and the customer's own answers.

Shares are fractions (0.1 is 10 %), power is in watts, energy prices per kWh, amounts net of VAT.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from engine.figures import Figure, Grade, Source
from engine.hardware import CardForm, LinkKind
from engine.methods import Method
from engine.prices import ExchangeRate
from engine.units import Money

HOURS_PER_YEAR = Decimal(8760)
MONTHS_PER_YEAR = Decimal(12)
HOURS_PER_MONTH = HOURS_PER_YEAR / MONTHS_PER_YEAR  # 730


class EconomicsKey(StrEnum):
    """Every assumption of the cost side. The value is stable and public: consultation files override by it."""

    ELECTRICITY_PER_KWH = "electricity_per_kwh"
    PUE_DESK = "pue_desk"
    PUE_RACK = "pue_rack"
    PUE_DATA_CENTRE = "pue_data_centre"
    CO2_G_PER_KWH = "co2_g_per_kwh"
    LOAD_POWER_SHARE = "load_power_share"  # of the nameplate power, drawn while working
    IDLE_POWER_SHARE = "idle_power_share"  # of the nameplate power; 0 when switched off between runs
    USEFUL_LIFE_YEARS = "useful_life_years"
    RESIDUAL_SHARE = "residual_share"  # of the purchase price at the end of the horizon
    MAINTENANCE_SHARE = "maintenance_share"  # of the purchase price, per year
    LICENCES_PER_YEAR = "licences_per_year"
    STAFF_PER_YEAR = "staff_per_year"
    ROOM_PER_YEAR = "room_per_year"
    INTEREST_PER_YEAR = "interest_per_year"
    UTILISATION = "utilisation"  # share of the year the machine does useful work; unset: from the planned load
    FAILED_RUN_SHARE = "failed_run_share"
    SEARCH_FACTOR = "search_factor"  # runs of the search phase per run that counts
    RECOVERY_HOURS = "recovery_hours"  # of an engineer, per failed run
    WAGE_PER_HOUR = "wage_per_hour"
    WAITING_PER_HOUR = "waiting_per_hour"  # what an hour less until the results are there may cost
    STORAGE_PER_CHECKPOINT = "storage_per_checkpoint"
    TRANSFER_PER_CHECKPOINT = "transfer_per_checkpoint"
    ORCHESTRATION_PER_CHECKPOINT = "orchestration_per_checkpoint"
    RENTAL_EXTRA_PER_HOUR = "rental_extra_per_hour"  # storage and egress beside the rented cards
    SPEED_RATIO_BAND = "speed_ratio_band"  # factor both ways on the speed of one card relative to another
    DECISION_MARGIN = "decision_margin"  # difference below which neither side is recommended


MONEY_KEYS = frozenset(
    {
        EconomicsKey.ELECTRICITY_PER_KWH,
        EconomicsKey.LICENCES_PER_YEAR,
        EconomicsKey.STAFF_PER_YEAR,
        EconomicsKey.ROOM_PER_YEAR,
        EconomicsKey.WAGE_PER_HOUR,
        EconomicsKey.WAITING_PER_HOUR,
        EconomicsKey.STORAGE_PER_CHECKPOINT,
        EconomicsKey.TRANSFER_PER_CHECKPOINT,
        EconomicsKey.ORCHESTRATION_PER_CHECKPOINT,
        EconomicsKey.RENTAL_EXTRA_PER_HOUR,
    }
)
"""Keys whose value is an amount in `Economics.currency`; an override is in the scenario's currency."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """A default with its origin and the range the sensitivity uses. `low` = `high` = value: not varied."""

    figure: Figure[Decimal]
    low: Decimal
    high: Decimal


@dataclass(frozen=True, slots=True)
class Economics:
    """Every default of the cost side, as the catalogue hands it over."""

    version: str  # date of the figures
    currency: str  # of the amounts among them
    assumptions: Mapping[EconomicsKey, Assumption]
    notes: tuple[Figure[str], ...] = ()  # depreciation, efficiency law: pointers, never in a sum


@dataclass(frozen=True, slots=True)
class OwnershipAnswers:
    """What the customer knows better than the catalogue, and what he needs."""

    overrides: Mapping[EconomicsKey, Decimal] = field(default_factory=dict)  # amounts in the scenario's currency
    needs_own_weights: bool | None = None  # False: results through somebody's model would do; None: not asked
    data_may_leave: bool | None = None  # False: training data must stay in the house; None: not asked
    checkpoint_value: Money | None = None  # what one validated checkpoint is worth to the customer
    api_prices: Mapping[str, Money] = field(default_factory=dict)  # provider -> net price per million trained tokens
    allow_spot: bool = False  # runs may be interrupted
    lease_per_month: Money | None = None  # an entered leasing offer for the whole system over the horizon


@dataclass(frozen=True, slots=True)
class CostAssumptions:
    """The assumptions in force for one scenario: overrides applied, place chosen, one currency, plain numbers.

    `useful_hours_per_year` None means: follows from the planned load.
    """

    currency: str
    years: int
    life_years: Decimal
    electricity_per_kwh: Decimal
    pue: Decimal
    load_power_share: Decimal
    idle_power_share: Decimal
    co2_g_per_kwh: Decimal
    residual_share: Decimal
    maintenance_share: Decimal
    licences_per_year: Decimal
    staff_per_year: Decimal
    room_per_year: Decimal
    interest_per_year: Decimal
    useful_hours_per_year: Decimal | None
    failed_run_share: Decimal
    search_factor: Decimal
    recovery_hours: Decimal
    wage_per_hour: Decimal
    storage_per_checkpoint: Decimal
    transfer_per_checkpoint: Decimal
    orchestration_per_checkpoint: Decimal
    rental_extra_per_hour: Decimal
    speed_ratio_band: Decimal
    decision_margin: Decimal
    waiting_per_hour: Decimal = Decimal(0)
    rate: ExchangeRate | None = None  # used to bring the defaults into `currency`


class RentalTerm(StrEnum):
    """How a rental price is bound."""

    ON_DEMAND = "on-demand"
    SPOT = "spot"  # may be interrupted at any time
    COMMUNITY = "community"  # private hosts of a marketplace
    MARKET_MEDIAN = "market-median"  # median of a marketplace's offers
    CAPACITY_BLOCK = "capacity-block"  # booked ahead for a fixed time
    FLEX_START = "flex-start"  # queued start, limited run time
    RESERVED = "reserved"  # length not stated
    RESERVED_1Y = "reserved-1y"
    RESERVED_3Y = "reserved-3y"
    MONTHLY = "monthly"  # a whole month, used or not


INTERRUPTIBLE = frozenset({RentalTerm.SPOT, RentalTerm.COMMUNITY, RentalTerm.MARKET_MEDIAN})
COMMITTED = frozenset({RentalTerm.RESERVED, RentalTerm.RESERVED_1Y, RentalTerm.RESERVED_3Y, RentalTerm.MONTHLY})
"""Paid for every hour of the term, idle or not."""


@dataclass(frozen=True, slots=True)
class RentalOffer:
    """A published price per card and hour, net. `card_ids` are the catalogue cards it may be.

    More than one id: the source does not name form factor or edition; none: the card is not in the catalogue.
    """

    id: str
    provider: str
    card_ids: tuple[str, ...]
    card_name: str  # as the source names it; `card_ids` says what it leaves open
    region: str  # empty when not stated
    shape: str  # empty when not stated
    cards: int | None  # cards of the shape; None: not stated
    form: CardForm | None
    link: LinkKind | None  # between the cards of one node
    network_gbit_per_s: int | None  # per node
    term: RentalTerm
    low: Decimal  # per card and hour
    high: Decimal  # equal to low for a single price
    currency: str
    as_of: str  # ISO date, possibly only year or year-month
    source: Source
    grade: Grade
    setup_fee: Decimal | None = None
    superseded: bool = False  # recorded for history, not compared
    note: str = ""
    contradicts: tuple[str, ...] = ()

    @property
    def middle(self) -> Decimal:
        """The price the comparison uses: the middle of a range."""
        return (self.low + self.high) / 2


@dataclass(frozen=True, slots=True)
class FineTuningApi:
    """A published price per million trained tokens (every epoch counts), net, for models of a size and a method."""

    id: str
    provider: str
    method: Method
    parameters_from: int  # smallest base model of the tier
    parameters_to: int | None  # largest; None: open
    per_million_tokens: Decimal
    currency: str
    as_of: str
    source: Source
    grade: Grade
    minimum: Decimal | None = None  # least charge per job, where one is published
    note: str = ""

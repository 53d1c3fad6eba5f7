"""The shape of a consultation file, schema 1. Unknown keys are errors."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, model_validator

from catalog.consultation.parts import Amount, Currency, Part, Text
from catalog.consultation.quote_rows import QuoteRow
from catalog.consultation.serving import ServingRow
from engine.cost.types import EconomicsKey
from engine.memory.evidence import Reading
from engine.methods import (
    Attention,
    Checkpointing,
    Loss,
    Method,
    Objective,
    Offload,
    Optimizer,
    Precision,
    Sharding,
    StateRecipe,
)
from engine.quote.parties import CustomerKind
from engine.speed.types import StackClass
from engine.workload import MustHave, Place, Priority

SCHEMA = 1

MAX_TOKENS = 10**15
MAX_SEQUENCE_LENGTH = 10_000_000


class Customer(Part):
    """Who the proposal is for."""

    company: Text = ""
    contact: Text = ""
    address: tuple[Text, ...] = Field(default=(), max_length=8)
    country: Annotated[str, Field(pattern=r"^[A-Z]{2}$")] = "DE"
    delivery_country: Annotated[str, Field(pattern=r"^([A-Z]{2})?$")] = ""
    kind: CustomerKind = CustomerKind.BUSINESS
    vat_id: Text = ""
    number: Text = ""
    reference: Text = ""
    cost_centre: Text = ""


class RecipeSettings(Part):
    """Recipe settings that differ from the method's defaults."""

    states: StateRecipe | None = None
    optimizer: Optimizer = Optimizer.ADAMW
    objective: Objective = Objective.SFT
    rank: Annotated[int, Field(ge=1, le=65_536)] = 16
    targets: tuple[Text, ...] = ("all-linear",)
    adapter_dtype: Literal[Precision.FP32, Precision.BF16] = Precision.FP32
    dora: bool = False
    trains_embeddings: bool = False
    trains_head: bool = False
    kbit_upcast: bool = False
    checkpointing: Checkpointing = Checkpointing.ON
    attention: Attention = Attention.FLASH
    loss: Loss = Loss.PLAIN
    gradient_accumulation: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    packing: bool = True
    offload: Offload = Offload.NONE


class WorkloadRow(Part):
    """One row: a model (catalogue id, or a path to a `config.json`), a method, a sequence length and a load."""

    name: Text = ""
    model: Text | None = None
    config: Text | None = None
    method: Method
    sequence_length: Annotated[int, Field(ge=1, le=MAX_SEQUENCE_LENGTH)]
    micro_batch: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    tokens_per_run: Annotated[int, Field(ge=1, le=MAX_TOKENS)] = 20_000_000
    runs_per_month: Amount = Decimal(4)
    runs_at_once: Annotated[int, Field(ge=1, le=10_000)] = 1
    deadline_hours: Annotated[float, Field(gt=0, le=1_000_000)] | None = None
    sequences_per_step: Annotated[int, Field(ge=1, le=1_000_000)] = 16
    recipe: RecipeSettings = RecipeSettings()

    @model_validator(mode="after")
    def _one_model(self) -> WorkloadRow:
        if (self.model is None) == (self.config is None):
            raise ValueError("give either model (a catalogue id) or config (a path to a config.json)")
        return self


class CalibrationRow(Part):
    """A test run of the customer's own: what ran on which cards, and the tokens per second that all of them reached.

    `workload` names a row of this consultation, whose model, method and settings it shares; without one, `model`,
    `method` and `sequence_length` say what ran. `peak_gib` is the most memory that the fullest card showed,
    in nvidia-smi unless `peak_reading` says otherwise.
    """

    name: Text = ""
    workload: Text | None = None
    model: Text | None = None
    method: Method | None = None
    sequence_length: Annotated[int, Field(ge=1, le=MAX_SEQUENCE_LENGTH)] | None = None
    micro_batch: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    recipe: RecipeSettings = RecipeSettings()
    card: Text
    cards: Annotated[int, Field(ge=1, le=8)] = 1
    sharding: Sharding = Sharding.NONE
    bridge_cards: Literal[2, 4] | None = None
    system: Text | None = None
    power_limit_watts: Annotated[int, Field(ge=1, le=10_000)] | None = None
    stack: StackClass
    tokens_per_second: Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]
    peak_gib: Annotated[float, Field(gt=0, le=100_000, allow_inf_nan=False)] | None = None
    peak_reading: Reading | None = None

    @model_validator(mode="after")
    def _what_ran(self) -> CalibrationRow:
        if (self.workload is None) == (self.model is None):
            raise ValueError("give either workload (the name of a row) or model (a catalogue id)")
        if self.model is not None and (self.method is None or self.sequence_length is None):
            raise ValueError("give method and sequence_length together with model")
        if self.workload is not None and (self.method is not None or self.recipe != RecipeSettings()):
            raise ValueError("method and recipe are those of the workload")
        if self.peak_reading is not None and self.peak_gib is None:
            raise ValueError("give peak_reading together with peak_gib")
        if (self.cards > 1) == (self.sharding is Sharding.NONE):
            raise ValueError("give sharding for more than one card, and for none else")
        return self


class SiteRow(Part):
    """Where the machine will stand; what is left out is not limited."""

    place: Place = Place.RACK
    circuit_watts: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    cooling_watts: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    noise_db_a: Annotated[int, Field(ge=1, le=150)] | None = None
    rack_units: Annotated[int, Field(ge=1, le=1000)] | None = None
    slots: Annotated[int, Field(ge=1, le=1000)] | None = None


class OwnershipRow(Part):
    """What the customer knows better than the catalogue about cost. Assumptions are given by their key."""

    assumptions: dict[EconomicsKey, Amount] = Field(default_factory=dict)
    needs_own_weights: bool | None = None
    data_may_leave: bool | None = None
    checkpoint_value: Amount | None = None
    api_prices: dict[str, Amount] = Field(default_factory=dict)
    allow_spot: bool = False
    lease_per_month: Amount | None = None


class Consultation(Part):
    """One consultation as it is stored."""

    schema_number: Annotated[Literal[1], Field(alias="schema")] = 1
    title: Text = ""
    customer: Customer = Customer()
    language: Literal["de", "en"] = "de"
    currency: Currency = "EUR"
    date: datetime.date | None = None
    workloads: tuple[WorkloadRow, ...] = Field(default=(), max_length=1000)
    serving: tuple[ServingRow, ...] = Field(default=(), max_length=100)
    site: SiteRow = SiteRow()
    must_have: tuple[MustHave, ...] = ()
    budget: Amount | None = None
    priority: Priority = Priority.PURCHASE_PRICE
    horizon_years: Annotated[int, Field(ge=1, le=15)] = 3
    headroom_percent: Annotated[int, Field(ge=0, le=100)] = 15
    prices: dict[str, Amount] = Field(default_factory=dict)
    stack: StackClass | None = None
    calibrations: tuple[CalibrationRow, ...] = Field(default=(), max_length=100)
    ownership: OwnershipRow = OwnershipRow()
    catalogue: Annotated[str, Field(max_length=40)] = ""  # version whose figures were last taken over
    notes: Annotated[str, Field(max_length=20_000)] = ""
    quote: QuoteRow = QuoteRow()

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_alias=True, validate_by_name=True)

"""The shape of the catalogue's files: cards, machines, items, prices, rates, rules, sources.

Own entries in the user's data folder have the same shape as the bundled ones.
"""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from catalog.data_file import DataPart
from engine.figures import Basis, Grade
from engine.hardware import Availability, CardForm, Cooling, ItemKind, LinkKind, SystemKind
from engine.prices import PriceKind

SCHEMA = 1

T = TypeVar("T")

Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=80)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=600)]
Note = Annotated[str, StringConstraints(max_length=1000)]
CurrencyCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]
CountryCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")]


def _in_the_calendar(text: str) -> str:
    """Refuse days such as 31 February, which a pattern lets through. A month or a year stands for its first day."""
    try:
        date.fromisoformat((text.partition(".")[0] + "-01-01")[:10])
    except ValueError as error:
        raise PydanticCustomError("date_parsing", "a day of the calendar is needed") from error
    return text


_CALENDAR = AfterValidator(_in_the_calendar)
PartialDate = Annotated[
    str, StringConstraints(pattern=r"^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$"), _CALENDAR
]
FullDate = Annotated[str, StringConstraints(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$"), _CALENDAR]
Version = Annotated[
    str, StringConstraints(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(\.\d{1,3})?$"), _CALENDAR
]
Capability = Annotated[str, StringConstraints(pattern=r"^\d+\.\d+$")]


def _number_text(value: object) -> object:
    """YAML's binary floats go through their shortest text, so 503.8 stays 503.8."""
    if isinstance(value, bool):
        raise ValueError("a number is needed here, not true or false")
    return str(value) if isinstance(value, float) else value


def _money_text(value: object) -> object:
    if not isinstance(value, str) or not re.fullmatch(r"\d{1,12}(\.\d{1,6})?", value):
        raise ValueError('write amounts as quoted text with a point, for example "1573.45"')
    return value


Decimals = Annotated[Decimal, BeforeValidator(_number_text), Field(ge=0, allow_inf_nan=False)]
Positive = Annotated[Decimal, BeforeValidator(_number_text), Field(gt=0, allow_inf_nan=False)]
Amount = Annotated[Decimal, BeforeValidator(_money_text)]
WholePositive = Annotated[int, Field(gt=0, strict=True)]


class Sourced(DataPart):
    """What every figure states about its origin."""

    source: Id
    grade: Grade
    basis: Basis
    note: Note = ""
    contradicts: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _memory_is_assumed(self) -> Sourced:
        if self.grade is Grade.M and self.basis is not Basis.ASSUMED:
            raise ValueError("a figure from memory (grade M) has the basis assumed")
        return self


class FigureRow(Sourced, Generic[T]):
    """A sourced value."""

    value: T
    unit: Annotated[str, StringConstraints(max_length=40)] = ""


Whole = FigureRow[WholePositive]
Number = FigureRow[Positive]
Words = FigureRow[Text]
Flag = FigureRow[Annotated[bool, Field(strict=True)]]
Detail = FigureRow[
    Annotated[bool, Field(strict=True)] | Annotated[int, Field(strict=True)] | Decimals | Text  # tried in this order
]


class SourceEntry(DataPart):
    """A document. `url` is empty when the page address was not recorded."""

    title: Text
    url: Annotated[str, StringConstraints(pattern=r"^(https?://\S+)?$", max_length=500)] = ""
    document_date: Text
    read_date: Annotated[str, StringConstraints(pattern=r"^(\d{4}(-\d\d(-\d\d)?)?)?$")] = ""
    read_via: Note = ""


class NvLinkRow(DataPart):
    """The direct link of a card beside PCIe."""

    kind: LinkKind
    gb_per_s_per_direction: Number
    max_cards: Annotated[int, Field(ge=2)]
    bridge_sizes: tuple[Annotated[int, Field(ge=2)], ...] = ()


class MigRow(Sourced):
    """Instances of one size that fit on one card at once."""

    name: Text
    instances: WholePositive
    memory_gb: Positive
    usable_bytes: Whole | None = None


class FormatsRow(DataPart):
    """Training formats by the gates of one library release."""

    fp8: bool
    mxfp8: bool
    nvfp4: bool
    source: Id


class CardRow(DataPart):
    """A card edition."""

    id: Id
    name: Text
    short_name: Annotated[str, StringConstraints(min_length=1, max_length=24)]
    vendor: Text
    family: Id
    architecture: Text
    availability: Availability = Availability.CURRENT
    form: CardForm
    slot_width: Annotated[int, Field(ge=0, le=4)]
    power_limits_w: tuple[WholePositive, ...] = ()
    cooling: FigureRow[Cooling]
    memory_gb: Number
    usable_bytes: Whole
    bandwidth_gb_per_s: Number | None = None
    bf16_dense_tflops: Number | None = None
    measured_bf16_tflops: Number | None = None
    fp8_dense_tflops: Number | None = None
    fp32_tflops: Number | None = None
    power_w: Whole
    pcie_gb_per_s: Number | None = None
    max_per_workstation: Whole | None = None
    vgpu: Words | None = None
    supports_vgpu: bool | None = None
    ecc: Flag | None = None
    compute_capability: FigureRow[Capability] | None = None
    nvlink: NvLinkRow | None = None
    mig: tuple[MigRow, ...] = ()
    formats: FormatsRow | None = None
    details: dict[Id, Detail] = Field(default_factory=dict)
    notes: tuple[Text, ...] = ()


class OptionRow(Sourced):
    """A card a machine is listed for. `max_cards` null: the document names the card but no count."""

    card: Id
    max_cards: WholePositive | None
    min_cards: WholePositive = 1
    power_cap_w: WholePositive | None = None
    nvlink_bridges: bool = False


class PsuRow(DataPart):
    """This many double-width cards need this many supplies."""

    cards_from: WholePositive
    cards_to: WholePositive
    supplies: WholePositive
    watts_each: WholePositive | None = None
    source: Id
    grade: Grade


class KitRow(DataPart):
    """An item a machine needs for a card from a count on."""

    item: Id
    card: Id
    cards_from: WholePositive
    quantity: WholePositive = 1
    source: Id
    grade: Grade


class SystemRow(DataPart):
    """A machine."""

    id: Id
    name: Text
    vendor: Text
    kind: SystemKind
    built_to_order: bool = False
    fixed_cards: bool = False
    source: Id
    rack_units: Whole | None = None
    slots: Whole | None = None
    host_memory_max_gb: Whole | None = None
    host_cores_max: Whole | None = None
    psu_watts_usable: Whole | None = None
    base_power_w: Whole | None = None
    inlet_max_c: Whole | None = None
    noise_db_a: Whole | None = None
    topology: Words | None = None
    pcie_peer_gb_per_s: Number | None = None
    options: tuple[OptionRow, ...] = ()
    psu_rules: tuple[PsuRow, ...] = ()
    kits: tuple[KitRow, ...] = ()
    details: dict[Id, Detail] = Field(default_factory=dict)
    notes: tuple[Text, ...] = ()


class ItemRow(Sourced):
    """A bridge, a kit, included software, or a price reference."""

    id: Id
    name: Text
    kind: ItemKind
    for_cards: tuple[Id, ...] = ()
    bridge_size: Annotated[int, Field(ge=2)] | None = None
    part_numbers: dict[Text, Text] = Field(default_factory=dict)
    included_with_card: bool = False


class PriceRow(DataPart):
    """One price: `amount`, or a range `low` to `high`."""

    item: Id
    amount: Amount | None = None
    low: Amount | None = None
    high: Amount | None = None
    currency: CurrencyCode
    kind: PriceKind
    includes_vat: bool
    vat_country: CountryCode | Literal[""] = ""
    as_of: PartialDate
    source: Id
    grade: Grade
    valid_until: FullDate | None = None
    superseded: bool = False
    note: Note = ""

    @model_validator(mode="after")
    def _one_amount(self) -> PriceRow:
        if {self.low is None, self.high is None} != {self.amount is not None}:
            raise ValueError("give either amount, or low and high")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError("low is above high")
        zero = (self.amount if self.amount is not None else self.low) == 0
        if zero is not (self.kind is PriceKind.INCLUDED):
            raise ValueError("zero is only for kind included; what has no price is left out")
        if self.includes_vat and not self.vat_country:
            raise ValueError("a price with VAT needs vat_country")
        return self

    @property
    def ends(self) -> tuple[Decimal, Decimal]:
        """The low and the high end; one amount is both."""
        low, high = (self.low, self.high) if self.amount is None else (self.amount, self.amount)
        if low is None or high is None:
            raise AssertionError("a price has been checked to have an amount or both ends")
        return low, high


class RateRow(DataPart):
    """Units of `quote` per one `base`."""

    base: CurrencyCode
    quote: CurrencyCode
    rate: Annotated[Decimal, BeforeValidator(_money_text), Field(gt=0)]
    as_of: FullDate
    source: Id
    grade: Grade
    note: Note = ""


class GateRow(DataPart):
    """From which compute capability a library trains in a format."""

    format: Literal["fp8", "mxfp8", "nvfp4"]
    from_capability: Capability
    below_capability: Capability | None = None
    source: Id
    grade: Grade
    note: Note = ""


class CircuitRow(DataPart):
    """A kind of power circuit."""

    id: Id
    name: Text
    amps: Whole
    nominal_w: Whole
    sustained_w: Whole


class HostMinimumRow(DataPart):
    """What a host needs at least for each card."""

    cores_per_card: Whole
    memory_gb_per_card: Whole


class NoiseRow(DataPart):
    """Upper limit of the rating level at a workplace."""

    id: Id
    db_a: Whole


class VatRow(DataPart):
    """A country's standard rate from a date on."""

    country: CountryCode
    percent: Annotated[Decimal, BeforeValidator(_money_text), Field(lt=100)]
    valid_from: FullDate | None = None
    source: Id
    grade: Grade
    note: Note = ""


class StandInRow(DataPart):
    """The sibling whose price orders an item, and why."""

    item: Id
    note: Text


class _File(DataPart):
    schema_number: Literal[1] = Field(alias="schema")


class SourcesFile(_File):
    """sources.yaml."""

    sources: dict[Id, SourceEntry]


class CardsFile(_File):
    """cards.yaml."""

    cards: tuple[CardRow, ...]


class SystemsFile(_File):
    """systems.yaml."""

    systems: tuple[SystemRow, ...]


class ItemsFile(_File):
    """items.yaml."""

    items: tuple[ItemRow, ...]


class PricesFile(_File):
    """prices.yaml."""

    prices: tuple[PriceRow, ...]


class RatesFile(_File):
    """exchange_rates.yaml."""

    rates: tuple[RateRow, ...]


class RulesFile(_File):
    """rules.yaml."""

    version: Version
    format_gates: tuple[GateRow, ...] = ()
    circuits: tuple[CircuitRow, ...] = ()
    host_minimum: HostMinimumRow | None = None
    noise_limits: tuple[NoiseRow, ...] = ()
    vat_rates: tuple[VatRow, ...] = ()
    ranking_stand_ins: dict[Id, StandInRow] = Field(default_factory=dict)

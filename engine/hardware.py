"""What can be bought: cards, bridges and machines, each figure with its origin."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from engine.figures import Basis, Figure, Grade, Source


class Cooling(StrEnum):
    """How a card gets rid of its heat."""

    ACTIVE = "active"  # open double flow-through fans: needs air round it
    BLOWER = "blower"  # exhausts out of the case: may stand side by side
    PASSIVE = "passive"  # needs the airflow of a server that lists the card
    LIQUID = "liquid"
    NOT_STATED = "not-stated"


class CardForm(StrEnum):
    """How a card is built in."""

    PCIE = "pcie"
    SXM = "sxm"
    OAM = "oam"
    RACK_SCALE = "rack-scale"  # one GPU of an NVL72 rack
    UNIT = "unit"  # a complete small computer such as DGX Spark


class Availability(StrEnum):
    """Whether a card can still be recommended."""

    CURRENT = "current"
    END_OF_LIFE = "end-of-life"
    PRELIMINARY = "preliminary"


class LinkKind(StrEnum):
    """How cards of one machine talk to each other."""

    NONE = "none"
    PCIE = "pcie"
    NVLINK_BRIDGE = "nvlink-bridge"
    NVSWITCH = "nvswitch"
    INFINITY_FABRIC = "infinity-fabric"
    ETHERNET = "ethernet"


@dataclass(frozen=True, slots=True)
class NvLink:
    """The direct link of a card beside PCIe. Rates are GB/s per direction and card."""

    kind: LinkKind
    gb_per_s_per_direction: Figure[Decimal]
    max_cards: int  # cards joined by one bridge or switch
    bridge_sizes: tuple[int, ...] = ()  # 2- and 4-way bridges; empty without bridges


@dataclass(frozen=True, slots=True)
class MigProfile:
    """Instances of one size that fit on one card at once."""

    name: str  # e.g. 1g.24gb
    instances: int
    memory_gb: Decimal  # size by the profile's name
    figure: Figure[str]
    usable_bytes: Figure[int] | None = None  # by the driver's list of profiles; None: derived from name and card


@dataclass(frozen=True, slots=True)
class Card:
    """A card edition. `None` means: no published figure was found."""

    id: str
    name: str
    short_name: str  # for tables and bars
    vendor: str
    family: str  # editions of one product share a family, e.g. rtx_pro_6000_blackwell
    architecture: str
    availability: Availability
    form: CardForm
    cooling: Figure[Cooling]
    memory_gb: Figure[Decimal]  # datasheet capacity
    usable_bytes: Figure[int]  # driver total; fit is computed against this
    bandwidth_gb_per_s: Figure[Decimal] | None
    bf16_dense_tflops: Figure[Decimal] | None
    measured_bf16_tflops: Figure[Decimal] | None  # sustained matrix rate, where somebody measured it
    fp8_dense_tflops: Figure[Decimal] | None
    fp32_tflops: Figure[Decimal] | None
    power_w: Figure[int]
    power_limits_w: tuple[int, ...]  # settings below power_w that the vendor names
    slot_width: int
    pcie_gb_per_s: Figure[Decimal] | None  # theoretical, per direction
    nvlink: NvLink | None
    mig: tuple[MigProfile, ...]
    max_per_workstation: Figure[int] | None
    vgpu: Figure[str] | None
    supports_vgpu: bool | None
    ecc: Figure[bool] | None
    compute_capability: Figure[str] | None
    fp8: bool | None  # training formats by Transformer Engine's gates
    mxfp8: bool | None
    nvfp4: bool | None
    formats_source: Source | None
    details: dict[
        str, Figure[object]
    ]  # every further figure of the catalogue, by key, for the comparison and footnotes
    notes: tuple[str, ...] = ()


class SystemKind(StrEnum):
    """What a machine is."""

    WORKSTATION = "workstation"
    SERVER = "server"
    UNIT = "unit"
    RACK = "rack"


@dataclass(frozen=True, slots=True)
class CardOption:
    """A card a machine is listed for. `max_cards` None: the document names the card but no count."""

    card_id: str
    max_cards: int | None
    min_cards: int
    power_cap_w: int | None
    nvlink_bridges: bool  # bridges are documented for this pairing
    note: str
    source: Source
    grade: Grade
    basis: Basis


@dataclass(frozen=True, slots=True)
class PsuRule:
    """A table row of the vendor: this many double-width cards need this many supplies."""

    cards_from: int
    cards_to: int
    supplies: int
    watts_each: int | None


class ItemKind(StrEnum):
    """What a catalogue item beside cards and machines is."""

    NVLINK_BRIDGE = "nvlink-bridge"
    KIT = "kit"
    SOFTWARE = "software"
    PRICE_REFERENCE = "price-reference"  # never sold: a published price taken apart, to order machines without a price


@dataclass(frozen=True, slots=True)
class Item:
    """What goes with a card or a machine: bridges, fan kits, included licences."""

    id: str
    name: str
    kind: ItemKind
    for_cards: tuple[str, ...]
    bridge_size: int | None  # cards joined by one bridge
    part_numbers: tuple[tuple[str, str], ...]  # vendor, number
    included_with_card: bool  # comes with every one of `for_cards` at no charge
    note: str
    source: Source
    grade: Grade
    basis: Basis


@dataclass(frozen=True, slots=True)
class RequiredKit:
    """An item a machine needs for a card from a count on."""

    item_id: str
    card_id: str
    cards_from: int
    quantity: int
    source: Source
    grade: Grade


@dataclass(frozen=True, slots=True)
class System:
    """A machine. `built_to_order` ones are the seller's own and marked as assumptions."""

    id: str
    name: str
    vendor: str
    kind: SystemKind
    built_to_order: bool
    rack_units: Figure[int] | None
    slots: Figure[int] | None  # double-width slots
    options: tuple[CardOption, ...]
    fixed_cards: bool  # sold only fully populated (HGX, DGX)
    host_memory_max_gb: Figure[int] | None
    psu_watts_usable: Figure[int] | None  # all supplies that may carry load together
    psu_rules: tuple[PsuRule, ...]
    base_power_w: Figure[int] | None  # machine without cards under load
    noise_db_a: Figure[int] | None
    topology: Figure[str] | None
    pcie_peer_gb_per_s: Figure[Decimal] | None  # measured all-to-all or peer rate, where known
    details: dict[str, Figure[object]]
    source: Source
    notes: tuple[str, ...] = ()
    kits: tuple[RequiredKit, ...] = ()
    inlet_max_c: Figure[int] | None = None  # highest air temperature at the inlet
    host_cores_max: Figure[int] | None = None  # physical processor cores, all sockets together

    def option_for(self, card_id: str) -> CardOption | None:
        """The listing of a card, or None when the machine is not listed for it."""
        return next((option for option in self.options if option.card_id == card_id), None)

    def options_for(self, card_id: str) -> tuple[CardOption, ...]:
        """Every listing of a card: a machine may take two at full power and four under a cap."""
        return tuple(option for option in self.options if option.card_id == card_id)


@dataclass(frozen=True, slots=True)
class Bridging:
    """NVLink bridges of a plan."""

    size: int  # 2- or 4-way
    count: int
    islands: int

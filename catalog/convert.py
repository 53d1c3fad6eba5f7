"""From validated rows to the engine's types. A source that does not resolve raises `UnknownSourceError`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TypeVar

from catalog.schema import (
    CardRow,
    CircuitRow,
    Detail,
    FigureRow,
    HostMinimumRow,
    ItemRow,
    KitRow,
    MigRow,
    NoiseRow,
    NvLinkRow,
    OptionRow,
    PriceRow,
    PsuRow,
    RateRow,
    SourceEntry,
    SystemRow,
    VatRow,
)
from engine.errors import PassformError
from engine.figures import Figure, Source
from engine.hardware import Card, CardOption, Item, MigProfile, NvLink, PsuRule, RequiredKit, System
from engine.prices import ExchangeRate, Price, VatRate
from engine.site_rules import Circuit, HostMinimum, NoiseLimit

T = TypeVar("T")


class UnknownSourceError(PassformError):
    """A figure names a source that no file describes."""

    def __init__(self, source_id: str) -> None:
        super().__init__("the source {source} is not described in sources.yaml", source=source_id)


class Converter:
    """Turns rows into engine types with the sources at hand."""

    def __init__(self, sources: Mapping[str, SourceEntry]) -> None:
        self.sources = {
            key: Source(key, row.title, row.url, row.document_date, row.read_date, row.read_via)
            for key, row in sources.items()
        }

    def source(self, key: str) -> Source:
        """The source of an id. Raises `UnknownSourceError`."""
        found = self.sources.get(key)
        if found is None:
            raise UnknownSourceError(key)
        return found

    def figure(self, row: FigureRow[T]) -> Figure[T]:
        """A sourced value."""
        return Figure(row.value, row.unit, self.source(row.source), row.grade, row.basis, row.note, row.contradicts)

    def maybe(self, row: FigureRow[T] | None) -> Figure[T] | None:
        """A sourced value, or None when none was found."""
        return None if row is None else self.figure(row)

    def card(self, row: CardRow) -> Card:
        """A card edition."""
        formats = row.formats
        return Card(
            id=row.id,
            name=row.name,
            short_name=row.short_name,
            vendor=row.vendor,
            family=row.family,
            architecture=row.architecture,
            availability=row.availability,
            form=row.form,
            cooling=self.figure(row.cooling),
            memory_gb=self.figure(row.memory_gb),
            usable_bytes=self.figure(row.usable_bytes),
            bandwidth_gb_per_s=self.maybe(row.bandwidth_gb_per_s),
            bf16_dense_tflops=self.maybe(row.bf16_dense_tflops),
            measured_bf16_tflops=self.maybe(row.measured_bf16_tflops),
            fp8_dense_tflops=self.maybe(row.fp8_dense_tflops),
            fp32_tflops=self.maybe(row.fp32_tflops),
            power_w=self.figure(row.power_w),
            power_limits_w=row.power_limits_w,
            slot_width=row.slot_width,
            pcie_gb_per_s=self.maybe(row.pcie_gb_per_s),
            nvlink=None if row.nvlink is None else self._nvlink(row.nvlink),
            mig=tuple(self._mig(profile) for profile in row.mig),
            max_per_workstation=self.maybe(row.max_per_workstation),
            vgpu=self.maybe(row.vgpu),
            supports_vgpu=row.supports_vgpu,
            ecc=self.maybe(row.ecc),
            compute_capability=self.maybe(row.compute_capability),
            fp8=None if formats is None else formats.fp8,
            mxfp8=None if formats is None else formats.mxfp8,
            nvfp4=None if formats is None else formats.nvfp4,
            formats_source=None if formats is None else self.source(formats.source),
            details={key: self._detail(detail) for key, detail in row.details.items()},
            notes=row.notes,
        )

    def system(self, row: SystemRow) -> System:
        """A machine."""
        return System(
            id=row.id,
            name=row.name,
            vendor=row.vendor,
            kind=row.kind,
            built_to_order=row.built_to_order,
            rack_units=self.maybe(row.rack_units),
            slots=self.maybe(row.slots),
            options=tuple(self._option(option) for option in row.options),
            fixed_cards=row.fixed_cards,
            host_memory_max_gb=self.maybe(row.host_memory_max_gb),
            psu_watts_usable=self.maybe(row.psu_watts_usable),
            psu_rules=tuple(self._psu(rule) for rule in row.psu_rules),
            base_power_w=self.maybe(row.base_power_w),
            noise_db_a=self.maybe(row.noise_db_a),
            topology=self.maybe(row.topology),
            pcie_peer_gb_per_s=self.maybe(row.pcie_peer_gb_per_s),
            details={key: self._detail(detail) for key, detail in row.details.items()},
            source=self.source(row.source),
            notes=row.notes,
            kits=tuple(self._kit(kit) for kit in row.kits),
            inlet_max_c=self.maybe(row.inlet_max_c),
            host_cores_max=self.maybe(row.host_cores_max),
        )

    def item(self, row: ItemRow) -> Item:
        """A bridge, a kit, included software or a price reference."""
        return Item(
            id=row.id,
            name=row.name,
            kind=row.kind,
            for_cards=row.for_cards,
            bridge_size=row.bridge_size,
            part_numbers=tuple(row.part_numbers.items()),
            included_with_card=row.included_with_card,
            note=row.note,
            source=self.source(row.source),
            grade=row.grade,
            basis=row.basis,
        )

    def price(self, row: PriceRow) -> Price:
        """One price record."""
        return price_record(row, self.source(row.source))

    def rate(self, row: RateRow) -> ExchangeRate:
        """One exchange rate."""
        return ExchangeRate(
            row.base, row.quote, row.rate, date.fromisoformat(row.as_of), self.source(row.source), row.grade
        )

    def vat(self, row: VatRow) -> VatRate:
        """One VAT rate."""
        start = None if row.valid_from is None else date.fromisoformat(row.valid_from)
        return VatRate(row.country, row.percent, start, self.source(row.source), row.grade, row.note)

    def circuit(self, row: CircuitRow) -> Circuit:
        """A kind of power circuit."""
        return Circuit(
            row.id, row.name, self.figure(row.amps), self.figure(row.nominal_w), self.figure(row.sustained_w)
        )

    def host_minimum(self, row: HostMinimumRow) -> HostMinimum:
        """What a host needs for each card."""
        return HostMinimum(self.figure(row.cores_per_card), self.figure(row.memory_gb_per_card))

    def noise(self, row: NoiseRow) -> NoiseLimit:
        """A limit at the workplace."""
        return NoiseLimit(row.id, self.figure(row.db_a))

    def _detail(self, row: Detail) -> Figure[object]:
        value: object = row.value
        return Figure(value, row.unit, self.source(row.source), row.grade, row.basis, row.note, row.contradicts)

    def _nvlink(self, row: NvLinkRow) -> NvLink:
        return NvLink(row.kind, self.figure(row.gb_per_s_per_direction), row.max_cards, row.bridge_sizes)

    def _mig(self, row: MigRow) -> MigProfile:
        figure = Figure(row.name, "", self.source(row.source), row.grade, row.basis, row.note, row.contradicts)
        return MigProfile(row.name, row.instances, row.memory_gb, figure, self.maybe(row.usable_bytes))

    def _option(self, row: OptionRow) -> CardOption:
        return CardOption(
            card_id=row.card,
            max_cards=row.max_cards,
            min_cards=row.min_cards,
            power_cap_w=row.power_cap_w,
            nvlink_bridges=row.nvlink_bridges,
            note=row.note,
            source=self.source(row.source),
            grade=row.grade,
            basis=row.basis,
        )

    def _psu(self, row: PsuRow) -> PsuRule:
        self.source(row.source)
        return PsuRule(row.cards_from, row.cards_to, row.supplies, row.watts_each)

    def _kit(self, row: KitRow) -> RequiredKit:
        return RequiredKit(row.item, row.card, row.cards_from, row.quantity, self.source(row.source), row.grade)


def price_record(row: PriceRow, source: Source) -> Price:
    """A price with what stands behind it."""
    low, high = row.ends
    return Price(
        item_id=row.item,
        low=low,
        high=high,
        currency=row.currency,
        kind=row.kind,
        includes_vat=row.includes_vat,
        as_of=row.as_of,
        source=source,
        grade=row.grade,
        valid_until=None if row.valid_until is None else date.fromisoformat(row.valid_until),
        superseded=row.superseded,
        note=row.note,
        vat_country=row.vat_country,
    )

"""Names of rows and groups of a comparison, and what its cells say: one wording for screen, paper and export."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from engine.compare import RULED_OUT, Cell, Gap, Row, Unit
from engine.fit import Verdict
from engine.hardware import Availability, CardForm, Cooling, SystemKind
from engine.units import ByteBand, FloatBand, Money, MoneyBand
from engine.wording import numbers
from engine.wording.catalogue_texts import item_name, topology_text
from engine.wording.labels import label
from engine.wording.translator import Language, Translator, mark

_GROUPS = {
    "fits": mark("Fits your tasks"),
    "speed": mark("Speed"),
    "power": mark("Power and cooling"),
    "place": mark("Place"),
    "memory": mark("Memory"),
    "connections": mark("Connections"),
    "price": mark("Price"),
    "running": mark("Running cost"),
}
_FIGURES = {
    "cards_planned": mark("Cards of the plan"),
    "verdict": mark("Verdict"),
    "required_bytes": mark("Needed per card"),
    "free_bytes": mark("Free per card"),
    "hours_per_run": mark("Time per run"),
    "tokens_per_second": mark("Tokens per second"),
    "cost_per_run": mark("Cost per run"),
    "requests_at_once": mark("Requests at once"),
    "bf16_dense_tflops": mark("BF16, dense, published"),
    "measured_bf16_tflops": mark("BF16, measured"),
    "fp8_dense_tflops": mark("FP8, dense, published"),
    "fp32_tflops": mark("FP32, published"),
    "formats": mark("Training formats below 16 bits"),
    "power_w": mark("Power"),
    "cooling": mark("Cooling"),
    "form": mark("Form"),
    "slot_width": mark("Slots per card"),
    "max_per_workstation": mark("Most per workstation"),
    "memory_gb": mark("Memory by datasheet"),
    "usable_bytes": mark("Usable by driver"),
    "bandwidth_gb_per_s": mark("Memory bandwidth"),
    "ecc": mark("ECC"),
    "mig": mark("MIG instances"),
    "nvlink_gb_per_s": mark("NVLink per direction"),
    "nvlink_cards": mark("Cards per NVLink group"),
    "pcie_gb_per_s": mark("PCIe per direction"),
    "vgpu": mark("vGPU"),
    "availability": mark("Availability"),
    "price": mark("Net price"),
    "kind": mark("Kind of machine"),
    "built_to_order": mark("Built to order"),
    "rack_units": mark("Height in rack units"),
    "slots": mark("Double-width slots"),
    "noise_db_a": mark("Noise"),
    "base_power_w": mark("Power without cards"),
    "psu_watts_usable": mark("Usable power of the supplies"),
    "host_memory_max_gb": mark("Largest host memory"),
    "topology": mark("PCIe topology"),
    "pcie_peer_gb_per_s": mark("PCIe between cards, measured"),
    "cards": mark("Cards"),
    "system": mark("System"),
    "bridge": mark("NVLink bridge"),
    "cost_per_month": mark("Cost per month"),
    "monthly_utilisation": mark("Utilisation of the month"),
    "max_cards": mark("Number of cards the machine is listed for"),
}
_IN_SENTENCES = {  # where the name of the row says more than a sentence needs
    "bf16_dense_tflops": mark("dense BF16 matrix rate"),
    "max_cards": mark("number of cards the machine is listed for"),
}
_GAPS = {
    Gap.NOT_PUBLISHED: mark("no figure published"),
    Gap.NOT_APPLICABLE: "\N{EN DASH}",
    Gap.ON_REQUEST: mark("on request"),
    Gap.NOT_SIZED: mark("not examined"),
}
# Computed by us: where they are missing, nobody failed to publish them.
_COMPUTED = frozenset({"hours_per_run", "tokens_per_second", "cost_per_run", "cost_per_month", "monthly_utilisation"})
_WORD_SETS: dict[str, type[StrEnum]] = {
    "verdict": Verdict,
    "cooling": Cooling,
    "form": CardForm,
    "availability": Availability,
    "kind": SystemKind,
}


def figure_name(key: str, tr: Translator) -> str:
    """What a figure of the catalogue or of a plan is called; an unknown key stays as it is."""
    return tr.gettext(_FIGURES[key]) if key in _FIGURES else key


def figure_in_sentence(key: str, tr: Translator) -> str:
    """What a figure is called at the end of a sentence."""
    return tr.gettext(_IN_SENTENCES[key]) if key in _IN_SENTENCES else figure_name(key, tr)


def row_name(row: Row, tr: Translator) -> str:
    """The row's name, with its workload where it is about one."""
    name = figure_name(row.key, tr)
    return tr.gettext("{workload}: {sentence}").format(workload=row.subject, sentence=name) if row.subject else name


def group_name(group: str, tr: Translator) -> str:
    """What a group of rows is called."""
    return tr.gettext(_GROUPS[group])


def cell_text(row: Row, cell: Cell, tr: Translator, language: Language) -> str:
    """What a cell says, with its unit; a gap says why there is no value, and a card that is out is said to be."""
    text = _value_text(row, cell, tr, language)
    return tr.gettext("{value} (ruled out)").format(value=text) if cell.note == RULED_OUT else text


def _value_text(row: Row, cell: Cell, tr: Translator, language: Language) -> str:
    if cell.value is None:
        if cell.gap is Gap.NOT_PUBLISHED and row.key in _COMPUTED:
            return tr.gettext("not known")
        return tr.gettext(_GAPS[cell.gap or Gap.NOT_APPLICABLE])
    value = cell.value
    if isinstance(value, bool):
        return tr.gettext("yes") if value else tr.gettext("no")
    if isinstance(value, tuple):
        return ", ".join(value) if value else tr.gettext("none")
    if isinstance(value, str):
        if row.key == "topology":
            return topology_text(value, tr)
        words = _WORD_SETS.get(row.key)
        return label(words(value), tr) if words is not None and value in set(words) else item_name(value, tr)
    if isinstance(value, Money):
        return numbers.money_whole(value, language)
    if isinstance(value, MoneyBand):
        return numbers.money_band(value.low.rounded(), value.high.rounded(), language)
    if isinstance(value, FloatBand | ByteBand):
        return numbers.band(value.low, value.high, lambda end: _quantity(row.unit, Decimal(repr(end)), language))
    return _quantity(row.unit, Decimal(value) if not isinstance(value, float) else Decimal(repr(value)), language)


def _quantity(unit: Unit, value: Decimal, language: Language) -> str:
    match unit:
        case Unit.BYTES:
            return numbers.gigabytes(int(value), language)
        case Unit.SECONDS:
            return numbers.seconds(float(value), language)
        case Unit.HOURS:
            return numbers.hours(float(value), language)
        case Unit.SHARE:
            return numbers.percent(value, language)
        case Unit.WATTS:
            return numbers.watts(value, language)
        case Unit.RACK_UNITS:
            return numbers.rack_units(value, language)
        case Unit.TOKENS_PER_S:
            return numbers.significant(value, language)
        case _:
            return numbers.with_unit(numbers.plain(value, language), unit.value)

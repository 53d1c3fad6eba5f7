"""Hand-made facts for the planner's tests: only what a test names differs from a plain card in a plain machine."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from engine.facts import Facts
from engine.figures import Basis, Figure, Grade, Source
from engine.hardware import (
    Availability,
    Card,
    CardForm,
    CardOption,
    Cooling,
    LinkKind,
    MigProfile,
    NvLink,
    System,
    SystemKind,
)
from engine.methods import Method, Recipe
from engine.models import ModelSpec
from engine.site_rules import Circuit, HostMinimum
from engine.workload import Place, Priority, Scenario, Site, Workload

SOURCE = Source("test", "made for a test", "", "2026-11-30")


def figure(value: Any, unit: str = "") -> Figure[Any]:
    return Figure(value, unit, SOURCE, Grade.D, Basis.ASSUMED)


def card(card_id: str = "plain", **changes: Any) -> Card:
    values: dict[str, Any] = {
        "id": card_id,
        "name": card_id,
        "short_name": card_id,
        "vendor": "NVIDIA",
        "family": card_id,
        "architecture": "Blackwell",
        "availability": Availability.CURRENT,
        "form": CardForm.PCIE,
        "cooling": figure(Cooling.BLOWER),
        "memory_gb": figure(Decimal(96)),
        "usable_bytes": figure(102_641_958_912),
        "bandwidth_gb_per_s": figure(Decimal(1792)),
        "bf16_dense_tflops": figure(Decimal("438.9")),
        "measured_bf16_tflops": None,
        "fp8_dense_tflops": None,
        "fp32_tflops": None,
        "power_w": figure(300),
        "power_limits_w": (),
        "slot_width": 2,
        "pcie_gb_per_s": figure(Decimal(64)),
        "nvlink": None,
        "mig": (),
        "max_per_workstation": None,
        "vgpu": None,
        "supports_vgpu": None,
        "ecc": figure(value=True),
        "compute_capability": None,
        "fp8": True,
        "mxfp8": False,
        "nvfp4": True,
        "formats_source": None,
        "details": {},
    }
    return Card(**{**values, **changes})


def bridged_card(card_id: str = "bridged", **changes: Any) -> Card:
    """A card like the H200 NVL: 2- and 4-way bridges, passive, 600 W."""
    values: dict[str, Any] = {
        "nvlink": NvLink(LinkKind.NVLINK_BRIDGE, figure(Decimal(450)), 4, (2, 4)),
        "cooling": figure(Cooling.PASSIVE),
        "power_w": figure(600),
        "usable_bytes": figure(150_754_820_096),
    }
    return card(card_id, **{**values, **changes})


def mig_profile(instances: int, memory_gb: int) -> MigProfile:
    return MigProfile(f"1g.{memory_gb}gb", instances, Decimal(memory_gb), figure(f"{instances}x1g.{memory_gb}gb"))


def option(card_id: str = "plain", **changes: Any) -> CardOption:
    values: dict[str, Any] = {
        "card_id": card_id,
        "max_cards": 4,
        "min_cards": 1,
        "power_cap_w": None,
        "nvlink_bridges": False,
        "note": "",
        "source": SOURCE,
        "grade": Grade.D,
        "basis": Basis.ASSUMED,
    }
    return CardOption(**{**values, **changes})


def system(system_id: str = "machine", *options: CardOption, **changes: Any) -> System:
    values: dict[str, Any] = {
        "id": system_id,
        "name": system_id,
        "vendor": "maker",
        "kind": SystemKind.WORKSTATION,
        "built_to_order": False,
        "rack_units": None,
        "slots": figure(4),
        "options": options or (option(),),
        "fixed_cards": False,
        "host_memory_max_gb": figure(1024),
        "psu_watts_usable": None,
        "psu_rules": (),
        "base_power_w": figure(500),
        "noise_db_a": None,
        "topology": None,
        "pcie_peer_gb_per_s": None,
        "details": {},
        "source": SOURCE,
    }
    return System(**{**values, **changes})


def server(system_id: str = "server", *options: CardOption, **changes: Any) -> System:
    return system(system_id, *options, **{"kind": SystemKind.SERVER, "rack_units": figure(4), **changes})


def facts(cards: tuple[Card, ...], systems: tuple[System, ...], **changes: Any) -> Facts:
    values: dict[str, Any] = {
        "version": "2026-11-30",
        "cards": {item.id: item for item in cards},
        "systems": {item.id: item for item in systems},
        "models": {},
        "prices": {},
        "rates": (),
        "ranking_stand_ins": {},
        "circuits": (
            Circuit("schuko_16a", "Schuko", figure(16), figure(3680), figure(2300)),
            Circuit("cee_32a", "CEE", figure(32), figure(7360), figure(7360)),
        ),
        "host_minimum": HostMinimum(figure(7), figure(128)),
    }
    return Facts(**{**values, **changes})


def tiny_model() -> ModelSpec:
    """A model without layers: enough where nothing is sized."""
    return ModelSpec("tiny", "tiny", "", "", "", "llama", True, 64, 128, None, True, 8192, 0, 64, ())


def workload(**changes: Any) -> Workload:
    values: dict[str, Any] = {
        "name": "task",
        "model": tiny_model(),
        "recipe": Recipe(Method.LORA),
        "sequence_length": 2048,
    }
    return Workload(**{**values, **changes})


def scenario(*workloads: Workload, **changes: Any) -> Scenario:
    values: dict[str, Any] = {
        "workloads": workloads or (workload(),),
        "site": Site(Place.DESK),
        "must_have": frozenset(),
        "priority": Priority.PURCHASE_PRICE,
        "currency": "EUR",
        "as_of": date(2026, 11, 30),
    }
    return Scenario(**{**values, **changes})

"""What keeps a card out of every plan of a scenario, wherever it would be built in."""

from __future__ import annotations

from collections.abc import Callable

from engine.hardware import Availability, Card, Cooling, LinkKind
from engine.methods import Method, Optimizer
from engine.reasons import Reason, ReasonCode, reason
from engine.workload import MustHave, Place, Scenario, Workload

EVIDENCED_VENDOR = "NVIDIA"
"""bitsandbytes (4-bit base, 8-bit optimisers) and NCCL stand behind every memory and speed figure of the catalogue;
no sourced statement about them is recorded for the cards of other vendors."""

BITSANDBYTES_OPTIMIZERS = frozenset({Optimizer.ADAMW_8BIT, Optimizer.PAGED_ADAMW_8BIT})

STATED_ABSENT = "none"  # what a card's row says where its maker states that the card lacks a feature

_FEATURES: dict[MustHave, Callable[[Card], bool | None]] = {
    MustHave.NVLINK: lambda card: _makers_own(
        card, "nvlink_text", present=card.nvlink is not None and card.nvlink.kind is not LinkKind.INFINITY_FABRIC
    ),
    MustHave.MIG: lambda card: _makers_own(card, "mig_text", present=bool(card.mig)),
    MustHave.VGPU: lambda card: card.supports_vgpu,
    MustHave.ECC: lambda card: None if card.ecc is None else card.ecc.value,
    MustHave.FP8: lambda card: card.fp8,
    MustHave.NVFP4: lambda card: card.nvfp4,
}
"""Whether a card has a feature; None where no source says so."""


def objections(card: Card, scenario: Scenario) -> tuple[Reason, ...]:
    """Every reason against the card in this scenario; empty when it may be planned with."""
    found: list[Reason] = []
    if card.availability is Availability.END_OF_LIFE:
        found.append(reason(ReasonCode.END_OF_LIFE, card=card.id))
    if card.availability is Availability.PRELIMINARY:
        found.append(reason(ReasonCode.PRELIMINARY, card=card.id))
    if card.bf16_dense_tflops is None and card.measured_bf16_tflops is None:
        found.append(reason(ReasonCode.MISSING_FIGURE, card=card.id, figure="bf16_dense_tflops"))
    if scenario.site.place is Place.DESK and card.cooling.value is Cooling.PASSIVE:
        found.append(reason(ReasonCode.PASSIVE_CARD_AT_DESK, card=card.id))
    found += _missing_features(card, scenario)
    found += [item for workload in scenario.workloads for item in _unsupported(card, workload)]
    return tuple(found)


def may_share_a_run(card: Card) -> bool:
    """Whether one run over several of these cards rests on published evidence."""
    return card.vendor == EVIDENCED_VENDOR


def _makers_own(card: Card, statement: str, *, present: bool) -> bool | None:
    """NVLink and MIG are NVIDIA's own: no card of another vendor has them."""
    if present:
        return True
    stated = card.details.get(statement)
    absent = card.vendor != EVIDENCED_VENDOR or (stated is not None and stated.value == STATED_ABSENT)
    return False if absent else None


def _missing_features(card: Card, scenario: Scenario) -> list[Reason]:
    """A feature that no source states rules the card out as well, in words of its own: a must-have is no place for
    hope."""
    found = []
    for feature in MustHave:
        if feature not in scenario.must_have:
            continue
        has = _FEATURES[feature](card)
        if not has:
            code = ReasonCode.MUST_HAVE_UNSTATED if has is None else ReasonCode.MUST_HAVE
            found.append(reason(code, card=card.id, feature=feature.value))
    return found


def _unsupported(card: Card, workload: Workload) -> list[Reason]:
    if card.vendor == EVIDENCED_VENDOR:
        return []
    recipe = workload.recipe
    found = []
    if recipe.method is Method.QLORA:
        found.append(
            reason(ReasonCode.METHOD_UNSUPPORTED, card=card.id, workload=workload.name, method=recipe.method.value)
        )
    elif recipe.optimizer in BITSANDBYTES_OPTIMIZERS:
        found.append(
            reason(ReasonCode.METHOD_UNSUPPORTED, card=card.id, workload=workload.name, method=recipe.optimizer.value)
        )
    return found

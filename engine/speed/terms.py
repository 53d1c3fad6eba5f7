"""The terms of a training step. Everything is plain numbers here, so that a catalogue plan and a published record are
timed by the same lines. Sources: PaLM appendix B (6N, attention), Korthikanti et al. 2022 (recomputation), the ZeRO
paper (traffic); the constants are fitted on published runs, see `engine.speed.types.Coefficients`.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.speed.types import Coefficients, Link, StackClass, StepTerms

GB = 1e9
TERA = 1e12


@dataclass(frozen=True, slots=True)
class StepWork:
    """One optimiser step of one card, in numbers. Sizes are per card; `micro_batches` is the accumulation."""

    tokens: float  # per micro-batch
    matrix_flop_per_token: float
    attention_flop_per_token: float
    layers: int
    width: float
    passes: int  # forward, gradient of inputs, gradient of weights, recomputation
    dequantised_parameters: float  # 4-bit weights unpacked in every pass
    micro_batches: int
    gather_bytes: float  # whole tensors exchanged inside one micro-batch
    gradient_bytes: float  # whole tensors exchanged once per step
    optimizer_bytes: float  # read and written by the update
    offload_s: float  # transfers to the host and work done there, per step
    replica_bytes: float = (
        0.0  # received per card and step from the other groups of a hybrid layout, over the outer link
    )


@dataclass(frozen=True, slots=True)
class MachineRates:
    """What the card and its link deliver. Bytes per second and FLOP per second."""

    matmul_flop_per_s: float
    attention_flop_per_s: float  # BF16 matrix rate; attention is not done in FP8 here
    memory_bytes_per_s: float
    link: Link
    cards: int


def exchange_s(payload_bytes: float, link: Link, cards: int, rate_gb_per_s: float, outer_gb_per_s: float) -> float:
    """Seconds to all-gather or reduce-scatter a tensor of `payload_bytes` over `cards` cards.

    Each card receives (n - 1) / n of it. With islands each card also carries its island's share of what the other
    islands hold over the outer link; the two steps follow each other.
    """
    if cards <= 1 or payload_bytes <= 0:
        return 0.0
    inside = received_bytes(payload_bytes, cards) / (rate_gb_per_s * GB)
    if link.islands <= 1:
        return inside
    return inside + outer_bytes(payload_bytes, link, cards) / (outer_gb_per_s * GB)


def received_bytes(payload_bytes: float, cards: int) -> float:
    """Bytes one card receives when a tensor spread over `cards` cards is gathered once (ZeRO paper, section 7)."""
    return payload_bytes * (cards - 1) / cards


def least_exchange_s(work: StepWork, link: Link, cards: int) -> float:
    """Seconds of a step's exchanges at the link's theoretical rate: no run can exchange faster.

    Between islands the inner and the outer link may work at the same time, so the slower one is the bound.
    """
    if cards <= 1:
        return 0.0
    payload = work.micro_batches * work.gather_bytes + work.gradient_bytes
    inside = received_bytes(payload, cards) / (link.theoretical_gb_per_s * GB)
    if link.outer is None:
        return inside
    between = work.replica_bytes if link.islands <= 1 else outer_bytes(payload, link, cards)
    return max(inside, between / (link.outer.theoretical_gb_per_s * GB))


def outer_bytes(payload_bytes: float, link: Link, cards: int) -> float:
    """Bytes one card carries over the outer link: its share of what the other islands hold."""
    return payload_bytes * (1 - 1 / link.islands) / (cards / link.islands)


def overlap_s(compute_s: float, communication_s: float, exposed_share: float) -> float:
    """Seconds both take together when all but `exposed_share` of the shorter one is hidden."""
    return max(compute_s, communication_s) + exposed_share * min(compute_s, communication_s)


def step_terms(work: StepWork, rates: MachineRates, stack: StackClass, coefficients: Coefficients) -> StepTerms:
    """Expected seconds of one optimiser step by cause.

    Per micro-batch of B tokens: B F / (G e) + B A / (G_bf16 e_a) + B p c L d / BW + p L k0 + p Q b / BW, where c, k0,
    e, e_a, b are `coefficients`; exchange and compute overlap to all but `exposed_share` of the shorter one.
    """
    fitted = coefficients.stacks[stack]
    count = work.micro_batches
    matmul = count * work.tokens * work.matrix_flop_per_token / (rates.matmul_flop_per_s * fitted.matmul_efficiency)
    attention_rate = rates.attention_flop_per_s * coefficients.attention_efficiency
    attention = count * work.tokens * work.attention_flop_per_token / attention_rate
    layer_passes = work.passes * work.layers
    moved = work.tokens * layer_passes * work.width * fitted.activation_bytes
    memory_bound = count * moved / rates.memory_bytes_per_s
    launch = count * layer_passes * fitted.launch_s
    unpacked = work.passes * work.dequantised_parameters * coefficients.dequantisation_bytes
    dequantisation = count * unpacked / rates.memory_bytes_per_s
    link = rates.link
    rate = link.effective_expected_gb_per_s
    outer = link.outer.effective_expected_gb_per_s if link.outer is not None else rate
    gather = count * exchange_s(work.gather_bytes, link, rates.cards, rate, outer)
    gradient = exchange_s(work.gradient_bytes, link, rates.cards, rate, outer)
    gradient += work.replica_bytes / (outer * GB) if work.replica_bytes else 0.0
    compute = matmul + attention + memory_bound + launch + dequantisation
    overlapped = overlap_s(compute, gather + gradient, coefficients.exposed_share)
    return StepTerms(
        matmul_s=matmul,
        attention_s=attention,
        memory_bound_s=memory_bound,
        launch_s=launch,
        dequantisation_s=dequantisation,
        gather_s=gather,
        gradient_s=gradient,
        optimizer_s=work.optimizer_bytes / rates.memory_bytes_per_s,
        offload_s=work.offload_s,
        exposed_communication_s=overlapped - compute,
    )

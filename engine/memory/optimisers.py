"""What each optimiser keeps and what its step needs for a moment, as data.

Widths are per trained parameter. `moment` means the width the recipe gives the moments (fp32, or bf16 when the
weights themselves are trained in bf16).
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.memory.aggregate import Aggregate
from engine.methods import Optimizer

EIGHT_BIT_BLOCK = 256  # parameters that share one fp32 scale; bitsandbytes' blockwise optimisers
GALORE_RANK = 128  # default of the GaLore repository's example


@dataclass(frozen=True, slots=True)
class OptimiserRule:
    """Bytes of one optimiser."""

    moments: float  # full-size moments in the recipe's moment width
    eight_bit_moments: int = 0  # full-size moments of one byte with fp32 block scales
    factored: bool = False  # second moment as one row and one column vector per matrix
    projected: bool = False  # two moments of matrices live in a low-rank space
    matrices_only_one: bool = False  # matrices keep one moment, all other parameters two
    step_copies: float = 0.0  # temporaries of the whole model during the step, in weight width
    step_matrix_copies: float = 0.0  # fp32 temporaries of the largest matrix during the step
    paged: bool = False  # states move to the host when the card runs short
    source: str = ""


RULES: dict[Optimizer, OptimiserRule] = {
    Optimizer.ADAMW_FUSED: OptimiserRule(2, source="torch.optim.AdamW(fused=True): exp_avg, exp_avg_sq in place"),
    Optimizer.ADAMW: OptimiserRule(2, source="torch.optim.AdamW(fused=True): exp_avg, exp_avg_sq in place"),
    Optimizer.ADAMW_FOREACH: OptimiserRule(
        2, step_copies=1, source="torch.optim.AdamW(foreach=True): square roots of all second moments at once"
    ),
    Optimizer.ADAMW_8BIT: OptimiserRule(0, eight_bit_moments=2, source="Dettmers et al. 2021, block-wise 8-bit Adam"),
    Optimizer.PAGED_ADAMW_8BIT: OptimiserRule(
        0, eight_bit_moments=2, paged=True, source="Dettmers et al. 2023 (QLoRA), paged optimisers"
    ),
    Optimizer.ADAFACTOR: OptimiserRule(
        0, factored=True, step_matrix_copies=2, source="Shazeer and Stern 2018: row and column sums, no first moment"
    ),
    Optimizer.LION: OptimiserRule(1, source="Chen et al. 2023: one momentum"),
    Optimizer.SGD: OptimiserRule(0, source="torch.optim.SGD without momentum"),
    Optimizer.MUON: OptimiserRule(
        0,
        matrices_only_one=True,
        step_matrix_copies=2,
        source="torch.optim.Muon: one momentum per matrix, Newton-Schulz in bf16; AdamW for all other parameters",
    ),
    Optimizer.GALORE: OptimiserRule(
        0,
        projected=True,
        step_matrix_copies=1,
        source="Zhao et al. 2024, table 1: moments of rank r, projector of the shorter side",
    ),
}


@dataclass(frozen=True, slots=True)
class OptimiserBytes:
    """Bytes for a set of trained parameters."""

    states: int
    scales: int  # block scales of 8-bit moments, not part of the usual per-parameter counts
    step: int  # temporaries while the step runs


def optimiser_bytes(
    optimizer: Optimizer, trained: int, shapes: Aggregate, moment_width: int, weight_width: int, *, full: bool
) -> OptimiserBytes:
    """States and temporaries for `trained` parameters. `full`: the model's own matrices are trained, not adapters."""
    rule = RULES[optimizer]
    states = int(rule.moments * moment_width * trained) + rule.eight_bit_moments * trained
    scales = rule.eight_bit_moments * 4 * -(-trained // EIGHT_BIT_BLOCK)
    matrices = shapes.matrices if full else trained
    others = trained - matrices if full else 0
    if rule.factored:
        states += 4 * (shapes.matrix_rows_and_columns if full else trained) + 4 * others
    if rule.matrices_only_one:
        states += moment_width * (matrices + 2 * others)
    if rule.projected:
        states += 2 * moment_width * others + moment_width * (_projected(shapes) if full else 2 * matrices)
    step = int(rule.step_copies * weight_width * trained)
    step += int(rule.step_matrix_copies * 4 * (shapes.largest_matrix if full else 0))
    return OptimiserBytes(states, scales, step)


def _projected(shapes: Aggregate) -> int:
    """Elements GaLore keeps: 2 r n for the moments and m r for the projector of an m x n matrix, m the shorter side.

    r is never more than m: the projector is a slice of the singular vectors (galore_torch/galore_projector.py, "std").
    """
    return sum(
        count * min(GALORE_RANK, shorter) * (2 * longer + shorter) for shorter, longer, count in shapes.matrix_sides
    )

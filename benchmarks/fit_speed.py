"""Fits the constants of the speed model on the bundled records and shows how well they carry to unseen sources.

    python -m benchmarks.fit_speed            fit and report
    python -m benchmarks.fit_speed --write    also write the constants into catalog/data

The terms come from `engine.speed.terms`; only the constants are free. Every constant starts at a round value and is
held to it by a weak prior, so that one left out source cannot send it astray. Sources count by the square root of their
size.
"""

from __future__ import annotations

import argparse
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.fitting import Free, Pace, pattern_search, pull
from catalog.speed_data import SPEED_FILE
from catalog.speed_evidence import EVIDENCE_FILE, load_evidence, score_speed
from engine.speed.evidence import (
    Circumstances,
    FittedSet,
    RecordUse,
    SpeedRecord,
    record_terms,
    tokens_per_step_and_card,
)
from engine.speed.terms import overlap_s
from engine.speed.types import Coefficients, StackClass, StackCoefficients

STACKS = tuple(StackClass)
PRIOR_WEIGHT = 0.01
SOFTNESS = 0.03  # errors below this count almost squared: the records are rounded
PACE = Pace(shrink=0.5, smallest=0.002, rests=False)

FREE = (
    *(Free(f"{stack.value} matmul_efficiency", 0.75, 0.3) for stack in STACKS),
    *(Free(f"{stack.value} activation_bytes", 150, 0.7) for stack in STACKS),
    *(Free(f"{stack.value} launch_s", 0.001, 0.8) for stack in STACKS),
    Free("attention_efficiency", 0.5, 0.3),
    Free("dequantisation_bytes", 10, 0.4),
    Free("exposed_share", 0.5, 0.3),
    Free("nvlink_share", 0.45, 0.3),
)
LIMITED_TO_ONE = {"exposed_share", "nvlink_share"}


@dataclass(frozen=True, slots=True)
class RawTerms:
    """A record's seconds at constants of one: the fit only scales them."""

    family: str
    stack: int
    matmul: float
    attention: float
    memory_bound: float
    launch: float
    dequantisation: float
    exchange: float
    over_nvlink: bool
    rest: float
    seconds: float  # as published


def raw_terms(record: SpeedRecord, given: Circumstances) -> RawTerms | None:
    """The record's terms at constants of one, or None when its card has no rate."""
    ones = Coefficients({stack: StackCoefficients(1, 1, 1) for stack in STACKS}, 1, 1, 1)
    terms = record_terms(record, FittedSet(ones, 1.0), given)
    if terms is None:
        return None
    speed = record.tokens_per_s_per_card / (given.dora_speed if record.dora else 1)
    return RawTerms(
        record.family,
        STACKS.index(record.stack),
        terms.matmul_s,
        terms.attention_s,
        terms.memory_bound_s,
        terms.launch_s,
        terms.dequantisation_s,
        terms.gather_s + terms.gradient_s,
        not record.over_pcie and record.card.nvlink_gb_per_s is not None,
        terms.optimizer_s,
        tokens_per_step_and_card(record) / speed,
    )


def log_error(raw: RawTerms, values: Sequence[float]) -> float:
    """Logarithm of published over computed seconds."""
    count = len(STACKS)
    efficiency, activation, launch = (values[raw.stack + offset * count] for offset in range(3))
    attention, unpacked, exposed, nvlink = values[3 * count :]
    compute = (
        raw.matmul / efficiency
        + raw.attention / attention
        + raw.memory_bound * activation
        + raw.launch * launch
        + raw.dequantisation * unpacked
    )
    exchange = raw.exchange / nvlink if raw.over_nvlink else raw.exchange
    return math.log(raw.seconds / (overlap_s(compute, exchange, exposed) + raw.rest))


def loss(logs: Sequence[float], terms: Sequence[RawTerms], weights: Sequence[float]) -> float:
    """Weighted mean absolute logarithmic error, with the pull of the starting values."""
    values = [math.exp(value) for value in logs]
    error = sum(
        weight * math.hypot(log_error(raw, values), SOFTNESS) for raw, weight in zip(terms, weights, strict=True)
    )
    return error / sum(weights) + PRIOR_WEIGHT * pull(logs, FREE) / 2


def fit(terms: Sequence[RawTerms]) -> list[float]:
    """The constants, in the order of `FREE`, by a pattern search along each of them; deterministic."""
    sizes = Counter(raw.family for raw in terms)
    weights = [1 / math.sqrt(sizes[raw.family]) for raw in terms]
    found = pattern_search(
        lambda trial: loss(trial, terms, weights),
        [math.log(free.start) for free in FREE],
        [free.reach / 2 for free in FREE],
        PACE,
        lambda at, value: value <= 0 or FREE[at].name not in LIMITED_TO_ONE,
    )
    return [math.exp(value) for value in found]


def usable_terms() -> tuple[list[RawTerms], frozenset[str]]:
    """Raw terms of all records marked for fitting, and the families no fit may see."""
    evidence = load_evidence()
    given = evidence.circumstances
    raws = [
        raw
        for record in evidence.records
        if record.use is RecordUse.FIT and (raw := raw_terms(record, given)) is not None
    ]
    return raws, given.never_used


def fitted_sets() -> tuple[list[float], dict[str, list[float]]]:
    """The constants to ship, and those fitted without each source family."""
    raws, never_used = usable_terms()
    allowed = [raw for raw in raws if raw.family not in never_used]
    without = {
        family: fit([raw for raw in allowed if raw.family != family])
        for family in sorted({raw.family for raw in allowed})
    }
    return fit(allowed), without


def as_yaml(values: Sequence[float]) -> str:
    """The constants as the data files hold them, in one line."""
    named = {free.name: f"{value:.4g}" for free, value in zip(FREE, values, strict=True)}
    stacks = ", ".join(
        f"{stack.value}: {{"
        + ", ".join(
            f"{key}: {named[f'{stack.value} {key}']}" for key in ("matmul_efficiency", "activation_bytes", "launch_s")
        )
        + "}"
        for stack in STACKS
    )
    rest = ", ".join(
        f"{key}: {named[key]}" for key in ("attention_efficiency", "dequantisation_bytes", "exposed_share")
    )
    return f"{{stacks: {{{stacks}}}, {rest}}}"


def write(shipped: Sequence[float], without: Mapping[str, Sequence[float]]) -> None:
    """Put the constants into the data files."""
    share = f"{shipped[-1]:.4g}"
    text = SPEED_FILE.read_text(encoding="utf-8")
    text = re.sub(r"^coefficients: .*$", f"coefficients: {as_yaml(shipped)}", text, flags=re.MULTILINE)
    text = re.sub(r"(?m)^(  nvswitch: \{low: [\d.]+, expected: )[\d.]+", rf"\g<1>{share}", text)
    text = re.sub(r"(?m)^(  nvlink-bridge: \{low: [\d.]+, expected: )[\d.]+", rf"\g<1>{share}", text)
    SPEED_FILE.write_text(text, encoding="utf-8")
    rows = "\n".join(
        f"  {family}: {{coefficients: {as_yaml(values)}, nvlink_share: {values[-1]:.4g}}}"
        for family, values in without.items()
    )
    text = EVIDENCE_FILE.read_text(encoding="utf-8")
    text = re.sub(r"(?ms)^fitted_without:.*?\n(?=\nrecords:)", f"fitted_without:\n{rows}\n", text)
    EVIDENCE_FILE.write_text(text, encoding="utf-8")


def report() -> None:
    """Print the score as it stands in the data files."""
    result = score_speed()
    groups = {"all": result.overall, **result.by_family, **result.by_stack, **result.by_method}
    if result.never_used is not None:
        groups["never used"] = result.never_used
    print(f"{'records':>28} {'n':>4} {'median':>7} {'80 %':>7} {'90 %':>7} {'worst':>6} {'in band':>8}")
    for name, group in groups.items():
        print(
            f"{name:>28} {group.records:>4} {group.median_error:>7.1%} {group.error_80:>7.1%} "
            f"{group.error_90:>7.1%} {group.worst_factor:>6.2f} {group.inside_band:>8.1%}"
        )


def main() -> None:
    """Fit, optionally write, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the constants into catalog/data")
    options = parser.parse_args()
    shipped, without = fitted_sets()
    for free, value in zip(FREE, shipped, strict=True):
        print(f"{free.name:>34} {value:.4g}")
    if options.write:
        write(shipped, without)
    report()


if __name__ == "__main__":
    main()

"""Fits the constants of the serving model on the bundled records and shows how well they carry to unseen sources.

    python -m benchmarks.fit_serving            fit and report
    python -m benchmarks.fit_serving --write    also write constants and anchors into catalog/data

The formula is `engine.serving.evidence.computed_rate`; only the constants are free. Every constant starts at a round
value and is held to it by a weak prior. Sources count by the fourth root of their size, so that no large table decides
alone.
"""

from __future__ import annotations

import argparse
import math
import re
from collections import Counter
from collections.abc import Sequence

from benchmarks.fitting import Free, Pace, pattern_search, pull
from catalog.load import load_catalog
from catalog.serving_data import (
    ANCHOR_COLUMNS,
    ANCHORS_FILE,
    SERVING_FILE,
    anchor_line,
    load_serving_facts,
)
from catalog.serving_evidence import EVIDENCE_FILE, load_evidence, score
from engine.facts import Facts
from engine.serving.evidence import ServingRecord, anchors_of, computed_rate
from engine.serving.facts import ServingCoefficients
from engine.serving.formats import ComputeClass
from engine.serving.types import ServingEngine

PRIOR_WEIGHT = 0.004
SOFTNESS = 0.05  # errors below this count almost squared: the records are rounded
PACE = Pace(shrink=0.4, smallest=0.004, rests=True)


FREE = (
    Free("bandwidth_share", 0.8, 0.25),
    Free("bf16", 0.25, 0.6),
    Free("weight-only", 0.2, 0.6),
    Free("fp8", 0.4, 0.6),
    Free("fp4", 0.3, 0.6),
    Free("prefill_gain", 1.5, 0.5),
    Free("prefill_gain_weight_only", 1.5, 0.5),
    Free("tensorrt-llm", 5e-4, 1.0),
    Free("vllm", 1.5e-3, 0.7),
    Free("llama.cpp", 3e-4, 1.0),
    Free("layer_s", 3e-5, 0.7),
    Free("expert_layer_s", 3e-5, 0.7),
    Free("recurrent_layer_s", 2e-5, 0.7),
    Free("sequence_s", 5e-6, 1.0),
    Free("exchange_nvlink_s", 1.5e-5, 0.7),
    Free("exchange_pcie_s", 9e-5, 0.5),
    Free("pcie_share", 0.9, 0.3),
    Free("expert_compute", 0.6, 0.5),
    Free("expert_bandwidth", 0.8, 0.3),
    Free("offline_sequences", 1024, 0.6),
    Free("offline_growth", 0.5, 0.5),
)


def constants(values: Sequence[float]) -> ServingCoefficients:
    """The engine's constants from values in the order of `FREE`."""
    named = {free.name: value for free, value in zip(FREE, values, strict=True)}
    return ServingCoefficients(
        bandwidth_share=named["bandwidth_share"],
        compute_share={key: named[key.value] for key in ComputeClass},
        prefill_gain=named["prefill_gain"],
        prefill_gain_weight_only=named["prefill_gain_weight_only"],
        start_s={
            ServingEngine.TENSORRT_LLM: named["tensorrt-llm"],
            ServingEngine.VLLM: named["vllm"],
            ServingEngine.SGLANG: named["vllm"],
            ServingEngine.LLAMA_CPP: named["llama.cpp"],
        },
        layer_s=named["layer_s"],
        expert_layer_s=named["expert_layer_s"],
        recurrent_layer_s=named["recurrent_layer_s"],
        sequence_s=named["sequence_s"],
        exchange_nvlink_s=named["exchange_nvlink_s"],
        exchange_pcie_s=named["exchange_pcie_s"],
        pcie_share=named["pcie_share"],
        expert_compute=named["expert_compute"],
        expert_bandwidth=named["expert_bandwidth"],
        offline_sequences=named["offline_sequences"],
        offline_growth=named["offline_growth"],
    )


def loss(logs: Sequence[float], records: Sequence[ServingRecord], weights: Sequence[float]) -> float:
    """Weighted mean absolute logarithmic error, with the pull of the starting values."""
    fitted = constants([math.exp(value) for value in logs])
    error = 0.0
    for record, weight in zip(records, weights, strict=True):
        rate = computed_rate(record, fitted)
        if rate is not None:
            error += weight * math.hypot(math.log(rate / record.tokens_per_s), SOFTNESS)
    return error / sum(weights) + PRIOR_WEIGHT * pull(logs, FREE)


def fit(records: Sequence[ServingRecord]) -> list[float]:
    """The constants, in the order of `FREE`, by a pattern search along each of them; deterministic."""
    sizes = Counter(record.source for record in records)
    weights = [sizes[record.source] ** -0.25 for record in records]
    logs = [math.log(free.start) for free in FREE]
    steps = [free.reach / 2 for free in FREE]
    found = pattern_search(lambda trial: loss(trial, records, weights), logs, steps, PACE)
    return [math.exp(value) for value in found]


def as_yaml(values: Sequence[float]) -> str:
    """The constants as the data files hold them, in one line."""
    named = {free.name: f"{value:.4g}" for free, value in zip(FREE, values, strict=True)}
    shares = ", ".join(f"{key.value}: {named[key.value]}" for key in ComputeClass)
    starts = ", ".join(f"{key.value}: {named.get(key.value, named['vllm'])}" for key in ServingEngine)
    nested = {*ComputeClass, "tensorrt-llm", "vllm", "llama.cpp"}
    rest = [free.name for free in FREE if free.name not in nested]
    plain = ", ".join(f"{key}: {named[key]}" for key in rest)
    return f"{{compute_share: {{{shares}}}, start_s: {{{starts}}}, {plain}}}"


def write(shipped: Sequence[float], without: dict[str, list[float]], facts: Facts) -> None:
    """Put constants and anchors into the data files."""
    text = SERVING_FILE.read_text(encoding="utf-8")
    text = re.sub(r"^coefficients: .*$", f"coefficients: {as_yaml(shipped)}", text, flags=re.MULTILINE)
    SERVING_FILE.write_text(text, encoding="utf-8")
    rows = "\n".join(f"  {family}: {as_yaml(values)}" for family, values in without.items())
    text = EVIDENCE_FILE.read_text(encoding="utf-8")
    text = re.sub(r"(?ms)^fitted_without:.*?\n(?=\nrecords:)", f"fitted_without:\n{rows}\n", text)
    EVIDENCE_FILE.write_text(text, encoding="utf-8")
    fitted = load_serving_facts()
    if fitted.coefficients is None:
        raise SystemExit("the constants were not written")
    anchors = anchors_of(load_evidence(None, facts).records, fitted.coefficients, fitted.sources)
    lines = [
        anchor_line(anchor)
        for card in sorted(card for card in anchors if card in facts.cards)
        for anchor in anchors[card]
    ]
    ANCHORS_FILE.write_text("\n".join([",".join(ANCHOR_COLUMNS), *lines]) + "\n", encoding="utf-8")


def report(facts: Facts) -> None:
    """Print the score as it stands in the data files."""
    result = score(None, facts).speed
    if result is None:
        raise SystemExit("no record can be computed")
    groups = {"by source": result.overall, "by record": result.by_record, **result.by_source}
    print(f"{'records':>18} {'n':>4} {'median':>7} {'90 %':>7} {'<40 %':>6} {'in band':>8} {'bias':>7}")
    for name, group in groups.items():
        print(
            f"{name:>18} {group.records:>4} {group.median_error:>7.1%} {group.error_90:>7.1%} "
            f"{group.within_40:>6.1%} {group.inside_band:>8.1%} {group.bias:>+7.1%}"
        )


def main() -> None:
    """Fit, optionally write, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write constants and anchors into catalog/data")
    parser.add_argument("--score", action="store_true", help="only report")
    options = parser.parse_args()
    facts = load_catalog().facts
    if not options.score:
        records = load_evidence(None, facts).records
        shipped = fit(records)
        for free, value in zip(FREE, shipped, strict=True):
            print(f"{free.name:>26} {value:.4g}")
        families = sorted({record.family for record in records})
        without = {family: fit([record for record in records if record.family != family]) for family in families}
        if options.write:
            write(shipped, without, facts)
    report(facts)


if __name__ == "__main__":
    main()

"""Measures Passform against the least that could do the same work, in one run.

    python -m benchmarks.run              print the table
    python -m benchmarks.run --json       print the same as JSON
    python -m benchmarks.run --write      also write it to benchmarks/results.json
    python -m benchmarks.run --quick      without the largest sizes

Times are processor time, so that other work on the machine hardly counts. Ratios are ours over the peer's: below 1 we
are faster. `order` is the exponent of growth: 1 means twice the time for twice the size, 0 that the size is no matter.
The peer fitcheck-llm is installed into build/peer when it is missing and a network is there; it is only measured.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from benchmarks import growth, measures, window_memory
from benchmarks.growth import Growth
from benchmarks.measures import PEER, ROOT, Measured
from catalog.load import load_catalog
from resources import program_version

RESULTS = Path(__file__).with_name("results.json")
PEER_VERSION = "fitcheck-llm==0.3.1"


def install_peer() -> None:
    """Put the peer into a folder of its own. Without a network it is left out of the table."""
    if PEER.is_dir():
        return
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(PEER), PEER_VERSION]
    if subprocess.run(words, cwd=ROOT, check=False).returncode:
        print(f"{PEER_VERSION} cannot be installed here and is left out", file=sys.stderr)


def measured() -> Iterator[Measured]:
    """Every comparison."""
    facts = load_catalog().facts
    yield from measures.start_up()
    yield from measures.catalogue()
    yield from measures.estimates()
    yield from measures.analysis(facts)
    yield from measures.documents()
    yield from measures.imports(facts)
    yield from measures.slider()
    yield from measures.saving()


def grown(*, quick: bool) -> Iterator[Growth]:
    """Every growth."""
    facts = load_catalog().facts
    if quick:
        growth.LONGEST_S = 1.0
    yield growth.catalogue(facts)  # before a thousand workloads fill the memory
    yield growth.workloads(facts)
    yield growth.cards(facts)
    yield growth.positions()
    yield growth.faults()


def row(found: Measured) -> str:
    """One line of the table."""
    rate = "" if found.per_second is None else f"   {found.per_second:,.0f} a second"
    if found.peer_ms is None or found.ratio is None:
        return f"{found.name:<32} {found.ours_ms:>10.1f} ms{rate}"
    compared = f"{found.ratio:>8.2f} x {found.peer} ({found.peer_ms:.2f} ms)"
    return f"{found.name:<32} {found.ours_ms:>10.1f} ms   {compared}{rate}"


def machine() -> dict[str, str]:
    """What the figures were taken on, as far as it matters."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": str(os.cpu_count()),
    }


def document(pairs: list[Measured], sizes: list[Growth], resident_mb: float | None) -> dict[str, object]:
    """Everything measured, for machines."""
    return {
        "date": datetime.now().astimezone().date().isoformat(),
        "version": program_version(),
        "machine": machine(),
        "measured": [
            {
                "name": found.name,
                "ours_ms": round(found.ours_ms, 2),
                "peer": found.peer,
                "peer_ms": found.peer_ms,
                "ratio": found.ratio,
                "per_second": found.per_second,
            }
            for found in pairs
        ],
        "window_mb": None if resident_mb is None else round(resident_mb, 1),
        "growth": [
            {"name": series.name, "order": round(series.order, 2), "ms_by_size": dict(series.points)}
            for series in sizes
        ],
    }


def main() -> None:
    """Measure, print, and write when asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    parser.add_argument("--write", action="store_true", help="write benchmarks/results.json")
    parser.add_argument("--quick", action="store_true", help="leave the largest sizes out")
    chosen = parser.parse_args()

    def show(line: str) -> None:
        if not chosen.json:
            print(line, flush=True)

    install_peer()
    pairs = []
    for found in measured():
        pairs.append(found)
        show(row(found))
    resident_mb = window_memory.window_mb()
    if resident_mb is not None:
        show(f"{'memory of the window':<32} {resident_mb:>10.0f} MB   of {window_memory.LIMIT_MB} MB")
    sizes = []
    for series in grown(quick=chosen.quick):
        sizes.append(series)
        shown = ", ".join(f"{size}: {took:.0f} ms" for size, took in series.points)
        show(f"{series.name:<21} order {series.order:.2f}   {shown}")
    text = json.dumps(document(pairs, sizes, resident_mb), indent=1) + "\n"
    if chosen.json:
        print(text, end="")
    if chosen.write:
        RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

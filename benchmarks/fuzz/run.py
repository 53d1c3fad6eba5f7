"""Feeds mutated files to every reader and counts: crashes, more than two seconds of computing, files opened elsewhere.

    python -m benchmarks.fuzz.run                      100,000 inputs over all targets
    python -m benchmarks.fuzz.run --inputs 2000        as often as there is time for
    python -m benchmarks.fuzz.run --guided 20000       the same by coverage, with atheris (installed into build/)

Without `--guided` the mutations are repeatable by `--seed`. A failing input is kept in build/fuzz/.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import subprocess
import sys
import tempfile
import time
import venv
from collections import Counter
from pathlib import Path

from benchmarks.fuzz.mutations import mutate
from benchmarks.fuzz.targets import ROOT, TARGETS, Target, install_watch, try_one

KEPT = ROOT / "build" / "fuzz"
GUIDED = ROOT / "build" / "fuzz-venv"


def feed(target: Target, inputs: int, seed: int) -> tuple[Counter[str], float]:
    """Feed mutated inputs to one reader: how many were understood, refused, or are defects; and the longest seconds."""
    chance = random.Random(f"{seed} {target.name}")
    seeds = target.seeds()
    counted: Counter[str] = Counter()
    longest = 0.0
    with tempfile.TemporaryDirectory() as name:
        for _ in range(inputs):
            content = mutate(chance.choice(seeds), chance.choice(seeds), chance)
            started = time.process_time()
            try:
                counted["understood" if try_one(target, content, Path(name)) else "refused"] += 1
            except Exception as error:  # noqa: BLE001 - whatever comes is the finding
                counted["defect"] += 1
                report(target, content, error)
            longest = max(longest, time.process_time() - started)
    return counted, longest


def report(target: Target, content: bytes, error: BaseException) -> None:
    """Keep a failing input and say what it did."""
    KEPT.mkdir(parents=True, exist_ok=True)
    kept = KEPT / f"{target.name.replace(' ', '-').replace(',', '')}-{hashlib.sha256(content).hexdigest()[:12]}"
    kept.write_bytes(content)
    print(f"DEFECT {target.name}: {type(error).__name__}: {str(error)[:200]} ({kept.name})", flush=True)


def guided(inputs: int) -> int:
    """Run every target under atheris, each in a process of its own."""
    python = GUIDED / "bin" / "python"
    if not python.exists():
        venv.create(GUIDED, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "atheris>=3"], check=True)
        packages = next((Path(sys.prefix) / "lib").glob("python3*/site-packages"))
        (next((GUIDED / "lib").glob("python3*/site-packages")) / "ours.pth").write_text(
            f"{packages}\n", encoding="utf-8"
        )
    failed = 0
    for number, target in enumerate(TARGETS):
        words = [python, "-m", "benchmarks.fuzz.guided", str(number), str(inputs)]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        ended = "no defect" if done.returncode == 0 else f"DEFECT\n{done.stderr[-3000:]}"
        last = [line for line in done.stderr.splitlines() if "cov:" in line or "Done" in line][-1:]
        print(f"{target.name}: {ended} {' '.join(last)}", flush=True)
        failed += done.returncode != 0
    return failed


def main() -> int:
    """Feed and count; 1 when there was a defect."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=100_000, help="over all targets together")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--guided", type=int, metavar="N", help="N inputs per target, led by coverage")
    chosen = parser.parse_args()
    if chosen.guided:
        return 1 if guided(chosen.guided) else 0
    install_watch()
    total: Counter[str] = Counter()
    started = time.monotonic()
    for target in TARGETS:
        counted, longest = feed(target, -(-chosen.inputs // len(TARGETS)), chosen.seed)
        total += counted
        print(
            f"{target.name:>24}: {counted['understood']:>6} understood, {counted['refused']:>6} refused, "
            f"{counted['defect']} defects, longest {longest * 1000:.0f} ms",
            flush=True,
        )
    print(f"{total.total()} inputs in {time.monotonic() - started:.0f} s: {total['defect']} defects")
    return 1 if total["defect"] else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Changes the code in small ways and counts how many of the changes the tests notice.

    python -m benchmarks.mutation                      every change of every area: a quarter of an hour on two cores
    python -m benchmarks.mutation --area cost          of one area
    python -m benchmarks.mutation --sample 50          at most so many per area
    python -m benchmarks.mutation --minutes 15         no further change is begun after that
    python -m benchmarks.mutation --missed             only what the last written run missed, of unchanged code
    python -m benchmarks.mutation --write              also write benchmarks/mutation.json

A change comes into force in the memory of a forked process; no file is touched. It meets only the tests that run its
lines, quick ones first, until one fails. A change that no test can see because it means the same counts as missed.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import math
import os
import pickle
import random
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.mutants import Change, ChangedModule, change_loaded, changes, compiled, loaded_functions
from benchmarks.mutation_tests import OPTIONS, Forks, Hot, Trace, quiet_hypothesis, run_cold, trace

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).with_name("mutation.json")
WORKERS = 2
SCREEN = os.dup(1)  # forked processes write their own output nowhere


@dataclass(frozen=True, slots=True)
class Area:
    """Code whose changes must be noticed, and the tests that should."""

    code: tuple[str, ...]
    tests: tuple[str, ...]


AREAS = {
    "memory": Area(
        ("engine/memory/",),
        (
            "tests/engine/memory",
            "tests/engine/test_adapters.py",
            "tests/catalog/test_trace_accuracy.py",
        ),
    ),
    "cost": Area(("engine/cost/",), ("tests/engine/cost",)),
    "totals": Area(("engine/quote/totals.py", "engine/quote/vat.py"), ("tests/engine/quote",)),
}


def files(area: Area) -> list[str]:
    """An area's files from the project's root."""
    return [
        file.relative_to(ROOT).as_posix()
        for part in area.code
        for file in ([ROOT / part] if part.endswith(".py") else sorted((ROOT / part).rglob("*.py")))
    ]


def tell(change: Change, answer: str) -> str:
    """Show a change nobody noticed as soon as it is known; answers what was answered."""
    if not answer:
        os.write(SCREEN, f"  missed: {change}\n".encode())
    return answer


def limit_s(seen: Trace, tests: list[str]) -> float:
    """Processor time after which a change counts as an endless loop: far above what unchanged code needs."""
    return 20.0 + 4 * sum(seen.seconds[test] for test in tests)


def run_hot(
    chosen: list[tuple[Change, list[str]]], tests: tuple[str, ...], seen: Trace, until: float
) -> list[str | None]:
    """Changes inside functions: everything is imported once, each fork changes the loaded functions.

    Those not begun by `until` are None.
    """
    with tempfile.TemporaryDirectory() as name:
        answers = Path(name) / "answers"

        def loop(session: pytest.Session, hot: Hot) -> None:
            functions = loaded_functions({str(ROOT / change.path) for change, _ in chosen})
            found: list[str | None] = [None] * len(chosen)
            lucky = Counter[str]()

            def work(number: int) -> str:
                change, wanted = chosen[number]
                if not wanted:
                    return ""
                if not change_loaded(compiled(change, ROOT), functions[str(ROOT / change.path)]):
                    raise RuntimeError(f"{change}: no loaded function has this line")
                return hot.run(session, sorted(wanted, key=lambda test: (test not in lucky, seen.seconds[test])))

            gc.collect()
            gc.freeze()
            jobs = [(number, limit_s(seen, wanted)) for number, (_, wanted) in enumerate(chosen)]
            for number, answer in Forks(WORKERS).run(jobs, work, until):
                found[number] = tell(chosen[number][0], answer)
                if seen.seconds.get(answer, 1.0) < 0.2:
                    lucky[answer] += 1
            answers.write_bytes(pickle.dumps(found))

        def child() -> str:
            import pytest

            quiet_hypothesis()
            pytest.main([*OPTIONS, *tests], plugins=[Hot(loop)])
            return ""

        (outcome,) = Forks(1).run([(0, 7200.0)], lambda _: child())
        if not answers.is_file():
            raise RuntimeError(f"The changed code did not run to its end: {outcome[1]}")
        return pickle.loads(answers.read_bytes())


def run_at_import(chosen: list[tuple[Change, list[str]]], seen: Trace, until: float) -> list[str | None]:
    """Changes of what runs while a module is imported: each fork imports everything anew. None: not begun in time."""
    found: list[str | None] = [None] * len(chosen)

    def work(number: int) -> str:
        change, wanted = chosen[number]
        ChangedModule(change, ROOT).install()
        return run_cold(wanted)

    jobs = [(number, limit_s(seen, wanted)) for number, (_, wanted) in enumerate(chosen)]
    for number, answer in Forks(WORKERS).run(jobs, work, until):
        found[number] = tell(chosen[number][0], answer)
    return found


@dataclass(frozen=True, slots=True)
class Result:
    """What came of an area's changes: per change the first test that failed, "time", "died", or nothing."""

    total: int
    answers: dict[Change, str]
    untouched: frozenset[Change]  # no test runs them

    @property
    def missed(self) -> list[Change]:
        """Changes that no test noticed."""
        return [change for change, answer in self.answers.items() if not answer]

    @property
    def score(self) -> float:
        """Share noticed."""
        return 1 - len(self.missed) / max(len(self.answers), 1)


def interval(noticed: int, tried: int, total: int) -> tuple[float, float]:
    """95 % interval of the share noticed of all changes (Wilson 1927); without width when all were tried."""
    share = noticed / max(tried, 1)
    if tried in {0, total}:
        return share, share
    z = 1.96
    middle = (share + z * z / (2 * tried)) / (1 + z * z / tried)
    half = z / (1 + z * z / tried) * math.sqrt(share * (1 - share) / tried + z * z / (4 * tried * tried))
    return middle - half, middle + half


def choose(area: Area, sample: int | None, seed: int, *, inside: bool = False) -> tuple[list[Change], list[Change]]:
    """All of an area's changes (or those inside functions), and those to try."""
    every = [change for path in files(area) for change in changes(ROOT / path, path)]
    every = [change for change in every if change.inside_function or not inside]
    return every, every if sample is None else random.Random(seed).sample(every, min(sample, len(every)))


def measure(area: Area, every: list[Change], chosen: list[Change], minutes: float = math.inf) -> Result:
    """Try some of an area's changes: those begun within so many minutes, in their random order, are a sample as well.

    Raises RuntimeError when a test fails on unchanged code.
    """
    until = time.monotonic() + 60 * minutes
    seen = trace(files(area), area.tests)
    if seen.failed:
        raise RuntimeError(f"These tests fail on unchanged code: {', '.join(seen.failed)}")
    if not any(seen.lines.values()):
        raise RuntimeError("No test runs any line of the code.")
    every_test = seen.every()
    hot: list[tuple[Change, list[str]]] = []
    cold: list[tuple[Change, list[str]]] = []
    for change in chosen:
        lines = range(change.first_line, change.last_line + 1)
        if change.inside_function and not seen.at_import.get(change.path, set()).intersection(lines):
            hot.append((change, seen.touching(change.path, change.first_line, change.last_line)))
        else:
            cold.append((change, every_test))  # a test may look at a constant without running a line
    answers: dict[Change, str] = {}
    untouched = frozenset(change for change, tests in (*hot, *cold) if not tests)
    for jobs, run in (
        (hot, lambda found: run_hot(found, area.tests, seen, until)),
        (cold, lambda found: run_at_import(found, seen, until)),
    ):
        found = run(jobs) if jobs else []
        answers.update({job[0]: answer for job, answer in zip(jobs, found, strict=True) if answer is not None})
    return Result(len(every), answers, untouched.intersection(answers))


def fingerprint(area: Area) -> str:
    """Of an area's code, so that a list of missed changes is not used for other lines."""
    whole = hashlib.sha256()
    for path in files(area):
        whole.update((ROOT / path).read_bytes())
    return whole.hexdigest()


def joined(before: dict[str, Any], again: Result) -> dict[str, Any]:
    """A record after the changes it missed were tried again: more tests can only notice more."""
    noticed = before["noticed"] + len(again.answers) - len(again.missed)
    low, high = interval(noticed, before["tried"], before["changes"])
    return {
        **before,
        "noticed": noticed,
        "score": round(noticed / before["tried"], 4),
        "interval_95": [round(low, 4), round(high, 4)],
        "missed": [str(change) for change in again.missed],
    }


def record(area: Area, result: Result, seed: int, spent_s: float, *, inside: bool) -> dict[str, Any]:
    """An area's entry in the file of results."""
    noticed = len(result.answers) - len(result.missed)
    low, high = interval(noticed, len(result.answers), result.total)
    return {
        "date": datetime.now().astimezone().date().isoformat(),
        "changes": result.total,
        "tried": len(result.answers),
        "only": "changes inside functions" if inside else None,
        "seed": seed if len(result.answers) < result.total else None,
        "noticed": noticed,
        "score": round(result.score, 4),
        "interval_95": [round(low, 4), round(high, 4)],
        "out_of_time": sum(answer == "time" for answer in result.answers.values()),
        "crashed": sum(answer == "died" for answer in result.answers.values()),
        "code": fingerprint(area),
        "processor_s": round(spent_s),
        "missed": [str(change) for change in result.missed],
    }


def spent() -> float:
    """Processor time of this process and its finished children."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def main() -> None:
    """Change, test and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--area", choices=sorted(AREAS), action="append")
    parser.add_argument("--sample", type=int, help="at most so many changes per area")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--inside", action="store_true", help="only changes inside functions")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no change after so many")
    parser.add_argument("--missed", action="store_true", help="only what the last written run missed")
    parser.add_argument("--write", action="store_true", help="write benchmarks/mutation.json")
    chosen = parser.parse_args()
    os.chdir(ROOT)
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else {}
    for name in chosen.area or AREAS:
        started, before = time.monotonic(), spent()
        area = AREAS[name]
        every, tried = choose(area, chosen.sample, chosen.seed, inside=chosen.inside)
        if chosen.missed:
            if results[name]["code"] != fingerprint(area):
                parser.error(f"{name}: the code is no longer the one whose changes were missed")
            tried = [change for change in every if str(change) in set(results[name]["missed"])]
        result = measure(area, every, tried, chosen.minutes)
        for change in sorted(result.untouched, key=str):
            print(f"  missed, as no test runs it: {change}")
        found = (
            joined(results[name], result)
            if chosen.missed
            else record(area, result, chosen.seed, spent() - before, inside=chosen.inside)
        )
        low, high = found["interval_95"]
        print(
            f"{name}: {found['tried']} of {found['changes']} changes tried, {found['score']:.1%} noticed"
            f" (95 % interval {low:.1%} to {high:.1%}), {time.monotonic() - started:.0f} s",
            flush=True,
        )
        results[name] = found
    if chosen.write:
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

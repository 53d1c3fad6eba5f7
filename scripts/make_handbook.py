"""Renew the outputs shown in the handbook: `python -m scripts.make_handbook`.

A fenced `sh` block holds commands; its info string may name the exit code (`sh exit=1`). When it holds one command and
a `text` or `json` block follows directly, that block is the command's output, and is renewed here. A last line of `…`
means that the output goes on: as many lines as stood there are kept. German pages show German output. The commands of
a page run one after the other in an empty folder with copies of the samples.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from unittest.mock import patch

from catalog.commands import catalogue
from main import main

ROOT = Path(__file__).parents[1]
HANDBOOK = ROOT / "docs" / "handbook"
SAMPLES = (Path("examples"), Path("docs/handbook/samples"))
DAY = date(2026, 11, 30)  # ages of prices depend on the day; the handbook's stands still
START = "python main.py "
GOES_ON = "…"
BLOCK = re.compile(
    r"^```sh(?: exit=(?P<code>\d))?\n(?P<commands>.*?)^```\n(?:\n?```(?:text|json)\n(?P<output>.*?)^```\n)?",
    re.S | re.M,
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A block of commands in a page, the exit code it promises, and where its output stands (None: not shown)."""

    commands: tuple[str, ...]
    code: int
    output: str | None
    span: tuple[int, int]


def pages() -> list[Path]:
    """Every page of the handbook."""
    return sorted(HANDBOOK.glob("*/*.md"))


def blocks(text: str) -> Iterator[Shown]:
    """The blocks of a page that hold commands of ours."""
    for found in BLOCK.finditer(text):
        lines = found["commands"].replace("\\\n", " ").splitlines()
        commands = tuple(line for line in lines if line.startswith(START))
        if commands:
            output = found["output"] if len(commands) == 1 else None
            yield Shown(commands, int(found["code"] or 0), output, found.span("output"))


def run(command: str, language: str, folder: Path) -> tuple[int, str]:
    """Run one command in `folder`; exit code and everything it printed."""
    printed = io.StringIO()
    environment = {"LC_ALL": f"{language}.UTF-8", "PASSFORM_DATA": str(folder / "data"), "QT_QPA_PLATFORM": "offscreen"}
    with (
        contextlib.chdir(folder),
        patch.dict(os.environ, environment),
        patch.object(catalogue, "today", lambda: DAY),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        try:
            code = main(shlex.split(command.removeprefix(START)))
        except SystemExit as left:  # wrong usage
            code = int(left.code or 0)
    return code, printed.getvalue()


def prepare(folder: Path) -> None:
    """Put the samples the pages speak of into a folder."""
    for samples in SAMPLES:
        shutil.copytree(ROOT / samples, folder / samples)


def as_shown(printed: str, before: str) -> str:
    """The output as a page shows it: whole, or as many lines as before."""
    lines = [line.rstrip() for line in printed.splitlines()]
    old = before.splitlines()
    if old and old[-1] == GOES_ON and len(lines) >= len(old):
        lines = [*lines[: len(old) - 1], GOES_ON]
    return "".join(f"{line}\n" for line in lines)


def renewed(page: Path, folder: Path) -> str:
    """The page with the outputs of today's program. Raises `ValueError` for a command with another exit code."""
    text = page.read_text(encoding="utf-8")
    parts, end = [], 0
    for shown in blocks(text):
        for command in shown.commands:
            code, printed = run(command, page.parent.name, folder)
            if code != shown.code:
                raise ValueError(f"{page.name}: {command}: exit code {code} instead of {shown.code}\n{printed}")
            if shown.output is not None:
                start, stop = shown.span
                parts += [text[end:start], as_shown(printed, shown.output)]
                end = stop
    return "".join([*parts, text[end:]])


def renew() -> None:
    """Renew every page."""
    for page in pages():
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            prepare(folder)
            page.write_text(renewed(page, folder), encoding="utf-8")


if __name__ == "__main__":
    renew()

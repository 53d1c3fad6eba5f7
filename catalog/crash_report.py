"""The report of an unhandled error: enough to find the defect, nothing about the customer.

It names the kind of error and where in the program it happened. It never holds the error's message, values of
variables, or paths outside the program, because all of these may carry what a customer said.
"""

from __future__ import annotations

import platform
import sys
import traceback
from datetime import datetime
from pathlib import Path

from catalog.disk import write_atomically
from engine.errors import PassformError
from resources import ROOT, program_version

FOLDER = "crash-reports"
KEPT = 20
_PROGRAM = ROOT.parent
_DEPTH = 60
_CAUSES = 5


def report_text(error: BaseException, catalogue: str, qt: str) -> str:
    """The report; `catalogue` and `qt` are versions."""
    lines = [
        f"Passform {program_version()}",
        f"Catalogue {catalogue}",
        f"Python {platform.python_version()}, Qt {qt}, {platform.system()} {platform.release()} {platform.machine()}",
        f"Packed: {'yes' if getattr(sys, 'frozen', False) else 'no'}",
    ]
    seen: BaseException | None = error
    for _ in range(_CAUSES):
        if seen is None:
            break
        lines += ["", f"{type(seen).__module__}.{type(seen).__qualname__}", *_frames(seen)]
        seen = seen.__cause__ or seen.__context__
    return "\n".join(lines) + "\n"


def write_report(text: str, folder: Path) -> Path | None:
    """Keep a report in the user's folder, the oldest ones make room; None when the disk refuses."""
    target = folder / FOLDER / f"{datetime.now().astimezone():%Y%m%d-%H%M%S-%f}.txt"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(text.encode("utf-8"), target)
        others = sorted(path for path in target.parent.glob("*.txt") if path != target)  # a clock may go back
        for old in others[: -(KEPT - 1)]:
            old.unlink(missing_ok=True)
    except (OSError, PassformError):
        return None  # the dialog shows the text itself
    return target


def _frames(error: BaseException) -> list[str]:
    frames = traceback.StackSummary.extract(traceback.walk_tb(error.__traceback__), lookup_lines=False)
    return [f"  {_place(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames[-_DEPTH:]]


def _place(filename: str) -> str:
    """A file of the program or of a package; of any other file not even the name."""
    path = Path(filename)
    if path.is_relative_to(_PROGRAM):
        return path.relative_to(_PROGRAM).as_posix()
    parts = path.parts
    if "site-packages" in parts:
        return "/".join(parts[parts.index("site-packages") + 1 :])
    return path.name if path.is_relative_to(sys.base_prefix) else "(elsewhere)"

"""A file that windows open, and the number of a process that is gone."""

from __future__ import annotations

import subprocess
import sys

NAME = "kunde.passform.yaml"


def ended_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid

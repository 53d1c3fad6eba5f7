"""One target under atheris, which mutates towards code that was not reached yet: guided.py TARGET-NUMBER INPUTS."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["catalog", "engine"]):
    from benchmarks.fuzz.targets import ROOT, TARGETS, install_watch, try_one


def main() -> None:
    """Fuzz until the inputs are used up; atheris ends the process and reports a defect by its exit code."""
    target = TARGETS[int(sys.argv[1])]
    kept = ROOT / "build" / "fuzz" / "found"
    kept.mkdir(parents=True, exist_ok=True)
    corpus = Path(tempfile.mkdtemp(prefix="passform-fuzz-"))
    for number, seed in enumerate(target.seeds()):
        (corpus / f"seed-{number}").write_bytes(seed)
    folder = Path(tempfile.mkdtemp(prefix="passform-fuzz-"))
    install_watch()

    def one(content: bytes) -> None:
        try_one(target, content, folder)

    options = [f"-runs={sys.argv[2]}", "-max_len=20000", "-timeout=20", f"-artifact_prefix={kept}/", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *options, "-print_final_stats=1", str(corpus)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

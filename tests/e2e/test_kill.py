"""The program is killed at random moments; the next start finds everything that was acknowledged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SABOTAGE = """
import random, sys, time
sys.path.insert(0, '.')
from benchmarks import kill_harness as harness

def torn(consultation, path):
    text = harness.to_text(consultation)
    with path.open('w', encoding='utf-8') as stream:
        stream.write(text[: len(text) // 2])
        stream.flush()
        time.sleep(0.01)
        stream.write(text[len(text) // 2 :])

from catalog.consultation.files import to_text
harness.to_text = to_text
harness.write = torn
harness.run(60, 1, lambda _text: None)
"""


def test_that_forty_kills_lose_nothing_and_tear_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.kill_harness", "--kills", "40"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "nothing lost, nothing torn" in done.stdout


def test_that_the_harness_notices_a_program_that_writes_over_its_file() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SABOTAGE], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode != 0
    assert "LossError: after kill" in done.stderr

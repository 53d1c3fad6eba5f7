"""Asks public advisory databases about every package that is packed. Needs a network.

    python packaging/audit.py

Exit codes: 0 no weakness is known, 1 one is known (it is named), 3 the question could not be answered, because no
database was reached or none knew all the packages: then nothing is known about today. A complete answer is noted in
packaging/last-audit.json, with its day and the lock it was about.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import venv
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements-package.lock"
RECORD = ROOT / "packaging" / "last-audit.json"
ENVIRONMENT = ROOT / "build" / "audit-venv"
SERVICES = ("pypi", "osv")  # the registry's own advisories, then https://osv.dev
KNOWN, UNANSWERED = 1, 3
PATIENCE_S = 300


@dataclass(frozen=True, slots=True)
class Answer:
    """What a database said: packages it knew, packages it did not, and the weaknesses as `package version: id`."""

    asked: int
    unknown: tuple[str, ...]
    weaknesses: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether it spoke about every package."""
        return self.asked > 0 and not self.unknown


def read_answer(text: str) -> Answer | None:
    """pip-audit's JSON; None when it is none, because the database was not reached."""
    try:
        rows: list[dict[str, Any]] = json.loads(text)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return None
    weaknesses = [f"{row['name']} {row['version']}: {found['id']}" for row in rows for found in row.get("vulns", ())]
    return Answer(len(rows), tuple(row["name"] for row in rows if "skip_reason" in row), tuple(weaknesses))


def ask(service: str) -> Answer | None:
    """Ask one database about the lock; None when it was not reached."""
    words = [
        "--disable-pip",
        "--require-hashes",
        "--progress-spinner",
        "off",
        "-f",
        "json",
        "-s",
        service,
        "-r",
        str(LOCK),
    ]
    try:
        done = subprocess.run(
            [_tool(), *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False, cwd=ROOT
        )
    except subprocess.TimeoutExpired:
        return None
    return read_answer(done.stdout)


def _tool() -> Path:
    folder = ENVIRONMENT / ("Scripts" if sys.platform == "win32" else "bin")
    if not any(folder.glob("pip-audit*")):
        venv.create(ENVIRONMENT, with_pip=True)
        words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pip-audit>=2.9"]
        subprocess.run([folder / "python", *words], check=True)
    return folder / "pip-audit"


def lock_digest() -> str:
    """Which lock an answer is about."""
    return hashlib.sha256(LOCK.read_bytes()).hexdigest()


def last_time(record: Path = RECORD) -> str:
    """When a complete answer came last, in words."""
    if not record.is_file():
        return "No audit has been completed yet."
    noted = json.loads(record.read_text(encoding="utf-8"))
    same = "this lock" if noted["lock_sha256"] == lock_digest() else "an older lock"
    return f"The last complete audit was on {noted['day']}, of {same}, by {noted['service']}."


def report(answers: dict[str, Answer | None], record: Path = RECORD) -> int:
    """Say what is known, note a complete answer, and return the exit code."""
    weaknesses = sorted({text for answer in answers.values() if answer for text in answer.weaknesses})
    for text in weaknesses:
        print(f"known weakness: {text}")
    complete = next((name for name, answer in answers.items() if answer and answer.complete), None)
    if complete is None:
        for name, answer in answers.items():
            heard = (
                "not reached"
                if answer is None
                else f"knows nothing of {len(answer.unknown)} of {answer.asked} packages"
            )
            print(f"{name}: {heard}", file=sys.stderr)
        print(f"The audit could not be completed. {last_time(record)}", file=sys.stderr)
        return KNOWN if weaknesses else UNANSWERED
    day = datetime.now(UTC).date().isoformat()
    noted = {"day": day, "service": complete, "lock_sha256": lock_digest(), "weaknesses": weaknesses}
    record.write_text(json.dumps(noted, indent=1) + "\n", encoding="utf-8")
    print(f"{complete}: {len(weaknesses)} known weaknesses on {day}")
    return KNOWN if weaknesses else 0


def main() -> int:
    """Ask until one database answers for every package."""
    answers: dict[str, Answer | None] = {}
    for service in SERVICES:
        try:
            answers[service] = ask(service)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"pip-audit cannot be installed: {error}", file=sys.stderr)
            answers[service] = None
        answer = answers[service]
        if answer is not None and answer.complete:
            break
    return report(answers)


if __name__ == "__main__":
    raise SystemExit(main())

"""Several sellers at once, and sellers whose program dies: no number twice, none missing."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from catalog.register.checking import Flaw, count, flaws
from catalog.register.database import Database, database_at
from catalog.register.numbering import NumberPattern
from catalog.register.register import Register
from catalog.register.types import Search, State
from engine.quote.draft import DocumentKind
from tests.catalog.register.samples import TODAY, maker

ROOT = Path(__file__).parents[3]
WORKER = Path(__file__).parent / "worker.py"
PATTERN = NumberPattern("AN-{year}-{counter:04d}")
KILLS = 6


def numbers(last: int) -> list[str]:
    return [f"AN-2026-{counter:04d}" for counter in range(1, last + 1)]


def started(address: str, mode: str, amount: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(WORKER), address, mode, str(amount)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def flaws_at(address: str) -> tuple[Flaw, ...]:
    with closing(database_at(address)) as database:
        return flaws(database)


def test_that_threads_share_one_register_without_gap_or_double(register: Register, database: Database) -> None:
    def sell(_seller: int) -> list[str]:
        return [register.store(DocumentKind.OFFER, 2026, PATTERN, maker(), today=TODAY).number for _ in range(6)]

    with ThreadPoolExecutor(8) as sellers:
        issued = [number for own in sellers.map(sell, range(8)) for number in own]
    assert sorted(issued) == numbers(48)
    assert flaws(database) == ()


def test_that_threads_that_revise_one_document_get_revisions_in_a_row(register: Register, database: Database) -> None:
    number = register.store(DocumentKind.OFFER, 2026, PATTERN, maker(), today=TODAY).number

    def revise(_seller: int) -> int:
        return len(register.revise(number, maker(), today=TODAY).revisions)

    with ThreadPoolExecutor(6) as sellers:
        list(sellers.map(revise, range(12)))
    entry = register.entry(number, TODAY)
    assert [item.revision for item in entry.revisions] == list(range(1, 14))
    assert [item.state for item in entry.revisions].count(State.DRAFT) == 1
    assert flaws(database) == ()


def test_that_two_presses_of_one_button_make_one_document(register: Register, database: Database) -> None:
    def press(_finger: int) -> str:
        return register.store(DocumentKind.OFFER, 2026, PATTERN, maker(), today=TODAY, request="same").number

    with ThreadPoolExecutor(6) as fingers:
        assert set(fingers.map(press, range(6))) == {"AN-2026-0001"}
    assert count(database) == 1
    assert flaws(database) == ()


def test_that_processes_open_an_empty_register_at_once_and_share_it(address: str) -> None:
    workers = [started(address, "store", 8) for _ in range(3)]
    issued = []
    for worker in workers:
        out, problems = worker.communicate(timeout=120)
        assert worker.returncode == 0, problems
        issued += out.split()
    assert sorted(issued) == numbers(24)
    assert flaws_at(address) == ()


def test_that_a_program_that_dies_while_making_a_paper_uses_no_number(address: str) -> None:
    dying = [started(address, "die", 30) for _ in range(3)]
    living = started(address, "store", 8)
    printed = []
    for worker in (*dying, living):
        out, _problems = worker.communicate(timeout=120)
        printed += out.split()
    assert [worker.returncode for worker in dying] == [9, 9, 9]
    assert living.returncode == 0
    assert sorted(printed) == numbers(14)
    assert flaws_at(address) == ()


def test_that_programs_killed_at_any_moment_leave_every_acknowledged_document_whole(address: str) -> None:
    with closing(database_at(address)) as database:
        Register(database).store(DocumentKind.OFFER, 2026, PATTERN, maker(), today=TODAY)
    chance = random.Random(20261130)
    printed: list[str] = []
    revised = 0
    for kill in range(KILLS):
        mode = "revise" if kill % 3 == 2 else "store"
        worker = started(address, mode, 10_000)
        assert worker.stdout is not None
        lines = [worker.stdout.readline().strip()]
        time.sleep(chance.random() / 5)
        worker.send_signal(signal.SIGKILL)
        out, _problems = worker.communicate()
        # The kill may have torn the last line; what it names is then stored all the same.
        lines += out.split("\n")[:-1]
        if mode == "store":
            printed += lines
        else:
            revised = max(revised, int(lines[-1]))
    with closing(database_at(address)) as database:
        register = Register(database)
        stored = [entry.number for entry in register.entries(Search(limit=1_000_000), TODAY)]
        assert set(printed) <= set(stored)
        assert len(printed) == len(set(printed))
        assert sorted(stored) == numbers(len(stored))
        assert register.entry("AN-2026-0001", TODAY).latest.revision >= revised
        assert flaws(database) == ()

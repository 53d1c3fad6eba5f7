"""Kills the program at random moments of its work and proves that nothing acknowledged is lost.

    python -m benchmarks.kill_harness                 500 kills
    python -m benchmarks.kill_harness --kills 40      as the tests run it

A child process edits, saves, autosaves, imports prices and assigns document numbers, and reports each step before it
begins and after it is done. It is killed with SIGKILL after a random time. Then this process plays the next start of
the program: every state that was reported as done must be there, no file may be torn, no number doubled or missing.
A kill does not empty the system's disk cache; that data reach the disk before a step counts as done is proved by
tests/catalog/test_no_loss.py.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from pathlib import Path

from catalog.consultation import journal
from catalog.consultation.document import Consultation
from catalog.consultation.files import read, write
from catalog.consultation.holding import OpenFile
from catalog.consultation.journal import Journal
from catalog.consultation.locks import this_window
from catalog.load import load_catalog
from catalog.own_files import read_own
from catalog.prices_import.apply import apply
from catalog.prices_import.preview import Preview, Vat, preview
from catalog.prices_import.text_tables import read_text_table
from catalog.register.database import sqlite_database
from catalog.register.numbering import NumberPattern
from catalog.register.register import Register
from catalog.register.types import Issue, Made, Search
from engine.prices import PriceBasis
from engine.quote.draft import DocumentKind, DraftLine, DraftSection, PriceOrigin, QuoteDraft, SectionRole
from engine.quote.parties import Customer, Seller
from engine.quote.release import release
from engine.quote.vat import VatCase, VatTreatment

DAY = date(2026, 11, 30)
FILE = "kunde.passform.yaml"
PATTERN = NumberPattern("KE-{year}-{counter:04d}")
KILLS_PER_SCENE = 25  # then a fresh folder: histories would only grow
LONGEST_LIFE_S = 0.12
BLOCK = 200_000  # of notes: makes the window in which a write can be hit wide enough


class LossError(Exception):
    """Something acknowledged is not there any more, or a file is torn."""


@dataclass(slots=True)
class Acknowledged:
    """What the children of one scene began and finished."""

    begun: dict[str, int] = field(default_factory=dict)  # step -> last number begun
    done: dict[str, int] = field(default_factory=dict)
    numbers: list[str] = field(default_factory=list)

    def hear(self, text: str) -> None:
        """Take in what a child reported."""
        for line in text.splitlines():
            word, step, number, *rest = line.split("\t")
            (self.begun if word == "begin" else self.done)[step] = int(number)
            self.numbers += rest

    def newest_work(self) -> int:
        """The last state of the document that was reported as safe."""
        return max(self.done.get("save", 0), self.done.get("autosave", 0))


class Child:
    """The program in the process that will be killed."""

    def __init__(self, folder: Path, pipe: int, first: int, list_of_prices: Preview) -> None:
        self.folder = folder
        self.pipe = pipe
        self.number = first
        self.prices = list_of_prices

    def work(self, chance: random.Random) -> None:
        """Work until killed."""
        me = this_window()
        own = Journal(self.folder, me)
        file = self.folder / FILE
        opened = OpenFile(file, me)
        register = Register(sqlite_database(self.folder / "register.sqlite"))
        while True:
            self.number += 1
            step = chance.choice(("autosave", "autosave", "save", "import", "number"))
            state = Consultation(title=str(self.number), notes=f"{self.number} " * (BLOCK // 100))
            self._say("begin", step)
            if step == "autosave":
                own.write(state, file, opened.digest)
            elif step == "save":
                opened.check()
                own.write(state, file, opened.digest)
                write(state, file)
                opened.wrote()
                own.discard()
            elif step == "import":
                apply(_priced(self.prices, self.number), self.folder)
            else:
                stored = register.store(
                    DocumentKind.RECOMMENDATION, DAY.year, PATTERN, make_paper, today=DAY, request=str(self.number)
                )
                self._say("done", step, stored.number)
                continue
            self._say("done", step)

    def _say(self, *words: str) -> None:
        first, step, *rest = words
        os.write(self.pipe, ("\t".join((first, step, str(self.number), *rest)) + "\n").encode())


def make_paper(issue: Issue) -> Made:
    """A small document under the number that it gets."""
    line = DraftLine("1", "Artikel", unit_price=Decimal(100), origin=PriceOrigin(PriceBasis.SELLER, DAY.isoformat()))
    draft = QuoteDraft(
        kind=DocumentKind.RECOMMENDATION,
        seller=Seller(),
        customer=Customer(company="Beispiel AG"),
        language="de",
        currency="EUR",
        as_of=DAY,
        sections=(DraftSection(SectionRole.FREE, (line,)),),
        vat=VatTreatment(VatCase.DOMESTIC, VatCase.DOMESTIC, Decimal("0.19"), confirmed=True),
        number=issue.number,
        revision=issue.revision,
    )
    return Made(release(draft), issue.number.encode() * 2_000, "schema: 1\n")


def price_list() -> Preview:
    """A list with one price, understood."""
    content = b"Artikel;Preis EUR netto\nH200 NVL;1,00\n"
    found = preview(read_text_table(content, "liste.csv"), "liste.csv", load_catalog().facts, DAY)
    found = replace(found, vat=Vat.NET)
    if not found.ready:
        line = found.rows[0].line
        found = found.with_choice(line, "h200_nvl")
    return found


def _priced(found: Preview, amount: int) -> Preview:
    return replace(found, rows=tuple(replace(row, amount=Decimal(amount)) for row in found.rows))


def check(folder: Path, heard: Acknowledged) -> None:
    """What the next start finds. Raises `LossError`."""
    _check_work(folder, heard)
    _check_prices(folder, heard)
    _check_register(folder, heard)


def _check_work(folder: Path, heard: Acknowledged) -> None:
    file = folder / FILE
    in_file = int(read(file).title)
    saved, begun = heard.done.get("save", 0), heard.begun.get("save", 0)
    _demand(in_file in {saved, begun}, f"the file holds state {in_file}, saved was {saved}, begun {begun}")
    left = journal.left_behind(folder)
    newest = max([in_file, *(int(work.consultation.title) for work in left)])
    _demand(newest >= heard.newest_work(), f"state {heard.newest_work()} was safe, the newest found is {newest}")
    _demand(not list((folder / journal.FOLDER).glob("*.unreadable")), "a torn copy")
    opened = OpenFile(file, this_window())  # the dead window's lock must not keep anybody out
    opened.close()
    torn = [path.name for path in folder.glob(f".{FILE}.*.tmp")]
    _demand(not torn, f"half-written files stay: {torn}")
    heard.done["save"] = in_file  # one begun and never acknowledged may be there too
    if newest > in_file:  # the person takes the work back and saves it, as the window offers
        work = next(work for work in left if int(work.consultation.title) == newest)
        write(work.consultation, file)
        heard.done["save"] = newest
    for work in left:
        journal.forget(work)


def _check_prices(folder: Path, heard: Acknowledged) -> None:
    rows = read_own(folder, "prices.yaml")["prices"]
    sources = read_own(folder, "sources.yaml")["sources"]
    done, begun = heard.done.get("import", 0), heard.begun.get("import", 0)
    current = [int(Decimal(row["amount"])) for row in rows if not row.get("superseded")]
    _demand(len(current) <= 1, "two current prices of one item")
    found = (current or [0])[0]
    _demand(found in {done, begun}, f"price {found}, imported was {done}, begun {begun}")
    heard.done["import"] = found
    _demand(all(row["source"] in sources for row in rows), "a price without its source")


def _check_register(folder: Path, heard: Acknowledged) -> None:
    register = Register(sqlite_database(folder / "register.sqlite"))
    numbers = [entry.number for entry in register.entries(Search(limit=10_000), DAY)]
    for number in numbers[:3]:
        register.pdf(number)  # compares with the stored fingerprint
    register.close()
    _demand(len(set(numbers)) == len(numbers), "a doubled number")
    expected = {PATTERN.write(DAY.year, counter) for counter in range(1, len(numbers) + 1)}
    _demand(set(numbers) == expected, "a gap in the numbers")
    _demand(set(heard.numbers) <= set(numbers), "an assigned number is gone")
    _demand(len(numbers) - len(heard.numbers) <= 1, "more documents than were begun")
    heard.numbers = numbers


def _demand(holds: bool, otherwise: str) -> None:  # noqa: FBT001  # the thing demanded
    if not holds:
        raise LossError(otherwise)


def kill_once(folder: Path, heard: Acknowledged, chance: random.Random, prices: Preview) -> str:
    """Start a child, kill it, hear it out; the step it was in, or `between`."""
    reading, writing = os.pipe()
    first = max([0, *heard.begun.values(), *heard.done.values()])
    seed = chance.random()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            Child(folder, writing, first, prices).work(random.Random(seed))
        finally:
            os._exit(70)  # reached only by a defect: the work has no end of its own
    os.close(writing)
    time.sleep(chance.uniform(0.005, LONGEST_LIFE_S))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as stream:
        text = stream.read().decode()
    if not os.WIFSIGNALED(status):
        raise LossError("the child ended by itself")
    heard.hear(text[: text.rfind("\n") + 1])
    last = text.splitlines()[-1].split("\t") if text else ["done", ""]
    return last[1] if last[0] == "begin" else "between"


def run(kills: int, seed: int, say: Callable[[str], object] = print) -> Counter[str]:
    """Kill that often; how often in which step. Raises `LossError` with the number of the kill."""
    chance = random.Random(seed)
    prices = price_list()
    moments: Counter[str] = Counter()
    done = 0
    while done < kills:
        with tempfile.TemporaryDirectory() as name:
            folder, heard = Path(name), Acknowledged()
            write(Consultation(title="0"), folder / FILE)
            sqlite_database(folder / "register.sqlite").close()
            for _ in range(min(KILLS_PER_SCENE, kills - done)):
                moments[kill_once(folder, heard, chance, prices)] += 1
                done += 1
                try:
                    check(folder, heard)
                except Exception as error:
                    raise LossError(f"after kill {done} (seed {seed}): {error}") from error
        say(f"{done} kills")
    return moments


def main() -> None:
    """Kill and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=20261130)
    chosen = parser.parse_args()
    started = time.monotonic()
    moments = run(chosen.kills, chosen.seed, lambda _text: None)
    where = ", ".join(f"{step} {count}" for step, count in moments.most_common())
    print(
        f"{chosen.kills} kills in {time.monotonic() - started:.0f} s, nothing lost, nothing torn; hit during: {where}"
    )


if __name__ == "__main__":
    main()

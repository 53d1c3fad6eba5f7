"""One seller's program beside others, started as a process by the tests of concurrent use.

worker.py ADDRESS MODE AMOUNT: stores AMOUNT documents, printing each number once it is stored. MODE `store` goes on to
the end, `die` leaves the process in the middle of every third paper's making without any goodbye, `revise` stores
revisions of the first document.
"""

from __future__ import annotations

import os
import sys

from catalog.register.database import database_at
from catalog.register.numbering import NumberPattern
from catalog.register.register import Register
from catalog.register.types import Issue, Made
from engine.quote.draft import DocumentKind
from tests.catalog.register.samples import TODAY, maker

PATTERN = NumberPattern("AN-{year}-{counter:04d}")


def main(address: str, mode: str, amount: int) -> None:
    register = Register(database_at(address))
    for count in range(amount):
        make = _dying if mode == "die" and count % 3 == 2 else _paper
        if mode == "revise":
            stored = str(register.revise("AN-2026-0001", make, today=TODAY).latest.revision)
        else:
            stored = register.store(DocumentKind.OFFER, 2026, PATTERN, make, today=TODAY).number
        sys.stdout.write(stored + "\n")
        sys.stdout.flush()


def _paper(issue: Issue) -> Made:
    return maker(os.urandom(20_000).hex().encode())(issue)


def _dying(_issue: Issue) -> Made:
    os._exit(9)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))

"""`register`: list, show, state, follow-up, delete-customer, check; and `quote --offer`, which issues documents."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TextIO

from catalog.clock import today
from catalog.commands.plain import plain
from catalog.commands.proposals import proposal_of
from catalog.consultation.open import open_consultation
from catalog.disk import write_atomically
from catalog.paper import for_archives
from catalog.register.checking import count, flaws
from catalog.register.database import Database
from catalog.register.issuing import Issued, hindrances, issue, reissue
from catalog.register.register import Register
from catalog.register.settings import load_settings, open_database
from catalog.register.types import Entry, RegisterError, Search, State
from catalog.register.words import flaw_sentence, state_word, sum_text
from catalog.seller import load_seller
from engine.errors import PassformError
from engine.quote.draft import DocumentKind
from engine.wording import numbers
from engine.wording.findings import finding_text
from engine.wording.quotes import word
from engine.wording.translator import Language
from resources import translations

Action = Callable[[argparse.Namespace, Register, Database, TextIO], int]


def run(arguments: argparse.Namespace, out: TextIO) -> int:
    """Run one action: `action` is list, show, state, follow-up, delete-customer or check."""
    with closing(open_database(load_settings())) as database:
        return _ACTIONS[arguments.action](arguments, Register(database), database, out)


def issue_document(arguments: argparse.Namespace, out: TextIO) -> int:
    """Number, store and write the document of a consultation file; 1 when it cannot be issued yet.

    `offer`: an offer, else a numbered recommendation. `revise`: the number of the document it is a revision of.
    """
    tr = translations(arguments.language)
    opened = open_consultation(arguments.file, today())
    if arguments.pdfa:
        opened = replace(opened, consultation=for_archives(opened.consultation))
    proposal = proposal_of(opened, arguments.file.parent, arguments.paper_language, arguments.language, out)
    if proposal is None:
        return 1
    proposal = replace(proposal, vat_confirmed=arguments.vat_confirmed)
    settings = load_settings()
    with closing(open_database(settings)) as database:
        register = Register(database)
        kind = DocumentKind.OFFER if arguments.offer else DocumentKind.RECOMMENDATION
        if arguments.revise:
            kind = register.entry(arguments.revise, today()).kind
        open_points = hindrances(proposal, tr) if kind is DocumentKind.OFFER else ()
        if open_points:
            out.write(tr.gettext("This cannot be an offer yet:") + "\n")
            out.writelines(f"- {sentence}\n" for sentence in open_points)
            return 1
        if arguments.revise:
            issued = reissue(register, arguments.revise, proposal, today=today())
        else:
            issued = issue(register, settings, proposal, kind, today=today())
    _hand_over(issued, arguments, out)
    return 0


def _hand_over(issued: Issued, arguments: argparse.Namespace, out: TextIO) -> None:
    tr, entry = translations(arguments.language), issued.entry
    _write(issued.pdf, arguments.output, entry.number, entry.latest.revision)
    text = tr.gettext("{number}, revision {revision}, written: {file}")
    out.write(text.format(number=entry.number, revision=entry.latest.revision, file=arguments.output) + "\n")
    out.writelines(f"- {finding_text(finding, tr)}\n" for finding in issued.findings)


def _write(pdf: bytes, output: Path, number: str, revision: int) -> None:
    try:
        write_atomically(pdf, output)
    except PassformError as error:
        raise RegisterError(
            "{number} is stored in the register, but {file} could not be written. "
            "`register show {number} --revision {revision} --output FILE` writes it elsewhere.",
            number=number,
            revision=revision,
            file=output.name,
        ) from error


def _list(arguments: argparse.Namespace, register: Register, _database: Database, out: TextIO) -> int:
    search = Search(
        text=arguments.text or "",
        states=frozenset(State(state) for state in arguments.state or ()),
        kind=None if arguments.kind is None else DocumentKind(arguments.kind),
        follow_up_by=today() if arguments.due else None,
    )
    entries = register.entries(search, today())
    tr, language = translations(arguments.language), Language(arguments.language)
    if arguments.json:
        json.dump([plain(entry) for entry in entries], out, indent=1, ensure_ascii=False)
        out.write("\n")
        return 0
    if not entries:
        out.write(tr.gettext("The register holds no such document.") + "\n")
    for entry in entries:
        latest = entry.latest
        amount = sum_text(latest.gross, latest, tr, language)
        parts = [
            entry.number,
            tr.gettext("Rev. {revision}").format(revision=latest.revision),
            state_word(entry.state, tr),
            tr.gettext("until {date}").format(date=numbers.long_date(latest.valid_until, language)),
            amount,
            entry.company or (tr.gettext("customer data erased") if entry.erased_on else "–"),
        ]
        out.write(" · ".join(parts) + "\n")
    return 0


def _show(arguments: argparse.Namespace, register: Register, _database: Database, out: TextIO) -> int:
    tr, language = translations(arguments.language), Language(arguments.language)
    number, revision = arguments.number, arguments.revision
    wanted: Mapping[str, Callable[[], bytes]] = {
        "output": lambda: register.pdf(number, revision),
        "data": lambda: register.quote_data(number, revision).encode(),
        "prices": lambda: register.prices(number, revision).encode(),
        "consultation": lambda: register.consultation(number, revision).encode(),
    }
    written = [name for name in wanted if getattr(arguments, name) is not None]
    for name in written:
        write_atomically(wanted[name](), getattr(arguments, name))
        out.write(tr.gettext("Written: {file}").format(file=getattr(arguments, name)) + "\n")
    if written:
        return 0
    entry = register.entry(number, today())
    if arguments.json:
        form = {**plain(entry), "history": [plain(event) for event in register.history(number)]}
        json.dump(form, out, indent=1, ensure_ascii=False)
        out.write("\n")
        return 0
    out.write(f"{word(entry.kind, tr)} {entry.number}\n")
    for text in (entry.company, entry.contact, entry.customer_number, entry.reference, entry.subject, entry.remark):
        if text:
            out.write(f"  {text}\n")
    if entry.follow_up is not None:
        day = numbers.long_date(entry.follow_up, language)
        out.write("  " + tr.gettext("Follow up on {date}").format(date=day) + "\n")
    _revisions(entry, arguments, out)
    for event in register.history(number):
        day = numbers.long_date(event.on, language)
        out.write(f"  {day}: {tr.gettext('Rev. {revision}').format(revision=event.revision)}")
        out.write(f" {state_word(event.what, tr)}" + (f" ({event.author})" if event.author else "") + "\n")
    return 0


def _revisions(entry: Entry, arguments: argparse.Namespace, out: TextIO) -> None:
    tr, language = translations(arguments.language), Language(arguments.language)
    for item in entry.revisions:
        amount = sum_text(item.gross, item, tr, language)
        line = tr.gettext("Rev. {revision} of {issued}: {state}, until {until}, {amount}, SHA-256 {digest}")
        out.write(
            "  "
            + line.format(
                revision=item.revision,
                issued=numbers.long_date(item.issued_on, language),
                state=state_word(item.state, tr),
                until=numbers.long_date(item.valid_until, language),
                amount=amount,
                digest=item.pdf_sha256,
            )
            + "\n"
        )


def _state(arguments: argparse.Namespace, register: Register, _database: Database, out: TextIO) -> int:
    tr = translations(arguments.language)
    on = _day(arguments.on) if arguments.on else today()
    register.set_state(arguments.number, State(arguments.state), on=on, author=load_seller().contact.name)
    text = tr.gettext("{number} is now: {state}")
    out.write(text.format(number=arguments.number, state=state_word(State(arguments.state), tr)) + "\n")
    return 0


def _follow_up(arguments: argparse.Namespace, register: Register, _database: Database, out: TextIO) -> int:
    tr, language = translations(arguments.language), Language(arguments.language)
    day = None if arguments.date == "none" else _day(arguments.date)
    register.set_follow_up(arguments.number, day, arguments.remark or "")
    if day is None:
        out.write(tr.gettext("{number}: no follow-up").format(number=arguments.number) + "\n")
    else:
        shown = numbers.long_date(day, language)
        out.write(tr.gettext("{number}: follow up on {date}").format(number=arguments.number, date=shown) + "\n")
    return 0


def _delete_customer(arguments: argparse.Namespace, register: Register, _database: Database, out: TextIO) -> int:
    tr = translations(arguments.language)
    if arguments.yes:
        erased = register.erase_customer(
            arguments.name, today=today(), author=load_seller().contact.name, keep_accepted=arguments.keep_accepted
        )
        out.writelines(tr.gettext("{number}: customer data erased").format(number=number) + "\n" for number in erased)
    else:
        erased = tuple(entry.number for entry in register.customers(arguments.name))
        if erased:
            text = tr.gettext("This would erase the customer data and PDFs of {numbers} for good; --yes does it.")
            out.write(text.format(numbers=", ".join(erased)) + "\n")
            return 1
    if not erased:
        out.write(tr.gettext("The register holds no such document.") + "\n")
        return 1
    out.write(tr.gettext("Files saved elsewhere, backups and e-mails are yours to delete.") + "\n")
    return 0


def _check(arguments: argparse.Namespace, _register: Register, database: Database, out: TextIO) -> int:
    tr = translations(arguments.language)
    found = flaws(database)
    out.writelines(flaw_sentence(flaw, tr) + "\n" for flaw in found)
    if not found:
        documents = count(database)
        text = tr.ngettext(
            "{count} document, no gap, every PDF as it was issued.",
            "{count} documents, no gap, every PDF as it was issued.",
            documents,
        )
        out.write(text.format(count=documents) + "\n")
    return 1 if found else 0


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise RegisterError("{text} is no date; write it as 2026-11-30.", text=text) from error


_ACTIONS: Mapping[str, Action] = {
    "list": _list,
    "show": _show,
    "state": _state,
    "follow-up": _follow_up,
    "delete-customer": _delete_customer,
    "check": _check,
}

"""The command line's grammar: which commands and options there are. `main.py` hands each to its module here."""

from __future__ import annotations

import argparse
import sys
from enum import StrEnum
from pathlib import Path
from typing import NoReturn

from catalog.commands import serve_options
from catalog.register.types import State
from engine.methods import (
    Attention,
    Checkpointing,
    Loss,
    Method,
    Objective,
    Offload,
    Optimizer,
    Sharding,
    StateRecipe,
)
from engine.quote.draft import DocumentKind
from engine.speed.types import ComputeFormat, Fabric, StackClass
from resources import program_version

BAD_INPUT = 2
CATALOGUE_PARTS = ("cards", "systems", "models", "prices")
SERVE = "serve"
SHARDINGS = [member.value for member in Sharding if member is not Sharding.HYBRID]  # a group would have to be given


class Parser(argparse.ArgumentParser):
    """Reports bad usage as one line."""

    def error(self, message: str) -> NoReturn:
        sys.stderr.write(f"passform: {message}\n")
        raise SystemExit(BAD_INPUT)


def _whole_number(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if not 1 <= number <= 10**15:
        raise argparse.ArgumentTypeError(f"{text} is outside 1 to 10^15")
    return number


def _percent(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 100")
    return int(text)


def _values(choices: type[StrEnum]) -> list[str]:
    return [member.value for member in choices]


def _add_estimate(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser("estimate", help="memory of one training run, or of a served model")
    parser.add_argument("--model", required=True, metavar="ID|config.json")
    parser.add_argument("--method", required=True, choices=[*_values(Method), SERVE])
    parser.add_argument("--recipe", choices=_values(StateRecipe))
    parser.add_argument("--objective", choices=_values(Objective), default="sft")
    parser.add_argument("--rank", type=_whole_number, default=16)
    parser.add_argument("--targets", default="all-linear", help="all-linear, attention, or a comma list of modules")
    parser.add_argument("--adapter-dtype", choices=("fp32", "bf16"), default="fp32")
    parser.add_argument("--kbit-upcast", choices=("on", "off"), default="off")
    parser.add_argument("--dora", choices=("on", "off"), default="off")
    parser.add_argument("--optimizer", choices=_values(Optimizer), default="adamw")
    parser.add_argument("--sequence-length", type=_whole_number, default=2048)
    parser.add_argument("--micro-batch", type=_whole_number, default=1)
    parser.add_argument("--gradient-accumulation", type=_whole_number, default=1)
    parser.add_argument("--cards", type=_whole_number, default=1)
    parser.add_argument("--sharding", choices=SHARDINGS, help="default: none on one card, fsdp on several")
    parser.add_argument("--checkpointing", choices=_values(Checkpointing), default="on")
    parser.add_argument("--attention", choices=_values(Attention), default="flash")
    parser.add_argument("--loss", choices=_values(Loss), default="plain")
    parser.add_argument("--offload", choices=_values(Offload), default="none")
    parser.add_argument("--card", metavar="ID", help="judge the run on this card; exit 1 when it does not fit")
    parser.add_argument("--headroom", type=_percent, default=15, metavar="PERCENT", help="added to the need")
    parser.add_argument("--max", choices=("sequence-length", "micro-batch"), help="the largest that fits on --card")
    parser.add_argument("--json", action="store_true")
    serve_options.add_arguments(parser)


def _add_file_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser("plan", help="recommend a system for a consultation file")
    parser.add_argument("file", type=Path)
    parser.add_argument("--json", action="store_true")

    parser = commands.add_parser("quote", help="write the proposal of a consultation file as PDF")
    parser.add_argument("file", type=Path)
    parser.add_argument("--output", type=Path, required=True, metavar="X.pdf")
    parser.add_argument("--language", dest="paper_language", choices=("de", "en"))
    parser.add_argument("--pdfa", action="store_true", help="make the PDF for archives (PDF/A-3b)")
    issuing = parser.add_argument_group("through the register of issued documents")
    way = issuing.add_mutually_exclusive_group()
    way.add_argument("--draft", action="store_true", help="show the offer before it is issued; takes no number")
    way.add_argument("--offer", action="store_true", help="a binding offer with a number of its own")
    way.add_argument("--issue", action="store_true", help="a numbered recommendation")
    way.add_argument("--revise", metavar="NUMBER", help="the next revision of this document")
    issuing.add_argument("--vat-confirmed", action="store_true", help="the VAT case was checked by the seller")

    parser = commands.add_parser("export", help="write the proposal as XLSX, CSV, JSON, PDF or e-mail text")
    parser.add_argument("file", type=Path)
    parser.add_argument("--format", choices=("pdf", "xlsx", "csv", "json", "email"), required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--language", dest="paper_language", choices=("de", "en"))

    parser = commands.add_parser("rent-or-buy", help="compare buying with renting for a consultation file")
    parser.add_argument("file", type=Path)
    parser.add_argument("--json", action="store_true")


def _add_catalogue(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser("catalog", help="check, list, show, compare, import and export the facts")
    actions = parser.add_subparsers(dest="action", required=True, metavar="action")
    actions.add_parser("check", help="prove the catalogue's integrity")
    ages = actions.add_parser("ages", help="show or set from when on prices are marked as old and as expired")
    ages.add_argument("--fresh", type=_whole_number, metavar="DAYS", help="fresh up to this age")
    ages.add_argument("--old", type=_whole_number, metavar="DAYS", help="old up to this age, then expired")
    listing = actions.add_parser("list", help="list a part of the catalogue")
    listing.add_argument("what", choices=CATALOGUE_PARTS)
    show = actions.add_parser("show", help="everything known about one id, with sources")
    show.add_argument("id")
    difference = actions.add_parser("diff", help="compare with a kept version, a folder or an update package")
    difference.add_argument("other", metavar="VERSION|FOLDER|PACKAGE")
    importing = actions.add_parser("import", help="report what a price list would change")
    importing.add_argument("file", type=Path)
    importing.add_argument("--apply", action="store_true", help="take the ready rows over")
    importing.add_argument("--currency", default="", help="of amounts without one")
    importing.add_argument("--vat", choices=("net", "gross"), help="of amounts that do not say")
    actions.add_parser("undo", help="take the last import or own change back")
    exporting = actions.add_parser("export", help="write a part of the catalogue as CSV or XLSX")
    exporting.add_argument("what", choices=CATALOGUE_PARTS)
    exporting.add_argument("--output", type=Path, required=True)
    verify = actions.add_parser("verify", help="check a signed update package")
    verify.add_argument("file", type=Path)
    verify.add_argument("--apply", action="store_true", help="use it from now on")
    actions.add_parser("revert", help="go back to the catalogue before the last update")
    _add_keys(actions)


def _add_keys(actions: argparse._SubParsersAction[Parser]) -> None:
    key = actions.add_parser("key", help="make the key pair of a publisher of updates")
    key.add_argument("file", type=Path, metavar="PRIVATE.pem")
    key.add_argument("--name", required=True, help="of the publisher, as users will see it")
    key.add_argument("--passphrase", action="store_true", help="ask for a passphrase that protects the private key")
    unpack = actions.add_parser("unpack", help="write the catalogue in use into a folder, to make an update of it")
    unpack.add_argument("folder", type=Path)
    sign = actions.add_parser("sign", help="make a signed update package of a catalogue folder")
    sign.add_argument("folder", type=Path)
    sign.add_argument("--key", type=Path, required=True, metavar="PRIVATE.pem")
    sign.add_argument("--output", type=Path, required=True, metavar="X.passform-update")
    trust = actions.add_parser("trust", help="show a publisher's public key, and trust it by its fingerprint")
    trust.add_argument("file", type=Path, metavar="X.passform-key")
    trust.add_argument("--fingerprint", metavar="HEX", help="as the publisher told it; the key is trusted when it fits")
    actions.add_parser("keys", help="whose update packages are accepted here")
    distrust = actions.add_parser("distrust", help="accept a publisher's packages no longer")
    distrust.add_argument("fingerprint", metavar="HEX")


def _add_register(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser("register", help="the register of issued documents")
    actions = parser.add_subparsers(dest="action", required=True, metavar="action")
    listing = actions.add_parser("list", help="find documents")
    listing.add_argument("text", nargs="?", help="number, customer or subject")
    listing.add_argument("--state", action="append", choices=_values(State))
    listing.add_argument("--kind", choices=_values(DocumentKind))
    listing.add_argument("--due", action="store_true", help="whose follow-up is due")
    listing.add_argument("--json", action="store_true")
    show = actions.add_parser("show", help="one document, its revisions and history")
    show.add_argument("number")
    show.add_argument("--revision", type=_whole_number)
    show.add_argument("--output", type=Path, metavar="X.pdf", help="write the stored PDF, byte for byte")
    show.add_argument("--data", type=Path, help="write the quote's data as JSON")
    show.add_argument("--prices", type=Path, help="write the price snapshot")
    show.add_argument("--consultation", type=Path, help="write the consultation it was made from")
    show.add_argument("--json", action="store_true")
    state = actions.add_parser("state", help="say what became of a document")
    state.add_argument("number")
    state.add_argument("state", choices=_values(State))
    state.add_argument("--on", metavar="DATE", help="default: today")
    follow_up = actions.add_parser("follow-up", help="set the day to ask again")
    follow_up.add_argument("number")
    follow_up.add_argument("date", metavar="DATE|none")
    follow_up.add_argument("--remark")
    delete = actions.add_parser("delete-customer", help="delete a customer's data; number and hash stay")
    delete.add_argument("name")
    delete.add_argument("--yes", action="store_true", help="delete; without it only say what would go")
    delete.add_argument("--keep-accepted", action="store_true", help="leave accepted documents alone")
    actions.add_parser("check", help="prove that numbers and hashes are whole")


def _add_advice(commands: argparse._SubParsersAction[Parser]) -> None:
    commands.add_parser("serving-advice", help="published inference advice, recomputed on today's facts and prices")


def _add_evidence(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser("evidence", help="estimates against published measurements")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--measured", type=Path, metavar="FILE", help="memory records in the schema of measured sets")
    what.add_argument("--oracle", type=Path, metavar="FILE", help="exact traces of training steps")
    what.add_argument("--speed", nargs="?", const="", metavar="FILE", help="speed records; without FILE the bundled")
    what.add_argument("--inference", nargs="?", const="", metavar="FILE", help="serving records, likewise")
    parser.add_argument("--json", action="store_true")


def _add_cluster(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser("cluster", help="plan a job that outgrows one machine")
    parser.add_argument("--model", required=True, metavar="ID|config.json")
    parser.add_argument("--method", choices=_values(Method), default="full")
    parser.add_argument("--states", choices=_values(StateRecipe), default="bf16-master")
    parser.add_argument("--optimizer", choices=_values(Optimizer), default="adamw")
    parser.add_argument("--sequence-length", type=_whole_number, default=4096)
    parser.add_argument("--tokens", type=_whole_number, required=True, help="tokens of the whole run")
    parser.add_argument("--batch-tokens", type=_whole_number, default=4_194_304, help="tokens per optimiser step")
    parser.add_argument("--deadline-days", type=float)
    parser.add_argument("--card", required=True, metavar="ID")
    parser.add_argument("--cards-per-node", type=_whole_number, default=8)
    parser.add_argument("--network-gbit", type=_whole_number, default=3200, help="per node")
    parser.add_argument("--fabric", choices=_values(Fabric), default="infiniband")
    parser.add_argument("--most-nodes", type=_whole_number, default=64)
    parser.add_argument(
        "--stack", choices=_values(StackClass), help="without one that of --test-runs, else tuned-pytorch"
    )
    parser.add_argument(
        "--test-runs", type=Path, metavar="FILE", help="a consultation whose test runs correct the times"
    )
    parser.add_argument("--compute", choices=_values(ComputeFormat), default="bf16")
    parser.add_argument("--price", metavar="AMOUNT", help="rent per card and hour")
    parser.add_argument("--currency", default="EUR")
    parser.add_argument("--json", action="store_true")


def make_parser() -> Parser:
    """The command line's grammar."""
    top = Parser(prog="passform", description="Sizes GPU systems for fine-tuning and prints the proposal.")
    top.add_argument("--version", action="version", version=f"passform {program_version()}")
    top.add_argument("--selftest", action="store_true", help="check the installed program and leave")
    top.add_argument("--start", action="store_true", help=argparse.SUPPRESS)
    top.add_argument("--language", choices=("de", "en"), help="language of the output")
    top.set_defaults(file=None)
    commands = top.add_subparsers(parser_class=Parser, dest="command", metavar="command")
    _add_estimate(commands)
    _add_file_commands(commands)
    _add_catalogue(commands)
    _add_register(commands)
    _add_advice(commands)
    _add_evidence(commands)
    _add_cluster(commands)
    return top

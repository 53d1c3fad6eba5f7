"""Passform: sizes GPU systems for fine-tuning and prints the proposal. Without a command it opens the window."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NoReturn

from engine.errors import PassformError
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
from engine.speed.types import ComputeFormat, Fabric, StackClass

DONE, FAILED, BAD_INPUT = 0, 1, 2
CATALOGUE_PARTS = ("cards", "systems", "models", "prices")

Command = Callable[[argparse.Namespace], int]


class Parser(argparse.ArgumentParser):
    """Reports bad usage as one line."""

    def error(self, message: str) -> NoReturn:
        print(f"passform: {message}", file=sys.stderr)
        raise SystemExit(BAD_INPUT)


def estimate(arguments: argparse.Namespace) -> int:
    from catalog.commands.estimate import run

    return run(arguments, sys.stdout)


def plan(arguments: argparse.Namespace) -> int:
    from catalog.commands.plan import run

    return run(arguments, sys.stdout)


def quote(arguments: argparse.Namespace) -> int:
    from catalog.commands.quote import run

    return run(arguments, sys.stdout)


def catalogue(arguments: argparse.Namespace) -> int:
    from catalog.commands.catalogue import run

    return run(arguments, sys.stdout)


def evidence(arguments: argparse.Namespace) -> int:
    from catalog.commands.evidence import run

    return run(arguments, sys.stdout)


def rent_or_buy(arguments: argparse.Namespace) -> int:
    from catalog.commands.rent_or_buy import run

    return run(arguments, sys.stdout)


def cluster(arguments: argparse.Namespace) -> int:
    from catalog.commands.cluster import run

    return run(arguments, sys.stdout)


def window(arguments: argparse.Namespace) -> int:
    from gui.app import run

    return run(arguments.file)


def start(arguments: argparse.Namespace) -> int:
    """Open the window where there is a screen; otherwise say so and make the example proposal."""
    if _has_display():
        return window(arguments)
    from catalog.commands.quote import example_proposal

    return example_proposal(sys.stdout, arguments.language)


def selftest(_arguments: argparse.Namespace) -> int:
    if not _has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # so that a build machine can run it
    from catalog.commands.selftest import run
    from gui.app import selftest as window_selftest

    return run(sys.stdout, window_selftest)


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("QT_QPA_PLATFORM"))


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
    parser = commands.add_parser("estimate", help="memory of one training run")
    parser.add_argument("--model", required=True, metavar="ID|config.json")
    parser.add_argument("--method", required=True, choices=_values(Method))
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
    parser.add_argument("--sharding", choices=_values(Sharding), help="default: none on one card, fsdp on several")
    parser.add_argument("--checkpointing", choices=_values(Checkpointing), default="on")
    parser.add_argument("--attention", choices=_values(Attention), default="flash")
    parser.add_argument("--loss", choices=_values(Loss), default="plain")
    parser.add_argument("--offload", choices=_values(Offload), default="none")
    parser.add_argument("--card", metavar="ID", help="judge the run on this card; exit 1 when it does not fit")
    parser.add_argument("--headroom", type=_percent, default=15, metavar="PERCENT", help="added to the need")
    parser.add_argument("--max", choices=("sequence-length", "micro-batch"), help="the largest that fits on --card")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(command=estimate)


def _add_file_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser("plan", help="recommend a system for a consultation file")
    parser.add_argument("file", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(command=plan)

    parser = commands.add_parser("quote", help="write the proposal of a consultation file as PDF")
    parser.add_argument("file", type=Path)
    parser.add_argument("--output", type=Path, required=True, metavar="X.pdf")
    parser.add_argument("--language", dest="paper_language", choices=("de", "en"))
    parser.set_defaults(command=quote)

    parser = commands.add_parser("rent-or-buy", help="compare buying with renting for a consultation file")
    parser.add_argument("file", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(command=rent_or_buy)


def _add_catalogue(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser("catalog", help="check, list, show, compare, import and export the facts")
    actions = parser.add_subparsers(dest="action", required=True, metavar="action")
    actions.add_parser("check", help="prove the catalogue's integrity")
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
    parser.set_defaults(command=catalogue)


def _add_evidence(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser("evidence", help="estimates against published measurements")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--measured", type=Path, metavar="FILE", help="memory records in the schema of measured sets")
    what.add_argument("--oracle", type=Path, metavar="FILE", help="exact traces of training steps")
    what.add_argument("--speed", nargs="?", const="", metavar="FILE", help="speed records; without FILE the bundled")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(command=evidence)


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
    parser.add_argument("--stack", choices=_values(StackClass), default="tuned-pytorch")
    parser.add_argument("--compute", choices=_values(ComputeFormat), default="bf16")
    parser.add_argument("--price", metavar="AMOUNT", help="rent per card and hour")
    parser.add_argument("--currency", default="EUR")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(command=cluster)


def parser() -> Parser:
    """The command line's grammar."""
    top = Parser(prog="passform", description="Sizes GPU systems for fine-tuning and prints the proposal.")
    top.add_argument("--selftest", action="store_true", help="check the installed program and leave")
    top.add_argument("--start", action="store_true", help=argparse.SUPPRESS)
    top.add_argument("--language", choices=("de", "en"), help="language of the output")
    top.set_defaults(command=None, file=None)
    commands = top.add_subparsers(parser_class=Parser, metavar="command")
    _add_estimate(commands)
    _add_file_commands(commands)
    _add_catalogue(commands)
    _add_evidence(commands)
    _add_cluster(commands)
    return top


def _language() -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return "de" if os.environ[name].startswith("de") else "en"
    return "en"


def _command(arguments: argparse.Namespace) -> Command:
    if arguments.selftest:
        return selftest
    if arguments.start:
        return start
    chosen: Command | None = arguments.command
    return chosen or window


def _report(error: PassformError, language: str) -> None:
    from resources import translations

    first, *more = error.text(translations(language).gettext).splitlines()
    rest = f" (+{len(more)})" if more else ""
    print(f"passform: {first}{rest}", file=sys.stderr)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 nothing fits or a check failed, 2 bad input."""
    words = list(sys.argv[1:] if argv is None else argv)
    if len(words) == 1 and not words[0].startswith("-") and words[0].endswith((".yaml", ".yml", ".pdf")):
        arguments = parser().parse_args([])
        arguments.file = Path(words[0])
    else:
        arguments = parser().parse_args(words)
    arguments.language = arguments.language or _language()
    try:
        return _command(arguments)(arguments)
    except PassformError as error:
        _report(error, arguments.language)
        return BAD_INPUT
    except BrokenPipeError:
        # The reader of a pipe left early (`passform ... | head`); Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())

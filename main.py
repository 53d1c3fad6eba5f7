"""Passform: sizes GPU systems for fine-tuning and prints the proposal. Without a command it opens the window.

A person waits for the window, so what only a command needs, its grammar above all, is imported when there is one.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import PassformError

if TYPE_CHECKING:
    import argparse

FAILED, BAD_INPUT = 1, 2
FILES = (".yaml", ".yml", ".pdf")
INTERRUPTED = 130

Command = Callable[["argparse.Namespace"], int]


def estimate(arguments: argparse.Namespace) -> int:
    if arguments.method == "serve":
        from catalog.commands.serve_estimate import run as serve

        return serve(arguments, sys.stdout)
    from catalog.commands.estimate import run

    return run(arguments, sys.stdout)


def plan(arguments: argparse.Namespace) -> int:
    from catalog.commands.plan import run

    return run(arguments, sys.stdout)


def quote(arguments: argparse.Namespace) -> int:
    if arguments.offer or arguments.issue or arguments.revise:
        from catalog.commands.register import issue_document

        return issue_document(arguments, sys.stdout)
    from catalog.commands.quote import run

    return run(arguments, sys.stdout)


def export(arguments: argparse.Namespace) -> int:
    from catalog.commands.quote_exports import run

    return run(arguments, sys.stdout)


def register(arguments: argparse.Namespace) -> int:
    from catalog.commands.register import run

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


def serving_advice(arguments: argparse.Namespace) -> int:
    from catalog.clock import today
    from catalog.commands.serve_advice import report
    from engine.wording.translator import Language

    return report(today(), sys.stdout, Language(arguments.language))


def window(file: Path | None = None) -> int:
    """Open the window."""
    gc.disable()  # importing makes no garbage worth looking for; `gui.collector` collects from then on
    from gui.app import run

    return run(file)


def start(arguments: argparse.Namespace) -> int:
    """Open the window where there is a screen; otherwise say so and make the example proposal."""
    if _has_display():
        return window()
    from catalog.commands.quote import example_proposal

    return example_proposal(sys.stdout, arguments.language)


def selftest(_arguments: argparse.Namespace) -> int:
    if not _has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # so that a build machine can run it
    from catalog.commands.selftest import run
    from gui.app import selftest as window_selftest

    return run(sys.stdout, window_selftest)


COMMANDS: Mapping[str, Command] = {
    "estimate": estimate,
    "plan": plan,
    "quote": quote,
    "export": export,
    "register": register,
    "rent-or-buy": rent_or_buy,
    "catalog": catalogue,
    "evidence": evidence,
    "cluster": cluster,
    "serving-advice": serving_advice,
}


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("QT_QPA_PLATFORM"))


def _language() -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return "de" if os.environ[name].startswith("de") else "en"
    return "en"


def _work(words: list[str]) -> tuple[Callable[[], int], str]:
    """What the words on the command line ask for, and its language; bad usage ends the program with one line."""
    if not words:
        return window, _language()
    if len(words) == 1 and not words[0].startswith("-") and words[0].endswith(FILES):
        return partial(window, Path(words[0])), _language()
    from catalog.commands.grammar import make_parser

    arguments = make_parser().parse_args(words)
    arguments.language = arguments.language or _language()
    return partial(_command(arguments), arguments), arguments.language


def _command(arguments: argparse.Namespace) -> Command:
    if arguments.selftest:
        return selftest
    if arguments.start:
        return start
    return COMMANDS[arguments.command] if arguments.command else lambda _arguments: window()


def _report(error: PassformError, language: str) -> None:
    from resources import translations

    first, *more = error.text(translations(language).gettext).splitlines()
    rest = f" (+{len(more)})" if more else ""
    print(f"passform: {first}{rest}", file=sys.stderr)


def _replace_what_the_console_lacks() -> None:
    """A pipe on Windows, or an old terminal, knows few letters; one it lacks becomes `?` instead of an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _run(work: Callable[[], int], language: str) -> int:
    try:
        return work()
    except PassformError as error:
        _report(error, language)
        return BAD_INPUT


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 nothing fits or a check failed, 2 bad input."""
    from resources import MissingTranslationsError

    words = list(sys.argv[1:] if argv is None else argv)
    _replace_what_the_console_lacks()
    work, language = _work(words)
    try:
        return _run(work, language)
    except MissingTranslationsError as error:
        print(f"passform: {error}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        # The reader of a pipe left early (`passform ... | head`); Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    raise SystemExit(main())

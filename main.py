"""Passform: sizes GPU systems for fine-tuning and prints the proposal. Without a command it opens the window.

A person waits for the window, so what only a command needs, its grammar above all, is imported when there is one.
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import PassformError

if TYPE_CHECKING:
    import argparse

FAILED, BAD_INPUT, DEFECT = 1, 2, 70
FILES = (".yaml", ".yml", ".pdf")
SIGNALLED, INTERRUPTED = 128, 130
STANDARD_ERROR = 2
OF_STREAMS = {errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENXIO, errno.EBADF, errno.EINVAL}

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
    if arguments.command:  # a window has its own loop, which would not hear it
        signal.signal(signal.SIGTERM, _end_in_order)
    return partial(_command(arguments), arguments), arguments.language


def _command(arguments: argparse.Namespace) -> Command:
    if arguments.selftest:
        return selftest
    if arguments.start:
        return start
    return COMMANDS[arguments.command] if arguments.command else lambda _arguments: window()


def _report(error: PassformError, language: str) -> None:
    first, *more = error.text(_gettext(language)).splitlines()
    rest = f" (+{len(more)})" if more else ""
    _complain(f"{first}{rest}")


def _gettext(language: str) -> Callable[[str], str]:
    """The words of a language; English where its translations were not built, which is said elsewhere."""
    from resources import MissingTranslationsError, translations

    try:
        return translations(language).gettext
    except MissingTranslationsError:
        return str


def _complain(text: str) -> None:
    """One line for the person; a standard error that is full or gone changes nothing about what happened."""
    with suppress(OSError, ValueError):
        print(f"passform: {text}", file=sys.stderr, flush=True)


def _open_streams() -> None:
    """Give a program started without a console, or with `>&-`, places to write to.

    Else the next files it opens would get the numbers of the closed streams, and what libraries print with them.
    """
    with suppress(OSError):  # a system without its empty device
        while (handle := os.open(os.devnull, os.O_RDWR)) <= STANDARD_ERROR:
            pass
        os.close(handle)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  # open until the end


def _replace_what_the_console_lacks() -> None:
    """A pipe on Windows, or an old terminal, knows few letters; one it lacks becomes `?` instead of an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _end_in_order(number: int, _frame: object) -> None:
    raise SystemExit(SIGNALLED + number)


def _run(words: list[str]) -> int:
    language = _language()
    try:
        work, language = _work(words)
        code = work()
        sys.stdout.flush()
    except PassformError as error:
        _report(error, language)
        return BAD_INPUT
    except Exception as error:  # noqa: BLE001  # whatever it is, nobody is shown a trace
        # Of a file the system gives the name; of a stream it does not, and our own files have errors of their own.
        if isinstance(error, OSError) and error.filename is None and error.errno in OF_STREAMS:
            _leave_the_output(error)
            return FAILED
        return _on_defect(error, language)
    return code


def _leave_the_output(error: OSError) -> None:
    """The standard output takes no more: say why, unless its reader left on purpose (`passform ... | head`)."""
    with suppress(OSError, ValueError):  # Python would try, and complain, again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if not isinstance(error, BrokenPipeError):
        _complain(error.strerror or str(error))


def _on_defect(error: Exception, language: str) -> int:
    """Say what a person can do about an error that is ours, instead of showing them its trace."""
    from catalog.crash_report import report_text, write_report
    from catalog.user_folder import user_folder
    from catalog.versions import active_data_folder, version_in
    from engine.wording.translator import mark
    from resources import MissingTranslationsError

    if isinstance(error, MissingTranslationsError):
        _complain(str(error))
        return BAD_INPUT
    folder = user_folder()
    text = report_text(error, version_in(active_data_folder(folder)), "-")
    written = write_report(text, folder)
    message = mark(
        "Something went wrong that should not. The report {file} names the place in the program and nothing of the "
        "customer. You may send it or not."
    )
    _complain(text if written is None else _gettext(language)(message).format(file=written))
    return DEFECT


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0 done, 1 nothing fits or a check failed, 2 bad input, 70 a defect of the program, 130 interrupted.
    """
    try:
        _open_streams()
        _replace_what_the_console_lacks()
        return _run(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    raise SystemExit(main())

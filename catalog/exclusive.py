"""One writer at a time in a folder, across windows and programs. The system lets go when a process dies."""

from __future__ import annotations

import errno
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import IO, Concatenate, ParamSpec, TypeVar

from catalog.disk import worded
from engine.errors import PassformError

NAME = ".writing"
PATIENCE_S = 10.0
_PAUSE_S = 0.02

Rest = ParamSpec("Rest")
Result = TypeVar("Result")

_threads = threading.RLock()
_held: set[Path] = set()


class BusyError(PassformError):
    """Another window writes to the folder and does not finish."""


@contextmanager
def exclusive(folder: Path, patience_s: float = PATIENCE_S) -> Iterator[None]:
    """Hold the folder for writing; may be entered again by whoever holds it.

    Raises `BusyError` after `patience_s`, `DiskError` when the folder, or a file inside the block, refuses.
    """
    place = folder.absolute()
    with _threads:
        if place in _held:
            yield
            return
        with _open(place) as stream:
            _wait(stream, folder, patience_s)
            _held.add(place)
            try:
                with worded(place):
                    yield
            finally:
                _held.discard(place)
                _unlock(stream)


def alone(function: Callable[Concatenate[Path, Rest], Result]) -> Callable[Concatenate[Path, Rest], Result]:
    """A function that reads and then writes in the folder it is given first: nobody else writes in between."""

    @wraps(function)
    def held(folder: Path, /, *arguments: Rest.args, **named: Rest.kwargs) -> Result:
        with exclusive(folder):
            return function(folder, *arguments, **named)

    return held


def _open(place: Path) -> IO[bytes]:
    with worded(place):
        place.mkdir(parents=True, exist_ok=True)
        return (place / NAME).open("a+b")


def _wait(stream: IO[bytes], folder: Path, patience_s: float) -> None:
    end = time.monotonic() + patience_s
    while not _lock(stream):
        if time.monotonic() > end:
            raise BusyError(
                "Another window is writing to {folder} and does not finish. Please try again.", folder=folder
            )
        time.sleep(_PAUSE_S)


if sys.platform == "win32":  # pragma: no cover - the other branch is its twin
    import msvcrt

    def _lock(stream: IO[bytes]) -> bool:
        stream.seek(0)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(stream: IO[bytes]) -> None:
        stream.seek(0)
        msvcrt.locking(stream.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(stream: IO[bytes]) -> bool:
        try:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            # A file system without locks (some network drives) must not make writing impossible.
            return error.errno in {errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS}
        return True

    def _unlock(stream: IO[bytes]) -> None:
        with suppress(OSError):
            fcntl.flock(stream.fileno(), fcntl.LOCK_UN)

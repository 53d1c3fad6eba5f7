"""Whether a process of this machine still runs; a number alone is not enough, as systems use numbers again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_QUERY_LIMITED = 0x1000  # PROCESS_QUERY_LIMITED_INFORMATION
_STILL_ACTIVE = 259
_STARTED_FIELD = 19  # of /proc/PID/stat, counted after the name in brackets: start in clock ticks since boot


def is_running(process: int, birth: str) -> bool:
    """Whether the process `process`, born at `birth`, runs. An unknown birth is taken as equal."""
    if process <= 0 or not _exists(process):
        return False
    now = birth_of(process)
    return not (birth and now and birth != now)


def birth_of(process: int) -> str:
    """When a process began, in the system's own words; empty where the system does not tell."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot}/{text.rpartition(')')[2].split()[_STARTED_FIELD]}"
    except (OSError, IndexError):
        return ""


def boot_of(birth: str) -> str:
    """The start of the machine in which a process was born; empty where the system does not tell."""
    return birth.rpartition("/")[0]


def _exists(process: int) -> bool:
    if sys.platform == "win32":
        return _exists_on_windows(process)
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True  # another user's
    return True


def _exists_on_windows(process: int) -> bool:  # pragma: no cover - os.kill would end the process there
    if sys.platform != "win32":
        return False
    import ctypes  # noqa: PLC0415 - only where the system needs it

    kernel = ctypes.windll.kernel32
    handle = kernel.OpenProcess(_QUERY_LIMITED, False, process)  # noqa: FBT003 - an argument of the system's function
    if not handle:
        return False
    code = ctypes.c_ulong()
    known = kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return bool(known) and code.value == _STILL_ACTIVE

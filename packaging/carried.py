"""Which of the files that PyInstaller found go into the folder, and which the system brings.

Libraries of the building machine come along only where a carried file asks for them. Not carried at all: what must fit
the system it runs on (the C++ runtime, which the graphics driver shares; CUPS, which the print service belongs to),
the look of GTK, which would bring forty libraries, and GNU readline, whose licence asks for the whole program's source.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

Entry = tuple[str, str, str]  # place in the folder, place on this machine, PyInstaller's kind

# Never used by the window, and a third of the size.
UNUSED = (
    *("Qt6Quick", "Qt6Qml", "Qt6Pdf", "Qt6VirtualKeyboard", "Qt6Designer", "Qt6Labs", "Qt6Sql", "/qml/"),
    *("libqgtk3", "EglFS", "EglFs", "eglfs", "egldeviceintegrations", "libqlinuxfb", "libqvnc"),
)
EXCLUDED_MODULES = (
    *("tkinter", "unittest", "pydoc", "setuptools", "pip", "readline"),
    *("numpy", "pandas", "babel"),  # others would use them for what the program does not ask of them
    *("PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtSql"),
)
OF_THE_SYSTEM = ("libstdc++.so", "libgcc_s.so", "libcups.so")
PRINTING = "libcupsprintersupport"  # loaded where the system has CUPS, left alone where it has not
SYSTEM_FOLDERS = (Path("/lib"), Path("/lib64"), Path("/usr/lib"), Path("/usr/lib64"))


def is_used(entry: Entry) -> bool:
    """Whether the program ever loads this file."""
    place = entry[0].replace("\\", "/")
    return not any(part in place for part in UNUSED)


def of_the_system(source: str) -> bool:
    """Whether this file is a library of the building machine's system."""
    return any(Path(source).is_relative_to(folder) for folder in SYSTEM_FOLDERS)


def needed_libraries(files: Iterable[Path]) -> set[str]:
    """File names of the shared libraries that these files ask for, directly and through others."""
    names: set[str] = set()
    for file in files:
        told = subprocess.run(["ldd", str(file)], capture_output=True, text=True, check=False).stdout
        names.update(line.split()[0] for line in told.splitlines() if "=>" in line)
    return names


def carried(binaries: Iterable[Entry]) -> list[Entry]:
    """The binaries that go into the folder."""
    used = [entry for entry in binaries if is_used(entry)]
    if sys.platform != "linux":
        return used
    own = [entry for entry in used if not of_the_system(entry[1])]
    asking = [Path(entry[1]) for entry in own if entry[2] != "SYMLINK" and PRINTING not in entry[0]]
    needed = needed_libraries(asking)
    return [
        entry
        for entry in used
        if not of_the_system(entry[1]) or (Path(entry[0]).name in needed and not entry[0].startswith(OF_THE_SYSTEM))
    ]

"""Whom the files of a packed program belong to: a Python package, Python, the system, the program, or nobody known."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

_LICENCE_LINE = re.compile(r"^License:\s*(\S.*)$", re.MULTILINE)
DOCUMENTATION = Path("/usr/share/doc")


@dataclass(frozen=True, slots=True, order=True)
class SystemPackage:
    """An installed Debian package."""

    name: str
    version: str
    architecture: str

    @property
    def copyright_file(self) -> Path:
        """Its licence texts, which every Debian package has."""
        return DOCUMENTATION / self.name / "copyright"

    def licences(self) -> list[str]:
        """The licences that the copyright file names by a short name, or where they stand."""
        text = self.copyright_file.read_text(encoding="utf-8", errors="replace")
        return sorted(set(_LICENCE_LINE.findall(text))) or [f"see licences/{self.name}-copyright.txt"]


@dataclass(frozen=True, slots=True)
class Owners:
    """Whose files they are."""

    packages: frozenset[str]
    of_the_system: tuple[SystemPackage, ...]
    nobodys: tuple[Path, ...]

    @property
    def python_licence(self) -> Path:
        """Python's own licence text; its place differs by platform."""
        standard = Path(sysconfig.get_path("stdlib"))
        places = (standard / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE")
        debian = DOCUMENTATION / "python3" / "copyright"
        return next(place for place in (*places, debian) if place.is_file())


def owners_of(sources: Iterable[Path], project: Path) -> Owners:
    """Whom these files belong to. Files of Python and of the project need no entry of their own."""
    by_file = _files_of_packages()
    packages: set[str] = set()
    rest: set[Path] = set()
    environment = Path(sys.prefix).resolve()
    for source in sources:
        found = source.resolve()
        if str(found) in by_file:
            packages.add(by_file[str(found)])
        elif found.is_relative_to(environment) or (not found.is_relative_to(project) and not _is_pythons(found)):
            rest.add(found)
    named, unnamed = _system_packages(rest)
    return Owners(frozenset(packages), named, unnamed)


def _files_of_packages() -> dict[str, str]:
    found: dict[str, str] = {}
    for package in distributions():
        name = str(package.metadata["Name"])
        root = os.path.realpath(str(package.locate_file("")))  # once: asking the disk for each file takes minutes
        for file in package.files or ():
            found[os.path.normpath(os.path.join(root, str(file)))] = name  # noqa: PTH118  # as above
    return found


def _is_pythons(path: Path) -> bool:
    standard = Path(sysconfig.get_path("stdlib")).resolve()
    if path.is_relative_to(standard) and "site-packages" not in path.parts and "dist-packages" not in path.parts:
        return True
    base = Path(sys.base_prefix).resolve()
    return base != Path("/usr") and path.is_relative_to(base) and "site-packages" not in path.parts


def _system_packages(files: set[Path]) -> tuple[tuple[SystemPackage, ...], tuple[Path, ...]]:
    """The Debian packages of these files, and the files that belong to none."""
    if not files or shutil.which("dpkg-query") is None:
        return (), tuple(sorted(files))
    # A file of /usr/lib is listed under /lib by packages from before the two became one.
    names = {str(file): file for file in files} | {str(file).removeprefix("/usr"): file for file in files}
    told = subprocess.run(["dpkg-query", "-S", *names], capture_output=True, text=True, check=False).stdout
    owned = [line.partition(": ") for line in told.splitlines()]
    found = {names[place] for _, _, place in owned if place in names}
    wanted = sorted({package for package, _, place in owned if place in names and "," not in package})
    if not wanted:
        return (), tuple(sorted(files))
    form = "${Package}\t${Version}\t${Architecture}\n"
    listed = subprocess.run(
        ["dpkg-query", "-W", "-f", form, *wanted], capture_output=True, text=True, check=True
    ).stdout
    packages = [SystemPackage(*line.split("\t")) for line in listed.splitlines()]
    return tuple(sorted(packages)), tuple(sorted(files - found))

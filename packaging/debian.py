"""Makes a Debian package of dist/passform; `make deb` builds the folder first. Needs dpkg-deb and objdump, not root.

    python packaging/debian.py

The package lies in dist/. It puts the program into /opt/passform, where Debian wants what does not come from Debian,
and its name, desktop entry, file type, icons, description and manual page into /usr. It depends on the libraries that
the program's files ask for and do not carry, by the names in scripts/setup.sh, and holds no script: nothing runs on
installing, and removing it leaves every document and setting. The same source gives the same bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from build import DIST, FOLDER, ROOT, source_date, version

TREE = ROOT / "build" / "deb"
REVISION = "1"
MAINTAINER = "Passform authors <passform@localhost>"  # whoever publishes the package: set DEBFULLNAME and DEBEMAIL
NOT_PACKED = ("install.sh", "uninstall.sh", "share")  # dpkg does their work
OF_LIBC = re.compile(r"(lib(c|m|dl|rt|pthread|util|resolv)\.so\.\d+|ld-linux.*)")
ALWAYS = ("fontconfig-config", "xkb-data")  # files that the carried fontconfig and xkbcommon read
RECOMMENDED = ("libcups2t64 | libcups2", "xdg-utils")  # printing; opening a paper in its viewer
SUMMARY = "sizes GPU systems for fine-tuning and prints the proposal"
DESCRIPTION = """\
 Passform turns base models, fine-tuning methods and sequence lengths into the
 GPU system that carries them: memory, time, price, and the proposal as PDF.
 .
 It works without a network. Python, Qt and everything else it needs come
 along; their licences lie in /opt/passform/_internal/licences."""
PARTS = """\
The licence texts of every part lie in /opt/passform/_internal/licences, and the list of parts beside them in
/opt/passform/_internal/passform.cdx.json. The GPL and the LGPL also lie in /usr/share/common-licenses/GPL-3 and
/usr/share/common-licenses/LGPL-3.
"""
OVERRIDES = """\
# The program comes from its publisher, not from Debian: /opt is where the FHS puts such packages.
passform: dir-or-file-in-opt
# It carries the libraries it was tested with, as its makers published them, Python's and Qt's among them.
passform: embedded-library
passform: unstripped-binary-or-object
passform: custom-library-search-path
passform: shared-library-lacks-prerequisites
passform: executable-stack-in-shared-library
passform: library-not-linked-against-libc
passform: hardening-no-fortify-functions
passform: hardening-no-pie
# Nobody's address is made up here: who publishes the package names one with DEBEMAIL.
passform: bogus-mail-host
passform: bogus-mail-host-in-debian-changelog
# A word in the help text of libmount and libblkid, which nothing here shows.
passform: missing-depends-on-sensible-utils
# Licence texts stay byte for byte as their authors wrote them, some before UTF-8.
passform: national-encoding [opt/passform/_internal/licences/*]
# There was no request for this package in Debian to close.
passform: initial-upload-closes-no-bugs
"""


def architecture() -> str:
    """Debian's name of this machine's kind."""
    words = ["dpkg", "--print-architecture"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def known_libraries() -> dict[str, str]:
    """Debian package by shared library, from the list that sets up the source's own environment."""
    text = (ROOT / "scripts" / "setup.sh").read_text(encoding="utf-8")
    listed = text.split("<<'LIST'\n")[1].split("\nLIST")[0]
    return dict(tuple(line.split(" ", 1)) for line in listed.splitlines())


def asked_for(folder: Path) -> tuple[set[str], tuple[int, ...]]:
    """Libraries that the files of a folder need and do not find in it, and the C library's version that they need."""
    held, asked, highest = set(), set(), (2, 0)
    for file in folder.rglob("*"):
        if not file.is_file():
            continue
        held.add(file.name)
        with file.open("rb") as stream:
            if file.is_symlink() or stream.read(4) != b"\x7fELF":
                continue
        told = subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True).stdout
        if "libcupsprintersupport" not in file.name:  # stays unloaded where there is no CUPS
            asked.update(re.findall(r"NEEDED\s+(\S+)", told))
        found = [tuple(int(part) for part in text.split(".")) for text in re.findall(r"\bGLIBC_(\d+\.\d+)\b", told)]
        highest = max([highest, *found])
    return asked - held, highest


def depends(folder: Path) -> list[str]:
    """What a system needs to have. Ends the build for a library that scripts/setup.sh does not know."""
    asked, libc = asked_for(folder)
    known = known_libraries()
    others = {name for name in asked if not OF_LIBC.fullmatch(name)}
    if unknown := sorted(others - set(known)):
        raise SystemExit(f"no Debian package is named in scripts/setup.sh for: {', '.join(unknown)}")
    return [f"libc6 (>= {libc[0]}.{libc[1]})", *sorted({known[name] for name in others} | set(ALWAYS))]


def put_text(text: str, place: str) -> None:
    """Write a file into the tree; packed when its name ends so, with the same bytes for the same text."""
    target = TREE / place
    target.parent.mkdir(parents=True, exist_ok=True)
    content = text.encode()
    target.write_bytes(gzip.compress(content, 9, mtime=0) if place.endswith(".gz") else content)


def maintainer() -> str:
    """Who answers for the package."""
    name, address = os.environ.get("DEBFULLNAME"), os.environ.get("DEBEMAIL")
    return f"{name} <{address}>" if name and address else MAINTAINER


def lay_out() -> None:
    """Everything the package installs."""
    shutil.rmtree(TREE, ignore_errors=True)
    shutil.copytree(FOLDER, TREE / "opt/passform", symlinks=True, ignore=_not_packed)
    (TREE / "usr/bin").mkdir(parents=True)
    (TREE / "usr/bin/passform").symlink_to("/opt/passform/passform")  # policy: absolute between top folders
    shutil.copytree(FOLDER / "share", TREE / "usr/share")
    page = TREE / "usr/share/man/man1/passform.1"
    put_text(page.read_text(encoding="utf-8"), f"{page.relative_to(TREE)}.gz")
    page.unlink()
    put_text((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), "usr/share/doc/passform/changelog.gz")
    put_text(_debian_changelog(), "usr/share/doc/passform/changelog.Debian.gz")
    put_text(_copyright(), "usr/share/doc/passform/copyright")
    put_text(OVERRIDES, "usr/share/lintian/overrides/passform")


def _not_packed(folder: str, _names: list[str]) -> tuple[str, ...]:
    return NOT_PACKED if Path(folder) == FOLDER else ()


def _debian_changelog() -> str:
    day = format_datetime(datetime.fromtimestamp(source_date(), UTC))
    return (
        f"passform ({version()}-{REVISION}) stable; urgency=medium\n\n"
        "  * See changelog.gz for what is new in the program.\n\n"
        f" -- {maintainer()}  {day}\n"
    )


def _copyright() -> str:
    ours = (ROOT / "LICENSE").read_text(encoding="utf-8")
    return f"{ours}\n{PARTS}"


def write_control() -> None:
    """The package's own description, and the sums of its files."""
    files = sorted(path for path in TREE.rglob("*") if path.is_file() and not path.is_symlink())
    size_kib = sum(-(-path.stat().st_size // 1024) for path in files)
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(TREE)}\n" for path in files]
    fields = {
        "Package": "passform",
        "Version": f"{version()}-{REVISION}",
        "Architecture": architecture(),
        "Maintainer": maintainer(),
        "Installed-Size": str(size_kib),
        "Depends": ", ".join(depends(TREE / "opt/passform")),
        "Recommends": ", ".join(RECOMMENDED),
        "Section": "misc",
        "Priority": "optional",
        "Description": f"{SUMMARY}\n{DESCRIPTION}",
    }
    put_text("".join(f"{name}: {value}\n" for name, value in fields.items()), "DEBIAN/control")
    put_text("".join(sums), "DEBIAN/md5sums")


def settle() -> None:
    """The same rights and times for every file, whoever builds."""
    seconds = source_date()
    for path in sorted(TREE.rglob("*"), reverse=True):
        if not path.is_symlink():
            runs = path.is_dir() or path == TREE / "opt/passform/passform"
            path.chmod(0o755 if runs else 0o644)
        os.utime(path, (seconds, seconds), follow_symlinks=False)
    TREE.chmod(0o755)
    os.utime(TREE, (seconds, seconds))


def main() -> None:
    """Lay out, describe, pack."""
    if not (FOLDER / "share").is_dir():
        raise SystemExit("dist/passform is not there; `make deb` builds it first")
    lay_out()
    write_control()
    settle()
    target = DIST / f"passform_{version()}-{REVISION}_{architecture()}.deb"
    words = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z2", "--build", str(TREE), str(target)]
    subprocess.run(words, env={**os.environ, "SOURCE_DATE_EPOCH": str(source_date())}, check=True)
    print(f"{target.name}: {target.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()

"""Builds the folder that users install, for the system this runs on, and tries it.

    python packaging/build.py           build dist/passform
    python packaging/build.py --check   also run the packed program's self-test

Needs the packages of requirements-package.lock; `make package` prepares them. On Linux the folder gets the desktop
entry, the file type and an install script as well.
"""

from __future__ import annotations

import argparse
import gzip
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import time
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "packaging"
MADE = ROOT / "build" / "package"
DIST = ROOT / "dist"
FOLDER = DIST / "passform"
WINDOWS = sys.platform == "win32"
SYMBOL = ROOT / "resources" / "icons" / "passform.svg"
DESKTOP_SIZES = (16, 32, 48, 64, 128, 256)  # beside the drawing itself, for desktops that show no SVG
PATIENCE_S = 120


def version() -> str:
    """The program's version."""
    return (ROOT / "resources" / "VERSION").read_text(encoding="ascii").strip()


def run(*words: str) -> None:
    """Run a Python of this environment with these words; stop when it fails."""
    fixed = {"SOURCE_DATE_EPOCH": str(source_date()), "PYTHONHASHSEED": "0"}
    subprocess.run([sys.executable, *words], cwd=ROOT, env={**os.environ, **fixed}, check=True)


def source_date() -> int:
    """The second that stands for the time of the build, so that the same source gives the same bytes."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    told = ""
    if shutil.which("git"):
        words = ["git", "log", "-1", "--format=%ct"]
        told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return int(told or (ROOT / "resources" / "VERSION").stat().st_mtime)


def windows_version(text: str) -> str:
    """What Windows shows in a program's properties, in the form that PyInstaller reads."""
    numbers = ", ".join([*text.split("."), "0"])
    words = {
        "CompanyName": "Passform",
        "FileDescription": "Passform",
        "FileVersion": text,
        "ProductName": "Passform",
        "ProductVersion": text,
    }
    strings = ", ".join(f"StringStruct({name!r}, {word!r})" for name, word in words.items())
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers=({numbers}), prodvers=({numbers}), mask=0x3F, flags=0x0, "
        "OS=0x40004, fileType=0x1, subtype=0x0, date=(0, 0)), "
        f"kids=[StringFileInfo([StringTable('040904B0', [{strings}])]), "
        "VarFileInfo([VarStruct('Translation', [0x409, 1200])])])\n"
    )


def make_icons() -> None:
    """Draw the icon in the sizes and formats the systems want."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PIL import Image
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QGuiApplication, QIcon

    application = QGuiApplication.instance() or QGuiApplication(["icons"])
    MADE.mkdir(parents=True, exist_ok=True)
    icon = QIcon(str(SYMBOL))
    for size in (*DESKTOP_SIZES, 1024):
        icon.pixmap(QSize(size, size)).save(str(MADE / f"passform-{size}.png"))
    del application
    image = Image.open(MADE / "passform-1024.png")
    image.save(MADE / "passform.ico", sizes=[(size, size) for size in (16, 24, 32, 48, 64, 128, 256)])
    image.save(MADE / "passform.icns")


def build() -> None:
    """Translations, icons, then the folder itself with its parts list."""
    run("resources/locale/build.py")
    make_icons()
    (MADE / "version.txt").write_text(windows_version(version()), encoding="utf-8")
    run(
        "-m",
        "PyInstaller",
        "--noconfirm",
        "--clean",
        "--log-level",
        "WARN",
        "--distpath",
        str(DIST),
        "--workpath",
        str(ROOT / "build" / "pyinstaller"),
        str(HERE / "passform.spec"),
    )
    if sys.platform == "linux":
        add_desktop_files()


def desktop_files() -> dict[str, Path]:
    """What a Linux desktop needs to know the program and its files: place below `share`, and where it comes from."""
    own = HERE / "linux"
    icons = "icons/hicolor"
    return {
        "applications/passform.desktop": own / "passform.desktop",
        "mime/packages/passform.xml": own / "passform-mime.xml",
        "metainfo/de.passform.passform.metainfo.xml": own / "de.passform.passform.metainfo.xml",
        "man/man1/passform.1": own / "passform.1",
        f"{icons}/scalable/apps/passform.svg": SYMBOL,
        **{f"{icons}/{size}x{size}/apps/passform.png": MADE / f"passform-{size}.png" for size in DESKTOP_SIZES},
    }


def add_desktop_files() -> None:
    """Lay them into the folder as they will lie in the system, with the way in and out beside them."""
    share = FOLDER / "share"
    shutil.rmtree(share, ignore_errors=True)
    for place, source in desktop_files().items():
        (share / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, share / place)
    metainfo = next((share / "metainfo").iterdir())
    day = datetime.fromtimestamp(source_date(), UTC).date().isoformat()
    text = metainfo.read_text(encoding="utf-8").replace("@VERSION@", version()).replace("@DATE@", day)
    metainfo.write_text(text, encoding="utf-8")
    for name in ("install.sh", "uninstall.sh"):
        shutil.copyfile(HERE / "linux" / name, FOLDER / name)
        (FOLDER / name).chmod(0o755)


def archive() -> Path:
    """The folder as one file, with the same bytes for the same content."""
    target = DIST / f"passform-{version()}-{sys.platform}-{platform.machine()}.tar.gz"
    seconds = source_date()

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = seconds, 0, 0, "", ""
        return entry

    with (
        target.open("wb") as raw,
        gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=seconds) as stream,
        tarfile.open(fileobj=stream, mode="w") as packed,
    ):
        packed.add(FOLDER, arcname=f"passform-{version()}", filter=plain)
    return target


def check() -> None:
    """Run the packed program's self-test and one estimate, away from the sources."""
    program = FOLDER / ("passform-cli.exe" if WINDOWS else "passform")
    nowhere = MADE / "nowhere"
    nowhere.mkdir(exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
    environment["PASSFORM_DATA"] = str(nowhere)
    if sys.platform != "linux":  # there is a screen, and what draws on it is packed too
        environment.pop("QT_QPA_PLATFORM", None)
    started = time.monotonic()
    for words in (
        ["--version"],
        ["--selftest"],
        ["--language", "de", "estimate", "--model", "llama-3.1-8b", "--method", "lora", "--card", "h200_nvl"],
    ):
        subprocess.run([program, *words], cwd=nowhere, env=environment, check=True, timeout=PATIENCE_S)
    size = sum(file.stat().st_size for file in FOLDER.rglob("*") if file.is_file() and not file.is_symlink())
    print(f"packed program: {size / 1e6:.0f} MB, self-test and estimate in {time.monotonic() - started:.1f} s")


def main() -> None:
    """Build, and check when asked."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--check", action="store_true", help="run the packed program's self-test")
    options.add_argument("--archive", action="store_true", help="also pack the folder into one file")
    chosen = options.parse_args()
    build()
    if chosen.check:
        check()
    if chosen.archive:
        print(archive().name)


if __name__ == "__main__":
    main()

"""The parts list of the packed program (CycloneDX 1.6, JSON) and the licence texts of everything it carries.

    python packaging/sbom.py FOLDER

Writes FOLDER/passform.cdx.json and FOLDER/licences/ for the packages of the lock. While packing, `passform.spec` calls
`write` with every file that PyInstaller collected, and each must belong to something named: a locked package, Python,
a package of the building machine's system, or the program itself. Hashes come from the lock, licences from what is
installed. The same files give the same list, byte for byte.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from owners import SystemPackage, owners_of  # the folder is no package: PyInstaller's own is called `packaging` too

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
PACKING_LOCK = ROOT / "requirements-package.lock"
TEXTS = ROOT / "packaging" / "licences"
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[a-z,]+\])?==([^ ;\\]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_LICENCE_FILE = re.compile(
    r"(^|/)(licen[cs]e|copying|notice|authors)[^/]*$|\.dist-info/(licen[cs]es?|sboms)/", re.IGNORECASE
)
_QT = ("Qt.txt", "LGPL-3.0.txt", "GPL-3.0.txt")
TEXTS_OF_OURS = {"pyside6-essentials": _QT, "shiboken6": _QT}  # the wheels come without
Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Pinned:
    """A package as the lock names it."""

    name: str
    version: str
    sha256: tuple[str, ...]


def read_lock(path: Path = LOCK) -> list[Pinned]:
    """Every package of a lock file, sorted by name and version."""
    found: list[Pinned] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if match := _PINNED.match(line):
            found.append(Pinned(plain(match[1]), match[2], ()))
        elif match := _HASH.search(line):
            last = found.pop()
            found.append(Pinned(last.name, last.version, (*last.sha256, match[1])))
    return sorted(found, key=lambda package: (package.name, package.version))


def plain(name: str) -> str:
    """A package's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def installed(package: Pinned) -> Distribution | None:
    """The package as installed here in the version of the lock; None when this platform does not take it."""
    try:
        here = distribution(package.name)
    except PackageNotFoundError:
        return None
    return here if here.version == package.version else None


def licence_of(here: Distribution) -> str:
    """What the package says about its licence: an expression, or the names in its classifiers."""
    expression = here.metadata.get("License-Expression")
    if expression:
        return str(expression)
    names = [
        line.rpartition(" :: ")[2]
        for line in here.metadata.get_all("Classifier") or ()
        if line.startswith("License ::")
    ]
    stated = str(here.metadata.get("License") or "")
    return ", ".join(names) or stated.partition("\n")[0][:100]


def component(package: Pinned) -> Json:
    """One entry of the parts list."""
    entry = _entry("library", package.name, package.version, f"pkg:pypi/{package.name}@{package.version}")
    here = installed(package)
    licence = "" if here is None else licence_of(here)
    if here is not None and here.metadata.get("License-Expression"):
        entry["licenses"] = [{"expression": licence}]
    elif licence:
        entry["licenses"] = [{"license": {"name": licence}}]
    if package.sha256:
        entry["externalReferences"] = [
            {
                "type": "distribution",
                "url": f"pkg:pypi/{package.name}@{package.version}",
                "hashes": [{"alg": "SHA-256", "content": digest} for digest in package.sha256],
            }
        ]
    return entry


def python_component() -> Json:
    """Python itself, whose interpreter and standard library lie in the folder."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    entry = _entry("platform", "python", version, f"pkg:generic/python@{version}")
    entry["licenses"] = [{"license": {"id": "PSF-2.0"}}]
    return entry


def system_component(package: SystemPackage) -> Json:
    """A package of the building machine's system, some libraries of which lie in the folder."""
    purl = f"pkg:deb/debian/{package.name}@{package.version}?arch={package.architecture}"
    entry = _entry("library", package.name, package.version, purl)
    entry["licenses"] = [{"license": {"name": name}} for name in package.licences()]
    return entry


def file_component(path: Path) -> Json:
    """A library of the building machine that no package is known for, by its content."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {
        "type": "file",
        "bom-ref": f"sha256:{digest}",
        "name": path.name,
        "hashes": [{"alg": "SHA-256", "content": digest}],
    }


def _entry(kind: str, name: str, version: str, purl: str) -> Json:
    return {"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl}


def parts_list(version: str, components: list[Json]) -> Json:
    """The whole document. Its serial number follows from its content, so a build can be repeated."""
    content = json.dumps(components, sort_keys=True)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content + version)}",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "bom-ref": "passform", "name": "Passform", "version": version}
        },
        "components": components,
        "dependencies": [{"ref": "passform", "dependsOn": [str(entry["bom-ref"]) for entry in components]}],
    }


def collect_licences(packages: Iterable[Pinned], folder: Path) -> list[str]:
    """Copy the licence texts of the installed packages; names those without any."""
    without = []
    for package in packages:
        here = installed(package)
        if here is None:
            continue
        files = [
            file for file in here.files or () if _LICENCE_FILE.search(str(file)) and file.suffix not in {".py", ".pyc"}
        ]
        target = folder / f"{package.name}-{package.version}"
        target.mkdir(parents=True, exist_ok=True)
        for number, file in enumerate(sorted(files, key=str)):
            shutil.copyfile(str(here.locate_file(file)), target / f"{number:02d}-{file.name}")
        ours = TEXTS_OF_OURS.get(package.name, ())
        for name in ours:
            shutil.copyfile(TEXTS / name, target / name)
        (target / "licence.txt").write_text(f"{package.name} {package.version}: {licence_of(here)}\n", encoding="utf-8")
        if not files and not ours:
            without.append(package.name)
    shutil.copyfile(ROOT / "resources" / "fonts" / "OFL.txt", folder / "Inter-OFL.txt")
    return without


def write(folder: Path, sources: Iterable[Path]) -> None:
    """Parts list and licences of a packed program made from these files; ends the build for one nobody is named for."""
    owners = owners_of(sources, ROOT)
    locked = {package.name: package for package in read_lock(PACKING_LOCK) if installed(package)}
    strangers = sorted(name for name in owners.packages if plain(name) not in locked)
    nobodys = owners.nobodys if sys.platform == "linux" else ()  # elsewhere no list tells whose a library is
    if strangers or nobodys:
        raise SystemExit(f"not in the parts list: {', '.join([*strangers, *map(str, nobodys)])}")
    packages = sorted((locked[plain(name)] for name in owners.packages), key=lambda package: package.name)
    components = [component(package) for package in packages]
    components += [file_component(path) for path in owners.nobodys]
    components += [python_component(), *(system_component(package) for package in owners.of_the_system)]
    without = _write(folder, components, packages)
    texts = folder / "licences"
    shutil.copyfile(owners.python_licence, texts / "Python-LICENSE.txt")
    for package in owners.of_the_system:
        shutil.copyfile(package.copyright_file, texts / f"{package.name}-copyright.txt")
    print(f"{len(components)} parts: {len(packages)} packages, Python, {len(owners.of_the_system)} of the system")
    if without:
        raise SystemExit(f"without a licence text: {', '.join(without)}")


def _write(folder: Path, components: list[Json], packages: list[Pinned]) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(folder / "licences", ignore_errors=True)
    version = (ROOT / "resources" / "VERSION").read_text(encoding="ascii").strip()
    text = json.dumps(parts_list(version, components), indent=1, ensure_ascii=False)
    (folder / "passform.cdx.json").write_text(text + "\n", encoding="utf-8")
    (folder / "licences").mkdir()
    return collect_licences(packages, folder / "licences")


def main(folder: Path) -> None:
    """Write both for the packages of the lock."""
    packages = read_lock()
    without = _write(folder, [component(package) for package in packages], packages)
    here = sum(installed(package) is not None for package in packages)
    print(f"{len(packages)} packages in the parts list, {here} of them on this platform")
    if without:
        print("without a licence text:", ", ".join(without))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

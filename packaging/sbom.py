"""The parts list of the program (CycloneDX 1.6, JSON) and the licence texts of everything it carries.

    python packaging/sbom.py FOLDER

Writes FOLDER/passform.cdx.json and FOLDER/licences/. Names, versions and hashes come from requirements.lock, licences
from the packages as installed in the Python that runs this. The same lock gives the same file, byte for byte.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import uuid
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_LICENCE_FILE = re.compile(r"(^|/)(licen[cs]e|copying|notice|authors)[^/]*$", re.IGNORECASE)
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
            found.append(Pinned(match[1].lower(), match[2], ()))
        elif match := _HASH.search(line):
            last = found.pop()
            found.append(Pinned(last.name, last.version, (*last.sha256, match[1])))
    return sorted(found, key=lambda package: (package.name, package.version))


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
    entry: Json = {
        "type": "library",
        "bom-ref": f"pkg:pypi/{package.name}@{package.version}",
        "name": package.name,
        "version": package.version,
        "purl": f"pkg:pypi/{package.name}@{package.version}",
    }
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


def parts_list(version: str, packages: list[Pinned]) -> Json:
    """The whole document. Its serial number follows from its content, so a build can be repeated."""
    components = [component(package) for package in packages]
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


def collect_licences(packages: list[Pinned], folder: Path) -> list[str]:
    """Copy the licence texts of the installed packages; names those that carry none."""
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
        for number, file in enumerate(files):
            shutil.copyfile(str(here.locate_file(file)), target / f"{number:02d}-{file.name}")
        (target / "licence.txt").write_text(f"{package.name} {package.version}: {licence_of(here)}\n", encoding="utf-8")
        if not files:
            without.append(package.name)
    shutil.copyfile(ROOT / "resources" / "fonts" / "OFL.txt", folder / "Inter-OFL.txt")
    return without


def main(folder: Path) -> None:
    """Write both."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(folder / "licences", ignore_errors=True)
    packages = read_lock()
    version = (ROOT / "resources" / "VERSION").read_text(encoding="ascii").strip()
    text = json.dumps(parts_list(version, packages), indent=1, ensure_ascii=False)
    (folder / "passform.cdx.json").write_text(text + "\n", encoding="utf-8")
    (folder / "licences").mkdir()
    without = collect_licences(packages, folder / "licences")
    here = sum(installed(package) is not None for package in packages)
    print(f"{len(packages)} packages in the parts list, {here} of them on this platform")
    if without:
        print("without a licence file of their own:", ", ".join(without))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

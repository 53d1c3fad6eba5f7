"""What is shipped: one version, every package with its hash and licence, a program that can be removed again."""

from __future__ import annotations

import configparser
import importlib.util
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

from resources import program_version

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"


@pytest.fixture(scope="module")
def sbom() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sbom", PACKAGING / "sbom.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["sbom"] = module
    spec.loader.exec_module(module)
    return module


def test_that_the_version_stands_in_one_place() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", program_version())
    assert 'dynamic = ["version"]' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock", "requirements-package.lock"])
def test_that_every_locked_package_has_a_hash(name: str, sbom: ModuleType) -> None:
    packages = sbom.read_lock(ROOT / name)
    assert len(packages) > 15
    assert [package.name for package in packages if not package.sha256] == []


def test_that_what_is_packed_is_what_is_tested(sbom: ModuleType) -> None:
    tested = {(package.name, package.version) for package in sbom.read_lock(ROOT / "requirements.lock")}
    packed = {(package.name, package.version) for package in sbom.read_lock(ROOT / "requirements-package.lock")}
    assert tested <= packed


def test_that_the_parts_list_names_every_package_with_its_hashes_and_is_repeatable(sbom: ModuleType) -> None:
    packages = sbom.read_lock()
    document = sbom.parts_list("1.2.3", packages)
    assert document["bomFormat"] == "CycloneDX"
    assert document == sbom.parts_list("1.2.3", packages)
    assert document["serialNumber"] != sbom.parts_list("1.2.4", packages)["serialNumber"]
    assert len(document["components"]) == len(packages)
    here = [part for part in document["components"] if sbom.installed(_pinned(packages, part))]
    assert [part["name"] for part in here if "licenses" not in part] == []
    assert json.dumps(document)


def _pinned(packages: list, part: dict) -> object:
    return next(p for p in packages if (p.name, p.version) == (part["name"], part["version"]))


def test_that_licence_texts_are_collected(sbom: ModuleType, tmp_path: Path) -> None:
    packages = sbom.read_lock()
    sbom.collect_licences(packages, tmp_path)
    here = [package for package in packages if sbom.installed(package)]
    assert len(list(tmp_path.glob("*/licence.txt"))) == len(here)
    assert "SIL Open Font License" in (tmp_path / "Inter-OFL.txt").read_text(encoding="utf-8")


def test_that_the_desktop_entry_and_the_file_type_fit_together() -> None:
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment]  # keys of this format keep their case
    entry.read(PACKAGING / "linux" / "passform.desktop", encoding="utf-8")
    fields = entry["Desktop Entry"]
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    kind = ET.parse(PACKAGING / "linux" / "passform-mime.xml").getroot().find(f"{space}mime-type")
    assert kind is not None
    assert fields["MimeType"] == kind.attrib["type"] + ";"
    glob = kind.find(f"{space}glob")
    assert glob is not None
    assert glob.attrib["pattern"] == "*.passform.yaml"
    assert fields["StartupWMClass"] == fields["Icon"] == "passform"


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A stand-in for the packed folder with the real install scripts."""
    folder = tmp_path / "packed"
    (folder / "_internal").mkdir(parents=True)
    (folder / "share").mkdir()
    (folder / "passform").write_text("#!/bin/sh\necho program\n", encoding="utf-8")
    (folder / "passform").chmod(0o755)
    for name in ("passform.desktop", "passform-mime.xml"):
        (folder / "share" / name).write_bytes((PACKAGING / "linux" / name).read_bytes())
    (folder / "share" / "passform.svg").write_text("<svg/>", encoding="utf-8")
    for name in ("install.sh", "uninstall.sh"):
        (folder / name).write_bytes((PACKAGING / "linux" / name).read_bytes())
        (folder / name).chmod(0o755)
    return folder


def test_that_installing_twice_and_removing_leaves_the_documents_and_nothing_else(packed: Path, tmp_path: Path) -> None:
    home, prefix = tmp_path / "home", tmp_path / "prefix"
    documents = [home / "Documents" / "kunde.passform.yaml", home / ".local/share/passform/prices.yaml"]
    for path in documents:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("schema: 1\n", encoding="utf-8")
    environment = {"HOME": str(home), "PREFIX": str(prefix), "PATH": "/usr/bin:/bin"}
    for _ in range(2):
        subprocess.run([packed / "install.sh"], env=environment, check=True, capture_output=True)
    program = prefix / "lib" / "passform"
    assert (prefix / "bin" / "passform").resolve() == program / "passform"
    assert f'Exec="{program}/passform" %f' in (prefix / "share/applications/passform.desktop").read_text()
    removed = subprocess.run([program / "uninstall.sh"], env=environment, check=True, capture_output=True, text=True)
    assert "stay" in removed.stdout
    assert all(path.is_file() for path in documents)
    left = {path.name for path in prefix.rglob("*") if path.is_file() or path.is_symlink()}
    assert not any("passform" in name for name in left)


def test_that_the_uninstaller_removes_nothing_but_an_installed_passform(packed: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "uninstall.sh").write_bytes((packed / "uninstall.sh").read_bytes())
    (elsewhere / "uninstall.sh").chmod(0o755)
    (elsewhere / "precious").write_text("x", encoding="utf-8")
    done = subprocess.run([elsewhere / "uninstall.sh"], env={"HOME": str(tmp_path)}, capture_output=True, check=False)
    assert done.returncode == 1
    assert (elsewhere / "precious").is_file()

"""What is shipped: one version, every package with its hash and licence, a program that can be removed again."""

from __future__ import annotations

import configparser
import gzip
import hashlib
import importlib
import json
import os
import plistlib
import re
import subprocess
import sys
import sysconfig
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
import yaml

from resources import program_version
from resources.locale.build import merged

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"


@pytest.fixture(scope="module", autouse=True)
def packing_modules() -> Iterator[None]:
    """The scripts of packaging/ import one another by their plain names, as Python lets scripts do."""
    sys.path.insert(0, str(PACKAGING))
    yield
    sys.path.remove(str(PACKAGING))


@pytest.fixture
def sbom() -> ModuleType:
    return importlib.import_module("sbom")


@pytest.fixture
def debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The Debian packer, with a stand-in for the packed folder."""
    module = importlib.import_module("debian")
    folder = tmp_path / "dist" / "passform"
    (folder / "_internal").mkdir(parents=True)
    for place in ("passform", "_internal/part.so", "install.sh", "uninstall.sh"):
        (folder / place).write_text("x", encoding="utf-8")
    _lay_desktop_files(folder)
    monkeypatch.setattr(module, "FOLDER", folder)
    monkeypatch.setattr(module, "TREE", tmp_path / "tree")
    monkeypatch.setattr(module, "architecture", lambda: "amd64")
    return module


def _lay_desktop_files(folder: Path) -> None:
    """What a desktop gets to know, with a stand-in for every icon that only a build draws."""
    for place, source in importlib.import_module("build").desktop_files().items():
        target = folder / "share" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes() if source.suffix != ".png" else b"icon")


def test_that_the_version_stands_in_one_place() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", program_version())
    assert 'dynamic = ["version"]' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    told = subprocess.run([sys.executable, ROOT / "main.py", "--version"], capture_output=True, text=True, check=True)
    assert told.stdout == f"passform {program_version()}\n"


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock", "requirements-package.lock"])
def test_that_every_locked_package_has_a_hash(name: str, sbom: ModuleType) -> None:
    packages = sbom.read_lock(ROOT / name)
    assert len(packages) > 15
    assert [package.name for package in packages if not package.sha256] == []


def test_that_what_is_packed_is_what_is_tested(sbom: ModuleType) -> None:
    tested = {(package.name, package.version) for package in sbom.read_lock(ROOT / "requirements.lock")}
    packed = {(package.name, package.version) for package in sbom.read_lock(ROOT / "requirements-package.lock")}
    assert tested <= packed


@pytest.mark.parametrize("extra", ["", "dev", "package"])
def test_that_each_lock_holds_what_the_project_asks_for(extra: str, sbom: ModuleType) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(project["optional-dependencies"][extra] if extra else ())]
    names = {sbom.plain(re.split(r"[\[<>=; ]", line)[0]) for line in asked}
    locked = {package.name for package in sbom.read_lock(ROOT / f"requirements{'-' if extra else ''}{extra}.lock")}
    assert len(names) > 10
    assert names - locked == set()


def test_that_the_parts_list_names_every_package_with_its_hashes_and_is_repeatable(sbom: ModuleType) -> None:
    packages = sbom.read_lock()
    components = [sbom.component(package) for package in packages]
    document = sbom.parts_list("1.2.3", components)
    assert document["bomFormat"] == "CycloneDX"
    assert document == sbom.parts_list("1.2.3", components)
    assert document["serialNumber"] != sbom.parts_list("1.2.4", components)["serialNumber"]
    assert len(document["components"]) == len(packages)
    here = [part for part in document["components"] if sbom.installed(_pinned(packages, part))]
    assert [part["name"] for part in here if "licenses" not in part] == []
    assert json.dumps(document)


def _pinned(packages: list, part: dict) -> object:
    return next(p for p in packages if (p.name, p.version) == (part["name"], part["version"]))


def test_that_licence_texts_are_collected(sbom: ModuleType, tmp_path: Path) -> None:
    packages = sbom.read_lock()
    without = sbom.collect_licences(packages, tmp_path)
    here = [package for package in packages if sbom.installed(package)]
    assert without == []
    assert len(list(tmp_path.glob("*/licence.txt"))) == len(here)
    assert "SIL Open Font License" in (tmp_path / "Inter-OFL.txt").read_text(encoding="utf-8")
    qt = next(tmp_path.glob("pyside6-essentials-*")) / "LGPL-3.0.txt"
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in qt.read_text(encoding="utf-8")


def test_that_every_packed_file_is_traced_to_its_owner(sbom: ModuleType, tmp_path: Path) -> None:
    owners = importlib.import_module("owners")
    stray = tmp_path / "libstray.so.1"
    stray.write_bytes(b"x")
    standard = Path(sysconfig.get_path("stdlib")) / "json" / "__init__.py"
    found = owners.owners_of([Path(yaml.__file__), standard, ROOT / "main.py", stray], ROOT)
    assert found.packages == {"PyYAML"}
    assert found.of_the_system == ()
    assert found.nobodys == (stray.resolve(),)


def test_that_a_file_nobody_is_named_for_ends_the_build(sbom: ModuleType, tmp_path: Path) -> None:
    stray = tmp_path / "libstray.so.1"
    stray.write_bytes(b"x")
    with pytest.raises(SystemExit, match=r"libstray\.so\.1"):
        sbom.write(tmp_path / "made", [stray])


def test_that_a_package_which_only_tests_need_ends_the_build(sbom: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="pytest"):
        sbom.write(tmp_path / "made", [Path(pytest.__file__)])


def test_that_libraries_of_the_building_machine_come_along_only_where_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    carried = importlib.import_module("carried")
    monkeypatch.setattr(carried, "needed_libraries", lambda _files: {"libxcb.so.1", "libstdc++.so.6"})
    monkeypatch.setattr(carried.sys, "platform", "linux")
    entries = [
        ("PySide6/QtCore.abi3.so", "/opt/environment/PySide6/QtCore.abi3.so", "EXTENSION"),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", "/opt/environment/libqgtk3.so", "BINARY"),
        ("libxcb.so.1", "/usr/lib/x86_64-linux-gnu/libxcb.so.1", "BINARY"),
        ("libgtk-3.so.0", "/usr/lib/x86_64-linux-gnu/libgtk-3.so.0", "BINARY"),
        ("libstdc++.so.6", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "BINARY"),
    ]
    assert [place for place, _, _ in carried.carried(entries)] == ["PySide6/QtCore.abi3.so", "libxcb.so.1"]


def test_that_a_debian_package_holds_the_program_its_desktop_files_and_no_script(debian: ModuleType) -> None:
    debian.lay_out()
    debian.write_control()
    debian.settle()
    tree: Path = debian.TREE
    assert {path.name for path in (tree / "DEBIAN").iterdir()} == {"control", "md5sums"}
    assert (tree / "usr/bin/passform").readlink() == Path("/opt/passform/passform")
    assert sorted(path.name for path in (tree / "opt/passform").iterdir()) == ["_internal", "passform"]
    for place in (
        "applications/passform.desktop",
        "mime/packages/passform.xml",
        "metainfo/de.passform.passform.metainfo.xml",
        "icons/hicolor/scalable/apps/passform.svg",
        "icons/hicolor/48x48/apps/passform.png",
        "man/man1/passform.1.gz",
    ):
        assert (tree / "usr/share" / place).is_file()
    assert (tree / "opt/passform/passform").stat().st_mode & 0o777 == 0o755
    assert (tree / "opt/passform/_internal/part.so").stat().st_mode & 0o777 == 0o644
    assert b"Unreleased" in gzip.decompress((tree / "usr/share/doc/passform/changelog.gz").read_bytes())
    assert "written permission" in (tree / "usr/share/doc/passform/copyright").read_text(encoding="utf-8")


def test_that_a_debian_package_states_its_version_and_the_sum_of_every_file(debian: ModuleType) -> None:
    debian.lay_out()
    debian.write_control()
    control = (debian.TREE / "DEBIAN/control").read_text(encoding="utf-8")
    assert f"\nVersion: {program_version()}-1\n" in control
    assert re.search(r"^Depends: libc6 \(>= 2\.\d+\), fontconfig-config, xkb-data$", control, re.MULTILINE)
    sums = dict(line.split("  ")[::-1] for line in (debian.TREE / "DEBIAN/md5sums").read_text().splitlines())
    program = (debian.TREE / "opt/passform/passform").read_bytes()
    assert sums["opt/passform/passform"] == hashlib.md5(program).hexdigest()
    packed = [path for path in debian.TREE.rglob("*") if path.is_file() and not path.is_symlink()]
    assert len(sums) == len([path for path in packed if path.parent.name != "DEBIAN"])


def test_that_a_library_without_a_known_debian_package_ends_the_build(
    debian: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debian, "asked_for", lambda _folder: ({"libEGL.so.1", "libc.so.6"}, (2, 36)))
    assert debian.depends(Path()) == ["libc6 (>= 2.36)", "fontconfig-config", "libegl1", "xkb-data"]
    monkeypatch.setattr(debian, "asked_for", lambda _folder: ({"libnew.so.9"}, (2, 36)))
    with pytest.raises(SystemExit, match=r"libnew\.so\.9"):
        debian.depends(Path())


ANSWERED = '{"dependencies": [{"name": "a", "version": "1", "vulns": []}], "fixes": []}'
UNKNOWN = '{"dependencies": [{"name": "a", "skip_reason": "not found"}], "fixes": []}'
WEAK = '{"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "CVE-1"}]}], "fixes": []}'


@pytest.mark.parametrize(
    ("texts", "code", "noted"),
    [
        ((ANSWERED,), 0, True),
        ((WEAK,), 1, True),
        ((UNKNOWN, ANSWERED), 0, True),
        ((UNKNOWN, ""), 3, False),
        (("", ""), 3, False),
        (('{"dependencies": []}',), 3, False),
    ],
)
def test_that_an_audit_without_a_complete_answer_claims_nothing(
    texts: tuple[str, ...], code: int, noted: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    audit = importlib.import_module("audit")
    record = tmp_path / "last-audit.json"
    answers = {f"service {number}": audit.read_answer(text) for number, text in enumerate(texts)}
    assert audit.report(answers, record) == code
    assert record.is_file() == noted
    told = capsys.readouterr()
    assert ("could not be completed. No audit has been completed yet." in told.err) == (not noted)
    assert "the last complete audit" not in told.out.lower()


@pytest.mark.parametrize("recipe", [".ci/windows.ps1", ".ci/macos.sh", "Makefile"])
def test_that_recipes_name_files_that_exist(recipe: str) -> None:
    text = (ROOT / recipe).read_text(encoding="utf-8").replace("\\", "/")
    places = r"(?:packaging|resources|scripts)/[\w./-]+\.\w+|requirements[\w-]*\.lock|resources/VERSION"
    named = re.findall(places, text)
    assert named
    assert [name for name in named if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("platform", ["linux", "win32", "darwin"])
def test_that_the_packers_recipe_holds_on_every_system(
    platform: str, sbom: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run with stand-ins for PyInstaller, which itself only knows the system it runs on."""
    asked: dict[str, list[dict]] = {}

    def stand_in(name: str) -> object:
        def take(*_given: object, **words: object) -> SimpleNamespace:
            asked.setdefault(name, []).append(words)
            return SimpleNamespace(scripts=[], pure=[], binaries=[], datas=[])

        return take

    monkeypatch.setattr(sbom, "write", lambda _folder, _sources: None)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(sys, "path", list(sys.path))
    names = ("Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE")
    spec = PACKAGING / "passform.spec"
    exec(
        compile(spec.read_text(encoding="utf-8"), spec, "exec"),
        {n: stand_in(n) for n in names} | {"SPECPATH": str(PACKAGING)},
    )

    assert [place for place, _ in asked["Analysis"][0]["datas"] if not Path(place).exists()] == []
    consoles = {program["name"]: program["console"] for program in asked["EXE"]}
    assert consoles == {"passform": False} | ({"passform-cli": True} if platform == "win32" else {})
    icon = {"linux": None, "win32": "passform.ico", "darwin": "passform.icns"}[platform]
    assert all((program["icon"] and Path(program["icon"]).name) == icon for program in asked["EXE"])
    assert all(bool(program["version"]) == (platform == "win32") for program in asked["EXE"])
    rights = asked["EXE"][0]["entitlements_file"]
    if platform == "darwin":
        assert plistlib.loads(Path(rights).read_bytes())
        (bundle,) = asked["BUNDLE"]
        assert bundle["version"] == program_version()
        assert plistlib.loads(plistlib.dumps(bundle["info_plist"])) == bundle["info_plist"]
    else:
        assert rights is None
        assert "BUNDLE" not in asked


def test_that_windows_is_told_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    build = importlib.import_module("build")
    told = build.windows_version("1.20.3")
    assert "filevers=(1, 20, 3, 0)" in told
    assert "StringStruct('ProductVersion', '1.20.3')" in told


def test_that_translations_are_compiled_without_the_day_of_the_build() -> None:
    headers = dict(merged("de").mime_headers)
    assert headers["POT-Creation-Date"].startswith("2026-01-01")
    assert headers["PO-Revision-Date"].startswith("2026-01-01")


def test_that_a_packed_archive_has_the_same_bytes_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build = importlib.import_module("build")
    monkeypatch.setattr(build, "FOLDER", tmp_path / "passform")
    monkeypatch.setattr(build, "DIST", tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    (tmp_path / "passform").mkdir()
    sums = []
    for _ in range(2):
        for name in ("b", "a"):
            (tmp_path / "passform" / name).write_text(name, encoding="utf-8")
            os.utime(tmp_path / "passform" / name, (len(sums) + 1, len(sums) + 1))
        sums.append(hashlib.sha256(build.archive().read_bytes()).hexdigest())
    assert sums[0] == sums[1]


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
    assert int(glob.attrib["weight"]) > 50  # of the system's *.yaml
    parents = {element.attrib["type"] for element in kind.findall(f"{space}sub-class-of")}
    assert "text/plain" in parents  # what GLib finds in the file; it takes no name whose type is not a kind of that
    assert fields["StartupWMClass"] == fields["Icon"] == "passform"
    known = ET.parse(PACKAGING / "linux" / "de.passform.passform.metainfo.xml").getroot()
    assert known.findtext("launchable") == "passform.desktop"
    assert known.findtext("provides/mediatype") == kind.attrib["type"]
    summaries = [element.text for element in known.iter("summary")]
    assert summaries == [fields["Comment"], fields["Comment[de]"]]


def test_that_the_description_for_software_centres_names_the_version_that_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = importlib.import_module("build")
    monkeypatch.setattr(build, "FOLDER", tmp_path)
    monkeypatch.setattr(build, "MADE", tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    for size in build.DESKTOP_SIZES:
        (tmp_path / f"passform-{size}.png").write_bytes(b"icon")
    build.add_desktop_files()
    release = ET.parse(tmp_path / "share/metainfo/de.passform.passform.metainfo.xml").getroot().find("releases/release")
    assert release is not None
    assert release.attrib == {"version": program_version(), "date": "2026-09-21"}
    assert (tmp_path / "share/icons/hicolor/256x256/apps/passform.png").is_file()
    assert (tmp_path / "install.sh").stat().st_mode & 0o111


def test_that_the_manual_page_names_every_command() -> None:
    page = (PACKAGING / "linux" / "passform.1").read_text(encoding="utf-8").replace("\\-", "-")
    told = subprocess.run([sys.executable, ROOT / "main.py", "--help"], capture_output=True, text=True, check=True)
    commands = re.findall(r"^    ([a-z][a-z-]*)  ", told.stdout, re.MULTILINE)
    assert len(commands) > 8
    assert [name for name in commands if not re.search(rf'^\.BI? "?{name}\b', page, re.MULTILINE)] == []


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A stand-in for the packed folder with the real install scripts."""
    folder = tmp_path / "packed"
    (folder / "_internal").mkdir(parents=True)
    (folder / "passform").write_text("#!/bin/sh\necho program\n", encoding="utf-8")
    (folder / "passform").chmod(0o755)
    _lay_desktop_files(folder)
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

"""The handbook is true: commands run, outputs are today's, links lead somewhere, schemas and pictures are current."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from babel.messages.pofile import read_po
from jsonschema import Draft202012Validator

from resources import LANGUAGES
from scripts import make_architecture, make_handbook, make_schemas

ROOT = Path(__file__).parents[2]
TEXTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
DATA = ROOT / "catalog" / "data"


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", make_handbook.pages(), ids=_name)
def test_that_every_command_of_a_page_runs_and_prints_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    make_handbook.prepare(tmp_path)
    for shown in make_handbook.blocks(page.read_text(encoding="utf-8")):
        for command in shown.commands:
            code, printed = make_handbook.run(command, page.parent.name, tmp_path)
            assert code == shown.code, f"{command}\n{printed}"
            if shown.output is not None:
                current = make_handbook.as_shown(printed, shown.output)
                assert current == shown.output, f"{command}: run `make docs`"


def test_that_the_pages_show_commands_of_every_kind() -> None:
    """The test above would be content with pages that show nothing."""
    for language in LANGUAGES:
        shown = [
            command.split()[2]
            for page in make_handbook.pages()
            if page.parent.name == language
            for block in make_handbook.blocks(page.read_text(encoding="utf-8"))
            for command in block.commands
        ]
        assert {"estimate", "plan", "quote", "rent-or-buy", "evidence", "cluster", "catalog"} <= set(shown)
    assert {page.name for page in make_handbook.pages() if page.parent.name == "de"} == {
        page.name for page in make_handbook.pages() if page.parent.name == "en"
    }


@pytest.mark.parametrize("text", TEXTS, ids=_name)
def test_that_every_link_and_picture_leads_to_a_file(text: Path) -> None:
    for target in LINK.findall(text.read_text(encoding="utf-8")):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        name, _, anchor = target.partition("#")
        path = (text.parent / name).resolve() if name else text
        assert path.exists(), f"{text.name}: {target}"
        if anchor:
            assert anchor in _anchors(path), f"{text.name}: {target}"


def _anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = HEADING.findall(path.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_that_every_page_is_reached_from_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    linked = {(ROOT / "docs" / target.partition("#")[0]).resolve() for target in LINK.findall(index)}
    pages = set((ROOT / "docs").rglob("*.md")) - {ROOT / "docs" / "README.md"}
    assert sorted(_name(page) for page in pages - linked) == []


def test_that_the_picture_of_the_architecture_is_drawn_from_todays_imports() -> None:
    drawn = make_architecture.OUTPUT.read_text(encoding="utf-8")
    assert drawn == make_architecture.render(), "run `make docs`"


def test_that_imports_between_rings_only_lead_down() -> None:
    ring_of = {name: number for number, (_, names) in enumerate(make_architecture.RINGS) for name in names}
    upwards = [(a, b) for a, b in make_architecture.read_graph().imports if ring_of[a] > ring_of[b]]
    assert sorted(upwards) == []


def test_that_the_architecture_names_every_folder_and_no_other() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    ).stdout.split("\n")
    folders = {f"{line.split('/')[0]}/" for line in listed if "/" in line and not line.startswith(".")}
    folders |= {
        f"{package.replace('.', '/')}/" for package in make_architecture.read_graph().purposes if package != "main"
    }
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `([a-z_/]+/)`", text, re.MULTILINE))
    assert sorted(folders - named) == []
    assert sorted(folder for folder in named if not (ROOT / folder).is_dir()) == []


def test_that_the_schemas_are_those_of_the_models() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in make_schemas.OUTPUT.glob("*.json")}
    assert written == make_schemas.schemas(), "run `make docs`"


SCHEMA_OF = {
    **dict.fromkeys(sorted((ROOT / "examples").glob("*.passform.yaml")), "consultation"),
    ROOT / "resources" / "seller.yaml": "seller",
    ROOT / "docs" / "handbook" / "samples" / "beispiel-systemhaus.passform-key": "publisher-key",
    DATA / "evidence_memory.yaml": "measured",
    **{
        DATA / f"{name}.yaml": f"catalogue-{name.replace('_', '-')}"
        for name in ("sources", "cards", "systems", "items", "prices", "exchange_rates", "rules", "models")
    },
}


@pytest.mark.parametrize("file", SCHEMA_OF, ids=_name)
def test_that_the_schemas_accept_the_projects_own_files(file: Path) -> None:
    schema: dict[str, Any] = json.loads((make_schemas.OUTPUT / f"{SCHEMA_OF[file]}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    text = file.read_text(encoding="utf-8")
    plain = json.loads(json.dumps(yaml.load(text, Loader=yaml.CSafeLoader), default=str))  # YAML dates as ISO text
    problems = [f"{list(error.path)}: {error.message}" for error in Draft202012Validator(schema).iter_errors(plain)]
    assert problems == []


PORTFOLIO = "plan examples/serve-and-train.passform.yaml"
OUTPUTS = (
    ("estimate --model llama-3.1-8b --method lora", "estimate --json", ("",)),
    ("estimate --method serve --model llama-3.1-8b --card h200_nvl", "estimate --method serve --json", ("",)),
    (PORTFOLIO, "estimate --method serve --json", ("recommendation.serving",)),
    (PORTFOLIO, "plan --json", ("", "recommendation", "workloads", "alternatives", "rejected")),
    ("rent-or-buy examples/lora-70b-rack.passform.yaml", "rent-or-buy --json", ("",)),
    (f"cluster --model llama-3.3-70b --tokens {10**10} --card h200_sxm", "cluster --json", ("", "options")),
    ("evidence", "evidence --json", ("", "records", "fits")),
    ("evidence --speed", "evidence --json", ("",)),
    ("evidence --inference", "evidence --json", ("",)),
)


@pytest.mark.parametrize(("command", "heading", "places"), OUTPUTS, ids=[f"{c} in {h}" for c, h, _ in OUTPUTS])
def test_that_the_page_names_every_field_of_an_output(
    command: str, heading: str, places: tuple[str, ...], tmp_path: Path
) -> None:
    make_handbook.prepare(tmp_path)
    code, printed = make_handbook.run(f"{make_handbook.START}{command} --json", "en", tmp_path)
    assert code == 0, printed
    fields = set()
    for place in places:
        found: Any = json.loads(printed)
        for step in filter(None, place.split(".")):
            found = found[step]
        fields |= set(found[0] if isinstance(found, list) else found)
    assert len(fields) > 3
    for language in LANGUAGES:
        page = (make_handbook.HANDBOOK / language / "files.md").read_text(encoding="utf-8")
        section = re.split(r"\n##+ ", page.partition(f"### `{heading}`\n")[2])[0]
        named = set(re.findall(r"`([a-z_0-9]+)(?:\[\])?(?:\.[a-z_]+)?`", section))
        named |= set(re.findall(r'"(\w+)":', section))
        assert sorted(fields - named - {"schema"}) == [], language


BOLD = re.compile(r"\*\*(.+?)\*\*", re.S)
OF_THE_WINDOW = ("catalogue.md", "consultation.md", "offers.md")  # pages whose bold words are on the screen


def _shown_words(language: str) -> set[str]:
    words = set()
    for area in (ROOT / "resources" / "locale" / "de").glob("*.po"):
        with area.open("rb") as stream:
            for message in read_po(stream, locale="de"):
                told = message.id if language == "en" else message.string
                words.update(told if isinstance(told, list | tuple) else [told])
    return {_plain_words(word) for word in words}


def _plain_words(text: str) -> str:
    return " ".join(text.replace("&", "").split()).casefold().rstrip(".")


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_bold_words_are_those_of_the_window(language: str) -> None:
    """Menus are written with commas or `>` between them. A bold sentence that ends with a full stop heads its item."""
    shown = _shown_words(language)
    strange = []
    for name in OF_THE_WINDOW:
        page = re.sub(
            r"```.*?```", "", (make_handbook.HANDBOOK / language / name).read_text(encoding="utf-8"), flags=re.S
        )
        for bold in (" ".join(found.split()) for found in BOLD.findall(page)):
            parts = [bold] if _plain_words(bold) in shown else re.split(r", | > ", bold)
            strange += [part for part in parts if not bold.endswith(".") and _plain_words(part) not in shown]
    assert strange == []


FENCED = re.compile(r"^```(yaml|python)\n(.*?)^```", re.S | re.M)
KINDS_OF_FILE = (("workloads", "consultation"), ("legal_form", "seller"), ("numbers", "register"))


def test_that_the_yaml_shown_is_accepted_and_the_python_shown_runs(capsys: pytest.CaptureFixture[str]) -> None:
    seen = set()
    for page in make_handbook.pages():
        for kind, block in FENCED.findall(page.read_text(encoding="utf-8")):
            if kind == "python":
                exec(compile(block, str(page), "exec"), {})
                assert capsys.readouterr().out
            else:
                raw = yaml.load(block, Loader=yaml.CSafeLoader)
                shape = next(shape for key, shape in KINDS_OF_FILE if key in raw)
                make_schemas.MODELS[shape].model_validate(raw)
            seen.add((page.parent.name, kind))
    assert seen == {(language, kind) for language in LANGUAGES for kind in ("yaml", "python")}

"""Draw the picture of the architecture from the program's own imports: `python -m scripts.make_architecture`.

Packages and their purpose come from the code (first sentence of each package's docstring), arrows and marks from its
import statements. Only the rows in which the packages stand are laid down here. A test draws it again and compares.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
OUTPUT = ROOT / "docs" / "pictures" / "architecture.svg"
RINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("start", ("main",)),
    (
        "window",
        (
            "gui",
            "gui.results",
            "gui.quote_editor",
            "gui.pages",
            "gui.evidence",
            "gui.dialogs",
            "gui.preview",
            "gui.register",
            "gui.catalogue",
        ),
    ),
    (
        "files and facts",
        (
            "catalog.commands",
            "catalog.register",
            "catalog.prices_import",
            "catalog",
            "catalog.consultation",
            "catalog.huggingface",
        ),
    ),
    ("words and paper", ("engine.report", "engine.wording", "engine.pictures", "engine.quote")),
    ("arithmetic", ("engine.plan", "engine.serving", "engine.cost", "engine.speed", "engine.memory", "engine")),
    ("bundled", ("resources",)),
)
TOPS = ("engine", "catalog", "gui", "resources", "main")

WIDTH, GUTTER, MARGIN = 1080, 96, 20
BOX_HEIGHT, BOX_GAP, RING_GAP, PAD = 76, 8, 30, 8
ALONE_HEIGHT = 34  # of a ring's only box
CELL, NAMES_WIDTH = 17, 170
LETTER_WIDTH = 5.6  # of the small text, generous
INK, MUTED, LINE, BACK, PAPER = "#16202b", "#4a5866", "#0b5cad", "#b3261e", "#ffffff"
TINTS = ("#f2f4f7", "#e3ecf8", "#e2f2ec", "#faf1dd", "#f6e6ea", "#f2f4f7")


@dataclass(frozen=True, slots=True)
class Graph:
    """Packages of the program, what each is for, and who imports whom."""

    purposes: dict[str, str]
    imports: frozenset[tuple[str, str]]


def package_of(module: str) -> str:
    """The package a module belongs to: the second level where it is a folder, else the first."""
    first, _, rest = module.partition(".")
    second = rest.partition(".")[0]
    return f"{first}.{second}" if second and (ROOT / first / second / "__init__.py").is_file() else first


@cache
def read_graph() -> Graph:
    """Read every import of the program. Raises `KeyError` for a package that has no place in the picture yet."""
    purposes, imports = {}, set()
    for path in _files():
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        package = package_of(module)
        if module == package:
            purposes[package] = _first_sentence(ast.get_docstring(tree) or "")
        for name in _imported(tree):
            if name.partition(".")[0] in TOPS and package_of(name) != package:
                imports.add((package, package_of(name)))
    placed = {name for _, ring in RINGS for name in ring}
    if missing := sorted(purposes.keys() - placed):
        raise KeyError(f"give these packages a place in RINGS: {', '.join(missing)}")
    return Graph({name: purposes[name] for name in sorted(placed & purposes.keys())}, frozenset(imports))


def render() -> str:
    """The picture as SVG text."""
    graph = read_graph()
    parts: list[str] = []
    rings = [(title, [name for name in names if name in graph.purposes]) for title, names in RINGS]
    top, places = MARGIN + RING_GAP // 2, []
    for (title, names), tint in zip(rings, TINTS, strict=True):
        height = (BOX_HEIGHT if len(names) > 1 else ALONE_HEIGHT) + 2 * PAD
        parts += _ring(title, names, graph, (top, height), tint)
        places.append((top, height))
        top += height + RING_GAP
    parts += _arrows(rings, places, graph)
    order = [name for _, names in rings for name in names]
    parts += _matrix(order, graph, top)
    height = top + 130 + len(order) * CELL + MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="Inter, Segoe UI, Helvetica, Arial, sans-serif" role="img" '
        'aria-label="Packages of Passform in rings, and which of them imports which">'
    )
    background = f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>'
    return "\n".join([head, background, *parts, "</svg>"]) + "\n"


def _files() -> list[Path]:
    folders = [path for name in TOPS[:3] for path in sorted((ROOT / name).rglob("*.py"))]
    return [ROOT / "main.py", *folders, *sorted((ROOT / "resources").glob("*.py"))]


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _first_sentence(text: str) -> str:
    line = " ".join(text.split("\n\n", maxsplit=1)[0].split()).replace("`", "")
    end = line.find(". ")
    return line if end < 0 else line[:end]


def _ring(title: str, names: list[str], graph: Graph, place: tuple[int, int], tint: str) -> list[str]:
    left, width = GUTTER, WIDTH - GUTTER - MARGIN
    top, height = place
    parts = [
        f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="8" fill="{tint}"/>',
        _text(left + PAD, top - 6, title, size=12, colour=MUTED),
    ]
    box_width = (width - 2 * PAD - BOX_GAP * (len(names) - 1)) / len(names)
    for number, name in enumerate(names):
        x = left + PAD + number * (box_width + BOX_GAP)
        parts += _box(name, graph.purposes[name], (x, top + PAD), (box_width, height - 2 * PAD))
    return parts


def _box(name: str, purpose: str, corner: tuple[float, int], size: tuple[float, int]) -> list[str]:
    (x, y), (width, height) = corner, size
    shown = {"main": "main.py", "gui": "gui/*.py", "catalog": "catalog/*.py", "engine": "engine/*.py"}.get(name, name)
    parts = [
        f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}" rx="5" fill="{PAPER}" stroke="#c5ced8"/>',
        _text(x + 7, y + 15, shown, size=11, weight="600"),
    ]
    lines = _wrapped(purpose, int((width - 12) / LETTER_WIDTH))
    most = 4
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1].rstrip(',:;')} …"]
    parts += [_text(x + 7, y + 28 + 12 * row, line, size=10, colour=MUTED) for row, line in enumerate(lines)]
    return parts


def _arrows(rings: list[tuple[str, list[str]]], places: list[tuple[int, int]], graph: Graph) -> list[str]:
    """One arrow from ring to ring wherever a package of the one imports a package of the other."""
    marker = (
        '<defs><marker id="{id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z" fill="{colour}"/></marker></defs>'
    )
    parts = [marker.format(id="down", colour=LINE), marker.format(id="up", colour=BACK)]
    for i, (_, upper) in enumerate(rings):
        for j, (_, lower) in enumerate(rings):
            if i == j or not any((a, b) in graph.imports for a in upper for b in lower):
                continue
            down = i < j
            start = places[i][0] + places[i][1] * (0.42 + 0.09 * (j if down else i))
            end = places[j][0] + places[j][1] * (0.36 + 0.07 * i)
            bend = GUTTER - 12 - 20 * abs(j - i)
            colour, tip = (LINE, "down") if down else (BACK, "up")
            parts.append(
                f'<path d="M{GUTTER} {start:.1f} C{bend} {start:.1f} {bend} {end:.1f} {GUTTER - 2} {end:.1f}" '
                f'fill="none" stroke="{colour}" stroke-width="1.6" marker-end="url(#{tip})"/>'
            )
    return parts


def _matrix(order: list[str], graph: Graph, top: int) -> list[str]:
    """Rows import columns. Marks left of the diagonal would be imports against the order of the rings."""
    left, head = GUTTER + NAMES_WIDTH, top + 118
    parts = [
        _text(GUTTER, top + 16, "Who imports whom", size=13, weight="600"),
        _text(GUTTER, top + 34, "row imports column", size=10, colour=MUTED),
    ]
    for number, name in enumerate(order):
        y, x = head + number * CELL, left + number * CELL
        parts.append(_text(left - 8, y + 12, name, size=11, anchor="end"))
        parts.append(
            f'<text transform="translate({x + 12} {head - 6}) rotate(-60)" font-size="10" fill="{INK}">{name}</text>'
        )
        for other, target in enumerate(order):
            cell_x = left + other * CELL
            fill = "#dfe5ec" if other == number else "#f6f8fa"
            parts.append(f'<rect x="{cell_x}" y="{y}" width="{CELL - 1}" height="{CELL - 1}" fill="{fill}"/>')
            if (name, target) in graph.imports:
                colour = LINE if other > number else BACK
                parts.append(f'<circle cx="{cell_x + 8}" cy="{y + 8}" r="4.5" fill="{colour}"/>')
    note_x, note_y = left + len(order) * CELL + 24, head + 14
    notes = (
        ("Blue: down the order of the boxes above.", LINE),
        ("Red: back up, within one ring only:", BACK),
        ("two packages that know each other's types.", BACK),
        ("Between rings imports only lead down;", INK),
        ("tests/contract/test_handbook.py proves it.", INK),
    )
    parts += [
        _text(note_x, note_y + 16 * row, note, size=11, colour=colour) for row, (note, colour) in enumerate(notes)
    ]
    return parts


def _wrapped(text: str, width: int) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _text(
    x: float, y: float, text: str, *, size: int, colour: str = INK, weight: str = "400", anchor: str = "start"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" fill="{colour}" '
        f'text-anchor="{anchor}">{escape(text)}</text>'
    )


if __name__ == "__main__":
    OUTPUT.write_text(render(), encoding="utf-8")

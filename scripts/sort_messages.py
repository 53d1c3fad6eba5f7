"""Sort the translations: every message stands in the .po file of the package that shows it, in the order of the code.

    python -m scripts.sort_messages

Put the German of a new message into any file of `resources/locale/de`, then run this (or `make locale`): `gui.pages.po`
holds what `gui/pages` says, `gui.po` what several packages below `gui` say. A message of several layers stands with the
lowest of them. Messages no package has any more are dropped, and named.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import write_po

from resources.locale.build import LOCALE, merged

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("engine", "catalog", "resources", "gui", "main")
WIDTH = 118
HEAD = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: {plurals}\\n"

"""
SAYING = frozenset({"gettext", "ngettext", "pgettext", "_", "mark", "N_"})
Place = tuple[int, str, int]  # layer, file, line


def places() -> dict[str, list[Place]]:
    """Where every message of the code is said; where a text is only written counts if it is said nowhere."""
    said: dict[str, list[Place]] = defaultdict(list)
    written: dict[str, list[Place]] = defaultdict(list)
    for layer, name in enumerate(LAYERS):
        for path in sorted((ROOT / name).rglob("*.py")) if (ROOT / name).is_dir() else [ROOT / f"{name}.py"]:
            file = path.relative_to(ROOT).as_posix()
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and _says(node.func):
                    for text in _texts(node.args):
                        said[text.value].append((layer, file, text.lineno))
                for text in _texts([node]):
                    written[text.value].append((layer, file, text.lineno))
    return {**written, **said}


def _says(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in SAYING or name.endswith("Error")


def _texts(nodes: Iterable[ast.AST]) -> Iterator[ast.Constant]:
    return (node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def area(stands: list[Place]) -> str:
    """The file of a message: its package, or what all packages of its lowest layer have in common."""
    lowest = min(layer for layer, _, _ in stands)
    packages = {tuple(Path(file).parent.parts) for layer, file, _ in stands if layer == lowest}
    if len(packages) > 1:
        return LAYERS[lowest]
    return ".".join(packages.pop()) or LAYERS[lowest]


def sorted_files(language: str) -> tuple[dict[str, bytes], list[str]]:
    """Every .po file of a language as it should be, and the messages nobody shows any more."""
    known, dropped = places(), list[str]()
    found: dict[str, list[tuple[Place, Message]]] = defaultdict(list)
    for message in merged(language):
        if not message.id:
            continue
        singular = message.id if isinstance(message.id, str) else message.id[0]
        if stands := known.get(singular):
            found[area(stands)].append((min(stands), message))
        else:
            dropped.append(singular)
    return {f"{name}.po": _po(language, messages) for name, messages in found.items()}, dropped


def _po(language: str, messages: list[tuple[Place, Message]]) -> bytes:
    catalog = Catalog(locale=language)
    for _, message in sorted(messages, key=lambda pair: (pair[0], pair[1].id)):
        catalog.add(message.id, message.string, context=message.context, flags=message.flags)
    stream = BytesIO()
    write_po(stream, catalog, width=WIDTH, omit_header=True)
    return HEAD.format(language=language, plurals=catalog.plural_forms).encode() + stream.getvalue()


def main() -> None:
    """Write the sorted files and remove the others."""
    for folder in sorted(path for path in LOCALE.iterdir() if path.is_dir() and list(path.glob("*.po"))):
        files, dropped = sorted_files(folder.name)
        for name, content in files.items():
            (folder / name).write_bytes(content)
        for path in folder.glob("*.po"):
            if path.name not in files:
                path.unlink()
        for text in dropped:
            sys.stdout.write(f"{folder.name}: no package has this message any more: {text!r}\n")


if __name__ == "__main__":
    main()

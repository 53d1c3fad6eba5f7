"""What of the program can be seen, read from its source: the list that the gallery has to cover."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

GUI = Path(__file__).parents[3] / "gui"
LOOPS = frozenset({"application", "QApplication"})  # whose `exec` is the program's own loop
ASKING = frozenset({"exec", "getText"})  # what waits for an answer; file dialogs are the system's


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Every module of the window with its syntax tree."""
    for path in sorted(GUI.rglob("*.py")):
        name = ".".join(path.relative_to(GUI.parent).with_suffix("").parts)
        yield name, ast.parse(path.read_text(encoding="utf-8"))


def widget_classes() -> set[str]:
    """Classes that are seen: of a Qt class or of a class of ours that is one; abstract ones are met as their heirs."""
    bases: dict[str, list[str]] = {}
    places: dict[str, str] = {}
    for module, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = [base.id for base in node.bases if isinstance(base, ast.Name)]
                places[node.name] = f"{module}.{node.name}"
    fathers = {base for names in bases.values() for base in names}
    return {places[name] for name in bases if name not in fathers and _is_widget(name, bases)}


def _is_widget(name: str, bases: dict[str, list[str]]) -> bool:
    if name in bases:
        return any(_is_widget(base, bases) for base in bases[name])
    if not name.startswith("Q"):
        return False
    from PySide6 import QtWidgets  # the tree alone does not know Qt's classes

    kind = getattr(QtWidgets, name, None)
    return isinstance(kind, type) and issubclass(kind, QtWidgets.QWidget)


def waiting_functions() -> set[str]:
    """Functions that show something and wait for the answer."""
    return {
        f"{module}.{name}"
        for module, tree in modules()
        for name, function in _functions(tree, "")
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ASKING
        and not (isinstance(node.func.value, ast.Name) and node.func.value.id in LOOPS)
    }


def _functions(tree: ast.AST, prefix: str) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            yield f"{prefix}{node.name}", node

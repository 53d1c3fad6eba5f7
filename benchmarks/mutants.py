"""Small changes to the code that a good test suite should notice, and how one of them comes into force.

A change is one operator, comparison, condition, number, truth value, `min` for `max` or `any` for `all`. Left out is
what no test can see because it says nothing to the program: annotations, decorators, texts, `strict=` of `zip`, and
what only guards against the impossible (`assert`, `raise AssertionError`).
"""

from __future__ import annotations

import ast
import gc
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
}
_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Change:
    """One change: the `number`th place of a file. `first_line` to `last_line` is the statement around it."""

    path: str  # from the project's root
    number: int
    part: int  # which of several comparisons
    line: int
    first_line: int
    last_line: int
    what: str
    inside_function: bool  # False: runs when the module is imported

    @property
    def module(self) -> str:
        """The changed module's name."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.what} #{self.number}.{self.part}"


def changes(path: Path, name: str) -> list[Change]:
    """Every change of a file, in the order of its lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: list[Change] = []
    for number, (node, statement, inside) in enumerate(list(_places(tree))):
        first, last = _lines(statement)
        parts = len(node.ops) if isinstance(node, ast.Compare) else 1
        found.extend(
            Change(name, number, part, node.lineno, first, last, _mutate(node, part), inside) for part in range(parts)
        )
    return sorted(found, key=lambda change: (change.line, change.number, change.part))


def compiled(change: Change, root: Path) -> CodeType:
    """The changed module. Lines keep their numbers."""
    path = root / change.path
    tree = ast.parse(path.read_text(encoding="utf-8"))
    node = next(node for number, (node, _, _) in enumerate(_places(tree)) if number == change.number)
    _mutate(node, change.part)
    return compile(ast.fix_missing_locations(tree), str(path), "exec")


def change_loaded(code: CodeType, functions: Sequence[FunctionType]) -> int:
    """Give loaded functions the code they have in the changed module; answers how many got some."""
    new = {(part.co_qualname, part.co_firstlineno): part for part in _parts(code)}
    count = 0
    for function in functions:
        old = function.__code__
        part = new.get((old.co_qualname, old.co_firstlineno))
        if part is not None and len(part.co_freevars) == len(old.co_freevars):
            function.__code__ = part
            count += 1
    return count


def loaded_functions(paths: set[str]) -> dict[str, list[FunctionType]]:
    """Every living function by the file it comes from."""
    found: dict[str, list[FunctionType]] = {path: [] for path in paths}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename in found:
            found[thing.__code__.co_filename].append(thing)
    return found


class ChangedModule(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module with a change, before it is imported for the first time."""

    def __init__(self, change: Change, root: Path) -> None:
        self._name, self._root, self._change = change.module, root, change

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The changed module's place; nothing for every other."""
        if fullname != self._name:
            return None
        file = self._root / self._change.path
        spec = importlib.machinery.ModuleSpec(fullname, self, origin=str(file), is_package=file.name == "__init__.py")
        spec.has_location = True
        return spec

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed module."""
        exec(compiled(self._change, self._root), module.__dict__)

    def install(self) -> None:
        """Go before every other way to import."""
        if self._name in sys.modules:
            raise RuntimeError(f"{self._name} is imported already")
        sys.meta_path.insert(0, self)


def _parts(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _parts(constant)


def _lines(statement: ast.stmt) -> tuple[int, int]:
    body = getattr(statement, "body", None)
    if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
        return statement.lineno, max(statement.lineno, body[0].lineno - 1)
    return statement.lineno, statement.end_lineno or statement.lineno


def _places(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.If, ast.stmt, bool]]:
    for statement in tree.body:
        yield from _below(statement, statement, inside=False)


def _below(node: ast.AST, statement: ast.stmt, *, inside: bool) -> Iterator[tuple[ast.expr | ast.If, ast.stmt, bool]]:
    if isinstance(node, ast.stmt):
        statement = node
    if _is_place(node):
        yield node, statement, inside  # type: ignore[misc]  # checked by _is_place
    if isinstance(node, _FUNCTIONS):
        for default in (*node.args.defaults, *(part for part in node.args.kw_defaults if part is not None)):
            yield from _below(default, statement, inside=inside)
        for part in node.body:
            yield from _below(part, statement, inside=True)
        return
    for child in _children(node):
        yield from _below(child, statement, inside=inside)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Assert) or (isinstance(node, ast.Raise) and "AssertionError" in ast.dump(node)):
        return
    if isinstance(node, ast.ClassDef):
        yield from node.body
    elif isinstance(node, ast.AnnAssign):
        if node.value is not None:
            yield node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip":
        yield from node.args
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cast":
        yield from node.args[1:]
    else:
        yield from ast.iter_child_nodes(node)


def _is_place(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp):
        return type(node.op) in _OPERATORS
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool | int | float)
    if isinstance(node, ast.Call):
        return _is_decimal_text(node) or (isinstance(node.func, ast.Name) and node.func.id in _NAMES)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not | ast.USub)
    if isinstance(node, ast.If | ast.IfExp):
        return not _turns_round(node.test)
    return isinstance(node, ast.Compare | ast.BoolOp)


def _turns_round(test: ast.expr) -> bool:
    """Whether changing the test itself is already the change of the condition."""
    if isinstance(test, ast.Compare):
        return len(test.ops) == 1 and not isinstance(test.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def _is_decimal_text(node: ast.Call) -> bool:
    return (
        isinstance(node.func, ast.Name)
        and node.func.id == "Decimal"
        and bool(node.args)
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    )


def _mutate(node: ast.AST, part: int) -> str:
    match node:
        case ast.BinOp():
            node.op = _OPERATORS[type(node.op)]()
            return "operator"
        case ast.Compare():
            node.ops[part] = _COMPARISONS[type(node.ops[part])]()
            return "comparison"
        case ast.Constant():
            node.value = not node.value if isinstance(node.value, bool) else node.value + 1  # type: ignore[operator]  # checked by _is_place
            return "constant"
        case ast.Call() if _is_decimal_text(node):
            node.args = [ast.BinOp(ast.Call(node.func, node.args, []), ast.Add(), ast.Constant(1))]
            return "constant"
        case ast.Call(func=ast.Name()):
            node.func = ast.Name(_NAMES[node.func.id], ast.Load())
            return "min/max or any/all"
        case ast.UnaryOp(op=ast.Not()):
            node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)
            return "not"
        case ast.UnaryOp():
            node.op = ast.UAdd()
            return "sign"
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            return "and/or"
        case ast.If() | ast.IfExp():
            node.test = ast.UnaryOp(ast.Not(), node.test)
            return "condition"
    raise TypeError(type(node).__name__)

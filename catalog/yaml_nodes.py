"""YAML read as nodes, so that every value knows its line. Refuses what a data file never needs.

Aliases (the stuff of YAML bombs), duplicate keys, deep nesting and oversized files are errors with a place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from engine.errors import PassformError

MAX_DEPTH = 20
MAX_TAG = 80
MAX_DIGITS = 400  # Python itself refuses to write out numbers of more than 4,300 digits
_YAML = "tag:yaml.org,2002:"
_TEXT, _INT, _FLOAT, _MERGE = (_YAML + name for name in ("str", "int", "float", "merge"))
_COLLECTIONS = (_YAML + "seq", _YAML + "map")
_UNQUOTED = (None, "")
_MISREAD = re.compile(r"[-+]?0[0-9_]+|.*:.*")
"""Numbers of YAML 1.1 that mean something else than they say: 010 is eight, and 1:30 is ninety."""

Path = tuple[str | int, ...]


class FileFormatError(PassformError):
    """A file cannot be read as what it claims to be; the message starts with file and line."""


@dataclass(frozen=True, slots=True)
class LocatedYaml:
    """The plain data of a file and the line of each of its values."""

    name: str
    data: object
    root: yaml.Node

    def line(self, path: Path) -> int:
        """Line (from 1) of the value at `path`, or of the nearest parent that exists."""
        node = self.root
        line = node.start_mark.line + 1
        for step in path:
            child = _child(node, step)
            if child is None:
                break
            key, node = child
            line = key.start_mark.line + 1
        return line


def parse(text: str, name: str, most_values: int = 10_000_000) -> LocatedYaml:
    """Parse one YAML document of at most so many values. Raises `FileFormatError` with file and line."""
    loader = yaml.CSafeLoader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            raise FileFormatError("{file}: the file is empty.", file=name)
        _Check(loader, name, most_values).node(root, depth=0)
        data = loader.construct_document(root)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise FileFormatError(
            "{file}:{line}: this is not valid YAML: {problem}.", file=name, line=line, problem=error.problem or ""
        ) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise FileFormatError("{file}: this is not valid YAML: {problem}.", file=name, problem=str(error)) from error
    finally:
        loader.dispose()
    return LocatedYaml(name, data, root)


class _Check:
    """Refuses what a data file never needs, with the line."""

    def __init__(self, loader: yaml.CSafeLoader, name: str, most_values: int) -> None:
        self._loader = loader
        self._name = name
        self._most_values = most_values
        self._seen: set[int] = set()

    def node(self, node: yaml.Node, depth: int) -> None:
        """Check a value and all in it. Raises `FileFormatError`."""
        if id(node) in self._seen:
            raise self._error("{file}:{line}: aliases (*name) are not allowed here.", node)
        self._seen.add(id(node))
        if len(self._seen) > self._most_values:
            raise self._error("{file}:{line}: more than {limit} values.", node, limit=self._most_values)
        if depth > MAX_DEPTH:
            raise self._error("{file}:{line}: nested deeper than {limit} levels.", node, limit=MAX_DEPTH)
        if isinstance(node, yaml.ScalarNode):
            if node.tag != _TEXT:
                self._scalar(node)
            return
        if node.tag not in _COLLECTIONS:
            raise self._tag_error(node)
        if isinstance(node, yaml.SequenceNode):
            for child in node.value:
                self.node(child, depth + 1)
        elif isinstance(node, yaml.MappingNode):
            self._mapping(node, depth)

    def _mapping(self, node: yaml.MappingNode, depth: int) -> None:
        keys: set[str] = set()
        for key, child in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag == _MERGE:
                raise self._error("{file}:{line}: a key must be a word.", node)
            if key.value in keys:
                raise self._error("{file}:{line}: {key} is given twice.", key, key=key.value)
            keys.add(key.value)
            if key.tag != _TEXT:
                self._scalar(key)
            self.node(child, depth + 1)

    def _scalar(self, node: yaml.ScalarNode) -> None:
        """A number, date, truth value or nothing: as its own letters say it, and no more than Python writes out."""
        meant = self._loader.resolve(yaml.ScalarNode, node.value, (True, False))  # type: ignore[no-untyped-call]  # PyYAML's
        if node.style not in _UNQUOTED or node.tag != meant:
            raise self._tag_error(node)
        if node.tag not in {_INT, _FLOAT}:
            return
        if len(node.value) > MAX_DIGITS:
            raise self._error("{file}:{line}: a number of more than {limit} digits.", node, limit=MAX_DIGITS)
        if _MISREAD.fullmatch(node.value):
            raise self._error(
                "{file}:{line}: {value} means another number in YAML than it says. Write it in quotes, or as a plain "
                "number without leading zeros and colons.",
                node,
                value=node.value,
            )

    def _tag_error(self, node: yaml.Node) -> FileFormatError:
        return self._error(
            "{file}:{line}: YAML's marks of types, such as {tag}, are not allowed here.",
            node,
            tag=node.tag.replace(_YAML, "!!")[:MAX_TAG],
        )

    def _error(self, template: str, node: yaml.Node, **values: object) -> FileFormatError:
        return FileFormatError(template, file=self._name, line=node.start_mark.line + 1, **values)


def _child(node: yaml.Node, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == str(step)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    return None

"""YAML read as nodes, so that every value knows its line. Refuses what a data file never needs.

Aliases (the stuff of YAML bombs), duplicate keys, deep nesting and oversized files are errors with a place.
"""

from __future__ import annotations

from dataclasses import dataclass

import yaml

from engine.errors import PassformError

MAX_DEPTH = 20
MAX_DIGITS = 400  # Python itself refuses to write out numbers of more than 4,300 digits
_INT = "tag:yaml.org,2002:int"

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


def parse(text: str, name: str) -> LocatedYaml:
    """Parse one YAML document. Raises `FileFormatError` with file and line."""
    loader = yaml.CSafeLoader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            raise FileFormatError("{file}: the file is empty.", file=name)
        _check(root, name, depth=0, seen=set())
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


def _check(node: yaml.Node, name: str, depth: int, seen: set[int]) -> None:
    line = node.start_mark.line + 1
    if id(node) in seen:
        raise FileFormatError("{file}:{line}: aliases (*name) are not allowed here.", file=name, line=line)
    seen.add(id(node))
    if depth > MAX_DEPTH:
        raise FileFormatError(
            "{file}:{line}: nested deeper than {limit} levels.", file=name, line=line, limit=MAX_DEPTH
        )
    if isinstance(node, yaml.ScalarNode) and node.tag == _INT and len(node.value) > MAX_DIGITS:
        raise FileFormatError(
            "{file}:{line}: a number of more than {limit} digits.", file=name, line=line, limit=MAX_DIGITS
        )
    if isinstance(node, yaml.SequenceNode):
        for child in node.value:
            _check(child, name, depth + 1, seen)
    elif isinstance(node, yaml.MappingNode):
        keys: set[str] = set()
        for key, child in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise FileFormatError("{file}:{line}: a key must be a word.", file=name, line=line)
            if key.value in keys:
                raise FileFormatError(
                    "{file}:{line}: {key} is given twice.", file=name, line=key.start_mark.line + 1, key=key.value
                )
            keys.add(key.value)
            _check(child, name, depth + 1, seen)


def _child(node: yaml.Node, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == str(step)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    return None

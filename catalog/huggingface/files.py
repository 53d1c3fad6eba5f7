"""Reading a configuration file that anybody may have written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from stat import S_ISREG
from typing import NoReturn

from catalog.huggingface.errors import ConfigError

MAX_BYTES = 2_000_000  # the largest published config.json is below 100 kB
MAX_DEPTH = 40
MAX_DIGITS = 400
TEXTS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""A text, or what begins like one and never ends: else every quote in it would be looked through to the end again."""


def read_config(path: Path) -> Mapping[str, object]:
    """The object in a `config.json`.

    ConfigError when the file is missing, larger than 2 MB, no JSON, nested deeper than 40 levels, holds NaN or
    infinity, or is no object.
    """
    try:
        if not S_ISREG(path.stat().st_mode):
            raise ConfigError("{file} is not a file.", file=path.name)
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError("{file} cannot be read: {problem}", file=path.name, problem=error.strerror) from error
    if len(raw) > MAX_BYTES:
        raise ConfigError(
            "{file} is larger than {limit} MB, which no model configuration is.",
            file=path.name,
            limit=MAX_BYTES // 10**6,
        )
    return parse_config(raw, path.name)


def parse_config(raw: bytes | str, name: str) -> Mapping[str, object]:
    """The object in the text of a configuration; `name` is for messages. Errors as in `read_config`."""
    try:
        text = raw.decode("utf-8-sig") if isinstance(raw, bytes) else raw
    except UnicodeDecodeError as error:
        raise ConfigError("{file} is not a text in UTF-8.", file=name) from error
    _check_depth(text, name)
    try:
        document = json.loads(text, parse_constant=_refuse_constant, parse_int=_whole)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ConfigError("{file} is not valid JSON: {problem}", file=name, problem=error) from error
    if not isinstance(document, dict):
        raise ConfigError("{file} must hold one JSON object.", file=name)
    return document


def _check_depth(text: str, name: str) -> None:
    """Count brackets outside texts before parsing, since the parser itself would recurse."""
    depth = 0
    for character in TEXTS.sub("", text):
        if character in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise ConfigError("{file} is nested deeper than {limit} levels.", file=name, limit=MAX_DEPTH)
        elif character in "]}":
            depth -= 1


def _refuse_constant(constant: str) -> NoReturn:
    raise ConfigError("{value} is no number a model configuration can hold.", value=constant)


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ConfigError("A number of {digits} digits is no size of a model.", digits=len(digits))
    return int(digits)

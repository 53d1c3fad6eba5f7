"""`evidence`: what Passform computes against what others measured."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TextIO

from catalog.commands import evidence_inference, evidence_memory, evidence_speed
from engine.wording.translator import Language


def run(arguments: argparse.Namespace, out: TextIO) -> int:
    """Memory records unless `--speed` is given; 1 when the promised errors are not kept."""
    language = Language(arguments.language)
    if arguments.speed is not None:
        path = Path(arguments.speed) if arguments.speed else None
        return evidence_speed.report(path, out, language, as_json=arguments.json)
    if arguments.inference is not None:
        path = Path(arguments.inference) if arguments.inference else None
        return evidence_inference.report(path, out, language, as_json=arguments.json)
    return evidence_memory.report(arguments.measured, arguments.oracle, out, language, as_json_form=arguments.json)

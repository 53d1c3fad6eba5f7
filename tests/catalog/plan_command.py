"""The command `plan` on a consultation that a test writes, and a task that several tests of it measure."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from catalog.commands import plan
from catalog.commands.grammar import make_parser

MAX_Q = "rtx_pro_6000_blackwell_maxq"
CHAT_AT_THE_DESK = """\
schema: 1
site: {place: desk}
workloads:
  - {name: chat, model: llama-3.1-8b, method: lora, sequence_length: 2048, micro_batch: 2}
"""


def planned(folder: Path, consultation: str, *arguments: str, language: str = "en") -> str:
    """What it prints."""
    path = folder / "a.passform.yaml"
    path.write_text(consultation, encoding="utf-8")
    out = StringIO()
    given = make_parser().parse_args(["plan", str(path), *arguments])
    given.language = language
    plan.run(given, out)
    return out.getvalue()

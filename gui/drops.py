"""What may be dropped onto the window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QDropEvent

LISTS = (".csv", ".xlsx")  # what is taken for a price list
KINDS = (".yaml", ".yml", ".json", ".pdf", *LISTS)  # consultations, a model's `config.json`, papers


def dropped_path(event: QDropEvent) -> Path | None:
    """The one file of ours that is dropped; None for anything else."""
    urls = event.mimeData().urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = Path(urls[0].toLocalFile())
    return path if path.suffix.lower() in KINDS else None

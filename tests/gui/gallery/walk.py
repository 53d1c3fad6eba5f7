"""Shows the whole registry in a process of its own, where Qt's scale factor can be set before it starts.

    python -m tests.gui.gallery.walk FOLDER REPORT [PICTURES]

GALLERY_ONLY shows some entries of the registry, GALLERY_TABS (such as `de-dark`) goes through one look by Tab.

The report is JSON: what was seen, what was wrong with it, and which parts of the program were met.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from dataclasses import asdict
from pathlib import Path

from PySide6.QtCore import QMessageLogContext, QSettings, QStandardPaths, QtMsgType, qInstallMessageHandler

from engine.wording.translator import Language
from gui.settings import ThemeChoice
from tests.gui.gallery.shows import REGISTRY
from tests.gui.gallery.stage import Stage

BY_KEYBOARD = "GALLERY_TABS"
TOLERATED = "This plugin does not support"
COMBINATIONS = [(theme, language) for theme in (ThemeChoice.LIGHT, ThemeChoice.DARK) for language in Language]


def main(folder: Path, report: Path, pictures: Path | None) -> None:
    """Show everything in every theme and language."""
    QStandardPaths.setTestModeEnabled(True)
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(folder))
    complaints: list[str] = []

    def complain(_kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        if not message.startswith(TOLERATED):
            complaints.append(f"Qt: {message}")

    qInstallMessageHandler(complain)
    only = [name for name in os.environ.get("GALLERY_ONLY", "").split(",") if name]
    stage = Stage(folder, pictures)
    for theme, language in COMBINATIONS:
        stage.dress(theme, language)
        stage.by_keyboard = os.environ.get(BY_KEYBOARD) == f"{language.value}-{theme.value}"
        shown = None
        for entry in REGISTRY:
            if only and entry.show.__name__ not in only:
                continue
            if entry.example != shown:
                stage.open(entry.example)
                shown = entry.example
            try:
                entry.show(stage)
            except Exception:  # noqa: BLE001  # reported as a fault; the rest is shown all the same
                where = f"{entry.show.__name__}-{language.value}-{theme.value}"
                stage.seen.faults.append(f"{where}: {traceback.format_exc()}")
    stage.close()
    stage.seen.faults += complaints
    found = {key: sorted(value) for key, value in asdict(stage.seen).items()}
    report.write_text(json.dumps({**found, "cpu_s": time.process_time()}), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None)

"""Walks the pages in a process of its own, where Qt's scale factor can be set before it starts."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QWidget

from catalog.load import load_catalog
from engine.wording.translator import Language
from gui.app import App, make_application
from gui.catalogue.import_dialog import ImportDialog
from gui.catalogue.price_dialog import PriceDialog
from gui.flow import Step
from gui.settings import Settings, ThemeChoice
from tests.gui.layout import unfit

EXAMPLE = Path(__file__).parents[2] / "examples" / "mixed-portfolio.passform.yaml"
PATIENCE_S = 60
LAYOUT_PASSES = 4


def tool_windows(app: App, folder: Path) -> Iterator[tuple[str, QWidget]]:
    """The windows beside the consultation, and two of their dialogs."""
    tools = app.window.tools
    tools.show_catalogue()
    tools.catalogue.table.selectRow(2)
    yield "catalogue", tools.catalogue
    tools.show_positions()
    tools.positions.choose((0, 0))
    yield "positions", tools.positions
    tools.show_evidence()
    yield "evidence", tools.evidence
    price = PriceDialog(tools.desk, "h200_nvl", app.window)
    price.show()
    yield "price", price
    lists = ImportDialog(tools.desk, app.window)
    (folder / "list.csv").write_text("Bezeichnung;VK netto EUR\nNVIDIA H200 NVL;29.990,00\n", encoding="utf-8")
    lists.show()
    lists.take(folder / "list.csv")
    yield "import", lists


def main(folder: str) -> int:
    """Print what is cut off; 1 when anything is."""
    QStandardPaths.setTestModeEnabled(True)
    application = make_application(["passform-scale"])
    settings = Settings(language=Language.DE, theme=ThemeChoice.DARK, tour_seen=True)
    app = App(application, load_catalog(), settings, Path(folder))
    app.window.resize(1280, 800)
    app.start(Path(shutil.copy(EXAMPLE, folder)))
    found = []
    for step in Step:
        app.window.show_step(step)
        end = time.monotonic() + PATIENCE_S
        application.processEvents()
        while app.window.busy and time.monotonic() < end:
            application.processEvents()
            time.sleep(0.01)
        for _ in range(LAYOUT_PASSES):
            application.processEvents()
        found += [f"{step.value}: {text}" for text in unfit(app.window)]
        app.window.grab().save(str(Path(folder) / f"{step.value}.png"))
    for name, window in tool_windows(app, Path(folder)):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and (getattr(window, "busy", False) or app.window.busy):
            application.processEvents()
            time.sleep(0.01)
        for _ in range(LAYOUT_PASSES):
            application.processEvents()
        found += [f"{name}: {text}" for text in unfit(window)]
        window.grab().save(str(Path(folder) / f"{name}.png"))
    app.document.replace(app.document.consultation, None)
    app.window.close()
    print("\n".join(found))  # noqa: T201  # the parent process reads it
    return 1 if found else 0

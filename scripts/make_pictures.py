"""Make the pictures of README and handbook from the program itself: `make pictures`.

Every page of the window in German and English, light and dark, and the first pages of the example proposal.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pypdfium2
from PySide6.QtWidgets import QApplication

from catalog.load import load_catalog
from engine.wording.translator import Language
from gui.app import App, make_application
from gui.flow import Step
from gui.settings import Settings, ThemeChoice
from main import main

ROOT = Path(__file__).parents[1]
OUTPUT = ROOT / "docs" / "pictures"
EXAMPLE = ROOT / "examples" / "mixed-portfolio.passform.yaml"
SIZE = (1280, 800)
PATIENCE_S = 60.0
PAPER_SCALE = 1.3
PAPER_PAGES = 3


def _settle(application: QApplication, app: App) -> None:
    end = time.monotonic() + PATIENCE_S
    while app.window.busy and time.monotonic() < end:
        application.processEvents()
    for _ in range(8):
        application.processEvents()


def window_pictures(folder: Path) -> None:
    """Each step of the window as PNG."""
    application = make_application(["passform-pictures"])
    catalog = load_catalog()
    for language in Language:
        for theme in (ThemeChoice.LIGHT, ThemeChoice.DARK):
            settings = Settings(language=language, theme=theme, tour_seen=True, path=folder / "settings.json")
            app = App(application, catalog, settings, folder)
            app.window.resize(*SIZE)
            app.start(EXAMPLE)
            for step in Step:
                app.window.show_step(step)
                _settle(application, app)
                app.window.grab().save(str(OUTPUT / f"window-{step.value}-{language.value}-{theme.value}.png"))
            app.window.close()


def paper_pictures(folder: Path) -> None:
    """The first pages of the example proposal as PNG."""
    for language in Language:
        paper = folder / f"{language.value}.pdf"
        main(["quote", str(EXAMPLE), "--output", str(paper), "--language", language.value])
        document = pypdfium2.PdfDocument(paper)
        for number in range(min(PAPER_PAGES, len(document))):
            page = document[number].render(scale=PAPER_SCALE).to_pil()
            page.save(OUTPUT / f"paper-{number + 1}-{language.value}.png", optimize=True)
        document.close()


if __name__ == "__main__":
    OUTPUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        os.environ["PASSFORM_DATA"] = name
        paper_pictures(Path(name))
        window_pictures(Path(name))

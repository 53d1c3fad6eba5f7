"""Make the pictures of README and handbook from the program itself: `make pictures`.

Every page of the window in German and English, light and dark, and the first pages of the example proposal.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pypdfium2
from PIL import Image
from PySide6.QtWidgets import QApplication, QWidget

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
SHOWN_CARD = "rtx_pro_6000_blackwell_se"
PATIENCE_S = 60.0
PAPER_SCALE = 1.3
PAPER_PAGES = 3
COLOURS = 256


def _settle(application: QApplication, app: App) -> None:
    end = time.monotonic() + PATIENCE_S
    while app.window.busy and time.monotonic() < end:
        application.processEvents()
    for _ in range(8):
        application.processEvents()


def _grab(widget: QWidget, name: str) -> None:
    """Save what a widget shows."""
    path = OUTPUT / name
    widget.grab().save(str(path))
    with Image.open(path) as picture:
        _save(picture.convert("RGB"), name)


def _save(picture: Image.Image, name: str) -> None:
    """Save with a palette: a third of the bytes, and nobody sees the difference."""
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(OUTPUT / name, optimize=True)


def window_pictures(folder: Path) -> None:
    """Each step of the window, and the catalogue's, as PNG."""
    application = make_application(["passform-pictures"])
    catalog = load_catalog()
    for language in Language:
        for theme in (ThemeChoice.LIGHT, ThemeChoice.DARK):
            settings = Settings(language=language, theme=theme, tour_seen=True, path=folder / "settings.json")
            app = App(application, catalog, settings, folder)
            app.start(EXAMPLE)
            app.window.resize(*SIZE)  # after the start, which restores the last size
            for step in Step:
                app.window.show_step(step)
                _settle(application, app)
                _grab(app.window, f"window-{step.value}-{language.value}-{theme.value}.png")
            _catalogue_picture(application, app, f"{language.value}-{theme.value}")
            app.window.close()


def _catalogue_picture(application: QApplication, app: App, name: str) -> None:
    """The catalogue's window with one card chosen."""
    app.window.tools.show_catalogue()
    window = app.window.tools.catalogue
    if window is None:
        raise RuntimeError("the catalogue's window did not open")
    window.resize(*SIZE)
    _settle(application, app)
    window.choose(SHOWN_CARD)
    _settle(application, app)
    _grab(window, f"window-catalogue-{name}.png")
    window.close()


def paper_pictures(folder: Path) -> None:
    """The first pages of the example proposal as PNG."""
    for language in Language:
        paper = folder / f"{language.value}.pdf"
        main(["quote", str(EXAMPLE), "--output", str(paper), "--language", language.value])
        document = pypdfium2.PdfDocument(paper)
        for number in range(min(PAPER_PAGES, len(document))):
            page = document[number].render(scale=PAPER_SCALE).to_pil()
            _save(page, f"paper-{number + 1}-{language.value}.png")
        document.close()


if __name__ == "__main__":
    OUTPUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        os.environ["PASSFORM_DATA"] = name
        paper_pictures(Path(name))
        window_pictures(Path(name))

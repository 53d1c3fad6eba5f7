"""Make the pictures of README and handbook from the program itself: `make pictures`.

Every page of the window in German and English, light and dark, and the first pages of the example proposal.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from unittest.mock import patch

import pypdfium2
from PIL import Image
from PySide6.QtWidgets import QApplication, QWidget

from catalog.load import load_catalog
from engine.wording.translator import Language
from gui.app import App, make_application
from gui.flow import Step
from gui.register.issue_dialog import IssueDialog
from gui.register.work import Wish, carry_out
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
CUSTOMERS = ("Musterwerk GmbH", "Beispiel Forschung gGmbH", "Beispiel Maschinenbau AG")
SELLER = ROOT / "tests" / "data" / "seller.yaml"


def _settle(application: QApplication, app: App) -> None:
    _wait(application, lambda: app.window.busy)


def _wait(application: QApplication, busy: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while busy() and time.monotonic() < end:
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
            _register_pictures(application, app, f"{language.value}-{theme.value}", folder)
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


def _register_pictures(application: QApplication, app: App, name: str, folder: Path) -> None:
    """The dialog that issues, and the register with a few documents: of a seller whose data no other picture shows."""
    office = folder / f"office-{name}"
    office.mkdir()
    shutil.copyfile(SELLER, office / "seller.yaml")
    with patch.dict(os.environ, {"PASSFORM_DATA": str(office)}):
        desk = app.window.register
        proposal, today = desk._proposal(), app.window._today()  # as its button does, without waiting for a person
        number = ""
        for company in CUSTOMERS:
            customer = proposal.consultation.customer.model_copy(update={"company": company})
            issued = proposal.consultation.model_copy(update={"customer": customer})
            made = carry_out(replace(proposal, consultation=issued), Wish.RECOMMENDATION, "", today, "")
            number = made.entry.number
        dearer = proposal.consultation.quote.model_copy(update={"discount_percent": Decimal(3)})
        customer = proposal.consultation.customer.model_copy(update={"company": CUSTOMERS[-1]})
        revised = proposal.consultation.model_copy(update={"quote": dearer, "customer": customer})
        carry_out(replace(proposal, consultation=revised), Wish.REVISION, number, today, "")
        dialog = IssueDialog(app.context, proposal, today, app.window)
        dialog.show()
        _wait(application, lambda: dialog.busy)
        _grab(dialog, f"window-issue-{name}.png")
        dialog.close()
        desk.show()
        window = desk.shown
        if window is None:
            raise RuntimeError("the register did not open")
        window.resize(*SIZE)
        _wait(application, lambda: window.busy)
        _grab(window, f"window-register-{name}.png")
        desk.close()


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

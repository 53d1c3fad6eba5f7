"""The paper comes out of the printer page for page as it is shown."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage
from PySide6.QtPrintSupport import QAbstractPrintDialog, QPrintDialog, QPrinter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.errors import PassformError
from gui.app import App
from gui.flow import Step
from gui.preview.pages import paper_pages
from gui.preview.printing import chosen_pages, new_printer, print_pages
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle

MIXED = EXAMPLES / "mixed-portfolio.passform.yaml"
DPI = 72
SMALL = 100  # pixels: two pictures of the same page differ by little at this size
A4_POINTS = (595, 842)


@pytest.fixture
def app(open_app: OpenApp, qtbot: QtBot) -> App:
    made = open_app(MIXED)
    made.window.show_step(Step.OFFER)
    wait_idle(qtbot, made)
    return made


def printer_to(path: Path) -> QPrinter:
    printer = new_printer()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(path))
    return printer


def likeness(one: QImage, other: QImage) -> float:
    """Mean difference of brightness, 0 to 255."""
    small = [image.scaled(SMALL, SMALL).convertToFormat(QImage.Format.Format_Grayscale8) for image in (one, other)]
    pairs = [
        (small[0].pixelColor(x, y).value(), small[1].pixelColor(x, y).value())
        for x in range(SMALL)
        for y in range(SMALL)
    ]
    return sum(abs(first - second) for first, second in pairs) / len(pairs)


def test_that_the_printed_pages_are_those_of_the_paper(app: App, tmp_path: Path) -> None:
    offer = app.window.offer
    path = tmp_path / "printed.pdf"
    offer.print_on(printer_to(path), range(2))
    shown = offer.rendered.pages
    printed = pypdfium2.PdfDocument(path.read_bytes())
    assert len(printed) == 2
    assert [round(side) for side in printed[0].get_size()] == pytest.approx(A4_POINTS, abs=1)
    printed.close()
    pages = paper_pages(path.read_bytes())
    for number in range(2):
        assert likeness(pages[number].drawn_at(DPI), shown[number].drawn_at(DPI)) < 6
    assert likeness(pages[0].drawn_at(DPI), shown[1].drawn_at(DPI)) > likeness(
        pages[0].drawn_at(DPI), shown[0].drawn_at(DPI)
    )
    assert offer.state.text() == "2 pages sent to the printer"


def test_that_the_wanted_pages_are_printed(app: App, tmp_path: Path) -> None:
    offer = app.window.offer
    count = len(offer.rendered.pages)
    assert count > 2
    printer = printer_to(tmp_path / "part.pdf")
    assert chosen_pages(printer, count) == list(range(count))
    printer.setPrintRange(QPrinter.PrintRange.PageRange)
    printer.setFromTo(2, 3)
    assert chosen_pages(printer, count) == [1, 2]
    printer.setFromTo(2, count + 5)
    assert chosen_pages(printer, count) == list(range(1, count))
    printer.setPageOrder(QPrinter.PageOrder.LastPageFirst)
    printer.setFromTo(1, 2)
    assert chosen_pages(printer, count) == [1, 0]
    print_pages(offer.rendered.paper.pdf, printer, [1])
    page = paper_pages((tmp_path / "part.pdf").read_bytes())
    assert len(page) == 1
    assert likeness(page[0].drawn_at(DPI), offer.rendered.pages[1].drawn_at(DPI)) < 6


def test_that_the_print_dialog_offers_the_pages(app: App, qtbot: QtBot) -> None:
    seen: list[tuple[int, int, bool]] = []

    def act() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QPrintDialog)
        ranged = dialog.testOption(QAbstractPrintDialog.PrintDialogOption.PrintPageRange)
        seen.append((dialog.minPage(), dialog.maxPage(), ranged))
        dialog.reject()

    QTimer.singleShot(0, act)
    app.window.offer.print_button.click()
    assert seen == [(1, len(app.window.offer.rendered.pages), True)]


@pytest.mark.qt_log_ignore("QPainter::begin")  # what Qt says of a printer that refuses
def test_that_a_printer_that_refuses_is_named(app: App, tmp_path: Path) -> None:
    printer = printer_to(tmp_path / "no-such-folder" / "x.pdf")
    with pytest.raises(PassformError, match="cannot be used"):
        print_pages(app.window.offer.rendered.paper.pdf, printer, [0])
    app.window.offer.print_on(printer_to(tmp_path / "no-such-folder" / "x.pdf"), [0])
    assert "cannot be used" in app.window.offer.state.text()

"""Prints the finished paper, page for page as it is shown: pdfium draws each page at the printer's own resolution."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPageLayout, QPageSize, QPainter
from PySide6.QtPrintSupport import QAbstractPrintDialog, QPrintDialog, QPrinter
from PySide6.QtWidgets import QWidget

from engine.errors import PassformError
from gui.preview.pages import paper_pages

SHARPEST_DPI = 300  # office printers show no difference beyond it, and a page already takes 26 MB


def new_printer() -> QPrinter:
    """A printer set to A4, upright, the whole sheet: the paper brings its own margins."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    printer.setPageOrientation(QPageLayout.Orientation.Portrait)
    printer.setFullPage(True)
    return printer


def print_dialog(printer: QPrinter, pages: int, title: str, parent: QWidget) -> QPrintDialog:
    """The system's print dialog, with a choice of pages."""
    dialog = QPrintDialog(printer, parent)
    dialog.setWindowTitle(title)
    dialog.setOption(QAbstractPrintDialog.PrintDialogOption.PrintPageRange, on=True)
    dialog.setOption(QAbstractPrintDialog.PrintDialogOption.PrintToFile, on=True)
    dialog.setMinMax(1, pages)
    dialog.setFromTo(1, pages)
    return dialog


def chosen_pages(printer: QPrinter, pages: int) -> list[int]:
    """Numbers of the wanted pages, from 0, in the order they leave the printer."""
    first, last = 1, pages
    if printer.printRange() is QPrinter.PrintRange.PageRange:
        first = min(max(printer.fromPage(), 1), pages)
        last = min(max(printer.toPage(), first), pages) if printer.toPage() else pages
    wanted = list(range(first - 1, last))
    return wanted[::-1] if printer.pageOrder() is QPrinter.PageOrder.LastPageFirst else wanted


def print_pages(pdf: bytes, printer: QPrinter, wanted: Sequence[int]) -> None:
    """Print pages of a document, each fitted to the sheet. Raises `PassformError` when the printer refuses."""
    painter = QPainter()
    if not painter.begin(printer):
        raise PassformError("The printer {name} cannot be used.", name=printer.printerName())
    try:
        dpi = min(printer.resolution(), SHARPEST_DPI)
        sheet = QRectF(printer.paperRect(QPrinter.Unit.DevicePixel))
        for place, number in enumerate(wanted):
            if place and not printer.newPage():
                raise PassformError("The printer {name} cannot be used.", name=printer.printerName())
            image = paper_pages(pdf, (number,))[0].drawn_at(dpi)
            share = min(sheet.width() / image.width(), sheet.height() / image.height())
            width, height = image.width() * share, image.height() * share
            room = QRectF((sheet.width() - width) / 2, (sheet.height() - height) / 2, width, height)
            painter.drawImage(room, image)
    finally:
        painter.end()

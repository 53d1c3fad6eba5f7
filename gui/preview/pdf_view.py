"""Shows the pages of a PDF below each other, scaled to the width."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.pictures.palette import Ink
from gui.context import Context
from gui.preview.pages import PaperPage
from gui.theme import STEP
from gui.widgets import column

WIDEST = 820


class PageView(QWidget):
    """One page."""

    def __init__(self, context: Context, page: PaperPage, name: str, width: int) -> None:
        super().__init__()
        self._context = context
        self._page = page
        self.setAccessibleName(name)
        self.setAccessibleDescription(page.text)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(WIDEST)
        self.resize(width, 0)
        self.setFixedHeight(self.sizeHint().height())

    def sizeHint(self) -> QSize:  # noqa: N802  # Qt's name
        width = min(max(self.width(), 200), WIDEST)
        return QSize(width, round(width * self._page.height_pt / self._page.width_pt))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  # Qt's name
        super().resizeEvent(event)
        self.setFixedHeight(self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802  # Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        view = self.parentWidget()
        if isinstance(view, PdfView) and view.laid_out:
            painter.drawImage(QRectF(self.rect()), self._page.drawn(round(self.width() * self.devicePixelRatioF())))
        else:
            painter.fillRect(self.rect(), Qt.GlobalColor.white)
        ink = Ink.ACCENT if self.hasFocus() else Ink.LINE
        painter.setPen(QPen(self._context.theme.colour(ink), 2 if self.hasFocus() else 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()


class PdfView(QWidget):
    """All pages."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._body = column(self, spacing=3 * STEP)
        self.setAccessibleName(context.texts.gettext("Preview of the paper"))

    @property
    def laid_out(self) -> bool:
        """Whether every page has its place. Before, they lie on each other, all in view, and all would be drawn."""
        return self.height() >= self._body.minimumSize().height()

    @property
    def page_count(self) -> int:
        """How many pages are shown."""
        return self._body.count()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  # Qt's name
        super().resizeEvent(event)
        self.update()  # with the pages that got their place only now

    def show_pages(self, pages: list[PaperPage]) -> None:
        """Show the pages of a document."""
        while (item := self._body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for number, page in enumerate(pages, start=1):
            words = self._context.texts.gettext("Page {number} of {count}")
            name = words.format(number=number, count=len(pages))
            self._body.addWidget(PageView(self._context, page, name, self.width()))

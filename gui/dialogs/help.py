"""The handbook: bundled pages, opened with F1 at the page of the current step."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QKeySequence,
    QShortcut,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QListWidget, QSplitter, QTextBrowser, QVBoxLayout, QWidget

from gui.context import Context
from gui.theme import HERO, STEP, TITLE
from resources import ROOT

SIZE = (900, 620)
TOPICS_WIDTH = 240
LINE_PERCENT = 125
TOPICS = ("workloads", "site", "goals", "results", "offer", "figures")


def help_file(topic: str, language: str) -> Path:
    """The page of a topic."""
    return ROOT / "help" / language / f"{topic}.md"


class HelpWindow(QWidget):
    """A list of topics and the page of the chosen one."""

    closed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        _ = context.texts.gettext
        self.setWindowTitle(_("Passform help"))
        self.resize(*SIZE)
        self.topics = QListWidget()
        self.topics.setAccessibleName(_("Topics"))
        self.browser = QTextBrowser()
        self.browser.setAccessibleName(_("Help page"))
        self.browser.setOpenLinks(False)
        self.browser.anchorClicked.connect(self._on_link)
        self.browser.document().setDocumentMargin(5 * STEP)
        for topic in TOPICS:
            self.topics.addItem(_title(topic, context.texts.language.value))
        self.topics.currentRowChanged.connect(self._on_topic)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self.topics)
        splitter.addWidget(self.browser)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([TOPICS_WIDTH, SIZE[0] - TOPICS_WIDTH])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self).activated.connect(self.close)

    @property
    def topic(self) -> str:
        """The topic that is shown."""
        return TOPICS[max(self.topics.currentRow(), 0)]

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802  # Qt's name
        """Tell that the window is done with."""
        super().closeEvent(event)
        self.closed.emit()

    def show_topic(self, topic: str) -> None:
        """Open at a topic and come to the front."""
        self.topics.setCurrentRow(TOPICS.index(topic) if topic in TOPICS else 0)
        self.show()
        self.topics.doItemsLayout()  # the style sheet's padding is known only now
        self.raise_()
        self.activateWindow()

    @Slot(int)
    def _on_topic(self, row: int) -> None:
        if row >= 0:
            page = help_file(TOPICS[row], self._context.texts.language.value)
            self.browser.setMarkdown(page.read_text(encoding="utf-8"))
            _loosen(self.browser.document(), self._context)

    @Slot(QUrl)
    def _on_link(self, url: QUrl) -> None:
        topic = url.path().removesuffix(".md")
        if topic in TOPICS:
            self.topics.setCurrentRow(TOPICS.index(topic))


def _loosen(document: QTextDocument, context: Context) -> None:
    """Give headings the window's sizes and paragraphs air, which Qt's Markdown leaves out."""
    cursor = QTextCursor(document)
    block = document.begin()
    while block.isValid():
        cursor.setPosition(block.position())
        shape = block.blockFormat()
        level = shape.headingLevel()
        shape.setBottomMargin(2 * STEP)
        shape.setLineHeight(LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(shape)
        if level:
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            letters = QTextCharFormat()
            letters.setFont(context.theme.font(HERO if level == 1 else TITLE, bold=True))
            cursor.mergeCharFormat(letters)
        block = block.next()


def _title(topic: str, language: str) -> str:
    first = help_file(topic, language).read_text(encoding="utf-8").splitlines()[0]
    return first.removeprefix("# ")

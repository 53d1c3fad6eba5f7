"""The handbook: bundled pages, opened with F1 at the page of the current step."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QListWidget, QSplitter, QTextBrowser, QVBoxLayout, QWidget

from gui.context import Context
from gui.theme import STEP
from resources import ROOT

SIZE = (860, 620)
TOPICS = ("workloads", "site", "goals", "results", "offer", "figures")


def help_file(topic: str, language: str) -> Path:
    """The page of a topic."""
    return ROOT / "help" / language / f"{topic}.md"


class HelpWindow(QWidget):
    """A list of topics and the page of the chosen one."""

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
        splitter.setSizes([200, SIZE[0] - 200])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self).activated.connect(self.close)

    def show_topic(self, topic: str) -> None:
        """Open at a topic and come to the front."""
        self.topics.setCurrentRow(TOPICS.index(topic) if topic in TOPICS else 0)
        self.show()
        self.raise_()
        self.activateWindow()

    @Slot(int)
    def _on_topic(self, row: int) -> None:
        if row >= 0:
            page = help_file(TOPICS[row], self._context.texts.language.value)
            self.browser.setMarkdown(page.read_text(encoding="utf-8"))

    @Slot(QUrl)
    def _on_link(self, url: QUrl) -> None:
        topic = url.path().removesuffix(".md")
        if topic in TOPICS:
            self.topics.setCurrentRow(TOPICS.index(topic))


def _title(topic: str, language: str) -> str:
    first = help_file(topic, language).read_text(encoding="utf-8").splitlines()[0]
    return first.removeprefix("# ")

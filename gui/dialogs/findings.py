"""The catalogue's state: its date, and what was found wrong in own entries."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QVBoxLayout, QWidget

from gui.context import Context
from gui.theme import STEP
from gui.widgets import label

SIZE = (640, 420)


class FindingsDialog(QDialog):
    """Lists findings with file, line and field."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        texts = context.texts
        _ = texts.gettext
        self.setWindowTitle(_("Catalogue and findings"))
        self.resize(*SIZE)
        body = QVBoxLayout(self)
        body.setContentsMargins(5 * STEP, 5 * STEP, 5 * STEP, 4 * STEP)
        body.setSpacing(3 * STEP)
        dated = _("Catalogue {date}").format(date=texts.recorded_date(context.catalog.version))
        body.addWidget(label(dated, "title"))
        findings = context.catalog.findings
        body.addWidget(
            label(
                _("What was found while reading own entries:")
                if findings
                else _("Every entry was read; nothing is wrong with your own ones."),
                "muted",
                wrap=True,
            )
        )
        self.list = QListWidget()
        self.list.setAccessibleName(_("Findings"))
        self.list.setWordWrap(True)
        self.list.addItems([finding.located(texts.gettext) for finding in findings])
        self.list.setVisible(bool(findings))
        body.addWidget(self.list, 1)
        if not findings:
            body.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        body.addWidget(buttons)


def show_findings(context: Context, parent: QWidget) -> None:
    """Show the findings until the dialog is closed."""
    dialog = FindingsDialog(context, parent)
    dialog.exec()
    dialog.deleteLater()

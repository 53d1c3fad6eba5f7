"""The about box: version, catalogue, licence."""

from __future__ import annotations

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMessageBox, QWidget

from gui.context import Context
from resources import ICONS, program_version

ICON_SIZE = 64


def about_box(context: Context, parent: QWidget) -> QMessageBox:
    """The box, ready to be shown."""
    texts = context.texts
    _ = texts.gettext
    box = QMessageBox(parent)
    box.setWindowTitle(_("About Passform"))
    box.setIconPixmap(QIcon(str(ICONS / "passform.svg")).pixmap(ICON_SIZE, ICON_SIZE))
    box.setText(f"Passform {program_version()}")
    facts = context.catalog.facts
    counts = _("{cards} cards, {systems} machines, {models} models").format(
        cards=texts.integer(len(facts.cards)),
        systems=texts.integer(len(facts.systems)),
        models=texts.integer(len(facts.models)),
    )
    lines = [
        _("Sizes GPU systems for fine-tuning and prints the proposal. Works offline."),
        _("Catalogue {date}").format(date=texts.recorded_date(context.catalog.version)) + " · " + counts,
        _("Qt {qt} under the LGPL, Inter under the Open Font License.").format(qt=_qt_version()),
    ]
    box.setInformativeText("\n\n".join(lines))
    return box


def show_about(context: Context, parent: QWidget) -> None:
    """Show the box until it is closed."""
    box = about_box(context, parent)
    box.exec()
    box.deleteLater()


def _qt_version() -> str:
    from PySide6 import __version__  # noqa: PLC0415  # only the about box needs it

    return str(__version__)

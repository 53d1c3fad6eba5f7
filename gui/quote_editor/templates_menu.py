"""The menu of kept sections: keep the chosen one, insert one, forget one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from catalog.consultation.quote_rows import SectionRow
from catalog.quote_templates import Template, drop_template, keep_template, templates
from engine.errors import PassformError
from gui.context import Context
from gui.parts import literal


class TemplatesMenu(QMenu):
    """Asks for the chosen section when one is to be kept."""

    wanted = Signal(object)  # Template to insert
    refused = Signal(str)

    def __init__(
        self, context: Context, folder: Path, chosen: Callable[[], SectionRow | None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._folder = folder
        self._chosen = chosen
        self._window = parent
        self.fill()

    def keep(self, name: str) -> None:
        """Keep the chosen section under a name."""
        section = self._chosen()
        if section is None:
            self.refused.emit(self._context.texts.gettext("Choose a section or one of its positions first."))
            return
        self._change(partial(keep_template, self._folder, name, section))

    def forget(self, name: str) -> None:
        """Forget a template."""
        self._change(partial(drop_template, self._folder, name))

    def fill(self) -> None:
        """List what is kept."""
        texts = self._context.texts
        _ = texts.gettext
        self.clear()
        self.addAction(_("Keep the chosen section …")).triggered.connect(self._ask)
        try:
            kept = templates(self._folder)
        except PassformError as error:
            self.addAction(texts.error(error)).setEnabled(False)
            return
        if not kept:
            return
        self.addSeparator()
        forget = QMenu(_("Forget"), self)
        for template in kept:
            self.addAction(literal(template.name)).triggered.connect(partial(self._insert, template))
            forget.addAction(literal(template.name)).triggered.connect(partial(self._drop, template.name))
        self.addSeparator()
        self.addMenu(forget)

    def _ask(self) -> None:
        _ = self._context.texts.gettext
        name, wanted = QInputDialog.getText(self._window, _("Template"), _("Name of the template"))
        if wanted and name.strip():
            self.keep(name.strip()[:120])

    def _insert(self, template: Template, _checked: bool = False) -> None:  # noqa: FBT001, FBT002  # a signal's argument
        self.wanted.emit(template)

    def _drop(self, name: str, _checked: bool = False) -> None:  # noqa: FBT001, FBT002  # a signal's argument
        self.forget(name)

    def _change(self, change: Callable[[], None]) -> None:
        try:
            change()
        except PassformError as error:
            self.refused.emit(self._context.texts.error(error))
        self.fill()

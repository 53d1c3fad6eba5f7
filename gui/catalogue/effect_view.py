"""Shows what a change that is being tried would do to the open consultation."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from engine.errors import PassformError
from gui.catalogue.desk import Desk
from gui.catalogue.effect import Tried, effect_rows
from gui.catalogue.effect_table import EffectTable
from gui.theme import STEP
from gui.widgets import column, label, set_role


class EffectView(QWidget):
    """Before and after; quiet while nothing is tried."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        _ = desk.context.texts.gettext
        body = column(self, spacing=STEP)
        body.addWidget(label(_("Effect on the open consultation"), "section"))
        self.state = label("", "muted", wrap=True)
        body.addWidget(self.state)
        self._table = EffectTable()
        body.addWidget(self._table)
        self.say(_("Fill in the fields: what changes is shown here before anything is saved."))
        desk.tried.connect(self.show_tried)
        desk.refused.connect(self.show_refusal)

    def say(self, text: str, role: str = "muted") -> None:
        """Show a sentence instead of a comparison."""
        set_role(self.state, role)
        self.setVisible(bool(text) or not self._table.isHidden())
        self.state.setText(text)
        self.state.setVisible(bool(text))

    def wait(self) -> None:
        """Say that a change is being tried."""
        self.say(self._desk.context.texts.gettext("Calculating …"))

    @Slot(object)
    def show_tried(self, tried: Tried) -> None:
        """Show the recommendation before and after."""
        context = self._desk.context
        _ = context.texts.gettext
        self._table.clear()
        document = context.document.consultation
        if not document.workloads and not document.serving:
            self.say(_("The open consultation has no workload yet, so nothing changes in it."))
            return
        rows = effect_rows(Tried(context.catalog, context.planner.recommendation), tried, context.texts)
        changed = [row for row in rows if row.differs]
        if not changed:
            self.say(_("The recommendation stays as it is, with the same price."))
            return
        self._table.show_rows(changed, _("now"), _("with the change"))
        self.say("")

    @Slot(object)
    def show_refusal(self, error: PassformError) -> None:
        """Say why the change cannot be made."""
        self._table.clear()
        self.say(self._desk.context.texts.error(error), "error")

    @property
    def lines(self) -> tuple[str, ...]:
        """Every text of the comparison that is shown."""
        return self._table.lines

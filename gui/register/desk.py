"""Opens what the window shows of the register."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from catalog.seller import load_seller
from engine.errors import PassformError
from gui.context import Context
from gui.planning import PlanState

if TYPE_CHECKING:
    from catalog.register.issuing import Proposal
    from gui.register.window import RegisterWindow


class RegisterDesk(QObject):
    """Issues the open consultation; shows the register, which holds other customers too: never in the customer view."""

    issued = Signal(object)  # Entry
    refused = Signal(object)  # PassformError: nothing to issue yet, or a seller's profile that cannot be read

    def __init__(self, context: Context, today: Callable[[], date], window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._today = today
        self._window = window
        self._appearance = context.appearance
        self.shown: RegisterWindow | None = None

    @Slot()
    def issue(self) -> None:
        """Issue the open consultation, where there is a system to offer."""
        from gui.register.issue_dialog import IssueDialog  # noqa: PLC0415  # keeps the start fast

        try:
            proposal = self._proposal()
        except PassformError as error:
            self.refused.emit(error)
            return
        dialog = IssueDialog(self._context, proposal, self._today(), self._window)
        dialog.exec()
        if dialog.issued is not None:
            self.issued.emit(dialog.issued.entry)
            if self.shown is not None:
                self.shown.reload()
        dialog.deleteLater()

    @Slot()
    def show(self) -> None:
        """Open the register, or bring it to the front."""
        from gui.register.window import RegisterWindow  # noqa: PLC0415  # keeps the start fast

        if self._context.customer_view:
            return
        if self.shown is None:
            self.shown = RegisterWindow(self._context, self._today())
            self.shown.closed.connect(self._on_closed)
        self.shown.show()
        self.shown.raise_()
        self.shown.activateWindow()

    def follow(self) -> None:
        """Build an open register anew when language, theme or view have changed."""
        if self._context.appearance == self._appearance:
            return
        self._appearance = self._context.appearance
        if self.shown is not None:
            self.close()
            self.show()

    def close(self) -> None:
        """Close the register."""
        if self.shown is not None:
            self.shown.close()

    @Slot()
    def _on_closed(self) -> None:
        """A closed window reads no more, so the next one is a new one."""
        if self.shown is not None:
            self.shown.deleteLater()
            self.shown = None

    def _proposal(self) -> Proposal:
        from catalog.register.issuing import Proposal  # noqa: PLC0415  # keeps the start fast

        planner, document = self._context.planner, self._context.document
        found = planner.recommendation
        if planner.state is not PlanState.READY or found is None or found.chosen is None:
            raise PassformError("There is no recommendation to issue yet; please wait until it is calculated.")
        return Proposal(document.consultation, found, self._context.catalog.facts, load_seller(), document.folder)

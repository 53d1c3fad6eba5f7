"""Bringing own prices up to date: a list of before and after to be confirmed, taken over in one undoable step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from catalog.consultation.document import Consultation
from catalog.consultation.price_update import PriceChange, price_changes, sums, with_prices
from catalog.consultation.quote_rows import QuoteRow
from engine.errors import PassformError
from engine.plan.types import Recommendation
from engine.quote.parties import Seller
from engine.quote.totals import Totals
from engine.units import Money
from engine.wording.catalogue_texts import item_name
from engine.wording.prices import origin_text
from gui.context import Context
from gui.theme import STEP
from gui.widgets import button, column, foot, label

SIZE = (1120, 460)
WIDTHS = (270, 84, 132, 132, 164)  # the last column takes what is left
NUMBERS = (1, 2, 3, 4)

Edit = Callable[[str, Callable[[QuoteRow], QuoteRow]], bool]
Say = Callable[[str, str], None]


class PriceUpdate(QObject):
    """The button and what it does."""

    def __init__(self, context: Context, seller: Seller, edit: Edit, say: Say, window: QWidget) -> None:
        super().__init__(window)
        self._context, self._seller, self._edit, self._say, self._window = context, seller, edit, say, window
        self.button = button(context.texts.gettext("Update prices …"))
        self.button.setToolTip(context.texts.gettext("Compares own prices with price lists and catalogue of today"))
        self.button.clicked.connect(self.ask)

    @Slot()
    def ask(self) -> None:
        """Show what changes, and take over what is confirmed."""
        _ = self._context.texts.gettext
        document, recommendation = self._context.document.consultation, self._context.planner.recommendation
        if recommendation is None or recommendation.chosen is None:
            return
        try:
            changes = price_changes(document, recommendation, self._context.catalog.facts)
            if not changes:
                self._say(_("Every position stands at the price of today; there is nothing to update."), "hint")
                return
            dialog = PriceUpdateDialog(self._context, document, recommendation, self._seller, changes, self._window)
        except PassformError as error:
            self._say(self._context.texts.error(error), "error")
            return
        chosen = dialog.chosen if dialog.exec() else ()
        dialog.deleteLater()
        if chosen:
            self._edit(_("Update prices"), lambda quote: with_prices(quote, chosen))


class PriceUpdateDialog(QDialog):
    """Every position with another price today; ticked ones are taken over."""

    def __init__(
        self,
        context: Context,
        document: Consultation,
        recommendation: Recommendation,
        seller: Seller,
        changes: Sequence[PriceChange],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._context, self._document, self._recommendation = context, document, recommendation
        self._seller, self._changes = seller, changes
        self._before = self._sums(())
        _ = context.texts.gettext
        self.setWindowTitle(_("Update prices"))
        self.resize(*SIZE)
        body = column(self, margin=5 * STEP, spacing=3 * STEP)
        body.addWidget(label(_("Update prices"), "title"))
        why = _(
            "What is ticked is taken over as your own price; undo brings the old one back. Guide prices are not "
            "ticked: a quotation binds you to its prices."
        )
        body.addWidget(label(why, "small", wrap=True))
        self.list = self._filled()
        self.list.itemChanged.connect(self._on_ticked)
        body.addWidget(self.list, 1)
        self.sum = label("", wrap=True)
        body.addWidget(self.sum)
        self.cancel, self.take = button(_("Cancel")), button(_("Take over"), "primary")
        self.cancel.clicked.connect(self.reject)
        self.take.clicked.connect(self.accept)
        body.addLayout(foot(self.cancel, self.take))
        self._on_ticked()

    @property
    def chosen(self) -> tuple[PriceChange, ...]:
        """The changes that are ticked."""
        ticks = (self.list.topLevelItem(row).checkState(0) for row in range(self.list.topLevelItemCount()))
        return tuple(change for change, tick in zip(self._changes, ticks, strict=True) if tick is Qt.CheckState.Checked)

    def tick(self, row: int, wanted: bool = True) -> None:  # noqa: FBT001, FBT002  # a box's state
        """Tick a row, or take its tick away."""
        self.list.topLevelItem(row).setCheckState(0, Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802  # Qt's name
        """Lay the rows out: the style sheet's padding is known only now."""
        super().showEvent(event)
        self.list.doItemsLayout()

    def _filled(self) -> QTreeWidget:
        _ = self._context.texts.gettext
        made = QTreeWidget()
        made.setAccessibleName(_("Positions whose price has changed"))
        made.setRootIsDecorated(False)
        made.setUniformRowHeights(True)
        titles = [_("Position"), _("Quantity"), _("Price so far"), _("Price of today"), _("Change of the total")]
        made.setHeaderLabels([*titles, _("Stands on")])
        for place, width in enumerate(WIDTHS):
            made.setColumnWidth(place, width)
        for place in NUMBERS:
            made.headerItem().setTextAlignment(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        made.header().setSectionResizeMode(len(WIDTHS), QHeaderView.ResizeMode.Stretch)
        for change in self._changes:
            item = QTreeWidgetItem(self._texts_of(change))
            for place in NUMBERS:
                item.setTextAlignment(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            for place in range(len(WIDTHS) + 1):
                item.setToolTip(place, item.text(place))
            own = change.sellers_own
            item.setCheckState(0, Qt.CheckState.Checked if own else Qt.CheckState.Unchecked)
            made.addTopLevelItem(item)
        return made

    def _texts_of(self, change: PriceChange) -> list[str]:
        texts = self._context.texts
        request = texts.gettext("on request")
        difference = "–" if change.total_change is None else _signed(change.total_change, self._context)
        if not change.counts:
            difference = f"({difference})"
        return [
            item_name(change.title, texts.tr),
            texts.plain(change.quantity),
            request if change.before is None else texts.exact_money(change.before),
            texts.exact_money(change.after),
            difference,
            origin_text(change.origin, texts.tr, texts.language),
        ]

    def _sums(self, changes: Sequence[PriceChange]) -> Totals:
        facts = self._context.catalog.facts
        return sums(self._document, self._recommendation, facts, self._seller, changes)

    @Slot()
    def _on_ticked(self) -> None:
        chosen = self.chosen
        self.take.setEnabled(bool(chosen))
        after = self._sums(chosen)
        text = self._context.texts.gettext("Net sum: {before} so far, {after} with what is ticked ({change}).")
        change = Money(after.net.amount - self._before.net.amount, after.net.currency)
        self.sum.setText(
            text.format(
                before=self._sum_text(self._before),
                after=self._sum_text(after),
                change=_signed(change, self._context),
            )
        )

    def _sum_text(self, totals: Totals) -> str:
        texts = self._context.texts
        if totals.nothing_priced:
            return texts.gettext("on request")
        shown = texts.exact_money(totals.net)
        if totals.gaps:
            text = texts.ngettext("{amount} + {count} on request", "{amount} + {count} on request", len(totals.gaps))
            return text.format(amount=shown, count=texts.integer(len(totals.gaps)))
        return shown


def _signed(amount: Money, context: Context) -> str:
    text = context.texts.exact_money(amount)
    return f"+{text}" if amount.amount > 0 else text

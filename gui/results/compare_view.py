"""Side by side: two to six cards or plans in columns, each figure's source on click, export."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, Slot
from PySide6.QtGui import QAction, QFontMetrics, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QTableView,
    QWidget,
)

from catalog.disk import write_atomically
from engine.compare import Comparison, compare_cards, compare_plans, compare_systems
from engine.plan.types import Plan, Recommendation
from engine.prices import GuidePrice
from engine.pricing import guide_price
from engine.wording.comparison import row_name
from engine.wording.editions import edition_remarks
from engine.wording.filling import Reader
from gui.ask_file import ask_where
from gui.column_table import dress_table
from gui.context import Context
from gui.parts import literal
from gui.results.compare_model import CompareModel
from gui.results.computed_view import selectable
from gui.results.export import comparison_csv, comparison_xlsx
from gui.sources import figure_lines, shown_price_lines
from gui.theme import STEP
from gui.widgets import button, column, label

EDITIONS = (
    "rtx_pro_6000_blackwell_ws",
    "rtx_pro_6000_blackwell_maxq",
    "rtx_pro_6000_blackwell_se",
    "h200_nvl",
    "rtx_pro_5000_blackwell_72",
)
FEWEST, MOST = 2, 6
FEW_SYSTEMS = 4  # machines that are shown when none was chosen
LISTED_PLANS = 40
NAME_WIDTH, COLUMN_WIDTH, WIDEST_COLUMN = 230, 150, 185
CELL_PADDING = 20
ROW_HEIGHT = 28
TABLE_HEIGHT = 420


class Kind(StrEnum):
    """What stands in the columns."""

    CARDS = "cards"
    SYSTEMS = "systems"
    PLANS = "plans"


class CompareView(QWidget):
    """Columns of cards, of machines, or of whole plans of the recommendation."""

    def __init__(self, context: Context, today: date) -> None:
        super().__init__()
        self._context = context
        self._today = today
        self._recommendation: Recommendation | None = None
        facts = context.catalog.facts
        self._kind = Kind.CARDS
        self._chosen: dict[Kind, list[str]] = {
            Kind.CARDS: [card for card in EDITIONS if card in facts.cards],
            Kind.SYSTEMS: [],  # empty: those of the recommendation
            Kind.PLANS: [],
        }
        self._prices: dict[str, GuidePrice] = {}
        body = column(self, spacing=2 * STEP)
        body.addLayout(self._tools())
        self.table = QTableView()
        self.model = CompareModel(context, self.table)
        self.table.setModel(self.model)
        self._set_up_table()
        body.addWidget(self.table)
        self.remarks = selectable()
        body.addWidget(self.remarks)
        self.source = label(context.texts.gettext("Select a figure to see its source."), "small", wrap=True)
        self.source.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        body.addWidget(self.source)

    def show_recommendation(self, recommendation: Recommendation) -> None:
        """Compare with the workloads of a recommendation."""
        self._recommendation = recommendation
        self._refresh()

    def show_cards(self, card_ids: list[str]) -> None:
        """Put cards side by side."""
        self._show(Kind.CARDS, card_ids)

    def show_systems(self, system_ids: list[str]) -> None:
        """Put machines side by side; none named: those of the recommendation."""
        self._show(Kind.SYSTEMS, system_ids)

    def show_plans(self, plan_ids: Sequence[str] = ()) -> None:
        """Put plans side by side; none named: the chosen one and its alternatives."""
        if self._recommendation is not None and self._recommendation.ranked:
            self._show(Kind.PLANS, plan_ids)

    @property
    def shown_ids(self) -> list[str]:
        """What stands in the columns, by id."""
        return [column.id for column in self.model.comparison.columns]

    def comparison(self) -> Comparison:
        """What is compared now."""
        facts, ids = self._context.catalog.facts, self._current_ids()
        if self._kind is Kind.PLANS and self._recommendation is not None:
            self._prices = {}
            known = {plan.id: plan for plan in self._recommendation.ranked}
            return compare_plans([known[plan] for plan in ids])
        document = self._context.document.consultation
        day = document.date or self._today
        overrides = self._recommendation.scenario.price_overrides if self._recommendation else None
        self._prices = {item: guide_price(item, facts, document.currency, day, overrides) for item in ids}
        if self._kind is Kind.SYSTEMS:
            return compare_systems([facts.systems[system] for system in ids], self._prices)
        return compare_cards([facts.cards[card] for card in ids], self._prices, facts, self._recommendation)

    def _show(self, kind: Kind, ids: Sequence[str]) -> None:
        self._kind = kind
        self._chosen[kind] = list(ids)[:MOST]
        self._refresh()

    def _current_ids(self) -> list[str]:
        """What is compared, without what an earlier recommendation or catalogue had and this one has not."""
        offered = {item for item, _name in self._offered()}
        chosen = [item for item in self._chosen[self._kind] if item in offered]
        if len(chosen) >= FEWEST:
            return chosen
        return [item for item in dict.fromkeys([*chosen, *self._usual()]) if item in offered][:MOST]

    def _usual(self) -> list[str]:
        """What is compared when nothing was chosen."""
        facts = self._context.catalog.facts
        if self._kind is Kind.CARDS:
            return [card for card in EDITIONS if card in facts.cards]
        plans = _plans(self._recommendation)
        if self._kind is Kind.PLANS:
            return [plan.id for plan in plans]
        return list(dict.fromkeys([*(plan.system.id for plan in plans), *facts.systems]))[:FEW_SYSTEMS]

    def _offered(self) -> list[tuple[str, str]]:
        """Ids and names of everything of this kind that can be put into a column."""
        facts = self._context.catalog.facts
        if self._kind is Kind.CARDS:
            return [(one.id, one.name) for one in sorted(facts.cards.values(), key=lambda one: (one.vendor, one.name))]
        if self._kind is Kind.SYSTEMS:
            return [(one.id, one.name) for one in sorted(facts.systems.values(), key=lambda one: one.name.casefold())]
        ranked = () if self._recommendation is None else self._recommendation.ranked
        shown = {one.id: one for one in (*_plans(self._recommendation), *ranked[:LISTED_PLANS])}
        return [(one.id, f"{one.cards} × {one.card.short_name} · {one.system.name}") for one in shown.values()]

    def _tools(self) -> QHBoxLayout:
        _ = self._context.texts.gettext
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.editions = button(_("Editions"))
        self.editions.setToolTip(_("The three RTX PRO 6000 editions, H200 NVL and RTX PRO 5000 72 GB"))
        self.editions.clicked.connect(self._on_editions)
        self.machines = button(_("Machines"))
        self.machines.clicked.connect(self._on_machines)
        self.plans = button(_("Plans"))
        self.plans.clicked.connect(self._on_plans)
        self.choose = button(_("Columns"))
        self.choose.setToolTip(_("Two to six of them stand side by side"))
        self.choose.setMenu(QMenu(self.choose))
        self._actions: dict[str, QAction] = {}
        self.fold = QCheckBox(_("Differences only"))
        self.fold.setChecked(self._context.settings.folded_rows)
        self.fold.clicked.connect(self._on_fold)
        self.export = button(_("Export"))
        self.export.setMenu(self._export_menu())
        for widget in (self.editions, self.machines, self.plans, self.choose, self.fold):
            line.addWidget(widget)
        line.addStretch(1)
        line.addWidget(self.export)
        return line

    def _fill_menu(self) -> None:
        """Offer what can stand in the columns; the last two cannot be taken away, a seventh not be added."""
        menu, offered, shown = self.choose.menu(), self._offered(), self.shown_ids
        if list(self._actions) != [item for item, _name in offered]:
            menu.clear()
            self._actions = {}
            for item, name in offered:
                action = QAction(literal(name), menu)
                action.setCheckable(True)
                action.triggered.connect(partial(self._on_item, item))
                self._actions[item] = action
                menu.addAction(action)
        for item, action in self._actions.items():
            action.setChecked(item in shown)
            action.setEnabled(len(shown) > FEWEST if item in shown else len(shown) < MOST)

    def _export_menu(self) -> QMenu:
        _ = self._context.texts.gettext
        menu = QMenu(self)
        for text, slot in (
            (_("Copy to clipboard"), self.copy),
            (_("Save as CSV …"), self._ask_csv),
            (_("Save as XLSX …"), self._ask_xlsx),
        ):
            action = QAction(text, menu)
            action.triggered.connect(slot)
            menu.addAction(action)
        return menu

    def _set_up_table(self) -> None:
        dress_table(self.table, self._context.texts.gettext("Comparison"), ROW_HEIGHT)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.table.setFixedHeight(TABLE_HEIGHT)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.selectionModel().currentChanged.connect(self._on_cell)

    def _refresh(self) -> None:
        self.model.show_comparison(self.comparison(), only_differences=self.fold.isChecked())
        self.table.setColumnWidth(0, NAME_WIDTH)
        for number in range(1, self.model.columnCount()):
            self.table.setColumnWidth(number, self._width_of(number))
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.table.clearSpans()
        for line in range(self.model.rowCount()):
            if self.model.is_head(line) and self.model.columnCount() > 1:
                self.table.setSpan(line, 0, 1, self.model.columnCount())
        texts = self._context.texts
        remarks = edition_remarks(self.model.comparison, Reader(texts.tr, texts.language, texts.names))
        self.remarks.setText("\n".join(f"•  {text}" for text in remarks))
        self.remarks.setVisible(bool(remarks))
        self._fill_menu()

    def _width_of(self, column: int) -> int:
        """As wide as its longest text, within limits; a longer one is told whole on hover."""
        metrics = QFontMetrics(self._context.theme.font(bold=True))
        texts = [str(self.model.index(line, column).data() or "") for line in range(self.model.rowCount())]
        texts.append(str(self.model.headerData(column, Qt.Orientation.Horizontal)))
        widest = max(map(metrics.horizontalAdvance, texts)) + CELL_PADDING
        return min(max(widest, COLUMN_WIDTH), WIDEST_COLUMN)

    @Slot()
    def _on_editions(self) -> None:
        self.show_cards([card for card in EDITIONS if card in self._context.catalog.facts.cards])

    @Slot()
    def _on_fold(self) -> None:
        self._context.settings.folded_rows = self.fold.isChecked()
        self._refresh()
        self._context.settings.save()

    @Slot()
    def _on_machines(self) -> None:
        self.show_systems([])

    @Slot()
    def _on_plans(self) -> None:
        self.show_plans()

    def _on_item(self, item: str) -> None:
        shown = self.shown_ids
        chosen = [one for one in shown if one != item] if item in shown else [*shown, item]
        self._show(self._kind, chosen if len(chosen) >= FEWEST else shown)

    @Slot(QModelIndex, QModelIndex)
    def _on_cell(self, current: QModelIndex, _previous: QModelIndex) -> None:
        found = self.model.cell(current) if current.isValid() else None
        texts = self._context.texts
        if found is None:
            self.source.setText(texts.gettext("Select a figure to see its source."))
            return
        row, cell = found
        lines = [text for figure in cell.figures for text in figure_lines(figure, texts)]
        price = self._prices.get(self.shown_ids[current.column() - 1]) if row.key == "price" else None
        if price is not None:
            lines = shown_price_lines(price, texts, customer=self._context.customer_view)
        if not lines:
            lines = [texts.gettext("Computed by Passform, or no figure published.")]
        self.source.setText(f"{row_name(row, texts.tr)}: " + " · ".join(lines))

    @Slot()
    def copy(self) -> None:
        """Put the comparison on the clipboard, as a table for spreadsheets."""
        text = comparison_csv(self.model.comparison, self._context.texts, separator="\t")
        QGuiApplication.clipboard().setText(text)

    @Slot()
    def _ask_csv(self) -> None:
        self._ask("passform.csv", "CSV (*.csv)")

    @Slot()
    def _ask_xlsx(self) -> None:
        self._ask("passform.xlsx", "XLSX (*.xlsx)")

    def _ask(self, name: str, kind: str) -> None:
        title = self._context.texts.gettext("Save comparison")
        path = ask_where(self, title, name, kind, self._context.texts)
        if path is not None:
            self.save(path)

    def save(self, path: Path) -> None:
        """Write the comparison as CSV or XLSX, by the file's ending. Raises `PassformError`."""
        if path.suffix.lower() == ".xlsx":
            write_atomically(comparison_xlsx(self.model.comparison, self._context.texts), path)
        else:
            text = comparison_csv(self.model.comparison, self._context.texts)
            write_atomically(text.encode("utf-8-sig"), path)


def _plans(recommendation: Recommendation | None) -> list[Plan]:
    if recommendation is None:
        return []
    chosen = [recommendation.chosen] if recommendation.chosen else []
    return [*chosen, *recommendation.alternatives][:MOST]

"""Side by side: two to six cards or plans in columns, each figure's source on click, export."""

from __future__ import annotations

from datetime import date
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, Slot
from PySide6.QtGui import QAction, QFontMetrics, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QTableView,
    QWidget,
)

from catalog.consultation.files import write_atomically
from engine.compare import Comparison, compare_cards, compare_plans
from engine.plan.types import Plan, Recommendation
from engine.pricing import guide_price
from engine.wording.comparison import row_name
from gui.context import Context
from gui.results.compare_model import CompareModel
from gui.results.export import comparison_csv, comparison_xlsx
from gui.sources import figure_lines
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
NAME_WIDTH, COLUMN_WIDTH, WIDEST_COLUMN = 230, 150, 185
CELL_PADDING = 20
ROW_HEIGHT = 28
TABLE_HEIGHT = 420


class CompareView(QWidget):
    """Columns of cards, or of plans of the recommendation."""

    def __init__(self, context: Context, today: date) -> None:
        super().__init__()
        self._context = context
        self._today = today
        self._recommendation: Recommendation | None = None
        self._cards = [card for card in EDITIONS if card in context.catalog.facts.cards]
        self._shows_plans = False
        body = column(self, spacing=2 * STEP)
        body.addLayout(self._tools())
        self.table = QTableView()
        self.model = CompareModel(context, self.table)
        self.table.setModel(self.model)
        self._set_up_table()
        body.addWidget(self.table)
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
        self._cards = card_ids[:MOST]
        self._shows_plans = False
        self._refresh()

    def show_plans(self) -> None:
        """Put the chosen plan and its alternatives side by side."""
        if self._recommendation is not None and self._recommendation.ranked:
            self._shows_plans = True
            self._refresh()

    def comparison(self) -> Comparison:
        """What is compared now."""
        if self._shows_plans and self._recommendation is not None:
            return compare_plans(_plans(self._recommendation))
        facts, document = self._context.catalog.facts, self._context.document.consultation
        day = document.date or self._today
        overrides = self._recommendation.scenario.price_overrides if self._recommendation else None
        prices = {card: guide_price(card, facts, document.currency, day, overrides) for card in self._cards}
        return compare_cards([facts.cards[card] for card in self._cards], prices, self._recommendation)

    def _tools(self) -> QHBoxLayout:
        _ = self._context.texts.gettext
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.editions = button(_("Editions"))
        self.editions.setToolTip(_("The three RTX PRO 6000 editions, H200 NVL and RTX PRO 5000 72 GB"))
        self.editions.clicked.connect(self._on_editions)
        self.choose = button(_("Choose cards"))
        self.choose.setMenu(self._card_menu())
        self.plans = button(_("Plans"))
        self.plans.clicked.connect(self.show_plans)
        self.fold = QCheckBox(_("Differences only"))
        self.fold.setChecked(self._context.settings.folded_rows)
        self.fold.clicked.connect(self._on_fold)
        self.export = button(_("Export"))
        self.export.setMenu(self._export_menu())
        for widget in (self.editions, self.choose, self.plans, self.fold):
            line.addWidget(widget)
        line.addStretch(1)
        line.addWidget(self.export)
        return line

    def _card_menu(self) -> QMenu:
        menu = QMenu(self)
        self._card_actions: dict[str, QAction] = {}
        for card in sorted(self._context.catalog.facts.cards.values(), key=lambda item: (item.vendor, item.name)):
            action = QAction(card.name, menu)
            action.setCheckable(True)
            action.setChecked(card.id in self._cards)
            action.triggered.connect(partial(self._on_card, card.id))
            self._card_actions[card.id] = action
            menu.addAction(action)
        return menu

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
        self.table.setAccessibleName(self._context.texts.gettext("Comparison"))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.table.horizontalHeader().setHighlightSections(False)
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
        for card, action in self._card_actions.items():
            action.setChecked(card in self._cards)
            action.setEnabled(card in self._cards or len(self._cards) < MOST)

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
        self._context.settings.save()
        self._refresh()

    def _on_card(self, card_id: str) -> None:
        if card_id in self._cards and len(self._cards) > FEWEST:
            chosen = [card for card in self._cards if card != card_id]
        elif card_id not in self._cards:
            chosen = [*self._cards, card_id]
        else:
            chosen = self._cards
        self.show_cards(chosen)

    @Slot(QModelIndex, QModelIndex)
    def _on_cell(self, current: QModelIndex, _previous: QModelIndex) -> None:
        found = self.model.cell(current) if current.isValid() else None
        texts = self._context.texts
        if found is None:
            self.source.setText(texts.gettext("Select a figure to see its source."))
            return
        row, cell = found
        lines = [text for figure in cell.figures for text in figure_lines(figure, texts)]
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
        chosen, _filter = QFileDialog.getSaveFileName(self, title, name, kind)
        if chosen:
            self.save(Path(chosen))

    def save(self, path: Path) -> None:
        """Write the comparison as CSV or XLSX, by the file's ending. Raises `PassformError`."""
        if path.suffix.lower() == ".xlsx":
            write_atomically(comparison_xlsx(self.model.comparison, self._context.texts), path)
        else:
            text = comparison_csv(self.model.comparison, self._context.texts)
            write_atomically(text.encode("utf-8-sig"), path)


def _plans(recommendation: Recommendation) -> list[Plan]:
    chosen = [recommendation.chosen] if recommendation.chosen else []
    return [*chosen, *recommendation.alternatives][:MOST]

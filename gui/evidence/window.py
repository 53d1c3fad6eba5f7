"""The evidence: a scatter plot, its error band in words, and the table of every published run."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QProgressBar,
    QScrollArea,
    QSplitter,
    QTableView,
    QWidget,
)

from engine.errors import PassformError
from engine.evidence import Agreement, agreement, is_like
from engine.methods import Method
from engine.pictures.scatter import Band, ScatterPoint, ScatterWords, scatter
from engine.pictures.shapes import Picture, Style
from engine.progress import Progress
from gui.column_table import SORT, dress_table, set_widths
from gui.context import Context
from gui.evidence.records import Evidence, Quantity, Record, load_evidence, methods_of, runs_of
from gui.evidence.table_model import RecordModel, signed_percent
from gui.picture_view import PictureView
from gui.tabs import Tabs
from gui.tasks import Runner
from gui.theme import STEP
from gui.widgets import Choice, Panel, column, label

SIZE = (1280, 780)
SMALLEST = (960, 600)
CHART_WIDTH = 530
ROW_HEIGHT = 28
ALL, ONE, SEVERAL = "", "one", "several"


class EvidenceWindow(QWidget):
    """Not modal; shows the runs like those of the open consultation first, where there are enough."""

    closed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        _ = context.texts.gettext
        self.setWindowTitle(_("Measured against estimated"))
        self.resize(*SIZE)
        self.setMinimumSize(*SMALLEST)
        self._loaded: dict[Quantity, Evidence] = {}
        self._chosen = ""
        outer = column(self, margin=4 * STEP, spacing=3 * STEP)
        head = QHBoxLayout()
        self.tabs = Tabs(_("What was measured"))
        for name in (_("Memory per card"), _("Speed")):
            self.tabs.add(QWidget(), name)
        self.tabs.changed.connect(self._on_quantity)
        head.addWidget(self.tabs, 1)
        outer.addLayout(head)
        outer.addLayout(self._filters())
        self.summary = label("", "section", wrap=True)
        self.remark = label("", "small", wrap=True)
        self.busy_bar = QProgressBar()
        self.busy_bar.setRange(0, 0)
        self.busy_bar.setTextVisible(False)
        self.busy_bar.setAccessibleName(_("The measurements are being estimated"))
        for widget in (self.summary, self.remark, self.busy_bar):
            outer.addWidget(widget)
        outer.addWidget(self._middle(), 1)
        self._runner = Runner(self)
        self._runner.finished.connect(self._on_loaded)
        self._runner.failed.connect(self._on_failed)
        self._runner.crashed.connect(context.planner.crashed)
        context.planner.changed.connect(self._show)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self).activated.connect(self.close)
        self._on_quantity(0)

    @property
    def quantity(self) -> Quantity:
        """What is shown."""
        return list(Quantity)[self.tabs.current]

    @property
    def busy(self) -> bool:
        """Whether measurements are being estimated."""
        return self._runner.busy

    @property
    def shown(self) -> tuple[Record, ...]:
        """The records the filters leave."""
        evidence = self._loaded.get(self.quantity)
        if evidence is None:
            return ()
        wanted, cards = str(self.method.currentData() or ALL), str(self.cards.currentData() or ALL)
        customers = runs_of(self.context.planner.recommendation)
        return tuple(
            record
            for record in evidence.records
            if (not wanted or record.run.method.value == wanted)
            and (not cards or (cards == SEVERAL) is (record.run.cards > 1))
            and (not self.counting.isChecked() or record.counts)
            and (not self.like.isChecked() or is_like(record.run, customers))
        )

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802  # Qt's name
        """End the background work."""
        super().closeEvent(event)
        self._runner.close()
        self.closed.emit()

    def _filters(self) -> QHBoxLayout:
        texts = self.context.texts
        _ = texts.gettext
        self.method, self.cards = Choice(), Choice()
        self.method.setAccessibleName(_("Method"))
        self.method.offer([(ALL, _("all methods")), *((one.value, texts.label(one)) for one in Method)])
        self.cards.setAccessibleName(_("Cards"))
        self.cards.offer(((ALL, _("one or several cards")), (ONE, _("one card")), (SEVERAL, _("several cards"))))
        self.like = QCheckBox(_("only runs like those of the consultation"))
        self.counting = QCheckBox(_("only records that count"))
        self.counting.setToolTip(_("Well documented runs without offloading"))
        self.counting.setChecked(True)
        line = QHBoxLayout()
        line.setSpacing(3 * STEP)
        for choice in (self.method, self.cards):
            choice.show_value(ALL)
            choice.setMinimumWidth(230)
            choice.chosen.connect(self._show)
            line.addWidget(choice)
        for box in (self.counting, self.like):
            box.toggled.connect(self._show)
            line.addWidget(box)
        line.addStretch(1)
        return line

    def _middle(self) -> QSplitter:
        _ = self.context.texts.gettext
        self.chart = PictureView(self.context, _("Measured against estimated"))
        self.chart.activated.connect(self.choose)
        panel = Panel()
        panel.body.addWidget(self.chart)
        panel.body.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(_("Measured against estimated"))
        area.setWidget(panel)
        area.setMinimumWidth(panel.minimumSizeHint().width())
        self.model = RecordModel(self.context, self)
        self.proxy = QSortFilterProxyModel(self)
        self.proxy.setSourceModel(self.model)
        self.proxy.setSortRole(SORT)
        self.table = QTableView()
        self.table.setModel(self.proxy)
        dress_table(self.table, _("Published runs"), ROW_HEIGHT)
        set_widths(self.table, [one.width for one in self.model.columns])
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.table.setAlternatingRowColors(True)
        self.table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        made = QSplitter(Qt.Orientation.Horizontal)
        made.setChildrenCollapsible(False)
        made.addWidget(area)
        made.addWidget(self.table)
        made.setSizes([CHART_WIDTH, SIZE[0] - CHART_WIDTH])
        return made

    @Slot(str)
    def choose(self, record_id: str) -> None:
        """Choose the run of a point in the table."""
        for number, record in enumerate(self.model.rows):
            if record.id == record_id:
                self.table.selectRow(self.proxy.mapFromSource(self.model.index(number, 0)).row())

    @Slot(int)
    def _on_quantity(self, _number: int) -> None:
        if self.quantity in self._loaded:
            self._show()
            return
        self.busy_bar.show()
        self.model.show_rows(())
        self.chart.show_picture(None)
        self.remark.setText("")
        self.summary.setText(self.context.texts.gettext("Calculating …"))
        quantity, catalog = self.quantity, self.context.catalog

        def job(progress: Progress) -> tuple[Quantity, Evidence]:
            progress(0, 1)
            return quantity, load_evidence(quantity, catalog)

        self._runner.start(job)

    @Slot(object)
    def _on_loaded(self, loaded: tuple[Quantity, Evidence]) -> None:
        self._loaded[loaded[0]] = loaded[1]
        self.busy_bar.hide()
        self._show()

    @Slot(object)
    def _on_failed(self, error: PassformError) -> None:
        self.busy_bar.hide()
        self.summary.setText(self.context.texts.error(error))

    @Slot()
    def _show(self) -> None:
        evidence = self._loaded.get(self.quantity)
        if evidence is None:
            return
        records = self.shown
        self._chosen = ""
        self.model.show_rows(records)
        found = agreement([(record.source, record.error) for record in records if record.counts])
        self.summary.setText(self._summary(found, len(records)))
        self.remark.setText(self._remark(evidence))
        self.remark.setToolTip("\n".join(f"{record}: {reason}" for record, reason in evidence.unused))
        self._draw(records, found)

    def _draw(self, records: tuple[Record, ...], found: Agreement | None) -> None:
        if not records:
            self.chart.show_picture(None)
            return
        points = tuple(self._point(record) for record in records)
        band = None if found is None else Band(found.low, found.high)
        self.chart.show_picture(partial(self._build, points, band, self._words(records, found), self._chosen))

    @staticmethod
    def _build(
        points: tuple[ScatterPoint, ...], band: Band | None, words: ScatterWords, chosen: str, style: Style
    ) -> Picture:
        return scatter(points, band, words, style, chosen)

    def _point(self, record: Record) -> ScatterPoint:
        texts = self.context.texts
        tip = "\n".join(
            (
                f"{record.model} · {texts.label(record.run.method)}",
                texts.gettext("{measured} measured, {estimated} estimated ({error})").format(
                    measured=self._value(record.measured),
                    estimated=self._value(record.estimated),
                    error=signed_percent(record.error, self.context),
                ),
                texts.gettext("{cards} cards, {length} tokens · {source}").format(
                    cards=record.run.cards, length=texts.integer(record.run.sequence_length), source=record.source
                ),
            )
        )
        return ScatterPoint(record.id, record.measured, record.estimated, record.run.method.value, tip)

    def _words(self, records: tuple[Record, ...], found: Agreement | None) -> ScatterWords:
        texts = self.context.texts
        _ = texts.gettext
        memory = self.quantity is Quantity.MEMORY
        return ScatterWords(
            value=lambda value: texts.plain(round(value, 6)),
            measured_title=_("Measured, GB per card") if memory else _("Measured, tokens per second and card"),
            estimated_title=_("Estimated, GB per card") if memory else _("Estimated, tokens per second and card"),
            series={method.value: texts.label(method) for method in methods_of(records)},
            band=_("four of five runs"),
            description=self._summary(found, len(records)),
        )

    def _value(self, value: float) -> str:
        text = self.context.texts.significant(value)
        return f"{text}\u00a0GB" if self.quantity is Quantity.MEMORY else text

    def _summary(self, found: Agreement | None, shown: int) -> str:
        texts = self.context.texts
        if found is None:
            none = texts.ngettext("{count} run, none of them counts.", "{count} runs, none of them counts.", shown)
            return none.format(count=shown)
        return texts.gettext(
            "{records} runs of {sources} sources: median error {median}; {near} within 10 %, {far} within 20 %. "
            "Four of five estimates lie between {low} and {high} of the measurement."
        ).format(
            records=found.records,
            sources=found.sources,
            median=texts.percent(found.median_error),
            near=texts.percent(found.within_10_percent),
            far=texts.percent(found.within_20_percent),
            low=signed_percent(found.low, self.context),
            high=signed_percent(found.high, self.context),
        )

    def _remark(self, evidence: Evidence) -> str:
        texts = self.context.texts
        parts = [
            texts.gettext("Every source weighs alike. A published figure is compared with the same kind of figure.")
        ]
        fits = evidence.fits
        if fits is not None:
            judged = texts.gettext(
                "Yes or no: {failed} runs out of memory, {wrong} judged to fit; {ran} runs that ran, {refused} refused."
            )
            parts.append(
                judged.format(
                    failed=fits.out_of_memory,
                    wrong=len(fits.false_fits),
                    ran=fits.ran,
                    refused=len(fits.false_refusals),
                )
            )
        if evidence.unused:
            unused = texts.gettext("{count} further records could not be used; why stands in the hint on this line.")
            parts.append(unused.format(count=len(evidence.unused)))
        return " ".join(parts)

    @Slot(QModelIndex)
    def _on_row(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        record = self.model.rows[self.proxy.mapToSource(index).row()]
        if record.id != self._chosen:
            self._chosen = record.id
            records = tuple(self.model.rows)
            self._draw(records, agreement([(one.source, one.error) for one in records if one.counts]))

"""The positions editor: sections and lines as they will be printed, every change undoable with the consultation."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMenu, QScrollArea, QSplitter, QWidget

from catalog.consultation.quote_draft import following, plan_sections, taken_over
from catalog.consultation.quote_rows import QuoteRow, SectionRow
from catalog.quote_templates import Template
from catalog.seller import load_seller
from engine.errors import PassformError
from engine.plan.types import Recommendation
from engine.quote.draft import SectionRole
from gui.context import Context
from gui.draft import amended
from gui.entry import parse_decimal
from gui.plan_words import explanation
from gui.planning import PlanState
from gui.quote_editor import edits
from gui.quote_editor.edits import Spot
from gui.quote_editor.item_dialog import ItemDialog
from gui.quote_editor.line_panel import LinePanel
from gui.quote_editor.new_lines import Maker, New, free_line, freight_line, item_line, set_up_line, test_line, text_line
from gui.quote_editor.price_update import PriceUpdate
from gui.quote_editor.templates_menu import TemplatesMenu
from gui.quote_editor.terms_panel import TermsPanel
from gui.quote_editor.tree import PositionsTree
from gui.quote_editor.tree_model import PositionsModel
from gui.quote_editor.view import ProposalView, proposal_view
from gui.tabs import Tabs
from gui.theme import STEP
from gui.widgets import Panel, button, column, icon_button, label, set_role
from resources import translations

Change = Callable[[QuoteRow], QuoteRow]

SIZE = (1360, 760)
SMALLEST = (960, 600)
SIDE_WIDTH = 392


class QuoteEditor(QWidget):
    """Not modal: the proposal on the last page follows every change."""

    closed = Signal()

    def __init__(self, context: Context, folder: Path, today: date) -> None:
        super().__init__()
        self.context = context
        self._folder = folder
        self._today = today
        self._seller = load_seller(folder)
        _ = context.texts.gettext
        self.setWindowTitle(_("Positions of the proposal"))
        self.resize(*SIZE)
        self.setMinimumSize(*SMALLEST)
        outer = column(self, margin=4 * STEP, spacing=3 * STEP)
        outer.addLayout(self._tools())
        self.state = label("", "hint", wrap=True)
        outer.addWidget(self.state)
        outer.addWidget(self._middle(), 1)
        self.sums = label("", wrap=True)
        self.earned = label("", "muted", wrap=True)
        for widget in (self.sums, self.earned):
            widget.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            outer.addWidget(widget)
        self._shortcuts()
        context.document.changed.connect(self.refresh)
        context.planner.changed.connect(self.refresh)
        self.refresh()

    @property
    def spot(self) -> Spot | None:
        """The chosen section or line."""
        return self.tree.spot

    def choose(self, spot: Spot) -> None:
        """Choose a section or line."""
        self.tree.choose(spot)

    @Slot()
    def refresh(self) -> None:
        """Show the document's proposal, keeping what is chosen."""
        view, problem = self._view()
        self.tree.show_view(view)
        self.tree.setEnabled(view is not None)
        self.side.setEnabled(view is not None)
        if view is None:
            self._say(problem, "muted")
            self._sum((), ())
            return
        self._show_state(view)
        self._sum(view.sums, view.earned)
        self.terms.show_quote(self.context.document.consultation.quote, view.missing)
        self._show_chosen()

    def edit(self, text: str, change: Change, *, positions: bool = True) -> bool:
        """Change the proposal; what it refuses is said and nothing changes. False when it was refused."""
        document = self.context.document
        try:
            before = self._taken() if positions else document.consultation.quote
            after = change(before)
            if after == before:
                return True  # a field that was only visited: the positions go on following the recommendation
            currency = document.consultation.currency if edits.has_own_amounts(after) else ""
            after = amended(after, currency=currency)
            document.edit(text, amended(document.consultation, quote=after))
        except PassformError as error:
            self._say(self.context.texts.error(error), "error")
            return False
        return True

    @Slot()
    def add_item(self) -> None:
        """Ask for an entry of the catalogue and add it."""
        dialog = ItemDialog(self.context, self._today, self)
        chosen = dialog.chosen if dialog.exec() else ""
        dialog.deleteLater()
        if chosen:
            self.add_from_catalogue(chosen)

    def add_from_catalogue(self, item_id: str) -> None:
        """Add an entry of the catalogue as an optional position."""
        self.add(item_line(item_id, self.context.catalog.entry(item_id).name))

    def add_made(self, make: Maker) -> None:
        """Add a fresh position, worded in the language of the paper."""
        self.add(make(translations(self.context.document.consultation.language)))

    def add(self, new: New) -> None:
        """Add a position where it belongs, and choose it."""
        line, role = new
        spot = self.spot

        def change(quote: QuoteRow) -> QuoteRow:
            if role is None and spot is not None and spot[0] < len(quote.sections or ()):
                return edits.with_line(quote, line, spot[0], None if spot[1] < 0 else spot[1] + 1)
            made, section = edits.section_for(quote, role or SectionRole.FREE)
            return edits.with_line(made, line, section)

        known = {one.id for section in self.model.sections for one in section.lines}
        if not self.edit(self._text_of_adding(), change):
            return
        for number, section in enumerate(self.model.sections):
            for place, one in enumerate(section.lines):
                if one.id not in known:
                    self.choose((number, place))

    @Slot()
    def add_section(self) -> None:
        """Add a section."""
        section = SectionRow(title=self.context.texts.gettext("New section"))
        self.edit(self._text_of_adding(), lambda quote: edits.with_section(quote, section))

    @Slot()
    def clone(self) -> None:
        """Copy what is chosen beneath itself."""
        spot, text = self.spot, self.context.texts.gettext("Duplicate")
        if spot is None:
            return
        if spot[1] < 0:
            self.edit(text, lambda quote: edits.cloned_section(quote, spot[0]))
        elif self.edit(text, lambda quote: edits.cloned_line(quote, spot)):
            self.choose((spot[0], spot[1] + 1))

    @Slot()
    def remove(self) -> None:
        """Remove what is chosen."""
        spot, text = self.spot, self.context.texts.gettext("Remove")
        if spot is None:
            return
        self.edit(text, lambda quote: edits.without(quote, spot))

    def move(self, step: int) -> None:
        """Move what is chosen by one place; over a section's edge a line goes into the next section."""
        spot, text = self.spot, self.context.texts.gettext("Move")
        if spot is None:
            return
        if spot[1] < 0:
            target = spot[0] + step
            inside = 0 <= target < len(self.model.sections)
            if inside and self.edit(text, lambda quote: edits.moved_section(quote, spot[0], target)):
                self.choose((target, -1))
            return
        way = edits.neighbour(self.model.sections, spot, step)
        if way is not None and self.edit(text, lambda quote: edits.moved_line(quote, spot, *way.target)):
            self.choose(way.landed)

    @Slot()
    def follow(self) -> None:
        """Bring the plan's lines up to date with the recommendation; the seller's own stay."""
        recommendation = self.context.planner.recommendation
        if recommendation is None:
            return
        document = self.context.document.consultation

        def change(quote: QuoteRow) -> QuoteRow:
            fresh = plan_sections(document, recommendation, self.context.catalog.facts, self._seller)
            return following(quote, fresh, recommendation)

        self.edit(self.context.texts.gettext("Follow the recommendation"), change)

    @Slot()
    def reset(self) -> None:
        """Let the positions follow the recommendation again; undo brings them back."""
        text = self.context.texts.gettext("Drop own positions")
        self.edit(text, lambda quote: amended(quote, sections=None, plan=""), positions=False)

    @Slot(object)
    def insert(self, template: Template) -> None:
        """Insert a template as a section."""
        self.edit(self._text_of_adding(), lambda quote: edits.with_section(quote, template.section))

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802  # Qt's name
        """End the step that is being made; the window is done with."""
        super().closeEvent(event)
        self.context.document.settle()
        self.closed.emit()

    def _tools(self) -> QHBoxLayout:
        _ = self.context.texts.gettext
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.add_button = button(_("Add"), "primary")
        menu = QMenu(self.add_button)
        entries: list[tuple[str, Callable[[], object]]] = [
            (_("From the catalogue …"), self.add_item),
            (_("Service: set-up and training"), partial(self.add_made, set_up_line)),
            (_("Service: acceptance test"), partial(self.add_made, test_line)),
            (_("Freight and packing"), partial(self.add_made, freight_line)),
            (_("Own position"), partial(self.add_made, free_line)),
            (_("Text"), partial(self.add_made, text_line)),
            (_("Section"), self.add_section),
        ]
        for name, slot in entries:
            menu.addAction(name).triggered.connect(slot)
        self.add_button.setMenu(menu)
        line.addWidget(self.add_button)
        theme, stack = self.context.theme, self.context.document.stack
        self.clone_button = icon_button(theme, "copy", _("Duplicate"))
        self.remove_button = icon_button(theme, "remove", _("Remove"))
        self.up_button = icon_button(theme, "up", _("Move up"))
        self.down_button = icon_button(theme, "down", _("Move down"))
        self.undo_button = icon_button(theme, "undo", _("Undo"))
        self.redo_button = icon_button(theme, "redo", _("Redo"))
        for made, slot in (
            (self.clone_button, self.clone),
            (self.remove_button, self.remove),
            (self.up_button, partial(self.move, -1)),
            (self.down_button, partial(self.move, 1)),
            (self.undo_button, stack.undo),
            (self.redo_button, stack.redo),
        ):
            made.clicked.connect(slot)
            line.addWidget(made)
        self.templates_button = button(_("Templates"))
        self.templates_menu = TemplatesMenu(self.context, self._folder, self._chosen_section, self)
        self.templates_menu.wanted.connect(self.insert)
        self.templates_menu.refused.connect(partial(self._say, role="hint"))
        self.templates_button.setMenu(self.templates_menu)
        line.addWidget(self.templates_button)
        self.prices = PriceUpdate(self.context, self._seller, self.edit, self._say, self)
        line.addWidget(self.prices.button)
        line.addStretch(1)
        self.follow_button = button(_("Take over the new recommendation"))
        self.follow_button.clicked.connect(self.follow)
        self.reset_button = button(_("Drop own positions"))
        self.reset_button.clicked.connect(self.reset)
        line.addWidget(self.follow_button)
        line.addWidget(self.reset_button)
        return line

    def _middle(self) -> QSplitter:
        _ = self.context.texts.gettext
        self.model = PositionsModel(self.context, self)
        self.model.edited.connect(self._on_cell)
        self.model.dragged.connect(self._on_drag, Qt.ConnectionType.QueuedConnection)
        self.tree = PositionsTree(self.context, self.model)
        self.tree.selectionModel().currentRowChanged.connect(self._on_row)
        self.side = Tabs(_("Parts of the proposal"))
        self.line_panel = LinePanel(self.context)
        self.line_panel.changed.connect(self._on_line)
        self.line_panel.internal_changed.connect(self._on_internal)
        self.line_panel.section_changed.connect(self._on_section)
        self.terms = TermsPanel(self.context, self._seller)
        self.terms.changed.connect(self._on_quote)
        self.terms.terms_changed.connect(self._on_terms)
        self.side.add(self.line_panel, _("Position"))
        self.side.add(self.terms, _("Proposal and terms"))
        panel = Panel()
        panel.body.addWidget(self.side)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setMinimumWidth(SIDE_WIDTH)
        area.setAccessibleName(_("Details"))
        area.setWidget(panel)
        made = QSplitter(Qt.Orientation.Horizontal)
        made.setChildrenCollapsible(False)
        made.addWidget(self.tree)
        made.addWidget(area)
        made.setStretchFactor(0, 1)
        made.setSizes([SIZE[0] - SIDE_WIDTH, SIDE_WIDTH])
        return made

    def _shortcuts(self) -> None:
        keys: tuple[tuple[QKeySequence | QKeySequence.StandardKey, Callable[[], object]], ...] = (
            (QKeySequence.StandardKey.Undo, self.context.document.stack.undo),
            *((QKeySequence(key), self.context.document.stack.redo) for key in ("Ctrl+Shift+Z", "Ctrl+Y")),
            (QKeySequence("Ctrl+D"), self.clone),
            (QKeySequence("Alt+Up"), partial(self.move, -1)),
            (QKeySequence("Alt+Down"), partial(self.move, 1)),
            (QKeySequence(Qt.Key.Key_Escape), self.close),
        )
        for key, slot in keys:
            QShortcut(QKeySequence(key), self).activated.connect(slot)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.tree)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self.remove)

    def _view(self) -> tuple[ProposalView | None, str]:
        planner, texts = self.context.planner, self.context.texts
        recommendation = planner.recommendation
        if recommendation is None or recommendation.chosen is None or planner.state is PlanState.EMPTY:
            return None, explanation(self.context)
        document, facts = self.context.document.consultation, self.context.catalog.facts
        try:
            return proposal_view(document, recommendation, facts, self._seller, texts), ""
        except PassformError as error:
            return None, texts.error(error)

    def _taken(self) -> QuoteRow:
        recommendation: Recommendation | None = self.context.planner.recommendation
        if recommendation is None:
            raise PassformError("There is no recommendation yet, so there are no positions.")
        document, facts = self.context.document.consultation, self.context.catalog.facts
        return taken_over(document, recommendation, facts, self._seller)

    def _show_state(self, view: ProposalView) -> None:
        _ = self.context.texts.gettext
        self.follow_button.setVisible(view.outdated)
        self.reset_button.setVisible(not view.follows)
        if view.problem:
            self._say(view.problem, "error")
        elif view.outdated:
            self._say(_("Another system is recommended now than the positions were taken from."), "hint")
        elif view.follows:
            self._say(_("The positions follow the recommendation until you change one."), "muted")
        else:
            self._say("", "muted")

    def _chosen_section(self) -> SectionRow | None:
        return None if self.spot is None else self.model.sections[self.spot[0]]

    def _say(self, text: str, role: str) -> None:
        set_role(self.state, role)
        self.state.setText(text)
        self.state.setVisible(bool(text))

    def _sum(self, sums: tuple[tuple[str, str], ...], earned: tuple[tuple[str, str], ...]) -> None:
        self.sums.setText("     ".join(f"{name}: {value}" for name, value in sums))
        shown = () if self.context.customer_view else earned
        self.earned.setText("     ".join(f"{name}: {value}" for name, value in shown))
        self.earned.setVisible(bool(shown))

    def _show_chosen(self) -> None:
        spot, view = self.spot, self.model.view
        for made in (self.clone_button, self.remove_button, self.up_button, self.down_button):
            made.setEnabled(spot is not None)
        if spot is None or view is None:
            self.line_panel.show_nothing()
            return
        line = self.model.line(spot)
        if line is None:
            self.line_panel.show_section(self.model.sections[spot[0]])
        else:
            self.line_panel.show_line(line, view.lines[line.id], view.quote)

    @Slot(QModelIndex)
    def _on_row(self, _index: QModelIndex) -> None:
        self.context.document.settle()
        self._show_chosen()

    @Slot(object, str, str)
    def _on_cell(self, spot: Spot, field: str, text: str) -> None:
        _ = self.context.texts.gettext
        if spot[1] < 0:
            self.edit(_("Change title"), lambda quote: edits.amended_section(quote, spot[0], title=text.strip()))
            return
        if field == "title":
            self.edit(_("Change title"), lambda quote: edits.amended_line(quote, spot, title=text.strip()))
            return
        value = parse_decimal(text.replace("%", "").strip(), self.context.texts.language) if text.strip() else None
        if value is None and (text.strip() or field in ("quantity", "discount_percent")):
            self._say(_("{text} is not a number.").format(text=text), "error")
            return
        self._amend(spot, field, value)

    @Slot(object, object)
    def _on_drag(self, source: Spot, target: Spot) -> None:
        text = self.context.texts.gettext("Move")
        if source[1] < 0:
            place = target[0] - (1 if target[0] > source[0] else 0)
            self.edit(text, lambda quote: edits.moved_section(quote, source[0], place))
        elif target[1] >= 0:
            self.edit(text, lambda quote: edits.moved_line(quote, source, *target))

    @Slot(str, object)
    def _on_line(self, field: str, value: object) -> None:
        if self.spot is not None and self.spot[1] >= 0:
            self._amend(self.spot, field, value)

    @Slot(str, object)
    def _on_internal(self, field: str, value: object) -> None:
        if self.spot is not None and self.spot[1] >= 0:
            self._amend(self.spot, field, value, internal=True)

    def _amend(self, spot: Spot, field: str, value: object, *, internal: bool = False) -> None:
        text = self.context.texts.gettext("Change position")
        if internal or field == "purchase_price":
            self.edit(text, lambda quote: edits.amended_internal(quote, spot, **{field: value}))
            return
        changes = {field: value, "on_request": False} if field == "price" and value is not None else {field: value}
        self.edit(text, lambda quote: edits.amended_line(quote, spot, **changes))

    @Slot(str, object)
    def _on_section(self, field: str, value: object) -> None:
        spot = self.spot
        if spot is not None:
            text = self.context.texts.gettext("Change section")
            self.edit(text, lambda quote: edits.amended_section(quote, spot[0], **{field: value}))

    @Slot(str, object)
    def _on_quote(self, field: str, value: object) -> None:
        text = self.context.texts.gettext("Change proposal")
        self.edit(text, lambda quote: amended(quote, **{field: value}), positions=False)

    @Slot(str, object)
    def _on_terms(self, field: str, value: object) -> None:
        text = self.context.texts.gettext("Change terms")
        self.edit(text, lambda quote: amended(quote, terms=amended(quote.terms, **{field: value})), positions=False)

    def _text_of_adding(self) -> str:
        return self.context.texts.gettext("Add position")

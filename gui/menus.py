"""Menus and shortcuts, declared as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QUndoGroup
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QMenu, QToolButton, QWidget

from engine.wording.translator import Language
from gui.flow import Step
from gui.look import Look
from gui.parts import TEXT_BESIDE_ICON, literal
from gui.settings import ThemeChoice
from gui.theme import STEP
from gui.way import step_names

Keys = str | QKeySequence.StandardKey | None
Key = TypeVar("Key")
NAMES = {Language.DE: "Deutsch", Language.EN: "English"}


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # what is not generated need not be compiled at the start
class Commands:
    """What the menus call."""

    new: Callable[[], object]
    open: Callable[[], object]
    open_recent: Callable[[Path], object]
    save: Callable[[], object]
    save_as: Callable[[], object]
    save_pdf: Callable[[], object]
    quit: Callable[[], object]
    find: Callable[[], object]
    find_next: Callable[[], object]
    find_previous: Callable[[], object]
    print: Callable[[], object]
    show_step: Callable[[Step], object]
    back: Callable[[], object]
    forward: Callable[[], object]
    theme: Callable[[ThemeChoice], object]
    language: Callable[[Language], object]
    customer_view: Callable[[bool], object]
    findings: Callable[[], object]
    catalogue: Callable[[], object]
    import_prices: Callable[[], object]
    update_catalogue: Callable[[], object]
    compare_versions: Callable[[], object]
    settings: Callable[[], object]
    positions: Callable[[], object]
    evidence: Callable[[], object]
    register: Callable[[], object]
    help: Callable[[], object]
    tour: Callable[[], object]
    about: Callable[[], object]


class Corner(QWidget):
    """The switches a salesperson needs in front of the customer: customer view and language."""

    def __init__(self, look: Look, commands: Commands) -> None:
        super().__init__()
        _ = look.texts.gettext
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 2, 2 * STEP, 2)
        line.setSpacing(STEP)
        self.customer = QToolButton()
        self.customer.setText(_("Customer view"))
        self.customer.setIcon(look.theme.icon("eye"))
        self.customer.setProperty("toolButtonStyle", TEXT_BESIDE_ICON)
        self.customer.setCheckable(True)
        self.customer.setChecked(look.customer_view)
        self.customer.setToolTip(_("Hides notes, own prices and everything else internal"))
        self.customer.setAccessibleName(_("Customer view"))
        self.customer.clicked.connect(commands.customer_view)
        line.addWidget(self.customer)
        for language, name in NAMES.items():
            made = QToolButton()
            made.setText(language.value)
            made.setCheckable(True)
            made.setChecked(language is look.texts.language)
            made.setAccessibleName(name)
            made.setToolTip(name)
            made.clicked.connect(partial(commands.language, language))
            line.addWidget(made)


class _Step(QAction):
    """Undo or redo, with the name of what it would do where that may be shown."""

    def __init__(self, plain: str, named: str, parent: QMenu) -> None:
        super().__init__(plain, parent)
        self._plain, self._named = plain, named

    @Slot(str)
    def name(self, what: str) -> None:
        """Say what it would do."""
        self.setText(f"{self._named} {literal(what)}" if what and self._named else self._plain)


class Menus:
    """Builds the menu bar of a window and keeps the actions that change."""

    def __init__(self, window: QMainWindow, look: Look, commands: Commands, undo: QUndoGroup) -> None:
        self._window = window
        self._look = look
        self._commands = commands
        self._undo = undo
        bar = window.menuBar()
        bar.clear()
        for old in (*bar.findChildren(QMenu), *bar.findChildren(Corner)):
            old.deleteLater()
        bar.setAccessibleName(look.texts.gettext("Menu bar"))
        self._file(bar.addMenu(look.texts.gettext("&File")))
        self._edit(bar.addMenu(look.texts.gettext("&Edit")))
        self._view(bar.addMenu(look.texts.gettext("&View")))
        self._catalogue(bar.addMenu(look.texts.gettext("&Catalogue")))
        self._help(bar.addMenu(look.texts.gettext("&Help")))
        self.corner = Corner(look, commands)
        bar.setCornerWidget(self.corner)
        self.corner.show()

    def refresh_recent(self) -> None:
        """List the recent files anew."""
        self.recent.clear()
        recent = [] if self._look.customer_view else self._look.settings.recent  # they name other customers
        for name in recent:
            path = Path(name)
            action = QAction(literal(f"{path.name}  ({path.parent})"), self.recent)
            action.triggered.connect(partial(self._commands.open_recent, path))
            self.recent.addAction(action)
        self.recent.setEnabled(bool(recent))

    def _file(self, menu: QMenu) -> None:
        _ = self._look.texts.gettext
        standard, commands = QKeySequence.StandardKey, self._commands
        self._add(menu, _("&New"), standard.New, commands.new)
        self._add(menu, _("&Open …"), standard.Open, commands.open)
        self.recent = menu.addMenu(_("Open &recent"))
        self.refresh_recent()
        menu.addSeparator()
        self._add(menu, _("&Save"), standard.Save, commands.save)
        self._add(menu, _("Save &as …"), "Ctrl+Shift+S", commands.save_as)
        menu.addSeparator()
        self._add(menu, _("Save &PDF …"), "Ctrl+Shift+P", commands.save_pdf)
        self._add(menu, _("Prin&t …"), QKeySequence.StandardKey.Print, commands.print)
        self.register = self._add(menu, _("Re&gister of documents …"), "Ctrl+R", commands.register)
        self.register.setEnabled(not self._look.customer_view)
        menu.addSeparator()
        self._add(menu, _("&Quit"), "Ctrl+Q", commands.quit)

    def _edit(self, menu: QMenu) -> None:
        _ = self._look.texts.gettext
        self.undo, self.redo = self._undo_actions(menu)
        self.undo.setShortcuts([QKeySequence(QKeySequence.StandardKey.Undo)])
        self.redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        menu.addActions([self.undo, self.redo])
        menu.addSeparator()
        self._add(menu, _("&Positions of the proposal …"), "Ctrl+E", self._commands.positions)
        menu.addSeparator()
        self._add(menu, _("&Find …"), QKeySequence.StandardKey.Find, self._commands.find)
        self._add(menu, _("Find &next"), "F3", self._commands.find_next)
        self._add(menu, _("Find pre&vious"), "Shift+F3", self._commands.find_previous)
        menu.addSeparator()
        self._add(menu, _("&Settings …"), "Ctrl+,", self._commands.settings)

    def _undo_actions(self, menu: QMenu) -> tuple[QAction, QAction]:
        """Undo and redo; what they would undo may be internal, so it is not named while a customer looks on."""
        _, stack = self._look.texts.gettext, self._undo
        named = not self._look.customer_view
        undo = _Step(_("Undo"), _("Undo:") if named else "", menu)
        redo = _Step(_("Redo"), _("Redo:") if named else "", menu)
        undo.name(stack.undoText())
        redo.name(stack.redoText())
        undo.setEnabled(stack.canUndo())
        redo.setEnabled(stack.canRedo())
        undo.triggered.connect(stack.undo)
        redo.triggered.connect(stack.redo)
        stack.canUndoChanged.connect(undo.setEnabled)
        stack.canRedoChanged.connect(redo.setEnabled)
        stack.undoTextChanged.connect(undo.name)
        stack.redoTextChanged.connect(redo.name)
        return undo, redo

    def _view(self, menu: QMenu) -> None:
        _ = self._look.texts.gettext
        for number, (step, name) in enumerate(step_names(self._look.texts).items(), start=1):
            self._add(menu, name, f"Ctrl+{number}", partial(self._commands.show_step, step))
        menu.addSeparator()
        self._add(menu, _("Back"), "Alt+Left", self._commands.back)
        self._add(menu, _("Next"), "Alt+Right", self._commands.forward)
        menu.addSeparator()
        self.customer = QAction(_("&Customer view"), menu)
        self.customer.setCheckable(True)
        self.customer.setChecked(self._look.customer_view)
        self.customer.setShortcuts([QKeySequence("F8")])
        self.customer.setToolTip(_("Hides notes, own prices and everything else internal"))
        self.customer.triggered.connect(self._commands.customer_view)
        menu.addAction(self.customer)
        menu.addSeparator()
        themes = menu.addMenu(_("&Theme"))
        words = {ThemeChoice.SYSTEM: _("as the system"), ThemeChoice.LIGHT: _("light"), ThemeChoice.DARK: _("dark")}
        self._exclusive(themes, words, self._look.settings.theme, self._commands.theme)
        languages = menu.addMenu(_("&Language"))
        self._exclusive(languages, NAMES, self._look.texts.language, self._commands.language)

    def _catalogue(self, menu: QMenu) -> None:
        _ = self._look.texts.gettext
        self._add(menu, _("&Open the catalogue …"), "Ctrl+K", self._commands.catalogue)
        menu.addSeparator()
        prices = self._add(menu, _("&Import a price list …"), "Ctrl+I", self._commands.import_prices)
        prices.setEnabled(not self._look.customer_view)
        self._add(menu, _("&Update package …"), None, self._commands.update_catalogue)
        self._add(menu, _("&Compare two versions …"), None, self._commands.compare_versions)
        menu.addSeparator()
        self._add(menu, _("&Measured against estimated …"), None, self._commands.evidence)
        self._add(menu, _("Catalogue and &findings …"), None, self._commands.findings)

    def _help(self, menu: QMenu) -> None:
        _ = self._look.texts.gettext
        self._add(menu, _("&Help"), QKeySequence.StandardKey.HelpContents, self._commands.help)
        self._add(menu, _("&Tour"), None, self._commands.tour)
        menu.addSeparator()
        self._add(menu, _("&About Passform"), None, self._commands.about)

    def _add(self, menu: QMenu, text: str, keys: Keys, slot: Callable[[], object]) -> QAction:
        action = QAction(text, menu)
        if keys is not None:
            action.setShortcuts([QKeySequence(keys)])
        action.triggered.connect(lambda _checked=False: slot())
        menu.addAction(action)
        return action

    def _exclusive(self, menu: QMenu, words: dict[Key, str], chosen: Key, slot: Callable[[Key], object]) -> None:
        group = QActionGroup(menu)
        for key, word in words.items():
            action = QAction(word, menu)
            action.setCheckable(True)
            action.setChecked(key == chosen)
            action.triggered.connect(lambda _checked=False, key=key: slot(key))
            group.addAction(action)
            menu.addAction(action)

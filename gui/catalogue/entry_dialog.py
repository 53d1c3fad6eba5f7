"""An own card, machine or accessory: its figures on the left, the chosen one's fields and source on the right."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QScrollArea, QWidget

from catalog.own_entries import file_of, free_id, raw_entry, save_with_sources
from catalog.own_sources import new_source_id
from catalog.trial import Change
from engine.errors import PassformError
from gui.catalogue.dates import day_text, recorded
from gui.catalogue.desk import Desk
from gui.catalogue.dialog import ChangeDialog
from gui.catalogue.entry_form import EntryForm, FormField, FormPart, Place, known_sources
from gui.theme import STEP
from gui.widgets import Choice, Form, TextField, button, column, label

SIZE = (1120, 700)
PARTS_WIDTH = 300


class EntryDialog(ChangeDialog):
    """Starts from an entry of the catalogue; saved as an own entry, in the own file of the same shape."""

    def __init__(self, desk: Desk, item_id: str, *, copy: bool, parent: QWidget | None = None) -> None:
        texts = desk.context.texts
        _ = texts.gettext
        entry = desk.catalog.entry(item_id)
        title = _("New entry like {name}") if copy else _("Own entry: {name}")
        super().__init__(desk, title.format(name=entry.name), parent)
        self.resize(*SIZE)
        raw = raw_entry(desk.catalog, item_id)
        if copy:
            raw["name"] = _("{name} (own)").format(name=raw["name"])
            raw["id"] = free_id(desk.catalog, str(raw["name"]))
        self.form = EntryForm(file_of(desk.catalog, item_id), raw, texts)
        self._sources: dict[str, dict[str, str]] = {}
        sides = QHBoxLayout()
        sides.setSpacing(4 * STEP)
        sides.addLayout(self._left())
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setAccessibleName(_("Fields of the chosen part"))
        sides.addWidget(self._area, 1)
        self.body.addLayout(sides, 1)
        self._fill(())

    def change(self) -> Change | None:
        """The own entry as it stands."""
        # A copy: the fields may change while the trial reads them in its thread.
        raw, sources = deepcopy(self.form.raw), deepcopy(self._sources)
        return partial(save_with_sources, file=self.form.file, entry=raw, sources=sources)

    def locate(self, error: PassformError) -> None:
        """Show the part a message is about."""
        place = self.form.place_of(str(error.values.get("field", "")))
        if place is not None:
            self._fill(place)
            name = next(part.name for part in self._listed if part.place == place)
            problem = self.desk.context.texts.gettext(str(error.values.get("problem", "")))
            self.complain(f"{name}: {problem}")

    def show_part(self, place: Place) -> None:
        """Bring a part to the front."""
        for number in range(self.parts.count()):
            if self.parts.item(number).data(Qt.ItemDataRole.UserRole) == _key(place):
                self.parts.setCurrentRow(number)

    def _left(self) -> QHBoxLayout:
        _ = self.desk.context.texts.gettext
        holder = QWidget()
        holder.setFixedWidth(PARTS_WIDTH)
        body = column(holder, spacing=2 * STEP)
        self.parts = QListWidget()
        self.parts.setAccessibleName(_("Parts of the entry"))
        self.parts.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.parts.currentRowChanged.connect(self._on_part)
        self.adder = Choice()
        self.adder.setAccessibleName(_("Figure to add"))
        self.add_button = button(_("Add"))
        self.add_button.clicked.connect(self._add)
        self.remove_button = button(_("Remove this part"))
        self.remove_button.clicked.connect(self._remove)
        body.addWidget(self.parts, 1)
        line = QHBoxLayout()
        line.addWidget(self.adder, 1)
        line.addWidget(self.add_button)
        body.addLayout(line)
        body.addWidget(self.remove_button)
        outer = QHBoxLayout()
        outer.addWidget(holder)
        return outer

    def _fill(self, place: Place) -> None:
        with QSignalBlocker(self.parts):
            self.parts.clear()
            self._listed = self.form.parts()
            for part in self._listed:
                item = QListWidgetItem(f"{part.name}: {part.summary}" if part.summary else part.name)
                item.setData(Qt.ItemDataRole.UserRole, _key(part.place))
                item.setToolTip(item.text())
                self.parts.addItem(item)
        choices = self.form.addable()
        self.adder.offer(choices)
        self.adder.setVisible(bool(choices))
        self.add_button.setVisible(bool(choices))
        self.show_part(place)

    @Slot(int)
    def _on_part(self, number: int) -> None:
        if 0 <= number < len(self._listed):
            self._show(self._listed[number])

    def _show(self, part: FormPart) -> None:
        holder = QWidget()
        body = column(holder, margin=2 * STEP, spacing=2 * STEP)
        body.addWidget(label(part.name, "section", wrap=True))
        form = Form(stacked=True)
        for field in part.fields:
            self._add_field(form, field)
        body.addWidget(form)
        if any(field.is_source for field in part.fields):
            body.addWidget(self._new_source(part))
        body.addStretch(1)
        self._area.setWidget(holder)
        self.remove_button.setEnabled(part.removable)

    def _add_field(self, form: Form, field: FormField) -> None:
        choices = list(field.choices)
        if field.is_source:
            sources = {**self.desk.catalog.sources}
            choices = [(key, row["title"]) for key, row in self._sources.items()]
            choices += known_sources(sources, [field.text], self.desk.context.texts.tr)
        if choices:
            made = Choice()
            made.offer(choices)
            made.show_value(field.text)
            made.setToolTip(made.currentText())
            made.currentTextChanged.connect(made.setToolTip)
            made.chosen.connect(self._setter(field.place))
            form.add(field.name, made)
            return
        line = TextField()
        line.show_value(field.text)
        line.committed.connect(self._setter(field.place))
        form.add(field.name, line)

    def _setter(self, place: Place) -> Callable[[str], None]:
        def commit(text: str) -> None:
            self.form.set(place, text)
            self._refresh_names()
            self.edited()

        return commit

    def _refresh_names(self) -> None:
        self._listed = self.form.parts()
        for number, part in enumerate(self._listed):
            item = self.parts.item(number)
            item.setText(f"{part.name}: {part.summary}" if part.summary else part.name)

    def _new_source(self, part: FormPart) -> QWidget:
        _ = self.desk.context.texts.gettext
        holder = QWidget()
        body = column(holder, spacing=STEP)
        body.addWidget(label(_("Another source"), "section"))
        form = Form(stacked=True)
        title, dated, address = TextField(), TextField(), TextField()
        dated.setText(day_text(self.desk.today, self.desk.context.texts.language))
        form.add(_("Title"), title)
        form.add(_("Date of the source"), dated)
        form.add(_("Address (https://…)"), address)
        body.addWidget(form)
        take = button(_("Use this source"))

        def use() -> None:
            if not title.text().strip():
                self.complain(_("A source needs a title."))
                return
            self.complain("")
            known = {*self.desk.catalog.sources, *self._sources}
            key = new_source_id(title.text().strip(), known)
            self._sources[key] = {
                "title": title.text().strip(),
                "document_date": recorded(dated.text()) or "not recorded",
                "url": address.text().strip(),
            }
            self.form.set((*part.place, "source"), key)
            self._fill(part.place)
            self.edited()

        take.clicked.connect(use)
        body.addWidget(take, 0, Qt.AlignmentFlag.AlignLeft)
        self.use_source = use
        self.source_fields = (title, dated, address)
        return holder

    @Slot()
    def _add(self) -> None:
        key = str(self.adder.currentData())
        self._fill(self.form.add(key, next(iter(self._sources), "own_price_list")))

    @Slot()
    def _remove(self) -> None:
        part = self._listed[self.parts.currentRow()]
        self.form.remove(part.place)
        self._fill(())
        self.edited()


def _key(place: Place) -> str:
    return "/".join(str(step) for step in place)

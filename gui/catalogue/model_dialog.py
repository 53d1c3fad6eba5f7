"""An own model from its `config.json`: the parameters are counted, the rest is named and sourced."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QWidget

from catalog.config_model import model_from_file
from catalog.own_entries import free_id, save_model
from catalog.trial import Change
from engine.errors import PassformError
from engine.models import ModelSpec
from gui.catalogue.dates import day_text, recorded
from gui.catalogue.desk import Desk
from gui.catalogue.dialog import ChangeDialog
from gui.theme import STEP
from gui.widgets import Form, TextField, button, label, set_role

SIZE = (860, 620)


class ModelDialog(ChangeDialog):
    """Written into the own models; it can then be chosen like any other."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        _ = desk.context.texts.gettext
        super().__init__(desk, _("Own model"), parent)
        self.resize(*SIZE)
        self._config: Path | None = None
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.choose = button(_("Choose config.json …"))
        self.choose.clicked.connect(self._ask)
        line.addWidget(self.choose)
        line.addStretch(1)
        self.body.addLayout(line)
        self.counted = label(_("The file comes with the model's weights."), "muted", wrap=True)
        self.body.addWidget(self.counted)
        form = Form(stacked=True)
        self.name, self.family, self.size_label = TextField(), TextField(), TextField()
        self.source, self.date, self.licence = TextField(), TextField(), TextField()
        self.date.setText(day_text(desk.today, desk.context.texts.language))
        for name, field, why in (
            (_("Name"), self.name, ""),
            (_("Family"), self.family, ""),
            (_("Size as the maker names it"), self.size_label, _("For example 8B or 30B-A3B")),
            (_("Source"), self.source, _("Where the file is from")),
            (_("Date of the source"), self.date, ""),
            (_("Licence"), self.licence, ""),
        ):
            form.add(name, field, why)
            field.textEdited.connect(self.edited)
        self.body.addWidget(form)
        self.body.addStretch(1)

    def take(self, path: Path) -> None:
        """Read a configuration and fill in what it says."""
        texts = self.desk.context.texts
        try:
            model = model_from_file(path)
        except PassformError as error:
            self._config = None
            set_role(self.counted, "error")
            self.counted.setText(texts.error(error))
            return
        self._config = path
        set_role(self.counted, "muted" if model.recognised else "hint")
        self.counted.setText(self._describe(model, path))
        if not self.name.text():
            self.name.setText(model.name)
        if not self.family.text():
            self.family.setText(model.model_type)
        if not self.size_label.text():
            self.size_label.setText(texts.parameters(model.parameters))
        self.edited()

    def change(self) -> Change | None:
        """The own model of the fields."""
        fields = (self.name, self.family, self.size_label, self.source)
        if self._config is None or not all(field.text().strip() for field in fields):
            return None
        return partial(
            save_model,
            config=self._config,
            model_id=free_id(self.desk.catalog, self.name.text().strip()),
            name=self.name.text().strip(),
            family=self.family.text().strip(),
            size=self.size_label.text().strip(),
            source_title=self.source.text().strip(),
            source_date=recorded(self.date.text()),
            licence=self.licence.text().strip(),
        )

    @Slot()
    def _ask(self) -> None:
        _ = self.desk.context.texts.gettext
        name, _filter = QFileDialog.getOpenFileName(self, _("Choose config.json"), "", _("Configurations (*.json)"))
        if name:
            self.take(Path(name))

    def _describe(self, model: ModelSpec, path: Path) -> str:
        texts = self.desk.context.texts
        counted = texts.gettext("{file}: {parameters} parameters, type {type}").format(
            file=path.name, parameters=texts.integer(model.parameters), type=model.model_type
        )
        if model.recognised:
            return counted
        return counted + "\n" + texts.gettext("This type is not known; the figures are computed from its dimensions.")

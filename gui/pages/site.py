"""The second page: where the machine will stand, its limits, and the features it must have."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from catalog.consultation.document import Consultation, SiteRow
from engine.workload import MustHave, Place
from gui.context import Context
from gui.draft import amended
from gui.pages.page import Page
from gui.theme import STEP
from gui.widgets import Form, NumberField, Panel, choice_of, label


class SitePage(Page):
    """Edits site and must-haves."""

    def __init__(self, context: Context) -> None:
        _ = context.texts.gettext
        super().__init__(context, _("Site"))
        self.body.addWidget(label(_("Where will the machine stand?"), "title", wrap=True))
        panel = Panel()
        form = Form()
        self.place = choice_of(context.texts, Place)
        self.place.chosen.connect(self._on_place)
        form.add(_("Place"), self.place, _("A desk rules out passive cards and rack machines; a rack rules out towers"))
        self.fields: dict[str, NumberField] = {}
        for name, title, why in _limits(context):
            field = NumberField(context.texts, optional=True)
            self.watch(field)
            form.add(title, field, why)
            field.committed.connect(self._setter(name, title, field))
            self.fields[name] = field
        panel.body.addWidget(form)
        self.body.addWidget(panel)
        self.body.addWidget(label(_("What must the card have?"), "title", wrap=True))
        self.body.addWidget(self._must_haves())
        self.body.addStretch(1)
        self.refresh()

    def initial_focus(self) -> QWidget:
        """The place."""
        return self.place

    def refresh(self) -> None:
        """Show the document."""
        document = self.context.document.consultation
        self.place.show_value(document.site.place.value)
        for name, field in self.fields.items():
            field.show_value(getattr(document.site, name))
        for feature, box in self.boxes.items():
            box.setChecked(feature in document.must_have)

    def _must_haves(self) -> QWidget:
        panel = Panel()
        self.boxes: dict[MustHave, QCheckBox] = {}
        remarks = _remarks(self.context)
        for feature in MustHave:
            line = QHBoxLayout()
            line.setSpacing(3 * STEP)
            box = QCheckBox(self.context.texts.label(feature))
            box.setAccessibleDescription(remarks[feature])
            box.setMinimumWidth(150)
            box.clicked.connect(self._on_must_have)
            self.boxes[feature] = box
            line.addWidget(box)
            line.addWidget(label(remarks[feature], "small", wrap=True), 1)
            panel.body.addLayout(line)
        return panel

    def _on_place(self, value: str) -> None:
        title = self.context.texts.gettext("Place")
        self._set("place", Place(value), title, None)

    def _setter(self, name: str, title: str, field: NumberField) -> Callable[[object], None]:
        def commit(value: object) -> None:
            self._set(name, value, title, field)

        return commit

    def _set(self, name: str, value: object, title: str, field: NumberField | None) -> None:
        text = self.context.texts.gettext("Change {field}").format(field=title)

        def change(document: Consultation) -> Consultation:
            site: SiteRow = amended(document.site, **{name: value})
            return amended(document, site=site)

        self.edit(text, change, field)

    def _on_must_have(self) -> None:
        wanted = tuple(feature for feature, box in self.boxes.items() if box.isChecked())
        text = self.context.texts.gettext("Change must-haves")
        self.edit(text, lambda document: amended(document, must_have=wanted))


def _limits(context: Context) -> tuple[tuple[str, str, str], ...]:
    _ = context.texts.gettext
    return (
        (
            "circuit_watts",
            _("Power per circuit in watts"),
            _("Continuous power of one circuit, for example 3,680 W at 230 V and 16 A. Empty: not limited"),
        ),
        ("cooling_watts", _("Cooling in watts"), _("Heat the room can carry away. Empty: not limited")),
        ("noise_db_a", _("Noise limit in dB(A)"), _("Empty: not limited. Few vendors publish a figure")),
        ("rack_units", _("Free rack units"), _("Empty: not limited")),
        ("slots", _("Free double-width slots"), _("Only when the cards go into a machine that exists already")),
    )


def _remarks(context: Context) -> dict[MustHave, str]:
    _ = context.texts.gettext
    return {
        MustHave.NVLINK: _("A direct link between cards; sharded runs are several times faster over it"),
        MustHave.MIG: _("Divides a card into instances for small runs side by side"),
        MustHave.VGPU: _("On NVIDIA's list for virtual GPUs"),
        MustHave.ECC: _("Corrects memory errors on long runs"),
        MustHave.FP8: _("Training in FP8 by Transformer Engine"),
        MustHave.NVFP4: _("Training in NVFP4 by Transformer Engine, Blackwell only"),
    }

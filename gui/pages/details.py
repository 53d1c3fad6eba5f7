"""The settings of the selected workload, each with its default and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QWidget

from catalog.consultation.document import RecipeSettings, WorkloadRow
from catalog.consultation.scenario import default_states
from engine.methods import (
    Attention,
    Checkpointing,
    Loss,
    Method,
    Objective,
    Offload,
    Optimizer,
    Precision,
    StateRecipe,
)
from gui.context import Context
from gui.draft import amended_recipe, amended_row
from gui.length_slider import LengthSlider
from gui.pages.page import Page
from gui.pages.row_form import RowForm
from gui.theme import STEP
from gui.widgets import Choice, ErrorLine, Form, NumberField, TextField, choice_of, label

AUTOMATIC = "automatic"
OTHER_TARGETS = "other"


@dataclass(frozen=True, slots=True)
class Bound:
    """A field's name in the document and how it shows a row."""

    name: str
    show: Callable[[WorkloadRow], None]


class Details(RowForm):
    """Edits one row of the document; shows which settings differ from their default."""

    def __init__(self, context: Context, page: Page) -> None:
        head = QWidget()
        super().__init__(context, page, head)
        self._bound: list[Bound] = []
        self._build_length(QGridLayout(head))
        self._build_row_fields()
        self._build_adapter_fields()
        self._build_memory_fields()
        self._build_speed_fields()

    @property
    def bound_names(self) -> set[str]:
        """The document's fields that can be edited here."""
        return {bound.name for bound in self._bound}

    def show_row(self, index: int) -> None:
        """Show another row, or the same one after a change."""
        rows = self._context.document.consultation.workloads
        if not 0 <= index < len(rows):
            return
        self._turn_to(index)
        for bound in self._bound:
            bound.show(rows[index])

    def _build_length(self, grid: QGridLayout) -> None:
        _ = self._context.texts.gettext
        self.length = LengthSlider(self._context.texts)
        title = label(_("Sequence length"), "section")
        title.setBuddy(self.length.slider)
        self._length_line = label("", "small", wrap=True)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(STEP)
        grid.addWidget(title, 0, 0)
        grid.addWidget(self.length, 0, 1)
        grid.addWidget(self._length_line, 1, 1)
        grid.setColumnStretch(1, 1)
        self._page.watch(self.length.field)
        ErrorLine(self.length.field, self._length_line, "")
        self._length_line.hide()
        self.length.moved.connect(self._on_length)
        self.length.settled.connect(self._context.document.settle)
        self.length.field.committed.connect(self._on_exact_length)
        self._bound.append(Bound("sequence_length", lambda row: self.length.show_value(row.sequence_length)))

    def _build_row_fields(self) -> None:
        _ = self._context.texts.gettext
        name = TextField()
        name.committed.connect(lambda text: self._set_row("name", text, _("Name")))
        self._add(self._left, _("Name"), name, _("As it is called in the offer; empty takes the model's name"))
        self._bound.append(Bound("name", lambda row: name.show_value(row.name)))
        self._number(self._left, "runs_at_once", _("Runs at once"), _("Default: 1"))
        self._number(
            self._left,
            "sequences_per_step",
            _("Sequences per optimiser step"),
            _("Default: 16, of all cards together; an assumption"),
        )
        self._number(
            self._left,
            "micro_batch",
            _("Micro-batch"),
            _("Empty: the planner takes the fastest that fits"),
            optional=True,
        )
        self._number(
            self._left,
            "deadline_hours",
            _("Deadline of one run in hours"),
            _("Empty: none. The slow end of the estimate has to keep it"),
            optional=True,
            whole=False,
            placeholder=_("none"),
        )
        self._choice(self._left, "objective", _("Objective"), choice_of(self._context.texts, Objective))

    def _build_adapter_fields(self) -> None:
        _ = self._context.texts.gettext
        self._number(
            self._left, "rank", _("LoRA rank"), _("Default: 16. Doubling it doubles the adapters"), recipe=True
        )
        targets = Choice()
        targets.offer(
            (
                ("all-linear", _("all linear layers")),
                ("attention", _("attention only")),
                (OTHER_TARGETS, _("named modules")),
            )
        )
        self._targets = targets
        self._modules = TextField()
        targets.chosen.connect(self._on_targets)
        self._modules.committed.connect(self._on_modules)
        self._add(self._left, _("Targets"), targets, _("Default: all linear layers, as QLoRA's authors advise"))
        self._add(self._left, _("Modules"), self._modules, _("For example q_proj, v_proj"))
        self._bound.append(Bound("targets", self._show_targets))
        self._choice(
            self._left,
            "adapter_dtype",
            _("Adapters stored in"),
            choice_of(self._context.texts, (Precision.FP32, Precision.BF16)),
            _("Default: fp32, as PEFT keeps them"),
        )
        self._flag(self._left, "dora", _("DoRA"), _("Adds a magnitude vector per adapted layer"))
        self._flag(self._left, "trains_embeddings", _("Train the embeddings"), _("Needed for new tokens"))
        self._flag(self._left, "trains_head", _("Train the output head"), _("Needed for new tokens"))
        self._flag(
            self._left, "kbit_upcast", _("Upcast for k-bit training"), _("What PEFT's k-bit preparation does: fp32")
        )

    def _build_memory_fields(self) -> None:
        texts = self._context.texts
        _ = texts.gettext
        states = Choice()
        states.offer(
            [(AUTOMATIC, _("by method and optimiser"))] + [(item.value, texts.label(item)) for item in StateRecipe]
        )
        states.chosen.connect(self._on_states)
        line = self._add(self._right, _("Recipe"), states, " ")
        self._bound.append(Bound("states", lambda row: self._show_states(row, states, line)))
        self._choice(
            self._right,
            "optimizer",
            _("Optimiser"),
            choice_of(texts, Optimizer),
            _("Default: AdamW, fused"),
            recipe=True,
        )
        self._choice(
            self._right,
            "checkpointing",
            _("Activation checkpointing"),
            choice_of(texts, Checkpointing),
            _("Default: on. Off is faster and needs far more memory"),
            recipe=True,
        )
        self._choice(
            self._right,
            "loss",
            _("Loss kernel"),
            choice_of(texts, Loss),
            _("Default: plain. With large vocabularies the logits set the peak; fused avoids them"),
            recipe=True,
        )
        self._choice(
            self._right,
            "attention",
            _("Attention kernel"),
            choice_of(texts, Attention),
            _("Default: FlashAttention. Eager grows with the square of the length"),
            recipe=True,
        )

    def _build_speed_fields(self) -> None:
        texts = self._context.texts
        _ = texts.gettext
        self._number(
            self._right,
            "gradient_accumulation",
            _("Gradient accumulation"),
            _("Default: 1 step. More keeps the gradients through the micro-steps"),
            recipe=True,
        )
        self._choice(
            self._right,
            "offload",
            _("Offload"),
            choice_of(texts, Offload),
            _("Default: none. Offloading trades time for card memory"),
            recipe=True,
        )
        self._flag(self._right, "packing", _("Packing"), _("Default: on. Every sequence is filled, none is padded"))

    def _add(self, form: Form, name: str, field: QWidget, why: str) -> QLabel:
        if isinstance(field, NumberField):
            self._page.watch(field)
        return form.add(name, field, why)

    def _number(
        self,
        form: Form,
        name: str,
        title: str,
        why: str,
        *,
        optional: bool = False,
        recipe: bool = False,
        whole: bool = True,
        placeholder: str = "",
    ) -> None:
        field = NumberField(self._context.texts, whole=whole, optional=optional)
        if optional:
            field.setPlaceholderText(placeholder or self._context.texts.gettext("automatic"))
        self._add(form, title, field, why)

        def commit(value: object) -> None:
            self._set(name, value, title, recipe=recipe, field=field)

        field.committed.connect(commit)
        self._bound.append(Bound(name, lambda row: field.show_value(_number_of(row.recipe if recipe else row, name))))

    def _choice(self, form: Form, name: str, title: str, choice: Choice, why: str = "", *, recipe: bool = True) -> None:
        self._add(form, title, choice, why)
        choice.chosen.connect(lambda value: self._set(name, value, title, recipe=recipe))
        self._bound.append(Bound(name, lambda row: choice.show_value(getattr(row.recipe, name).value)))

    def _flag(self, form: Form, name: str, title: str, why: str) -> None:
        box = QCheckBox(title)
        box.setAccessibleDescription(why)
        box.setToolTip(why)
        form.add_wide(box)
        box.clicked.connect(lambda checked: self._set(name, checked, title, recipe=True))
        self._bound.append(Bound(name, lambda row: box.setChecked(getattr(row.recipe, name))))

    def _set_row(self, name: str, value: object, title: str) -> None:
        self._set(name, value, title, recipe=False)

    def _set(self, name: str, value: object, title: str, *, recipe: bool, field: NumberField | None = None) -> None:
        text = self._context.texts.gettext("Change {field}").format(field=title)
        change = amended_recipe if recipe else amended_row
        index = self._index
        self._page.edit(text, lambda document: change(document, index, **{name: value}), field)

    @Slot(int)
    def _on_length(self, length: int) -> None:
        index = self._index
        text = self._context.texts.gettext("Change sequence length")
        key = f"length-{index}"
        self._page.edit(text, lambda document: amended_row(document, index, sequence_length=length), key=key)

    @Slot(object)
    def _on_exact_length(self, length: int) -> None:
        self._set(
            "sequence_length",
            length,
            self._context.texts.gettext("Sequence length"),
            recipe=False,
            field=self.length.field,
        )

    @Slot(str)
    def _on_states(self, value: str) -> None:
        chosen = None if value == AUTOMATIC else StateRecipe(value)
        self._set("states", chosen, self._context.texts.gettext("Recipe"), recipe=True)

    def _show_states(self, row: WorkloadRow, choice: Choice, line: QLabel) -> None:
        texts = self._context.texts
        choice.show_value(row.recipe.states.value if row.recipe.states else AUTOMATIC)
        automatic = texts.label(default_states(row.method, row.recipe.optimizer))
        line.setText(texts.gettext("Default here: {recipe}").format(recipe=automatic))

    @Slot(str)
    def _on_targets(self, value: str) -> None:
        self._modules.setEnabled(value == OTHER_TARGETS)
        if value == OTHER_TARGETS:
            self._modules.setFocus()
            return
        self._set("targets", (value,), self._context.texts.gettext("Targets"), recipe=True)

    @Slot(str)
    def _on_modules(self, text: str) -> None:
        names = tuple(part.strip() for part in text.split(",") if part.strip())
        if names:
            self._set("targets", names, self._context.texts.gettext("Targets"), recipe=True)

    def _show_targets(self, row: WorkloadRow) -> None:
        named = row.recipe.targets not in (("all-linear",), ("attention",))
        self._targets.show_value(OTHER_TARGETS if named else row.recipe.targets[0])
        self._modules.show_value(", ".join(row.recipe.targets) if named else "")
        self._modules.setEnabled(named and row.method is not Method.FULL)


def _number_of(part: WorkloadRow | RecipeSettings, name: str) -> Decimal | None:
    """A number of the document; hours are stored as binary fractions and shown as they were typed."""
    value = getattr(part, name)
    return None if value is None else Decimal(str(value))

"""A test run of the customer's own: what ran where, what he measured, and at once what follows from it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QScrollArea, QWidget

from catalog.consultation.document import CalibrationRow, RecipeSettings, WorkloadRow
from engine.errors import InvalidInputError, PassformError
from engine.hardware import Card
from engine.memory.evidence import Reading
from engine.memory.own_peak import Side
from engine.methods import Method, Sharding
from engine.speed.types import StackClass
from gui.context import Context
from gui.entry import parse_decimal, parse_integer
from gui.own_runs import effect_text, own_run, own_run_row, peak_words, rate_text, settings_of, tokens_per_second
from gui.theme import STEP
from gui.widgets import Choice, Form, NumberField, TextField, button, choice_of, column, label, set_role

SIZE = (560, 720)
NOTHING = ""
WORKLOAD, MODEL = "workload:", "model:"
RATE, STEP_TIME = "rate", "step"


class OwnRunDialog(QDialog):
    """Asks for one test run; `row` is the answer when the dialog was accepted."""

    def __init__(self, context: Context, row: CalibrationRow | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._before = row
        self.row: CalibrationRow | None = None
        _ = context.texts.gettext
        self.setWindowTitle(_("Test run of the customer"))
        self.resize(*SIZE)
        body = column(self, margin=5 * STEP, spacing=3 * STEP)
        body.addWidget(label(_("Test run of the customer"), "title"))
        inner = QWidget()
        form = column(inner, margin=STEP, spacing=2 * STEP)
        self._build_fields()
        form.addWidget(self._form())
        form.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(_("Details"))
        area.setWidget(inner)
        body.addWidget(area, 1)
        self.effect = label("", "section", wrap=True)
        self.remark = label("", "hint", wrap=True)
        self.error = label("", "error", wrap=True)
        self.memory = label("", "hint", wrap=True)
        for widget in (self.effect, self.memory, self.remark, self.error):
            widget.hide()
            body.addWidget(widget)
        body.addLayout(self._foot())
        self._fill(row)
        self._follow()
        self._show_effect()

    def made(self) -> CalibrationRow:
        """The row of the fields. Raises `PassformError` with what would be right."""
        what, length = str(self.what.currentData()), self._whole(self.length)
        micro_batch, cards = self._whole(self.micro_batch), self._whole(self.cards) or 1
        several, peak = cards > 1, self._peak()
        fields: dict[str, object] = {
            "name": self.name.text().strip(),
            "sequence_length": length,
            "micro_batch": micro_batch,
            "card": str(self.card.currentData()),
            "cards": cards,
            "sharding": str(self.sharding.currentData()) if several else Sharding.NONE,
            "bridge_cards": (int(self.bridge.currentData() or 0) or None) if several else None,
            "system": str(self.system.currentData()) or None,
            "power_limit_watts": self._whole(self.power),
            "stack": str(self.stack.currentData()),
            "tokens_per_second": self._rate(length),
            "peak_gib": peak,
            "peak_reading": None if peak is None else str(self.reading.currentData()),
        }
        named = self._named(what)
        if named is not None and named.model is None:
            return own_run_row(**fields, workload=self._task_name(named))
        model = named.model if named is not None and named.model else what.removeprefix(MODEL)
        return own_run_row(
            **fields, model=model, method=str(self.method.currentData()), recipe=self._settings(named, model)
        )

    @Slot()
    def accept(self) -> None:
        """Take the run over when it can have been."""
        try:
            row = self.made()
            own_run(row, self._context)
        except PassformError as error:
            self._say_error(self._context.texts.error(error))
            return
        self.row = row
        super().accept()

    def _build_fields(self) -> None:
        texts, facts = self._context.texts, self._context.catalog.facts
        _ = texts.gettext
        self.name = TextField()
        self.what = Choice()
        rows = self._context.document.consultation.workloads
        tasks = [
            (f"{WORKLOAD}{number}", _("as {workload}").format(workload=self._task_name(row)))
            for number, row in enumerate(rows)
        ]
        models = sorted(facts.models.values(), key=lambda model: model.name.casefold())
        self.what.offer((*tasks, *((f"{MODEL}{model.id}", model.name) for model in models)))
        self.method = choice_of(texts, Method)
        self.length, self.micro_batch = NumberField(texts), NumberField(texts, optional=True)
        self.micro_batch.setPlaceholderText("1")
        self.card = Choice()
        cards = sorted(facts.cards.values(), key=lambda card: card.name.casefold())
        self.card.offer((card.id, card.name) for card in cards)
        self.cards = NumberField(texts)
        self.sharding = choice_of(texts, (item for item in Sharding if item is not Sharding.NONE))
        self.bridge = Choice()
        self.bridge.offer(((NOTHING, _("none")), ("2", _("2-way NVLink")), ("4", _("4-way NVLink"))))
        self.system = Choice()
        systems = sorted(facts.systems.values(), key=lambda system: system.name.casefold())
        self.system.offer(((NOTHING, _("not known")), *((system.id, texts.name(system.id)) for system in systems)))
        self.power = NumberField(texts, optional=True)
        self.power.setPlaceholderText(_("none"))
        self.stack = choice_of(texts, StackClass)
        self.measured_as = Choice()
        self.measured_as.offer(
            ((RATE, _("tokens per second, all cards")), (STEP_TIME, _("seconds per optimiser step")))
        )
        self.measured = NumberField(texts, whole=False)
        self.sequences = NumberField(texts)
        self.peak = NumberField(texts, whole=False, optional=True)
        self.peak.setPlaceholderText(_("not measured"))
        self.reading = choice_of(texts, Reading)

    def _form(self) -> Form:
        _ = self._context.texts.gettext
        form = Form(stacked=True)
        self._lines: dict[QWidget, QWidget] = {}
        entries: tuple[tuple[str, QWidget, str], ...] = (
            (_("Name"), self.name, _("As it is quoted beside the times")),
            (_("What ran"), self.what, _("A task of the consultation with its settings, or a model of the catalogue")),
            (_("Method"), self.method, ""),
            (_("Sequence length in tokens"), self.length, ""),
            (_("Micro-batch"), self.micro_batch, ""),
            (_("Card"), self.card, ""),
            (_("Number of cards"), self.cards, _("1 to 8, in one machine")),
            (_("Spread over the cards by"), self.sharding, ""),
            (_("NVLink bridge"), self.bridge, ""),
            (_("Machine"), self.system, _("Decides the link between the cards")),
            (_("Power limit per card in watts"), self.power, ""),
            (_("Training software"), self.stack, _("Only runs with the same software are corrected")),
            (_("Measured as"), self.measured_as, ""),
            (_("Measured value"), self.measured, _("Averaged over a while, without the first steps")),
            (_("Sequences per step, all cards"), self.sequences, _("Micro-batch × cards × gradient accumulation")),
            (_("Peak memory per card in GiB"), self.peak, _("Of the fullest card; set beside the estimate")),
            (_("Peak read"), self.reading, ""),
        )
        for name, field, why in entries:
            self._lines[field] = form.add(name, field, why)
            if isinstance(field, NumberField):
                field.textChanged.connect(self._on_edit)
            elif isinstance(field, Choice):
                field.chosen.connect(self._on_edit)
        self.what.chosen.connect(self._on_what)
        return form

    def _foot(self) -> QHBoxLayout:
        _ = self._context.texts.gettext
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        line.addStretch(1)
        cancel = button(_("Cancel"))
        cancel.clicked.connect(self.reject)
        self.take = button(_("Take over"), "primary")
        self.take.clicked.connect(self.accept)
        line.addWidget(cancel)
        line.addWidget(self.take)
        return line

    def _fill(self, row: CalibrationRow | None) -> None:
        document = self._context.document.consultation
        recommendation = self._context.planner.recommendation
        chosen = None if recommendation is None else recommendation.chosen
        self.measured_as.show_value(RATE)
        self.reading.show_value(Reading.DRIVER.value)
        self.bridge.show_value(NOTHING)
        self.system.show_value(NOTHING)
        self.sharding.show_value(Sharding.FSDP.value)
        if row is None:
            self.what.setCurrentIndex(0)
            self.card.show_value(self._first_card(chosen.card if chosen else None))
            self.cards.show_value(1)
            self.stack.show_value((document.stack or StackClass.TUNED_PYTORCH).value)
            self._take_task()
            return
        self.name.show_value(row.name)
        self.what.show_value(self._what_of(row))
        named = self._named(str(self.what.currentData()))
        method = row.method or (named.method if named else Method.LORA)
        self.method.show_value(method.value)
        self.length.show_value(row.sequence_length or (named.sequence_length if named else None))
        self.micro_batch.show_value(row.micro_batch or (named.micro_batch if named else None))
        self.card.show_value(row.card)
        self.cards.show_value(row.cards)
        if row.cards > 1:
            self.sharding.show_value(row.sharding.value)
        self.bridge.show_value(str(row.bridge_cards or NOTHING))
        self.system.show_value(row.system or NOTHING)
        self.power.show_value(row.power_limit_watts)
        self.stack.show_value(row.stack.value)
        self.measured.setText(self._context.texts.plain(row.tokens_per_second))
        self.peak.setText("" if row.peak_gib is None else self._context.texts.plain(row.peak_gib))
        self.reading.show_value((row.peak_reading or Reading.DRIVER).value)

    def _first_card(self, recommended: Card | None) -> str:
        return recommended.id if recommended is not None else str(self.card.itemData(0))

    def _task_name(self, row: WorkloadRow) -> str:
        """The name by which the engine knows a task: its own, or its model's."""
        model = self._context.planner.model_of(row)
        return row.name or (model.name if model else row.config or row.model or "")

    def _what_of(self, row: CalibrationRow) -> str:
        if row.model is not None:
            return f"{MODEL}{row.model}"
        rows = self._context.document.consultation.workloads
        found = (number for number, one in enumerate(rows) if self._task_name(one) == row.workload)
        return f"{WORKLOAD}{next(found, -1)}"

    def _named(self, what: str) -> WorkloadRow | None:
        """The task that is chosen; None when a model of the catalogue is."""
        rows = self._context.document.consultation.workloads
        number = what.removeprefix(WORKLOAD)
        return rows[int(number)] if what.startswith(WORKLOAD) and number.isdigit() else None

    def _settings(self, named: WorkloadRow | None, model: str) -> RecipeSettings:
        if named is not None:
            return named.recipe
        return RecipeSettings() if self._before is None else settings_of(self._before, model)

    def _whole(self, field: NumberField) -> int | None:
        text = field.text().strip()
        value = parse_integer(text, self._context.texts.language)
        if text and value is None:
            raise InvalidInputError("{text} is not a number.", text=text)
        return value

    def _rate(self, length: int | None) -> float:
        text = self.measured.text().strip()
        value = parse_decimal(text, self._context.texts.language)
        if value is None:
            raise InvalidInputError("Please enter what was measured.")
        if self.measured_as.currentData() == RATE:
            return float(value)
        sequences = self._whole(self.sequences)
        if not sequences or not length or value <= 0:
            raise InvalidInputError("Please enter seconds above 0, the sequences per step and the sequence length.")
        return tokens_per_second(value, sequences, length)

    def _peak(self) -> float | None:
        text = self.peak.text().strip()
        value = parse_decimal(text, self._context.texts.language)
        if text and value is None:
            raise InvalidInputError("{text} is not a number.", text=text)
        return None if value is None else float(value)

    def _take_task(self) -> None:
        """Begin with the settings of the chosen task."""
        named = self._named(str(self.what.currentData()))
        if named is None:
            self.method.show_value(Method.LORA.value)
            return
        self.method.show_value(named.method.value)
        self.length.show_value(named.sequence_length)
        self.micro_batch.show_value(named.micro_batch)

    def _follow(self) -> None:
        """Enable what has a meaning."""
        named = self._named(str(self.what.currentData()))
        self.method.setEnabled(named is None or named.model is not None)
        several = (parse_integer(self.cards.text(), self._context.texts.language) or 1) > 1
        for field in (self.sharding, self.bridge):
            field.setEnabled(several)
        self.sequences.setEnabled(self.measured_as.currentData() == STEP_TIME)
        self.reading.setEnabled(bool(self.peak.text().strip()))

    @Slot()
    def _on_what(self) -> None:
        self._take_task()
        self._on_edit()

    @Slot()
    def _on_edit(self) -> None:
        self._follow()
        self._say_error("")
        self._show_effect()

    def _show_effect(self) -> None:
        texts = self._context.texts
        try:
            run = own_run(self.made(), self._context)
        except PassformError:
            for line in (self.effect, self.memory, self.remark):
                line.hide()
            return
        words = texts.gettext("{measured} measured, {estimated} estimated: {effect}")
        self.effect.setText(
            words.format(
                measured=rate_text(run.measured_tokens_per_s, texts),
                estimated=rate_text(run.modelled_tokens_per_s, texts),
                effect=effect_text(run, texts),
            )
        )
        self.effect.show()
        outside = run.peak is not None and run.peak.side is not Side.WITHIN
        set_role(self.memory, "hint" if outside else "small")
        self.memory.setText(peak_words(run, texts))
        self.memory.setVisible(run.peak is not None)
        stack = self._context.document.consultation.stack
        other = stack is not None and stack is not run.setup.stack
        if stack is not None and other:
            text = texts.gettext("The consultation is computed with the {stack}, so this run moves nothing.")
            self.remark.setText(text.format(stack=texts.label(stack)))
        self.remark.setVisible(other)

    def _say_error(self, text: str) -> None:
        set_role(self.error, "error")
        self.error.setText(text)
        self.error.setVisible(bool(text))

"""The settings of the selected served model, each with its default and why."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from catalog import clock
from catalog.consultation.serving import ServingRow
from engine.serving.types import CacheFormat, LoadKind, ServingEngine, WeightFormat
from engine.wording.serving import engine_name, format_name
from engine.workload import ServingSharing
from gui.context import Context
from gui.pages.page import Page
from gui.pages.row_form import RowForm
from gui.serving_draft import amended_serving, load_kind, with_load_kind
from gui.widgets import Choice, Form, NumberField, TextField, choice_of


class ServingDetails(RowForm):
    """Edits one served row of the document."""

    def __init__(self, context: Context, page: Page) -> None:
        super().__init__(context, page)
        self._shows: list[Callable[[ServingRow], None]] = []
        self.fields: dict[str, QWidget] = {}  # by the document's field
        self._build_model()
        self._build_lengths()
        self._build_load()
        self._build_use()
        self._build_server()
        self._build_adapters()
        self._build_baseline()

    def show_row(self, index: int) -> None:
        """Show another row, or the same one after a change."""
        rows = self._context.document.consultation.serving
        if 0 <= index < len(rows):
            self._turn_to(index)
            for show in self._shows:
                show(rows[index])

    def _build_model(self) -> None:
        texts = self._context.texts
        _ = texts.gettext
        self.name = TextField()
        self.name.committed.connect(lambda text: self._set("name", text, _("Name")))
        self.fields["name"] = self.name
        self._left.add(_("Name"), self.name, _("As it is called in the offer; empty takes the model's name"))
        self._shows.append(lambda row: self.name.show_value(row.name))
        weights, cache, server = Choice(), Choice(), Choice()
        weights.offer((member.value, format_name(member)) for member in WeightFormat)
        cache.offer((member.value, member.value.upper()) for member in CacheFormat)
        server.offer((member.value, engine_name(member)) for member in ServingEngine)
        self._choice(
            self._left,
            "weights",
            _("Weights"),
            weights,
            _("Default: BF16, as trained. FP8 about halves them; the card's generation decides which formats run"),
        )
        self._choice(self._left, "cache", _("KV cache"), cache, _("Default: BF16. FP8 halves the bytes of a token"))
        self._choice(self._left, "engine", _("Inference server"), server, _("Default: vLLM"))

    def _build_lengths(self) -> None:
        _ = self._context.texts.gettext
        mean, most = (
            _("Default: {count}; an assumption. The mean decides the throughput"),
            _("Default: {count}; an assumption. What is guaranteed"),
        )
        for name, title, why, count in (
            ("prompt_mean", _("Prompt, mean tokens"), mean, 1000),
            ("prompt_max", _("Prompt, most tokens"), most, 8000),
            ("output_mean", _("Answer, mean tokens"), mean, 500),
            ("output_max", _("Answer, most tokens"), most, 2000),
        ):
            self._number(self._left, name, title, why.format(count=self._context.texts.integer(count)))

    def _build_load(self) -> None:
        _ = self._context.texts.gettext
        self.load = Choice()
        self.fields["load"] = self.load
        self.load.offer(
            (
                (LoadKind.USERS.value, _("users at once")),
                (LoadKind.RATE.value, _("requests per second")),
                (LoadKind.BATCH.value, _("a batch every night")),
            )
        )
        self.load.chosen.connect(self._on_load)
        self._right.add(
            _("Load"), self.load, _("Users wait for an answer; a nightly batch only has to be done in time")
        )
        forms = {kind: Form(stacked=True) for kind in LoadKind}
        self._number(
            forms[LoadKind.USERS], "users", _("Users at once"), _("Requests in flight. Default: 10; an assumption")
        )
        self._number(
            forms[LoadKind.RATE],
            "requests_per_s",
            _("Requests per second"),
            _("Of all users together. Default: 1; an assumption"),
            whole=False,
        )
        batch = forms[LoadKind.BATCH]
        self._number(batch, "requests_per_night", _("Requests a night"), _("Default: 10,000; an assumption"))
        self._number(
            batch, "night_hours", _("Hours of the night"), _("Default: 8. The batch must be done in them"), whole=False
        )
        for form in forms.values():
            self._right.add_wide(form)

        def show(row: ServingRow) -> None:
            self.load.show_value(load_kind(row).value)
            for kind, form in forms.items():
                form.setVisible(kind is load_kind(row))

        self._shows.append(show)

    def _build_use(self) -> None:
        _ = self._context.texts.gettext
        none = _("Empty: not limited")
        self._number(
            self._right,
            "tokens_per_s_per_user",
            _("Least tokens/s per user"),
            none,
            optional=True,
            whole=False,
        )
        self._number(
            self._right,
            "first_token_s",
            _("Longest wait for the first token in seconds"),
            none,
            optional=True,
            whole=False,
        )
        self._number(
            self._right,
            "service_hours_per_day",
            _("Service hours a day"),
            _("Default: 24. Training has the hours that are left"),
            whole=False,
        )
        self._number(
            self._right,
            "days_per_month",
            _("Service days a month"),
            _("Default: {count}, every day").format(count=self._context.texts.plain(Decimal("30.4"))),
            whole=False,
        )
        self._number(
            self._right,
            "utilisation_percent",
            _("Utilisation in percent"),
            _("Default: 30; an assumption. Share of the service hours in which the planned users are at work"),
        )
        self._choice(
            self._right,
            "sharing",
            _("Sharing with training"),
            choice_of(self._context.texts, ServingSharing),
            _("Default: the way whose month is done first"),
        )

    def _build_server(self) -> None:
        _ = self._context.texts.gettext
        own = _("Empty: the server's default")
        for name, title in (
            ("memory_percent", _("Share of the card's memory in percent")),
            ("max_sequences", _("Most sequences at once")),
            ("batched_tokens", _("Batched tokens")),
        ):
            self._number(self._left, name, title, own, optional=True)

    def _build_adapters(self) -> None:
        _ = self._context.texts.gettext
        self._number(
            self._left, "adapters", _("Adapters loaded apart"), _("Default: 0. A merged adapter costs nothing")
        )
        self._number(self._left, "adapter_rank", _("Rank of the adapters"), _("Default: 16"))

    def _build_baseline(self) -> None:
        _ = self._context.texts.gettext
        price = NumberField(self._context.texts, whole=False, optional=True)
        self.fields["api_price_per_million"] = price
        title = _("Price of an inference API")
        self._page.watch(price)
        self._right.add(
            title, price, _("Net, per million output tokens; today's date is recorded with it. Empty: none")
        )
        price.committed.connect(lambda value: self._on_price(value, title, price))

        def show(row: ServingRow) -> None:
            price.show_value(row.api_price_per_million)
            day = row.api_price_date
            price.setToolTip("" if day is None else self._context.texts.day(day))

        self._shows.append(show)

    def _on_price(self, value: object, title: str, field: NumberField) -> None:
        text = self._context.texts.gettext("Change {field}").format(field=title)
        date, index = None if value is None else clock.today(), self._index
        changes = {"api_price_per_million": value, "api_price_date": date}
        self._page.edit(text, lambda document: amended_serving(document, index, **changes), field)

    def _number(
        self, form: Form, name: str, title: str, why: str, *, whole: bool = True, optional: bool = False
    ) -> None:
        field = NumberField(self._context.texts, whole=whole, optional=optional)
        if optional and whole:
            field.setPlaceholderText(self._context.texts.gettext("automatic"))
        self.fields[name] = field
        self._page.watch(field)
        form.add(title, field, why)
        field.committed.connect(lambda value: self._set(name, value, title, field))
        self._shows.append(lambda row: field.show_value(_decimal(getattr(row, name))))

    def _choice(self, form: Form, name: str, title: str, choice: Choice, why: str) -> None:
        self.fields[name] = choice
        form.add(title, choice, why)
        choice.chosen.connect(lambda value: self._set(name, value, title))
        self._shows.append(lambda row: choice.show_value(getattr(row, name).value))

    def _set(self, name: str, value: object, title: str, field: NumberField | None = None) -> None:
        text = self._context.texts.gettext("Change {field}").format(field=title)
        index = self._index
        self._page.edit(text, lambda document: amended_serving(document, index, **{name: value}), field)

    @Slot(str)
    def _on_load(self, value: str) -> None:
        index, kind = self._index, LoadKind(value)
        text = self._context.texts.gettext("Change {field}").format(field=self._context.texts.gettext("Load"))
        self._page.edit(text, lambda document: with_load_kind(document, index, kind))


def _decimal(value: float | int | None) -> Decimal | None:
    """The figure as it is written: 0.3 is three tenths, not the nearest binary fraction."""
    return None if value is None else Decimal(str(value))

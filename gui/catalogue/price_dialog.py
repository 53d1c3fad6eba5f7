"""An own price of one item: amount, VAT, dates and where it stands."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QLabel, QWidget

from catalog.own_prices import OwnPrice, save_price
from catalog.trial import Change
from engine.errors import PassformError
from engine.prices import GuidePrice
from engine.pricing import guide_price
from engine.wording.translator import mark
from gui.catalogue.dates import day_text, parse_day
from gui.catalogue.desk import Desk
from gui.catalogue.dialog import ChangeDialog
from gui.entry import parse_decimal
from gui.sources import price_lines
from gui.widgets import Choice, Form, TextField, label, set_role

SIZE = (860, 600)
CURRENCIES = ("EUR", "USD", "CHF", "GBP")
NET, GROSS = "net", "gross"


class PriceDialog(ChangeDialog):
    """Written into the own price list; the bundled prices stay as they are."""

    def __init__(self, desk: Desk, item_id: str, parent: QWidget | None = None) -> None:
        texts = desk.context.texts
        _ = texts.gettext
        super().__init__(desk, _("Own price: {item}").format(item=texts.name(item_id)), parent)
        self.resize(*SIZE)
        self._item_id = item_id
        document = desk.context.document.consultation
        guide = guide_price(item_id, desk.catalog.facts, document.currency, desk.today)
        self.body.addWidget(label(_("Price so far: {price}").format(price=_in_short(guide, desk)), "muted", wrap=True))
        form = Form(stacked=True)
        self.amount, self.as_of, self.valid_until = TextField(), TextField(), TextField()
        self.source, self.note = TextField(), TextField()
        self.currency, self.vat = Choice(), Choice()
        self.currency.offer((code, code) for code in sorted({*CURRENCIES, document.currency}))
        self.currency.show_value(document.currency)
        self.vat.offer(((NET, _("net, without VAT")), (GROSS, _("gross, with German VAT"))))
        self.vat.show_value(NET)
        self.as_of.setText(day_text(desk.today, desk.context.texts.language))
        self._lines: dict[TextField, QLabel] = {}
        for name, field, why in (
            (_("Amount per piece"), self.amount, ""),
            (_("Date of the price"), self.as_of, _("Day the price was stated, for example 2026-11-30")),
            (_("Valid until"), self.valid_until, _("Empty: no end. After this day the price is no longer used.")),
            (_("Where the price stands"), self.source, _("For example the distributor's offer; empty: own price list")),
            (_("Note"), self.note, ""),
        ):
            self._lines[field] = form.add(name, field, why)
            field.textEdited.connect(self.edited)
            if field is self.amount:
                form.add(_("Currency"), self.currency)
                form.add(_("VAT"), self.vat)
        for choice in (self.currency, self.vat):
            choice.chosen.connect(self.edited)
        self._whys = {field: line.text() for field, line in self._lines.items()}
        self.body.addWidget(form)
        self.body.addStretch(1)
        self.amount.setFocus()

    def change(self) -> Change | None:
        """The own price of the fields. Raises `PassformError` for what cannot be read."""
        texts = self.desk.context.texts
        wrong = False
        amount = parse_decimal(self.amount.text(), texts.language)
        as_of, until = parse_day(self.as_of.text()), parse_day(self.valid_until.text())
        if not self.amount.text().strip():
            return None
        for field, bad, message in (
            (self.amount, amount is None, mark("A number is needed, for example {example}.")),
            (self.as_of, as_of is None, mark("A day is needed, for example {example}.")),
            (
                self.valid_until,
                bool(self.valid_until.text().strip()) and until is None,
                mark("A day is needed, for example {example}."),
            ),
        ):
            example = "1234,50" if field is self.amount else day_text(self.desk.today, self.desk.context.texts.language)
            self._tell(field, texts.gettext(message).format(example=example) if bad else "")
            wrong = wrong or bad
        if wrong or amount is None or as_of is None:
            raise PassformError("Some fields cannot be read; see the remarks beneath them.")
        price = OwnPrice(
            item_id=self._item_id,
            amount=amount,
            currency=self._chosen(self.currency),
            as_of=as_of,
            gross=self._chosen(self.vat) == GROSS,
            valid_until=until,
            source_title=self.source.text().strip(),
            note=self.note.text().strip(),
        )
        return partial(save_price, price=price)

    def _tell(self, field: TextField, message: str) -> None:
        line = self._lines[field]
        set_role(line, "error" if message else "small")
        line.setText(message or self._whys[field])
        line.setVisible(bool(line.text()))
        field.setAccessibleDescription(line.text())

    def _chosen(self, choice: Choice) -> str:
        return str(choice.currentData())


def _in_short(guide: GuidePrice, desk: Desk) -> str:
    texts = desk.context.texts
    if guide.net is None:
        return texts.gettext("on request")
    return " · ".join((texts.exact_money(guide.net), *price_lines(guide, texts)[:2]))

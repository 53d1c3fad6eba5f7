"""What stands behind a price, in one line: its basis, its date, and the rate it was converted at."""

from __future__ import annotations

from engine.figures import Grade
from engine.prices import PriceAge, PriceBasis
from engine.quote.draft import PriceOrigin
from engine.wording import numbers
from engine.wording.labels import label
from engine.wording.translator import Language, Translator


def origin_text(origin: PriceOrigin, tr: Translator, language: Language) -> str:
    """The origin of a unit price as the customer may read it."""
    parts = [label(origin.basis, tr)]
    if origin.basis is not PriceBasis.ON_REQUEST:
        parts += _published(origin, tr, language)
        if origin.as_of:
            as_of = numbers.recorded_date(origin.as_of, language)
            parts.append(tr.gettext("as of {date}").format(date=as_of))
    if origin.rate is not None:
        parts.append(
            tr.gettext("1 {base} = {rate} {quote} on {date}").format(
                base=origin.rate.base,
                rate=numbers.exchange_rate(origin.rate.rate, language),
                quote=origin.rate.quote,
                date=numbers.long_date(origin.rate.as_of, language),
            )
        )
    if origin.age in {PriceAge.OLD, PriceAge.EXPIRED}:
        parts.append(label(origin.age, tr))
    if origin.grade is Grade.M:
        parts.append(label(Grade.M, tr))
    return ", ".join(parts)


def _published(origin: PriceOrigin, tr: Translator, language: Language) -> list[str]:
    """Kind and original amount, where the printed price was made from another one."""
    if origin.kind is None:
        return []
    kind = label(origin.kind, tr)
    if origin.published is None or origin.basis is not PriceBasis.ESTIMATED:
        return [kind]
    amount = numbers.money_band(origin.published.low, origin.published.high, language)
    if origin.includes_vat:
        amount = tr.gettext("{amount} including VAT").format(amount=amount)
    return [f"{kind} {amount}"]

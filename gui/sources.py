"""Where a figure comes from, in the words of the window: for tooltips and the source dialog. No Qt."""

from __future__ import annotations

from engine.figures import Figure, Source
from engine.prices import GuidePrice, PriceBasis
from engine.wording.catalogue_texts import source_title
from engine.wording.labels import grade_mark
from gui.texts import Texts

NOT_RECORDED = "not recorded"  # as sources without a date say it


def figure_lines(figure: Figure[object], texts: Texts) -> list[str]:
    """Basis, grade, source, date, note and contradictions of a figure."""
    lines = [f"{texts.label(figure.basis)} · {grade_mark(figure.grade, texts.tr)}", *source_lines(figure.source, texts)]
    if figure.note:
        lines.append(figure.note)
    if figure.contradicts:
        values = ", ".join(figure.contradicts)
        lines.append(texts.gettext("Other published values: {values}").format(values=values))
    return lines


def source_lines(source: Source, texts: Texts) -> list[str]:
    """Title, date and address of a source."""
    _ = texts.gettext
    lines = [source_title(source, texts.tr)]
    dates = []
    if source.document_date and source.document_date != NOT_RECORDED:
        dates.append(_("dated {date}").format(date=texts.recorded_date(source.document_date)))
    if source.read_date:
        dates.append(_("read {date}").format(date=texts.recorded_date(source.read_date)))
    lines.append(", ".join(dates) or _("date not recorded"))
    if source.url and source.url != "none":
        lines.append(source.url)
    return lines


def shown_price_lines(price: GuidePrice, texts: Texts, *, customer: bool) -> list[str]:
    """What a price rests on; where the seller has his own prices from is nothing for the customer."""
    return [texts.label(price.basis)] if customer and price.basis is PriceBasis.SELLER else price_lines(price, texts)


def price_lines(price: GuidePrice, texts: Texts) -> list[str]:
    """What a guide price rests on: kind, date, rate, source."""
    _ = texts.gettext
    lines = [texts.label(price.basis)]
    if price.basis is PriceBasis.ON_REQUEST:
        return [*lines, _("No published price was found; it is never counted as zero.")]
    record = price.price
    if record is not None:
        lines.append(f"{texts.label(record.kind)}, {texts.recorded_date(record.as_of)}")
        if price.age is not None:
            lines.append(texts.label(price.age))
        lines.append(f"{texts.plain(record.low)}–{texts.plain(record.high)} {record.currency}")
        lines.extend(source_lines(record.source, texts))
        lines.append(grade_mark(record.grade, texts.tr))
    if price.rate is not None:
        rate = price.rate
        lines.append(f"1 {rate.base} = {texts.exchange_rate(rate.rate)} {rate.quote}, {texts.day(rate.as_of)}")
    return lines

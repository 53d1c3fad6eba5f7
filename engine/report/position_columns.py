"""How wide the columns of the position table are: as wide as their widest content, so that no amount is broken."""

from __future__ import annotations

from collections.abc import Iterable

from reportlab.lib.units import mm

from engine.quote.document import QuoteLine
from engine.quote.draft import LineKind
from engine.quote.totals import Totals
from engine.report.context import Paper
from engine.report.style import TEXT_WIDTH
from engine.report.tables import GAP
from engine.units import Money
from engine.wording import numbers
from engine.wording.quotes import quantity_text

NUMBER, DISCOUNT = 13 * mm, 15 * mm
QUANTITY = 14 * mm, 24 * mm  # least and most
AMOUNT = 22 * mm, 48 * mm  # an amount that needs more than the most is beyond any real quote and breaks its line
AIR = 5.0  # points before an amount that fills its column: two amounts must not run together
ROUNDING = 0.5  # points: a column exactly as wide as its text may still break it


class Columns:
    """Which columns this quote needs, and their widths in points."""

    def __init__(self, paper: Paper) -> None:
        quote = paper.quote
        self._paper = paper
        hidden = bool(quote.sections) and not any(section.show_prices for section in quote.sections)
        self.prices = quote.show_line_prices and not hidden
        self.discount = any(line.discount for line in quote.shown_lines)
        priced = [line for line in quote.lines if line.kind is not LineKind.TEXT]
        self.total = self._width(self._totals(quote.shown_lines), AMOUNT, gap=0)
        quantities = (quantity_text(line.quantity, line.measure, paper.tr, paper.language) for line in priced)
        widths = [self._width([*quantities, paper.tr.gettext("Quantity")], QUANTITY)]
        if self.discount:
            widths.append(DISCOUNT)
        if self.prices:
            shown = [line for line in quote.shown_lines if line.kind is not LineKind.TEXT]
            units = [unit_price_text(line.unit_price, paper) for line in shown if line.unit_price is not None]
            widths += [self._width([*units, paper.tr.gettext("Unit price")], AMOUNT), self.total]
        text = TEXT_WIDTH - NUMBER - sum(widths)
        self.widths = [NUMBER, text, *widths]

    def _totals(self, lines: Iterable[QuoteLine]) -> list[str]:
        """Everything that stands in the last column; the running sum never exceeds that before the discount."""
        quote, _, language = self._paper.quote, self._paper.tr.gettext, self._paper.language
        amounts = [line.total for line in lines]
        amounts += [*(section.subtotal for section in quote.sections), quote.totals.before_discount]
        words = [_("on request"), _("included"), _("not in the sum")]
        return [*words, *(numbers.money(amount, language) for amount in amounts if amount is not None)]

    def _width(self, texts: Iterable[str], limits: tuple[float, float], *, gap: float = GAP) -> float:
        """In bold, which is the wider of the two: sums are printed in it."""
        size = self._paper.styles.cell.fontSize
        widest = max((self._paper.fonts.width(text, size, bold=True) for text in texts), default=0.0)
        least, most = limits
        return min(max(widest + gap + ROUNDING + AIR, least), most)


def sum_width(paper: Paper, totals: Totals, options_net: Money | None) -> float:
    """Width of the amounts under the table."""
    amounts = [totals.before_discount, Money(-totals.discount.amount, totals.discount.currency), totals.net]
    amounts += [item.vat for item in totals.vat or ()]
    amounts += [amount for amount in (totals.gross, options_net) if amount is not None]
    size = paper.styles.cell.fontSize
    texts = [numbers.money(amount, paper.language) for amount in amounts]
    widest = max(paper.fonts.width(text, size, bold=True) for text in texts)
    return float(max(widest + ROUNDING, AMOUNT[0]))


def unit_price_text(amount: Money, paper: Paper) -> str:
    """Unit prices may have more than two places; they are printed as they are."""
    exponent = amount.amount.normalize().as_tuple().exponent
    places = max(2, -exponent) if isinstance(exponent, int) else 2
    text = numbers.number(amount.amount, places, paper.language)
    return numbers.in_currency(text, amount.currency, paper.language)

"""The positions with their sums, as rows of the position table."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, PageBreak, TableStyle

from engine.pictures.palette import Ink
from engine.quote.document import Citation, QuoteLine, QuoteSection, Variant
from engine.quote.draft import DocumentKind, LineKind, PriceOrigin
from engine.quote.totals import Totals
from engine.report.context import Paper, Text, chapter
from engine.report.position_columns import NUMBER, Columns, sum_width, unit_price_text
from engine.report.position_table import Block, PositionTable, Row
from engine.report.style import TEXT_WIDTH, colour, hex_colour
from engine.report.tables import PAD, table, untorn
from engine.report.text import Piece
from engine.report.verdicts import verdict_cell
from engine.units import Money
from engine.wording import numbers
from engine.wording.descriptions import line_description, plan_title
from engine.wording.findings import FindingKind
from engine.wording.labels import label
from engine.wording.prices import origin_text
from engine.wording.quotes import quantity_text, vat_text, word

SUM_GAP = 6 * mm  # between the name of a sum and its amount
SHOWN_VARIANTS = 5  # the others stand in the chapter on what was not chosen
MOST_TITLE = 80  # characters of a section's title beside its subtotal
MOST_ROW = 260.0  # points; a longer description continues in rows of its own


def positions(paper: Paper) -> Iterator[Flowable]:
    """The chapter: positions by section, sums, options, other complete systems."""
    _ = paper.tr.gettext
    yield from chapter(paper, _("Positions and prices"), "positions")
    columns = Columns(paper)
    yield from _tables(paper, columns)
    if paper.quote.vat_questions:
        questions = " ".join(word(item, paper.tr) for item in paper.quote.vat_questions)
        text = _("VAT is not stated: {questions}") if paper.quote.totals.vat is None else _("VAT: {questions}")
        yield paper.small(text.format(questions=questions), "vat")
    yield from _variants(paper)


def _tables(paper: Paper, columns: Columns) -> Iterator[Flowable]:
    """One table, or several where a section starts on a new page; the running sum goes on."""
    running = _Running(paper, columns)
    groups: list[list[Row]] = [[]]
    for section in paper.quote.sections:
        if section.page_break_before and groups[-1]:
            groups.append([])
        groups[-1] += running.rows(section)
    brought = ""
    for index, rows in enumerate(groups):
        last = index == len(groups) - 1
        carried = rows[-1].carried if rows else ""
        tail = totals_block(paper, paper.quote.totals, paper.quote.options_net) if last else None
        if tail is None and carried:
            tail = running.carry_down(carried)
        yield PositionTable(_head(paper, columns), rows, tail, running.carry_down, running.carry_up, brought)
        if not last:
            yield PageBreak()
        brought = carried


class _Running:
    """Makes rows and keeps the running sum of what counts."""

    def __init__(self, paper: Paper, columns: Columns) -> None:
        self._paper, self._columns = paper, columns
        self._sum: Decimal | None = None  # None until a priced position counts
        self._several = len(paper.quote.sections) > 1

    def rows(self, section: QuoteSection) -> Iterator[Row]:
        """A section: its title, its lines, its subtotal."""
        if self._several or section.title:
            yield from self._title(section)
        shown = self._paper.quote.shows_prices_of(section)
        for line in section.lines:
            if line.counts and line.total is not None and shown:
                self._sum = (self._sum or Decimal(0)) + line.total.amount
            for block in self._line(line, shown=shown):
                yield Row(block, self._carried())
        if not shown and any(line.counts and line.total is not None for line in section.lines):
            # A running sum that grew line by line would tell the prices at a page break.
            self._sum = (self._sum or Decimal(0)) + section.subtotal.amount
        if self._several:
            yield Row(self._subtotal(section), self._carried(), closes=True)

    def carry_down(self, carried: str) -> Block:
        """The last row of a page."""
        return self._carry(self._paper.tr.gettext("Carried forward"), carried)

    def carry_up(self, carried: str) -> Block:
        """The first row of the next page."""
        return self._carry(self._paper.tr.gettext("Brought forward"), carried)

    def _carried(self) -> str:
        if self._sum is None:
            return ""
        return numbers.money(Money(self._sum, self._paper.quote.currency), self._paper.language)

    def _carry(self, text: str, carried: str) -> Block:
        styles = self._paper.styles
        cells = [
            self._paper.paragraph(text, styles.cell_small_right, "carry"),
            self._paper.paragraph(carried, styles.cell_small_right, "carry"),
        ]
        return _block([cells], [TEXT_WIDTH - self._columns.total, self._columns.total])

    def _title(self, section: QuoteSection) -> Iterator[Row]:
        paper = self._paper
        title = section.title or word(section.role, paper.tr)
        cells: list[Flowable | list[Flowable]] = [
            paper.paragraph(Piece(section.number, bold=True), paper.styles.cell, "section.number"),
            paper.paragraph(Piece(title, bold=True), paper.styles.cell, f"section {section.number}"),
        ]
        widths = [NUMBER, TEXT_WIDTH - NUMBER]
        blocks = [_block([row], widths, above=PAD + 3) for row in untorn([cells], widths, MOST_ROW)]
        for index, block in enumerate(blocks, start=1):
            yield Row(block, self._carried(), opens=index == len(blocks))

    def _subtotal(self, section: QuoteSection) -> Block:
        paper = self._paper
        title = self._short_title(section)
        text = paper.tr.gettext("Subtotal {number} {title}").format(number=section.number, title=title)
        amount = numbers.money(section.subtotal, paper.language)
        if section.gaps:
            text += " " + _gap_text(paper, section.gaps)
        cells = [
            paper.paragraph(text, paper.styles.cell_small_right, "subtotal"),
            paper.paragraph(Piece(amount, bold=True), paper.styles.cell_small_right, "subtotal"),
        ]
        return _block([cells], [TEXT_WIDTH - self._columns.total, self._columns.total])

    def _short_title(self, section: QuoteSection) -> str:
        """The title as it is repeated beside the subtotal; in full it stands above the lines."""
        title = " ".join((section.title or word(section.role, self._paper.tr)).split())
        if len(title) <= MOST_TITLE:
            return title
        self._paper.guard.note(FindingKind.SHORTENED, f"subtotal {section.number}", title[:MOST_TITLE])
        return title[:MOST_TITLE].rstrip() + "…"

    def _line(self, line: QuoteLine, *, shown: bool) -> list[Block]:
        """The line's row; a long description continues in rows without numbers."""
        paper, styles = self._paper, self._paper.styles
        where = f"position {line.number or line.title[:20]}"
        cells: list[Flowable | list[Flowable]] = [
            paper.paragraph(line.number, styles.cell, where),
            self._words(line, where, priced=shown),
        ]
        if line.kind is LineKind.TEXT:
            cells += [""] * (len(self._columns.widths) - 2)
        else:
            quantity = quantity_text(line.quantity, line.measure, paper.tr, paper.language)
            cells.append(paper.paragraph(quantity, styles.cell_right, where))
            if self._columns.discount:
                discount = numbers.percent(line.discount, paper.language, 1) if line.discount and shown else ""
                cells.append(paper.paragraph(discount, styles.cell_right, where))
            if self._columns.prices and shown:
                cells += [self._amount(line, line.unit_price, where, unit=True), self._total(line, where)]
            elif self._columns.prices:
                cells += ["", self._hidden(line, where)]
        return [_block([row], self._columns.widths) for row in untorn([cells], self._columns.widths, MOST_ROW)]

    def _words(self, line: QuoteLine, where: str, *, priced: bool) -> list[Flowable]:
        paper, styles = self._paper, self._paper.styles
        bold = line.kind is not LineKind.TEXT
        parts: list[Flowable] = [paper.paragraph(Piece(paper.name(line.title), bold=bold), styles.cell, where)]
        kind = _kind_text(paper, line)
        if kind:
            parts.append(paper.paragraph(Piece(kind, colour=hex_colour(Ink.ACCENT)), styles.cell_small, where))
        description = line_description(paper.quote, line, paper.tr, paper.language)
        if description:
            parts.append(paper.paragraph(description, styles.cell_small, where))
        if line.origin is not None and line.kind is not LineKind.INCLUDED and priced:
            text = origin_text(line.origin, paper.tr, paper.language)
            pieces: Text = [Piece(text, colour=hex_colour(Ink.MUTED)), paper.citation(_cited(paper, line.origin))]
            parts.append(paper.paragraph(pieces, styles.tiny, where))
        return parts

    def _amount(self, line: QuoteLine, amount: Money | None, where: str, *, unit: bool) -> Flowable:
        paper = self._paper
        if line.kind is LineKind.INCLUDED:
            text = "" if unit else paper.tr.gettext("included")
        elif amount is None:
            text = paper.tr.gettext("on request")
        else:
            text = unit_price_text(amount, paper) if unit else numbers.money(amount, paper.language)
        quiet = line.kind in {LineKind.ALTERNATIVE, LineKind.OPTIONAL}
        piece = Piece(text, colour=hex_colour(Ink.MUTED) if quiet else "")
        return paper.paragraph(piece, paper.styles.cell_right, where)

    def _hidden(self, line: QuoteLine, where: str) -> Flowable:
        """Instead of a total: what is in the section's sum, and what is not."""
        _ = self._paper.tr.gettext
        text = ""
        if line.kind is LineKind.INCLUDED:
            text = _("included")
        elif line.total is None:
            text = _("on request")
        elif not line.counts:
            text = _("not in the sum")
        return self._paper.paragraph(text, self._paper.styles.cell_right, where)

    def _total(self, line: QuoteLine, where: str) -> Flowable | list[Flowable]:
        shown = self._amount(line, line.total, where, unit=False)
        if line.kind not in {LineKind.ALTERNATIVE, LineKind.OPTIONAL}:
            return shown
        aside = self._paper.tr.gettext("not in the sum")
        return [shown, self._paper.paragraph(aside, self._paper.styles.head_right, where)]


def _kind_text(paper: Paper, line: QuoteLine) -> str:
    if line.kind is LineKind.ALTERNATIVE:
        return paper.tr.gettext("Alternative to position {number}").format(number=line.base_number)
    if line.kind is LineKind.OPTIONAL:
        return word(line.kind, paper.tr)
    return ""


def _cited(paper: Paper, origin: PriceOrigin) -> list[int]:
    """Numbers of the sources of a price."""
    if paper.quote.advice is None:
        return []
    wanted = {origin.source_title}
    if origin.rate is not None:
        wanted.add(origin.rate.source.title)
    cited: tuple[Citation, ...] = paper.quote.advice.citations
    return [citation.number for citation in cited if citation.source.title and citation.source.title in wanted]


def _head(paper: Paper, columns: Columns) -> Block:
    _, styles = paper.tr.gettext, paper.styles
    cells = [paper.paragraph(_("Pos."), styles.head, "head"), paper.paragraph(_("Description"), styles.head, "head")]
    titles = [_("Quantity")]
    if columns.discount:
        titles.append(_("Discount"))
    if columns.prices:
        titles += [_("Unit price"), _("Total")]
    cells += [paper.paragraph(title, styles.head_right, "head") for title in titles]
    block = _block([cells], columns.widths)
    block.setStyle(TableStyle([("LINEBELOW", (0, 0), (-1, -1), 0.8, colour(Ink.TEXT))]))
    return block


def _block(cells: list[list[Flowable]], widths: list[float], above: float = PAD) -> Block:
    return Block(
        cells,
        colWidths=widths,
        hAlign="LEFT",
        style=TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 5),
                ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), above),
                ("BOTTOMPADDING", (0, 0), (-1, -1), PAD),
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, colour(Ink.LINE)),
            ]
        ),
    )


def totals_block(paper: Paper, totals: Totals, options_net: Money | None = None) -> Block:
    """Net, VAT per case, gross; what is on request is named right there."""
    _, language = paper.tr.gettext, paper.language
    rows: list[tuple[str, str, bool]] = []
    amounts = sum_width(paper, totals, options_net)
    widths = [TEXT_WIDTH - amounts - SUM_GAP, amounts + SUM_GAP]
    if totals.nothing_priced:
        return _block([_total_row(paper, _("Sum, net"), _("on request"), bold=True)], widths)
    if totals.discount.amount:
        rows.append((_("Sum before discount"), numbers.money(totals.before_discount, language), False))
        discount = Money(-totals.discount.amount, totals.discount.currency)
        rows.append((_("Discount"), numbers.money(discount, language), False))
    net = _("Sum of the priced positions, net") if totals.gaps else _("Sum, net")
    rows.append((net, numbers.money(totals.net, language), True))
    rows += [
        (vat_text(item, paper.tr, language), numbers.money(item.vat, language), False) for item in totals.vat or ()
    ]
    if totals.gross is not None:
        gross = _("Sum of the priced positions, gross") if totals.gaps else _("Sum, gross")
        rows.append((gross, numbers.money(totals.gross, language), True))
    if options_net is not None:
        rows.append((_("Net including all options"), numbers.money(options_net, language), False))
    cells = [_total_row(paper, text, amount, bold=bold) for text, amount, bold in rows]
    if totals.gaps:
        note = Piece(_gap_text(paper, totals.gaps), bold=True, colour=hex_colour(Ink.NO))
        cells.append([paper.paragraph(note, paper.styles.cell_right, "totals"), ""])
    block = _block(cells, widths)
    if totals.gaps:
        block.setStyle(TableStyle([("SPAN", (0, -1), (-1, -1)), ("RIGHTPADDING", (0, -1), (-1, -1), 0)]))
    return block


def _total_row(paper: Paper, text: str, amount: str, *, bold: bool) -> list[Flowable]:
    return [
        paper.paragraph(Piece(text, bold=bold), paper.styles.cell_right, "totals"),
        paper.paragraph(Piece(amount, bold=bold), paper.styles.cell_right, "totals"),
    ]


def _gap_text(paper: Paper, gaps: tuple[str, ...]) -> str:
    text = paper.tr.ngettext("plus position {numbers} on request", "plus positions {numbers} on request", len(gaps))
    return text.format(numbers=", ".join(gaps))


def _variants(paper: Paper) -> Iterator[Flowable]:
    """Other complete systems, each with its own sum."""
    variants = paper.quote.variants
    if not variants:
        return
    _, styles = paper.tr.gettext, paper.styles
    yield from chapter(paper, _("Other complete systems"), "variants", level=1)
    text = _("Each carries all your tasks; the sums stand beside the one above, not in it.")
    if paper.quote.kind is DocumentKind.OFFER:
        text += " " + _(
            "They are no part of this quotation; they stand at guide prices, except of items with a price of the "
            "seller's."
        )
    yield paper.small(text, "variants")
    head = [
        paper.paragraph(_("System"), styles.head, "head"),
        paper.paragraph(_("Verdict"), styles.head, "head"),
        paper.paragraph(_("Power"), styles.head_right, "head"),
        paper.paragraph(_("Sum, net"), styles.head_right, "head"),
    ]
    rows = [_variant_row(paper, variant) for variant in variants[:SHOWN_VARIANTS]]
    yield table(head, rows, [TEXT_WIDTH - 99 * mm, 23 * mm, 30 * mm, 46 * mm])


def _variant_row(paper: Paper, variant: Variant) -> list[Flowable | list[Flowable]]:
    plan, styles = variant.plan, paper.styles
    amount = numbers.money(variant.totals.net, paper.language)
    if variant.totals.nothing_priced:
        amount = paper.tr.gettext("on request")
    sums: list[Flowable] = [paper.paragraph(amount, styles.cell_small_right, plan.id)]
    if variant.totals.gaps and not variant.totals.nothing_priced:
        gaps = paper.tr.gettext("plus on request: {items}").format(
            items=", ".join(paper.name(gap) for gap in variant.totals.gaps)
        )
        sums.append(paper.paragraph(gaps, styles.head_right, plan.id))
    return [
        [
            paper.paragraph(Piece(plan_title(plan), bold=True), styles.cell_small, plan.id),
            paper.paragraph(paper.name(plan.system.name), styles.cell_small, plan.id),
        ],
        verdict_cell(paper, plan.verdict, Piece(label(plan.verdict, paper.tr)), 22 * mm),
        paper.paragraph(numbers.watts(plan.power_w, paper.language), styles.cell_small_right, plan.id),
        sums,
    ]

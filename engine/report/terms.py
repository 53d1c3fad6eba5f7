"""The seller's conditions and, for an offer, the place to accept it: after everything that is accepted."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, Spacer, Table, TableStyle

from engine.pictures.palette import Ink
from engine.quote.draft import DocumentKind, LineKind
from engine.quote.vat import VatCase
from engine.report.context import Paper, chapter
from engine.report.style import PAGE_HEIGHT, TEXT_WIDTH, colour
from engine.report.tables import table
from engine.report.text import BOX, Piece
from engine.wording import numbers

CHOOSABLE = frozenset({LineKind.ALTERNATIVE, LineKind.OPTIONAL})
HEADING, MOST_TOGETHER = 45.0, 220.0  # points: of the heading; of conditions that stay on one page
MOST_CHOICES = 12  # more do not stand together with the signature on one page


def terms_chapter(paper: Paper) -> Iterator[Flowable]:
    """Conditions as a table, general terms in full, acceptance block last."""
    _, quote, styles = paper.tr.gettext, paper.quote, paper.styles
    rows: list[list[Flowable | list[Flowable]]] = [
        [
            paper.paragraph(Piece(name, bold=True), styles.cell_small, f"terms {name}"),
            paper.paragraph(text, styles.cell_small, f"terms {name}"),
        ]
        for name, text in _entries(paper)
    ]
    conditions = table(None, rows, [42 * mm, TEXT_WIDTH - 42 * mm])
    height: float = conditions.wrap(TEXT_WIDTH, PAGE_HEIGHT)[1]
    # A short table stands on one page; a long one begins where its heading and a few rows do.
    yield from chapter(paper, _("Conditions"), "terms", room=height + HEADING if height < MOST_TOGETHER else 90.0)
    yield conditions
    if quote.terms.full_text:
        yield from chapter(paper, _("General terms"), "general-terms", level=1)
        for part in quote.terms.full_text.split("\n\n"):
            yield paper.small(part, "terms.full_text")
    if quote.closing:
        yield paper.body(quote.closing, "closing")
    if quote.kind is DocumentKind.OFFER and not quote.tender:
        yield _acceptance(paper)


def _entries(paper: Paper) -> Iterator[tuple[str, str]]:
    _, quote = paper.tr.gettext, paper.quote
    terms = quote.terms
    if quote.kind is DocumentKind.OFFER:
        until = numbers.long_date(quote.valid_until, paper.language)
        if quote.tender:
            yield _("Binding period"), _("until the end of {date}").format(date=until)
        else:
            yield _("Validity"), _("valid until the end of {date}").format(date=until)
        if not terms.binding:
            yield _("Binding force"), _("without obligation")
    yield _("Delivery time"), terms.delivery_time or _("on request")
    texts = (
        (_("Delivery"), terms.delivery),
        (_("Payment"), terms.payment),
        (_("Warranty"), terms.warranty),
        (_("Retention of title"), terms.retention_of_title),
        (_("General terms"), terms.where_readable),
    )
    yield from ((name, text) for name, text in texts if text)
    if any(item.case is VatCase.EXPORT for item in quote.totals.vat or ()):
        yield _("Export licence"), terms.export_reservation or _("subject to the export licences that may be required")


def _acceptance(paper: Paper) -> Flowable:
    _, styles = paper.tr.gettext, paper.styles
    first = [_("Place, date"), _("Name in block letters"), _("Signature, company stamp")]
    signed = [first, [*first[:2], _("Second signature")]] if paper.quote.terms.second_signature else [first]
    block = Table(
        [row for names in signed for row in ([""] * len(names), [_under(paper, text) for text in names])],
        colWidths=[TEXT_WIDTH / len(first)] * len(first),
        rowHeights=[16 * mm, None] * len(signed),
        hAlign="LEFT",
    )
    block.setStyle(
        TableStyle(
            [
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 8),
                *(
                    ("LINEABOVE", (column, row), (column, row), 0.6, colour(Ink.TEXT))
                    for row in range(1, 2 * len(signed), 2)
                    for column in range(len(first))
                ),
            ]
        )
    )
    number = _("(number follows)") if paper.quote.preview else paper.quote.number
    name, text = _consent(paper)
    title = paper.paragraph(name, styles.heading, "acceptance")
    sentence = paper.body(text.format(number=number), "acceptance")
    return KeepTogether([Spacer(0, 8), title, sentence, *_choices(paper), block])


def _consent(paper: Paper) -> tuple[str, str]:
    """Only an offer that binds can be accepted (§ 145 BGB): without obligation, the signature is the order."""
    _ = paper.tr.gettext
    if paper.quote.terms.binding:
        return _("Acceptance"), _("We accept quotation {number} with the conditions above.")
    text = _(
        "We order according to quotation {number} with the conditions above. The contract comes about with your "
        "confirmation of the order."
    )
    return _("Order"), text


def _under(paper: Paper, text: str) -> Flowable:
    return paper.paragraph(text, paper.styles.head, "acceptance")


def _choices(paper: Paper) -> Iterator[Flowable]:
    """Boxes for what the customer may choose: without a cross the quotation is accepted as it is summed."""
    _, quote = paper.tr.gettext, paper.quote
    offered = [line for line in quote.lines if line.kind in CHOOSABLE and line.total is not None]
    if not offered or len(offered) > MOST_CHOICES:
        return
    yield paper.small(_("Please tick what you order beside or instead of the positions in the sum:"), "acceptance")
    for line in offered:
        if line.kind is LineKind.ALTERNATIVE:
            what = _("{number} {title}, instead of {base}").format(
                number=line.number, title=paper.name(line.title), base=line.base_number
            )
        else:
            what = _("{number} {title}, in addition").format(number=line.number, title=paper.name(line.title))
        yield paper.body(BOX + "\N{NO-BREAK SPACE}\N{NO-BREAK SPACE}" + what, "acceptance")

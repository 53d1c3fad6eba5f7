"""The first page: what is recommended, at one glance, and the tasks it carries."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Spacer, Table, TableStyle

from engine.pictures.palette import Ink
from engine.prices import PriceBasis
from engine.quote.document import Advice
from engine.quote.draft import DocumentKind
from engine.report.context import Heading, Paper, marked
from engine.report.letter import address_overflow, document_title
from engine.report.reasons import plan_sentences
from engine.report.style import TEXT_WIDTH, colour, hex_colour
from engine.report.tasks import chosen_bars, tasks
from engine.report.text import Piece
from engine.report.verdicts import verdict_cell
from engine.wording import numbers
from engine.wording.descriptions import plan_title
from engine.wording.labels import label
from engine.wording.quotes import word

FIRST_REASONS = 2  # all of them stand in their own chapter


def summary(paper: Paper) -> Iterator[Flowable]:
    """Title, introduction, the recommendation in one box, the tasks in one table, the first reasons."""
    quote, _ = paper.quote, paper.tr.gettext
    kind = word(quote.kind, paper.tr)
    if quote.subject:
        yield paper.paragraph(Piece(kind, bold=True, colour=hex_colour(Ink.ACCENT)), paper.styles.body, "kind")
    markup = paper.guard.markup(quote.subject or kind, "subject")
    yield marked(Heading(markup, paper.styles.title), paper.guard.line(document_title(paper), "title"), "top", 0)
    overflow = address_overflow(paper)
    if overflow:
        yield paper.body(_("Recipient: {address}").format(address=", ".join(overflow)), "customer.address")
    if quote.revision > 1 and quote.number:
        replaced = _("Revision {revision} replaces all earlier revisions of {number}.")
        yield paper.body(replaced.format(revision=quote.revision, number=quote.number), "revision")
    yield from _introduction(paper)
    if quote.advice is not None:
        yield _glance(paper, quote.advice)
        yield Spacer(0, 6)
        yield from tasks(paper, quote.advice.chosen)
        yield from chosen_bars(paper, quote.advice)
        yield Spacer(0, 6)
        for text in list(plan_sentences(paper, quote.advice.chosen))[:FIRST_REASONS]:
            yield paper.body(text, "reason")


def _introduction(paper: Paper) -> Iterator[Flowable]:
    quote, _ = paper.quote, paper.tr.gettext
    binds = quote.kind is DocumentKind.OFFER
    text = quote.introduction or _opening(paper, binds=binds)
    if binds:
        yield paper.body(text, "introduction")
        return
    note = _("This is a configuration recommendation, not a binding offer. Prices are indicative and net of VAT.")
    if quote.introduction:  # the seller's own words never stand instead of what protects him
        yield paper.body(note, "introduction")
        yield paper.body(text, "introduction")
    else:
        yield paper.body([text, " ", note], "introduction")


def _opening(paper: Paper, *, binds: bool) -> str:
    """The first sentence, by what the system is for: training, serving, or both."""
    _, plan = paper.tr.gettext, None if paper.quote.advice is None else paper.quote.advice.chosen
    if plan is None or not plan.serving:
        if binds:
            return _("For your fine-tuning tasks we offer you the following system.")
        return _("From your base models, methods and sequence lengths, this system results.")
    if plan.placements:
        if binds:
            return _("For your fine-tuning tasks and the models you serve we offer you the following system.")
        return _("From your base models, methods and sequence lengths and the load you serve, this system results.")
    if binds:
        return _("For the models you serve we offer you the following system.")
    return _("From the models you serve and their load, this system results.")


def _glance(paper: Paper, advice: Advice) -> Table:
    """The box: system on the left, figures on the right."""
    plan, _, styles = advice.chosen, paper.tr.gettext, paper.styles
    left: list[Flowable] = [
        paper.paragraph(Piece(_("Recommendation"), colour=hex_colour(Ink.ACCENT)), styles.head, "glance"),
        paper.paragraph(plan_title(plan), styles.big, "glance"),
        paper.paragraph(paper.name(plan.system.name), styles.body, "glance"),
    ]
    if plan.bridging is not None:
        bridge = paper.tr.ngettext(
            "with {count} NVLink bridge, {size}-way", "with {count} NVLink bridges, {size}-way", plan.bridging.count
        ).format(count=plan.bridging.count, size=plan.bridging.size)
        left.append(paper.paragraph(bridge, styles.body, "glance"))
    rows = [[verdict_cell(paper, plan.verdict, Piece(label(plan.verdict, paper.tr), bold=True), 70 * mm), ""]]
    for name, value in _key_figures(paper, advice):
        rows.append([paper.paragraph(name, styles.head, "glance"), paper.paragraph(value, styles.cell_right, "glance")])
    inner = Table(
        rows,
        colWidths=[30 * mm, 40 * mm],
        style=TableStyle(
            [
                ("SPAN", (0, 0), (-1, 0)),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 1.2),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 1.2),
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ]
        ),
    )
    box = Table([[left, inner]], colWidths=[TEXT_WIDTH - 80 * mm, 80 * mm], spaceBefore=4, hAlign="LEFT")
    box.setStyle(
        TableStyle(
            [
                ("BACKGROUND", (0, 0), (-1, -1), colour(Ink.WINDOW)),
                ("LINEBEFORE", (0, 0), (0, -1), 2.5, colour(Ink.ACCENT)),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (-1, -1), 10),
                ("RIGHTPADDING", (0, 0), (-1, -1), 10),
                ("TOPPADDING", (0, 0), (-1, -1), 9),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 9),
            ]
        )
    )
    return box


def _key_figures(paper: Paper, advice: Advice) -> Iterator[tuple[str, Piece]]:
    plan, _, language = advice.chosen, paper.tr.gettext, paper.language
    instances = (*(item.mig for item in plan.placements), *(item.mig for item in plan.serving))
    divided = any(instance is not None for instance in instances)
    free = _("Free per MIG instance, at least") if divided else _("Free per card, at least")
    yield free, Piece(numbers.gigabytes(plan.free_bytes, language))
    yield _("Power under load"), Piece(numbers.watts(plan.power_w, language))
    if plan.monthly_utilisation is not None:
        yield _("Utilisation"), Piece(numbers.percent(plan.monthly_utilisation.expected, language))
    totals = paper.quote.totals
    if totals.nothing_priced:
        yield _("Price"), Piece(_("on request"), bold=True)
        return
    name = _("Net price") if paper.quote.kind is DocumentKind.OFFER else _("Guide price, net")
    amount = numbers.money_whole(totals.net, language)
    if paper.quote.kind is DocumentKind.OFFER:
        amount = numbers.money(totals.net, language)
    yield name, Piece(amount, bold=True)
    if totals.gaps:
        gaps = paper.tr.ngettext("+ {count} position on request", "+ {count} positions on request", len(totals.gaps))
        yield "", Piece(gaps.format(count=len(totals.gaps)))
    elif any(line.origin.basis is PriceBasis.ESTIMATED for line in paper.quote.lines if line.counts and line.origin):
        yield "", Piece(_("estimated from published prices"))

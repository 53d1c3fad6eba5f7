"""What the figures assume, in sentences, and the sources they stand on."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from engine.figures import Basis, Grade
from engine.pictures.palette import Ink
from engine.plan.types import Placement
from engine.prices import PriceBasis
from engine.quote.document import Advice, Citation
from engine.quote.draft import DocumentKind
from engine.report.context import Paper, chapter
from engine.report.reasons import BULLET
from engine.report.style import TEXT_WIDTH, hex_colour
from engine.report.tables import table
from engine.report.text import Piece
from engine.speed.types import StackClass
from engine.wording import numbers
from engine.wording.catalogue_texts import source_date, source_title
from engine.wording.labels import label
from engine.wording.notes import note_sentence
from engine.wording.recipes import recipe_text


def assumptions(paper: Paper, advice: Advice) -> Iterator[Flowable]:
    """The chapter."""
    _ = paper.tr.gettext
    yield from chapter(paper, _("Assumptions and notes"), "assumptions")
    for text in (*_sizing(paper, advice), *_load(paper, advice), *_money(paper, advice), *_grades(paper, advice)):
        yield paper.body(BULLET + text, "assumption")


def _sizing(paper: Paper, advice: Advice) -> Iterator[str]:
    _, language, card = paper.tr.gettext, paper.language, advice.chosen.card
    yield _(
        "Fit is computed in bytes against what the driver makes usable: {usable} on {card}, {datasheet} by the "
        "datasheet. A system fits when the bytes alive at the peak plus {headroom} headroom, and the upper end of the "
        "estimate, stay below it."
    ).format(
        usable=numbers.gigabytes(card.usable_bytes.value, language, 4),
        card=card.short_name,
        datasheet=numbers.with_unit(numbers.plain(card.memory_gb.value, language), "GB"),
        headroom=numbers.percent(advice.scenario.headroom, language),
    )
    stack = advice.scenario.stack
    if not advice.chosen.placements:
        return  # times of training steps are in no chapter
    if stack is None:
        yield _("Times assume a {stack}; the customer's own was not named.").format(
            stack=label(StackClass.TUNED_PYTORCH, paper.tr)
        )
    else:
        yield _("Times assume a {stack}, as named by the customer.").format(stack=label(stack, paper.tr))
    if advice.beside is not None:
        yield _(
            "A time per run holds more than its steps: evaluation takes {evaluation} of it, start-up {start_up}; "
            "loading the weights and writing a checkpoint come on top. Hours of a month and costs also count {failed} "
            "failed runs on top of those that succeed."
        ).format(
            evaluation=numbers.percent(advice.beside.evaluation_share, language),
            start_up=numbers.seconds(advice.beside.start_up_s, language),
            failed=numbers.percent(advice.beside.failed_share, language),
        )
    for placement in advice.chosen.placements:
        yield _("{name}: {recipe}.").format(
            name=placement.workload.name, recipe=recipe_text(placement, paper.tr, language)
        )
        for note in placement.estimate.notes:
            sentence = note_sentence(note, paper.tr, language)
            yield _("{workload}: {sentence}").format(workload=placement.workload.name, sentence=sentence)


def _load(paper: Paper, advice: Advice) -> Iterator[str]:
    for placement in advice.chosen.placements:
        yield _load_of(paper, placement)


def _load_of(paper: Paper, placement: Placement) -> str:
    workload, language = placement.workload, paper.language
    text = paper.tr.ngettext(
        "{name}: {tokens} tokens per run, {runs} run a month, {at_once} at once.",
        "{name}: {tokens} tokens per run, {runs} runs a month, {at_once} at once.",
        1 if workload.runs_per_month == 1 else 2,  # of a fraction one speaks in the plural
    )
    return text.format(
        name=workload.name,
        tokens=numbers.integer(workload.tokens_per_run, language),
        runs=numbers.plain(workload.runs_per_month, language),
        at_once=workload.runs_at_once,
    )


def _money(paper: Paper, advice: Advice) -> Iterator[str]:
    _, quote, language = paper.tr.gettext, paper.quote, paper.language
    day = numbers.long_date(quote.as_of, language)
    if quote.kind is DocumentKind.RECOMMENDATION:
        yield _("Prices are as of {date}, net, and indicative.").format(date=day)
    bases = {line.origin.basis for line in quote.shown_lines if line.origin is not None}
    if PriceBasis.ESTIMATED in bases:
        yield _(
            "Guide prices marked as estimated are converted at a dated exchange rate or are the middle of a published "
            "range."
        )
    if quote.totals.gaps:
        yield _(
            "What is on request has no published price and is in no sum. To order the systems, and for their running "
            "cost, the price of a related item stood in for it."
        )
    years = advice.scenario.horizon_years
    spread = paper.tr.ngettext(
        "Cost per run and month spreads the purchase over {count} year and adds energy.",
        "Cost per run and month spreads the purchase over {count} years and adds energy.",
        years,
    )
    if not advice.chosen.placements:
        spread = paper.tr.ngettext(
            "Cost per month and million tokens spreads the purchase over {count} year and adds energy.",
            "Cost per month and million tokens spreads the purchase over {count} years and adds energy.",
            years,
        )
    yield spread.format(count=years)
    if not quote.terms.delivery_time:
        yield _("Quantities and delivery time are confirmed in writing with the order.")


def _grades(paper: Paper, advice: Advice) -> Iterator[str]:
    _ = paper.tr.gettext
    if any(Grade.M in citation.grades for citation in advice.citations):
        yield _("Figures marked M are from memory and unverified; they are to be confirmed before ordering.")
    if any(Basis.ASSUMED in citation.bases for citation in advice.citations):
        yield _("Figures marked a are assumptions of the seller, such as those of machines built to order.")


def sources(paper: Paper, advice: Advice) -> Iterator[Flowable]:
    """Every source by number, with date, grade and what it is used for."""
    _, styles = paper.tr.gettext, paper.styles
    yield from chapter(paper, _("Sources"), "sources")
    legend = " · ".join(f"{grade.value}: {label(grade, paper.tr)}" for grade in Grade)
    yield paper.small(legend, "sources")
    head = [
        paper.paragraph(_("No."), styles.head, "head"),
        paper.paragraph(_("Source"), styles.head, "head"),
        paper.paragraph(_("Date"), styles.head, "head"),
        paper.paragraph(_("Grade"), styles.head, "head"),
        paper.paragraph(_("Used for"), styles.head, "head"),
    ]
    rows = [_source_row(paper, citation) for citation in advice.citations]
    widths = [9 * mm, 72 * mm, 24 * mm, 18 * mm]
    yield table(head, rows, [*widths, TEXT_WIDTH - sum(widths)])


def _source_row(paper: Paper, citation: Citation) -> list[Flowable | list[Flowable]]:
    styles, source = paper.styles, citation.source
    where = f"source {citation.number}"
    title: list[Flowable] = [paper.paragraph(source_title(source, paper.tr), styles.cell_small, where)]
    if source.url:
        link = Piece(source.url, colour=hex_colour(Ink.ACCENT), link=source.url)
        title.append(paper.paragraph(link, styles.tiny, where))
    grades = [
        Piece(f"{grade.value} ", bold=grade is Grade.M, colour=hex_colour(Ink.NO) if grade is Grade.M else "")
        for grade in citation.grades
    ]
    bases = ", ".join(label(basis, paper.tr) for basis in citation.bases)
    # In a narrow column a long date may break at its spaces.
    shown = source_date(source, paper.tr, paper.language).replace(numbers.NO_BREAK_SPACE, " ")
    return [
        paper.paragraph(str(citation.number), styles.cell_small, where),
        title,
        paper.paragraph(shown, styles.cell_small, where),
        [paper.paragraph(grades, styles.cell_small, where), paper.paragraph(bases, styles.tiny, where)],
        paper.paragraph(", ".join(paper.name(use) for use in citation.uses), styles.tiny, where),
    ]

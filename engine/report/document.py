"""Render a quote: chapters in order, page frames, bookmarks, metadata, attachments. The only entrance to the paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from reportlab.platypus import BaseDocTemplate, CondPageBreak, Flowable, Frame, NextPageTemplate, PageTemplate

from engine.quote.document import Quote
from engine.quote.draft import Chapter
from engine.report.acceptance import acceptance_plan
from engine.report.annex import annex
from engine.report.archive import make_archivable
from engine.report.assets import Assets, RenderReport, SheetNote
from engine.report.assumptions import assumptions, sources
from engine.report.canvas import canvas_maker
from engine.report.comparison import comparison_chapter
from engine.report.context import Paper
from engine.report.fonts import family
from engine.report.letter import Letter, document_title
from engine.report.metadata import describe
from engine.report.positions import positions
from engine.report.reasons import why_chosen, why_not
from engine.report.renting import renting_chapter
from engine.report.requirements import requirement_sheet
from engine.report.serving import serving_chapter
from engine.report.settings import carried_files, settings_chapter
from engine.report.sheets import sheets_chapter
from engine.report.style import BOTTOM_LATER, LEFT, PAGE_HEIGHT, RIGHT, TEXT_WIDTH, TOP_LATER, styles
from engine.report.summary import summary
from engine.report.tasks import memory_chapter
from engine.report.terms import terms_chapter
from engine.report.text import TextGuard
from engine.wording.translator import Language

_TAGS = {Language.DE: "de-DE", Language.EN: "en-GB"}


def render(quote: Quote, language: str, assets: Assets, stream: BinaryIO) -> RenderReport:
    """Write the quote as PDF to `stream` in `language` ("de" or "en").

    The same quote, language and assets give the same bytes. Texts that cannot be printed as they are never stop the
    paper; they are named in the report.
    """
    paper = paper_of(quote, language, assets)
    letter = Letter(paper, assets.logo_png, has_letterhead=assets.has_letterhead)
    document = _Document(paper, letter, assets, stream)
    document.build(
        [NextPageTemplate("later"), *story_of(paper, assets.sheets)],
        canvasmaker=canvas_maker(paper.fonts, _TAGS[paper.language]),
    )
    return RenderReport(document.pages, paper.guard.findings)


def paper_of(quote: Quote, language: str, assets: Assets) -> Paper:
    """What the parts of a document share."""
    fonts = family(assets.regular, assets.bold)
    return Paper(quote, assets.tr, Language(language), fonts, styles(fonts), TextGuard(fonts.characters))


def story_of(paper: Paper, sheets: tuple[SheetNote, ...] = ()) -> Iterator[Flowable]:
    """Every chapter in order."""
    yield from summary(paper)
    advice, left_out = paper.quote.advice, paper.quote.left_out
    if advice is not None:
        yield EndOfFirstPage(PAGE_HEIGHT)  # which is the whole recommendation for those who read no further
    yield from positions(paper)
    if advice is not None:
        yield from memory_chapter(paper, advice)
        yield from serving_chapter(paper, advice)
        yield from why_chosen(paper, advice)
        yield from comparison_chapter(paper, advice)
        if Chapter.OTHERS not in left_out:
            yield from why_not(paper, advice)
        if advice.renting is not None:
            yield from renting_chapter(paper, advice.renting)
        yield from assumptions(paper, advice)
    yield from terms_chapter(paper)
    if advice is not None:
        if paper.quote.tender:
            yield from requirement_sheet(paper, advice)
        if Chapter.SIZING not in left_out:
            yield from annex(paper, advice)
        if Chapter.ACCEPTANCE not in left_out:
            yield from acceptance_plan(paper, advice)
        yield from settings_chapter(paper, advice)
        yield from sources(paper, advice)
    yield from sheets_chapter(paper, sheets)


class EndOfFirstPage(CondPageBreak):  # type: ignore[misc]  # reportlab carries no types
    """Leaves the first page; where the recommendation took more than that page, the text simply goes on."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Break on the first page, take no room on any other."""
        if self._doctemplateAttr("page") == 1:
            broken: tuple[float, float] = super().wrap(width, height)
            return broken
        return 0.0, 0.0


class _Document(BaseDocTemplate):  # type: ignore[misc]  # reportlab carries no types
    """Two page frames: the letter's first page and all later ones."""

    def __init__(self, paper: Paper, letter: Letter, assets: Assets, stream: BinaryIO) -> None:
        super().__init__(stream, pagesize=(TEXT_WIDTH + LEFT + RIGHT, PAGE_HEIGHT))
        self._paper, self._letter, self._assets = paper, letter, assets
        self.pages = 0
        first = Frame(
            LEFT, letter.first_bottom, TEXT_WIDTH, PAGE_HEIGHT - letter.first_top - letter.first_bottom, 0, 0, 0, 0
        )
        later = Frame(LEFT, BOTTOM_LATER, TEXT_WIDTH, PAGE_HEIGHT - TOP_LATER - BOTTOM_LATER, 0, 0, 0, 0)
        self.addPageTemplates(
            [
                PageTemplate("first", [first], onPage=letter.first_page),
                PageTemplate("later", [later], onPage=letter.later_page),
            ]
        )

    def beforeDocument(self) -> None:  # noqa: N802  # reportlab's name
        """Metadata come before the first page."""
        files = (*carried_files(self._paper.quote), *self._assets.attachments)
        describe(self.canv, self._paper, document_title(self._paper), files)
        if self._assets.colour_profile is not None:
            tag = _TAGS[self._paper.language]
            make_archivable(self.canv._doc, self._paper.quote.as_of, tag, self._assets.colour_profile)

    def _endBuild(self) -> None:  # noqa: N802  # reportlab's name
        self.pages = self.page
        self._letter.define_total(self.canv, self.pages)
        super()._endBuild()

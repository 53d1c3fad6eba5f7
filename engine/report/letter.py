"""The frame of the pages: letterhead, address window, information block and marks of DIN 5008 form B, heads and feet.

Measures in millimetres from the top left corner: address field 20/45, 85 x 45, its recipient zone from 62.7;
information block 125/50, 75 wide; fold marks at 105 and 210, hole mark at 148.5.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from reportlab.lib.colors import linearlyInterpolatedColor, white
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from engine.pictures.palette import Ink
from engine.quote.draft import DocumentKind
from engine.quote.parties import GeneralPartner, LegalForm, Seller
from engine.report.context import Paper
from engine.report.fonts import Family
from engine.report.logo import ROOM, read_logo
from engine.report.style import BODY, LEFT, PAGE_HEIGHT, PAGE_WIDTH, RIGHT, SMALL, TEXT_WIDTH, TINY, colour
from engine.wording import numbers
from engine.wording.countries import country_name
from engine.wording.findings import FindingKind
from engine.wording.quotes import word

ADDRESS_TOP, ADDRESS_WIDTH = 45 * mm, 80 * mm
RETURN_BASELINE = ADDRESS_TOP + 4 * mm
RECIPIENT_TOP, RECIPIENT_LINES, RECIPIENT_LEADING = 62.7 * mm, 6, 4.35 * mm
INFO_LEFT, INFO_TOP, INFO_WIDTH = 125 * mm, 50 * mm, 65 * mm  # 75 wide by the norm; 10 stay clear of the edge
INFO_LABEL, INFO_LEADING = 24 * mm, 4.1 * mm
FOLD_MARKS, HOLE_MARK, MARK_LEFT, MARK_LENGTH = (105 * mm, 210 * mm), 148.5 * mm, 5 * mm, 4 * mm
FOOT_LEADING, FOOT_GAP = TINY * 1.3, 3 * mm
DRAFT_LENGTH, DRAFT_ANGLE = 190 * mm, 55  # of the word across a draft, from the horizontal
DRAFT_STRENGTH = 0.5  # of the line colour: it must not fight with the text on it
JOINTS = "@-./_"  # where an over-long word is cut first
PAGE_TOTAL = "page-total"  # a form drawn once the number of pages is known


class Letter:
    """Draws what surrounds the text, and knows how much room it takes."""

    def __init__(self, paper: Paper, logo_png: bytes | None, *, has_letterhead: bool = False) -> None:
        self._paper = paper
        self._has_letterhead = has_letterhead
        self._logo = read_logo(logo_png, paper.guard)
        self._title = paper.guard.line(_document_title(paper), "title")
        columns = _foot_columns(paper)
        self._foot_widths = _foot_widths(paper, columns)
        self._foot = _wrapped_foot(paper, columns, self._foot_widths)
        self._recipient = _recipient(paper)
        self._info = list(_wrapped_info(paper))

    @property
    def first_bottom(self) -> float:
        """Height of the first page's foot, from the page's lower edge."""
        lines = max((len(column) for column in self._foot), default=0)
        return float(20 * mm + lines * FOOT_LEADING)

    @property
    def first_top(self) -> float:
        """Where the text of the first page begins: below address and information block."""
        return float(max(99 * mm, INFO_TOP + len(self._info) * INFO_LEADING + 8 * mm))

    def first_page(self, canvas: Canvas, _document: object) -> None:
        """Letterhead, address, information block, marks, the seller's duties."""
        canvas.saveState()
        self._draft_mark(canvas)
        self._draft_note(canvas)
        if not self._has_letterhead:
            self._letterhead(canvas)
        self._address(canvas)
        self._information(canvas)
        _marks(canvas)
        if not (self._has_letterhead and self._paper.quote.seller.duties_on_letterhead):
            self._duties(canvas)  # else their room stays free for the letterhead's own foot
        self._page_number(canvas)
        canvas.restoreState()

    def later_page(self, canvas: Canvas, _document: object) -> None:
        """A quiet head and foot."""
        canvas.saveState()
        self._draft_mark(canvas)
        fonts, seller = self._paper.fonts, self._paper.quote.seller
        canvas.setFont(fonts.regular, SMALL)
        canvas.setFillColor(colour(Ink.MUTED))
        baseline = PAGE_HEIGHT - 17 * mm
        name = self._fitted(seller.name, TEXT_WIDTH * 0.45, SMALL, "seller.name")
        canvas.drawString(LEFT, baseline, name)
        room = TEXT_WIDTH - fonts.width(name, SMALL) - 6 * mm
        canvas.drawRightString(PAGE_WIDTH - RIGHT, baseline, self._fitted(self._title, room, SMALL, "title"))
        canvas.setStrokeColor(colour(Ink.LINE))
        canvas.setLineWidth(0.5)
        canvas.line(LEFT, baseline - 2.2 * mm, PAGE_WIDTH - RIGHT, baseline - 2.2 * mm)
        self._page_number(canvas)
        canvas.restoreState()

    def define_total(self, canvas: Canvas, pages: int) -> None:
        """Draw the number of pages into the form every page refers to."""
        canvas.beginForm(PAGE_TOTAL, 0, -2, 40, 12)
        canvas.setFont(self._paper.fonts.regular, SMALL)
        canvas.setFillColor(colour(Ink.MUTED))
        canvas.drawString(0, 0, str(pages))
        canvas.endForm()

    def _draft_mark(self, canvas: Canvas) -> None:
        """A pale word across the page, below the text, so that nobody takes a draft for the document."""
        if not self._paper.quote.preview:
            return
        across = self._paper.tr.gettext("DRAFT")
        size = DRAFT_LENGTH / self._paper.fonts.width(across, 1, bold=True)
        canvas.saveState()
        canvas.translate(PAGE_WIDTH / 2, PAGE_HEIGHT / 2)
        canvas.rotate(DRAFT_ANGLE)
        canvas.setFont(self._paper.fonts.bold, size)
        canvas.setFillColor(linearlyInterpolatedColor(white, colour(Ink.LINE), 0, 1, DRAFT_STRENGTH))
        canvas.drawCentredString(0, -size / 3, across)
        canvas.restoreState()

    def _draft_note(self, canvas: Canvas) -> None:
        """What a draft is, in the gap above the text: the text itself stands as it will in the document."""
        if not self._paper.quote.preview:
            return
        text = self._paper.tr.gettext("Draft: it shows the quotation as it would be issued, and binds nobody.")
        canvas.setFont(self._paper.fonts.bold, SMALL)
        canvas.setFillColor(colour(Ink.NO))
        canvas.drawString(LEFT, PAGE_HEIGHT - self.first_top + 2 * mm, self._paper.guard.line(text, "draft"))

    def _letterhead(self, canvas: Canvas) -> None:
        paper, seller = self._paper, self._paper.quote.seller
        top = PAGE_HEIGHT - 14 * mm
        if self._logo is not None:
            width, height = self._logo.getSize()
            scale = min(ROOM[0] / width, ROOM[1] / height)
            canvas.drawImage(
                self._logo,
                PAGE_WIDTH - RIGHT - width * scale,
                top - height * scale,
                width * scale,
                height * scale,
                mask="auto",
            )
        canvas.setFillColor(colour(Ink.ACCENT))
        canvas.setFont(paper.fonts.bold, 15)
        name = seller.name or "Passform"
        room = TEXT_WIDTH - (64 * mm if self._logo is not None else 0)
        canvas.drawString(LEFT, top - 5.5 * mm, self._fitted(name, room, 15, "seller.name", bold=True))
        canvas.setFont(paper.fonts.regular, SMALL)
        canvas.setFillColor(colour(Ink.MUTED))
        if seller.name:
            line = " · ".join(part for part in (_street_and_city(seller), seller.web) if part)
        else:
            line = paper.tr.gettext("Sizing of GPU systems for fine-tuning")
        canvas.drawString(LEFT, top - 10.5 * mm, self._fitted(line, room, SMALL, "seller.address"))

    def _address(self, canvas: Canvas) -> None:
        paper, seller = self._paper, self._paper.quote.seller
        if seller.name:
            back = " · ".join(part for part in (seller.name, _street_and_city(seller)) if part)
            back = self._fitted(back, ADDRESS_WIDTH, TINY, "seller.return-address")
            canvas.setFont(paper.fonts.regular, TINY)
            canvas.setFillColor(colour(Ink.MUTED))
            canvas.drawString(LEFT, PAGE_HEIGHT - RETURN_BASELINE, back)
        canvas.setFillColor(colour(Ink.TEXT))
        canvas.setFont(paper.fonts.regular, BODY + 0.5)
        y = PAGE_HEIGHT - RECIPIENT_TOP - 3.2 * mm
        for line in self._recipient[:RECIPIENT_LINES]:
            canvas.drawString(LEFT, y, line)
            y -= RECIPIENT_LEADING

    def _information(self, canvas: Canvas) -> None:
        paper = self._paper
        y = PAGE_HEIGHT - INFO_TOP - 3 * mm
        for name, value in self._info:
            canvas.setFont(paper.fonts.regular, SMALL)
            canvas.setFillColor(colour(Ink.MUTED))
            canvas.drawString(INFO_LEFT, y, name)
            canvas.setFont(paper.fonts.regular, SMALL + 0.6)
            canvas.setFillColor(colour(Ink.TEXT))
            canvas.drawString(INFO_LEFT + INFO_LABEL, y, value)
            y -= INFO_LEADING

    def _duties(self, canvas: Canvas) -> None:
        if not self._foot:
            return
        y = 17 * mm + max(len(column) for column in self._foot) * FOOT_LEADING
        canvas.setStrokeColor(colour(Ink.LINE))
        canvas.setLineWidth(0.5)
        canvas.line(LEFT, y + 2 * mm, PAGE_WIDTH - RIGHT, y + 2 * mm)
        for left, column in zip(accumulate(self._foot_widths, initial=LEFT), self._foot, strict=False):
            text = canvas.beginText(left, y - FOOT_LEADING + 2)
            text.setFont(self._paper.fonts.regular, TINY, FOOT_LEADING)
            text.setFillColor(colour(Ink.MUTED))
            for line in column:
                text.textLine(line)
            canvas.drawText(text)

    def _page_number(self, canvas: Canvas) -> None:
        fonts = self._paper.fonts
        prefix = self._paper.tr.gettext("Page {number} of").format(number=canvas.getPageNumber())
        canvas.setFont(fonts.regular, SMALL)
        canvas.setFillColor(colour(Ink.MUTED))
        left = PAGE_WIDTH - RIGHT - fonts.width(prefix + " 000", SMALL)
        canvas.drawString(left, 12.5 * mm, prefix + " ")
        canvas.saveState()
        canvas.translate(left + fonts.width(prefix + " ", SMALL), 12.5 * mm)
        canvas.doForm(PAGE_TOTAL)
        canvas.restoreState()
        made = self._paper.tr.gettext("Made with Passform, catalogue of {date}")
        advice = self._paper.quote.advice
        if advice is not None:
            date = numbers.recorded_date(advice.catalogue_version, self._paper.language)
            canvas.drawString(LEFT, 12.5 * mm, self._paper.guard.line(made.format(date=date), "foot"))

    def _fitted(self, text: str, room: float, size: float, where: str, *, bold: bool = False) -> str:
        """The text, or its beginning with an ellipsis; what is cut here stands in full in the text."""
        clean = self._paper.guard.line(text, where)
        if self._paper.fonts.width(clean, size, bold) <= room:
            return clean
        self._paper.guard.note(FindingKind.SHORTENED, where, clean)
        kept = _beginning(self._paper.fonts, clean, room - self._paper.fonts.width("…", size, bold), size, bold=bold)
        return clean[:kept].rstrip() + "…"


def _beginning(fonts: Family, text: str, room: float, size: float, *, bold: bool = False) -> int:
    """How many characters of a text have room."""
    ends = range(1, len(text) + 1)
    return bisect_right(ends, room, key=lambda end: fonts.width(text[:end], size, bold))


def address_overflow(paper: Paper) -> tuple[str, ...]:
    """The full recipient when the address window cannot hold it; empty otherwise."""
    lines = _recipient(paper)
    return tuple(lines) if len(lines) > RECIPIENT_LINES else ()


def _recipient(paper: Paper) -> list[str]:
    """Recipient lines wrapped to the window's width; the country in capitals when the letter leaves Germany."""
    customer = paper.quote.customer
    entries = [customer.company, customer.contact, *customer.lines]
    if customer.country != paper.quote.seller.address.country:
        entries.append(country_name(customer.country, paper.tr).upper())
    wrapped: list[str] = []
    for entry in entries:
        for line in paper.guard.clean(entry, "customer.address").split("\n"):
            wrapped += _wrap(paper, line.strip(), ADDRESS_WIDTH, BODY + 0.5)
    lines = [line for line in wrapped if line]
    if len(lines) > RECIPIENT_LINES:
        paper.guard.note(FindingKind.ADDRESS_TOO_LONG, "customer.address", " / ".join(lines))
    return lines


def _wrap(paper: Paper, text: str, room: float, size: float) -> Iterator[str]:
    """Lines no wider than the room; a word that is too wide is cut."""
    line = ""
    for part in text.split(" "):
        candidate = f"{line} {part}" if line else part
        if paper.fonts.width(candidate, size) <= room:
            line = candidate
            continue
        if line:
            yield line
        line = part
        while paper.fonts.width(line, size) > room:
            cut = max(1, _beginning(paper.fonts, line, room, size))
            joint = max(line.rfind(sign, 1, cut) for sign in JOINTS)
            cut = joint + 1 if joint > cut // 3 else cut
            yield line[:cut]
            line = line[cut:]
    yield line


def _wrapped_info(paper: Paper) -> Iterator[tuple[str, str]]:
    """Name and value of every line of the block; a long value goes on in lines without a name."""
    for name, value in _info(paper):
        lines = list(_wrap(paper, paper.guard.line(value, "info"), INFO_WIDTH - INFO_LABEL, SMALL + 0.6))
        for index, line in enumerate(lines if value else []):
            yield paper.guard.line(name, "info") if index == 0 else "", line


def _info(paper: Paper) -> Iterator[tuple[str, str]]:
    _, quote, language = paper.tr.gettext, paper.quote, paper.language
    yield _("Date"), numbers.long_date(quote.as_of, language)
    if quote.preview:
        yield _("Number"), _("Draft, without a number")
    if quote.number:
        number = quote.number
        if quote.revision > 1:
            number = _("{number} Rev. {revision}").format(number=number, revision=quote.revision)
        yield _("Number"), number
    if quote.kind is DocumentKind.OFFER:
        until = _("Bound until") if quote.tender else _("Valid until")
        yield until, numbers.long_date(quote.valid_until, language)
    customer, contact = quote.customer, quote.seller.contact
    yield _("Customer no."), customer.number
    yield _("Your reference"), customer.reference
    yield _("Cost centre"), customer.cost_centre
    yield _("Your VAT ID"), customer.vat_id
    yield _("Contact"), contact.name
    yield _("Phone"), contact.phone
    yield _("E-mail"), contact.email


def _document_title(paper: Paper) -> str:
    quote = paper.quote
    title = word(quote.kind, paper.tr)
    if quote.number:
        title += f" {quote.number}"
        if quote.revision > 1:
            title = paper.tr.gettext("{number} Rev. {revision}").format(number=title, revision=quote.revision)
    if quote.preview:
        title = paper.tr.gettext("{title} (draft)").format(title=title)
    return f"{title}, {numbers.long_date(quote.as_of, paper.language)}"


def document_title(paper: Paper) -> str:
    """Kind, number and date: head of later pages and the file's title."""
    return _document_title(paper)


def _street_and_city(seller: Seller) -> str:
    address = seller.address
    city = " ".join(part for part in (address.postal_code, address.city) if part)
    return ", ".join(part for part in (address.street, city) if part)


def _foot_columns(paper: Paper) -> list[list[str]]:
    """The seller's duties by legal form, contact and bank; empty without a seller."""
    _, seller = paper.tr.gettext, paper.quote.seller
    if not seller.name:
        return []
    columns = [
        [seller.name, seller.address.street, f"{seller.address.postal_code} {seller.address.city}", seller.web],
        [*_register_lines(paper, seller), *_partner_lines(paper, seller.partner)],
        [
            _("VAT ID {id}").format(id=seller.vat_id) if seller.vat_id else "",
            _("WEEE reg. no. {id}").format(id=seller.weee_number) if seller.weee_number else "",
            seller.contact.phone,
            seller.contact.email,
        ],
    ]
    if seller.bank is not None:
        bank = seller.bank
        columns.append([bank.name, f"IBAN {bank.iban}" if bank.iban else "", f"BIC {bank.bic}" if bank.bic else ""])
    return [[line for line in column if line.strip()] for column in columns if any(line.strip() for line in column)]


def _foot_widths(paper: Paper, columns: list[list[str]]) -> list[float]:
    """A column that needs less than its share leaves the rest to those that need more, so that no IBAN is torn."""
    needs = [max(paper.fonts.width(line, TINY) for line in column) + FOOT_GAP + 1 for column in columns]
    widths = [0.0] * len(columns)
    room = TEXT_WIDTH
    for done, (need, index) in enumerate(sorted((need, index) for index, need in enumerate(needs))):
        widths[index] = min(need, room / (len(columns) - done))
        room -= widths[index]
    return [width + room / len(columns) for width in widths]


def _wrapped_foot(paper: Paper, columns: list[list[str]], widths: list[float]) -> list[list[str]]:
    """The duties are printed in full, however many lines they take."""
    return [
        [part for line in column for part in _wrap(paper, paper.guard.line(line, "seller"), width - FOOT_GAP, TINY)]
        for column, width in zip(columns, widths, strict=True)
    ]


def _register_lines(paper: Paper, seller: Seller) -> list[str]:
    _ = paper.tr.gettext
    lines = [_("Seat: {seat}").format(seat=seller.register.seat)] if seller.register.seat else []
    lines.append(f"{seller.register.court} {seller.register.number}".strip())
    if seller.directors:
        company = seller.legal_form is LegalForm.AG
        text = _("Executive board: {names}") if company else _("Managing directors: {names}")
        lines.append(text.format(names=", ".join(seller.directors)))
    if seller.board_chair:
        lines.append(_("Chair of the board: {name}").format(name=seller.board_chair))
    if seller.supervisory_chair:
        lines.append(_("Chair of the supervisory board: {name}").format(name=seller.supervisory_chair))
    return lines


def _partner_lines(paper: Paper, partner: GeneralPartner | None) -> list[str]:
    if partner is None:
        return []
    _ = paper.tr.gettext
    return [
        _("General partner: {name}").format(name=partner.name),
        f"{partner.register.seat}, {partner.register.court} {partner.register.number}",
        _("Managing directors: {names}").format(names=", ".join(partner.directors)),
    ]


def _marks(canvas: Canvas) -> None:
    canvas.setStrokeColor(colour(Ink.MUTED))
    canvas.setLineWidth(0.4)
    for distance in (*FOLD_MARKS, HOLE_MARK):
        y = PAGE_HEIGHT - distance
        canvas.line(MARK_LEFT, y, MARK_LEFT + MARK_LENGTH, y)

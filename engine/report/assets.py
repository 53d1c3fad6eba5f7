"""What the paper needs from outside: fonts, words, a logo, and files to carry along."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.wording.findings import Finding
from engine.wording.translator import Translator


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file carried inside the PDF. It reaches the customer: customer-side data only."""

    name: str
    mime: str
    content: bytes
    description: str = ""


@dataclass(frozen=True, slots=True)
class SheetNote:
    """A data sheet that is appended to the finished paper, as the paper lists it."""

    title: str
    pages: int


@dataclass(frozen=True, slots=True)
class Assets:
    """Fonts as TrueType bytes, the translations of the document's language, and optional extras."""

    regular: bytes
    bold: bytes
    tr: Translator
    logo_png: bytes | None = None
    attachments: tuple[Attachment, ...] = field(default=())
    has_letterhead: bool = False  # one is laid beneath the finished pages: the paper's own head is left out
    sheets: tuple[SheetNote, ...] = ()
    colour_profile: bytes | None = None  # sRGB as ICC profile: makes the paper archivable (PDF/A-3b)


@dataclass(frozen=True, slots=True)
class RenderReport:
    """What became of a quote on paper."""

    pages: int
    findings: tuple[Finding, ...]

"""What the paper needs from outside: fonts, words, a logo, and files to carry along."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from engine.wording.translator import Translator


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file carried inside the PDF. It reaches the customer: customer-side data only."""

    name: str
    mime: str
    content: bytes
    description: str = ""


@dataclass(frozen=True, slots=True)
class Assets:
    """Fonts as TrueType bytes, the translations of the document's language, and optional extras."""

    regular: bytes
    bold: bytes
    tr: Translator
    logo_png: bytes | None = None
    attachments: tuple[Attachment, ...] = field(default=())
    colour_profile: bytes | None = None  # sRGB as ICC profile: makes the paper archivable (PDF/A-3b)


class FindingKind(StrEnum):
    """What can go wrong with a text on paper without stopping the paper."""

    MISSING_GLYPHS = "missing-glyphs"  # characters the font lacks, printed as a box
    CONTROL_CHARACTERS = "control-characters"  # invisible or direction-changing characters, taken out
    ADDRESS_TOO_LONG = "address-too-long"  # does not fit the address window; repeated in full below
    SHORTENED = "shortened"  # a caption was cut; the full text stands elsewhere on the paper
    UNREADABLE_LOGO = "unreadable-logo"


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark about a rendered paper, for the person who made it."""

    kind: FindingKind
    where: str  # the text's place, e.g. "customer.company"
    detail: str  # the characters or the text concerned


@dataclass(frozen=True, slots=True)
class RenderReport:
    """What became of a quote on paper."""

    pages: int
    findings: tuple[Finding, ...]

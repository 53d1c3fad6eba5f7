"""What a finished paper could not show as given, for the person who made it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.wording.translator import Translator, mark


class FindingKind(StrEnum):
    """What can go wrong with a text on paper without stopping the paper."""

    MISSING_GLYPHS = "missing-glyphs"  # characters the font lacks, printed as a box
    CONTROL_CHARACTERS = "control-characters"  # invisible or direction-changing characters, taken out
    ADDRESS_TOO_LONG = "address-too-long"  # does not fit the address window; repeated in full below
    SHORTENED = "shortened"  # a caption was cut; the full text stands elsewhere on the paper
    UNREADABLE_LOGO = "unreadable-logo"
    NO_DATA_SHEETS = "no-data-sheets"  # they were to be appended, and none is there


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark about a rendered paper, for the person who made it."""

    kind: FindingKind
    where: str  # the text's place, e.g. "customer.company"
    detail: str  # the characters or the text concerned


MESSAGES: dict[FindingKind, str] = {
    FindingKind.MISSING_GLYPHS: mark("{where}: the font has no signs for {detail}; boxes are printed instead."),
    FindingKind.CONTROL_CHARACTERS: mark(
        "{where}: invisible or direction-changing characters were taken out: {detail}."
    ),
    FindingKind.ADDRESS_TOO_LONG: mark("{where}: too long for the address window; printed in full below it: {detail}."),
    FindingKind.SHORTENED: mark("{where}: shortened here, in full elsewhere on the paper: {detail}."),
    FindingKind.UNREADABLE_LOGO: mark("{where}: the logo cannot be read and is left out: {detail}."),
    FindingKind.NO_DATA_SHEETS: mark("The folder {where} holds no data sheet of what is offered; none is appended."),
}


def finding_text(finding: Finding, tr: Translator) -> str:
    """One finding as a sentence."""
    return tr.gettext(MESSAGES[finding.kind]).format(where=finding.where, detail=finding.detail)

"""What a finished paper could not show as given, for the person who made it."""

from __future__ import annotations

from engine.report.assets import Finding, FindingKind
from engine.wording.translator import Translator, mark

MESSAGES: dict[FindingKind, str] = {
    FindingKind.MISSING_GLYPHS: mark("{where}: the font has no signs for {detail}; boxes are printed instead."),
    FindingKind.CONTROL_CHARACTERS: mark(
        "{where}: invisible or direction-changing characters were taken out: {detail}."
    ),
    FindingKind.ADDRESS_TOO_LONG: mark("{where}: too long for the address window; printed in full below it: {detail}."),
    FindingKind.SHORTENED: mark("{where}: shortened here, in full elsewhere on the paper: {detail}."),
    FindingKind.UNREADABLE_LOGO: mark("{where}: the logo cannot be read and is left out: {detail}."),
}


def finding_text(finding: Finding, tr: Translator) -> str:
    """One finding as a sentence."""
    return tr.gettext(MESSAGES[finding.kind]).format(where=finding.where, detail=finding.detail)

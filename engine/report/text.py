"""The one place where a text becomes markup: cleaned, checked against the font, escaped.

reportlab drops characters without a glyph silently, and takes `<`, `&` and tags of user texts for markup, up to opening
local files. Every string on the paper goes through `TextGuard`.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from engine.wording.findings import Finding, FindingKind

BOX = "\u25a1"
_LINE_ENDS = str.maketrans({"\r": "\n", "\x0b": "\n", "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n"})
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_VARIATION_SELECTORS = range(0xFE00, 0xFE10)
_LISTED = 12  # characters named per finding
_MARKS = frozenset({"Mn", "Me"})  # of Unicode's categories: signs that stand over, under or around the one before
_WEB = ("https://", "http://")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text in one look. `link` is a web address; anything else is not linked."""

    text: str
    bold: bool = False
    colour: str = ""
    size: float = 0.0
    raised: bool = False
    link: str = ""


class TextGuard:
    """Cleans texts for one document and remembers what it had to change."""

    def __init__(self, known: Collection[int]) -> None:
        unfit = {code for code in known if unicodedata.category(chr(code)) in _MARKS}
        self._plain = frozenset(known) - unfit - {ord(character) for character in _INVISIBLE | _BIDI}
        self._findings: dict[Finding, None] = {}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was changed, in order, each once."""
        return tuple(self._findings)

    def note(self, kind: FindingKind, where: str, detail: str) -> None:
        """Remember something about a text."""
        self._findings.setdefault(Finding(kind, where, detail))

    def clean(self, text: str, where: str) -> str:
        """The text with every character printable; line ends are kept. What cannot be printed becomes a box.

        A mark without a letter of its own in Unicode would be printed over the letter that follows: reportlab places
        characters one after another. Such marks become one box and are named.
        """
        composed = unicodedata.normalize("NFC", text.replace("\r\n", "\n").translate(_LINE_ENDS))
        if self._plain.issuperset(map(ord, composed)):
            return composed
        return self._replaced(composed, where)

    def _replaced(self, text: str, where: str) -> str:
        kept: list[str] = []
        lacking: dict[str, None] = {}
        removed: dict[str, None] = {}
        for character in text:
            code = ord(character)
            if character in _INVISIBLE:
                continue
            if character in _BIDI or code in _VARIATION_SELECTORS:
                removed.setdefault(_named(character))
            elif character in {"\n", "\t"}:
                kept.append("\n" if character == "\n" else "    ")
            elif code in self._plain:
                kept.append(character)
            else:
                lacking.setdefault(_named(character))
                if unicodedata.category(character) not in _MARKS or kept[-1:] != [BOX]:
                    kept.append(BOX)
        if lacking:
            self.note(FindingKind.MISSING_GLYPHS, where, _list(lacking))
        if removed:
            self.note(FindingKind.CONTROL_CHARACTERS, where, _list(removed))
        return "".join(kept)

    def line(self, text: str, where: str) -> str:
        """A cleaned text for a single line, not escaped: for drawing strings directly."""
        return " ".join(self.clean(text, where).split(" ")).replace("\n", " ")

    def markup(self, pieces: str | Piece | Iterable[str | Piece], where: str) -> str:
        """Escaped paragraph markup of one or several pieces. Only this function writes tags."""
        if isinstance(pieces, str | Piece):
            pieces = [pieces]
        return "".join(self._tagged(Piece(item) if isinstance(item, str) else item, where) for item in pieces)

    def _tagged(self, piece: Piece, where: str) -> str:
        text = html.escape(self.clean(piece.text, where), quote=False).replace("\n", "<br/>")
        if piece.bold:
            text = f"<b>{text}</b>"
        if piece.colour or piece.size:
            colour = f' color="{piece.colour}"' if piece.colour else ""
            size = f' size="{piece.size}"' if piece.size else ""
            text = f"<font{colour}{size}>{text}</font>"
        if piece.raised:
            text = f"<super>{text}</super>"
        if piece.link.startswith(_WEB):
            text = f'<a href="{html.escape(self.clean(piece.link, where), quote=True)}">{text}</a>'
        return text


def _named(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()


def _list(names: Iterable[str]) -> str:
    listed = list(names)
    more = "" if len(listed) <= _LISTED else f" (+{len(listed) - _LISTED})"
    return ", ".join(listed[:_LISTED]) + more

"""All that a window says, and what of it is not in the language that was asked for."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator, Sequence
from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)

from engine.pictures.shapes import Label
from engine.wording.translator import Language
from gui.menus import NAMES
from gui.picture_view import PictureView
from resources import LOCALE
from tests.gui.gallery.examine import shown_cells

MESSAGES = LOCALE / Language.DE.value / "LC_MESSAGES" / "passform.mo"
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
WORDS = re.compile(r"[^\W\d_]{3,}")
LANGUAGES = frozenset(NAMES.values())  # each names itself
FEWEST_WORDS = 2  # literal words a message with placeholders needs before it can be recognised


def texts_of(parts: Sequence[QWidget]) -> Iterator[str]:
    """Everything that is shown or spoken by a widget, the first of its parts."""
    yield parts[0].windowTitle()
    for part in parts:
        yield from (part.toolTip(), part.accessibleName(), part.accessibleDescription())
        yield from _own_texts(part)


def _own_texts(part: QWidget) -> Iterator[str]:
    match part:
        case QLabel() | QAbstractButton():
            yield part.text()
        case QLineEdit() | QPlainTextEdit():
            yield part.placeholderText()
        case QGroupBox():
            yield part.title()
        case QTabBar():
            yield from (part.tabText(number) for number in range(part.count()))
        case QComboBox():
            yield from (part.itemText(number) for number in range(part.count()))
        case QMenu() | QMenuBar():
            yield from _entries(part)
        case QAbstractItemView():
            yield from _cells(part)
        case PictureView() if part.picture is not None:
            yield part.picture.description
            yield from (shape.text for shape in part.picture.shapes if isinstance(shape, Label))
            yield from (spot.tip for spot in part.picture.spots)
        case _:
            pass


def _entries(menu: QMenu | QMenuBar) -> Iterator[str]:
    for action in menu.actions():
        yield action.text()
        yield action.toolTip()
        if isinstance(action.menu(), QMenu):
            yield from _entries(action.menu())


def _cells(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    if isinstance(view, QTableView | QTreeView) and model is not None:
        for place in range(model.columnCount()):
            for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                yield str(model.headerData(place, Qt.Orientation.Horizontal, role) or "")
    for index in shown_cells(view):
        for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            yield str(index.data(role) or "")


def foreign(
    parts: Sequence[QWidget], language: Language, customers_words: frozenset[str] = frozenset()
) -> Iterator[str]:
    """Texts that stand in the catalogue of messages as the other language's wording."""
    allowed = customers_words | LANGUAGES
    for text in {line.strip() for whole in texts_of(parts) for line in whole.splitlines()}:
        if text and text not in allowed and _is_foreign(text, language):
            yield f"not {language.value}: {text}"


@cache
def _is_foreign(text: str, language: Language) -> bool:
    exact, patterns = _other(language)
    plain = text.replace("&", "")
    words = WORDS.findall(plain)
    if plain in exact:
        return bool(words)
    return bool(words) and any(pattern.fullmatch(plain) for word in {"", *words} for pattern in patterns.get(word, ()))


@cache
def _other(language: Language) -> tuple[frozenset[str], dict[str, list[re.Pattern[str]]]]:
    """The other language's wordings: literal ones, and patterns of those with placeholders by their longest word."""
    with MESSAGES.open("rb") as stream:
        messages: dict[str | tuple[str, int], str] = vars(gettext.GNUTranslations(stream))["_catalog"]
    pairs = [(key if isinstance(key, str) else key[0], value) for key, value in messages.items() if key]
    ours = {_plain(pair[0 if language is Language.EN else 1]) for pair in pairs}
    theirs = {_plain(english if language is Language.DE else german) for english, german in pairs} - ours
    literal = frozenset(text for text in theirs if not PLACEHOLDER.search(text) and WORDS.search(text))
    shaped = {text for text in theirs if len(WORDS.findall(PLACEHOLDER.sub("", text))) >= FEWEST_WORDS} - literal
    patterns: dict[str, list[re.Pattern[str]]] = {}
    for text in sorted(shaped):
        shape = re.compile(".+?".join(map(re.escape, PLACEHOLDER.split(text))))
        # Letters that touch a placeholder may be one word with what stands in its place.
        whole = WORDS.findall(re.sub(r"\w*\{[^{}]*\}\w*", " ", text))
        patterns.setdefault(max(whole, key=len, default=""), []).append(shape)
    return literal, patterns


def _plain(text: str) -> str:
    return text.replace("&", "").strip()

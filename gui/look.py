"""What menus and start page are given: settings, language, theme, view. All of it is there before the catalogue."""

from __future__ import annotations

from dataclasses import dataclass

from gui.settings import Settings
from gui.theme import Theme
from gui.words import Words


@dataclass(slots=True)
class Look:
    """Owned by the composition root; `texts` and `theme` are replaced when the user switches them."""

    settings: Settings
    texts: Words
    theme: Theme
    customer_view: bool = False

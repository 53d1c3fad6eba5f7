"""What every part of the window is given: the catalogue, the document, the language, the theme."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.catalog import Catalog
from gui.document import Document
from gui.planning import Planner
from gui.settings import Settings
from gui.texts import Texts
from gui.theme import Theme


@dataclass(slots=True)
class Context:
    """Handed down from the composition root; `texts` and `theme` are replaced when the user switches them."""

    catalog: Catalog
    settings: Settings
    document: Document
    planner: Planner
    texts: Texts
    theme: Theme
    customer_view: bool = False

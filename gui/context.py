"""What every part of the window is given: the catalogue, the document, the language, the theme."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.catalog import Catalog
from engine.wording.translator import Language
from gui.document import Document
from gui.look import Look
from gui.planning import Planner
from gui.settings import Settings
from gui.texts import Texts
from gui.theme import Theme


@dataclass(slots=True)
class Context:
    """Handed down from the composition root; what does not hang on the catalogue stands in `look`."""

    catalog: Catalog
    document: Document
    planner: Planner
    texts: Texts
    look: Look

    @property
    def settings(self) -> Settings:
        """The user's preferences."""
        return self.look.settings

    @property
    def theme(self) -> Theme:
        """The theme in use."""
        return self.look.theme

    @property
    def appearance(self) -> tuple[Language, bool, bool]:
        """What open windows have to be built anew for: language, dark or light, customer view."""
        return self.texts.language, self.theme.dark, self.customer_view

    @property
    def customer_view(self) -> bool:
        """Whether everything internal is hidden."""
        return self.look.customer_view

    @customer_view.setter
    def customer_view(self, wanted: bool) -> None:
        self.look.customer_view = wanted

"""A seller who may make offers, and a consultation of which every position has a price."""

from __future__ import annotations

import shutil
from decimal import Decimal
from pathlib import Path

from catalog.consultation.quote_draft import taken_over
from catalog.seller import load_seller
from engine.quote.draft import LineKind
from gui.app import App
from tests.gui.conftest import EXAMPLES

EXAMPLE = EXAMPLES / "lora-department-rack.passform.yaml"
SELLER = Path(__file__).parents[1] / "data" / "seller.yaml"


def with_seller(folder: Path) -> None:
    """Write the profile of a seller who lacks nothing into the user's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(SELLER, folder / "seller.yaml")


def price_everything(app: App) -> None:
    """Give every position of the open consultation a price of its own."""
    document, found = app.document.consultation, app.context.planner.recommendation
    taken = taken_over(document, found, app.context.catalog.facts, load_seller())
    sections = tuple(
        section.model_copy(
            update={
                "lines": tuple(
                    line if line.kind is LineKind.INCLUDED else line.model_copy(update={"price": Decimal("1234.50")})
                    for line in section.lines
                )
            }
        )
        for section in taken.sections or ()
    )
    quote = taken.model_copy(update={"sections": sections, "currency": "EUR"})
    app.document.edit("Price", document.model_copy(update={"quote": quote}))

"""`catalog check`, `list` and `show`."""

from __future__ import annotations

import argparse
from typing import TextIO

from catalog import listing
from catalog.clock import today
from catalog.findings import Level, worst
from catalog.integrity import check
from catalog.load import load_catalog
from catalog.user_folder import user_folder
from engine.wording.translator import Language
from resources import translations

CURRENCY = "EUR"


def run(arguments: argparse.Namespace, out: TextIO) -> int:
    """Print what was asked; `check` returns 1 when an error was found."""
    catalog = load_catalog(user_folder())
    language = Language(arguments.language)
    view = listing.View(translations(language), language, CURRENCY, today())
    if arguments.action == "list":
        out.write(listing.LISTS[arguments.what](catalog, view).text() + "\n")
        return 0
    if arguments.action == "show":
        out.write(listing.show(catalog, arguments.id, view) + "\n")
        return 0
    findings = check(catalog, view.as_of)
    out.write(listing.check_summary(findings, catalog, view) + "\n")
    return 1 if worst(findings) is Level.ERROR else 0

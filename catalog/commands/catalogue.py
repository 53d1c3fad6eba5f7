"""`catalog` and its actions: facts are read here; files and keys have modules of their own."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TextIO

from catalog import listing
from catalog.clock import today
from catalog.findings import Level, worst
from catalog.integrity import check
from catalog.load import load_catalog
from catalog.price_ages import load_age_limits, save_age_limits
from catalog.user_folder import user_folder
from engine.prices import AgeLimits
from engine.wording.translator import Language
from resources import translations

CURRENCY = "EUR"
READING = ("check", "list", "show")
KEYS = ("key", "unpack", "sign", "trust", "keys", "distrust")


def run(arguments: argparse.Namespace, out: TextIO) -> int:
    """Print or do what was asked; 1 when a check failed, something differs or nothing was to be done."""
    language = Language(arguments.language)
    view = listing.View(translations(language), language, CURRENCY, today())
    own = user_folder()
    if arguments.action == "ages":
        return _ages(own, arguments.fresh, arguments.old, view, out)
    if arguments.action in KEYS:
        return _with_keys(arguments, own, view, out)
    if arguments.action not in READING:
        return _with_files(arguments, own, view, out)
    catalog = load_catalog(own)
    match arguments.action:
        case "list":
            out.write(listing.LISTS[arguments.what](catalog, view).text() + "\n")
            return 0
        case "show":
            out.write(listing.show(catalog, arguments.id, view) + "\n")
            return 0
    findings = check(catalog, view.as_of)
    out.write(listing.check_summary(findings, catalog, view) + "\n")
    return 1 if worst(findings) is Level.ERROR else 0


def _ages(own: Path, fresh: int | None, old: int | None, view: listing.View, out: TextIO) -> int:
    """Say from when on prices are marked; set what is given first. Raises `PriceAgesError`."""
    limits = load_age_limits(own)
    if fresh is not None or old is not None:
        limits = AgeLimits(limits.fresh_days if fresh is None else fresh, limits.old_days if old is None else old)
        save_age_limits(own, limits)
    text = view.tr.gettext("Prices are fresh up to {fresh} days, old up to {old} days, then expired.")
    out.write(text.format(fresh=limits.fresh_days, old=limits.old_days) + "\n")
    return 0


def _with_keys(arguments: argparse.Namespace, own: Path, view: listing.View, out: TextIO) -> int:
    from catalog.commands import catalogue_keys as commands  # noqa: PLC0415 - cryptography takes a while to import

    match arguments.action:
        case "key":
            return commands.create(arguments.file, arguments.name, view, out, protect=arguments.passphrase)
        case "unpack":
            return commands.unpack(arguments.folder, own, view, out)
        case "sign":
            return commands.sign(arguments.folder, arguments.key, arguments.output, view, out)
        case "trust":
            return commands.trust(arguments.file, arguments.fingerprint, own, view, out)
        case "distrust":
            return commands.distrust(arguments.fingerprint, own, view, out)
    return commands.listed(own, view, out)


def _with_files(arguments: argparse.Namespace, own: Path, view: listing.View, out: TextIO) -> int:
    from catalog.commands import catalogue_files as files  # noqa: PLC0415 - reading price lists takes a while to import

    match arguments.action:
        case "diff":
            return files.compare(arguments.other, own, view, out)
        case "import":
            return files.import_prices(
                arguments.file, own, view, out, apply=arguments.apply, currency=arguments.currency, vat=arguments.vat
            )
        case "undo":
            return files.undo_import(own, view, out)
        case "export":
            return files.export(arguments.what, arguments.output, own, view, out)
        case "verify":
            return files.verify(arguments.file, own, view, out, apply=arguments.apply)
    return files.revert(own, view, out)

"""`catalog diff`, `import`, `export`, `verify`: the catalogue against files."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from catalog import listing, updates
from catalog.diff import diff
from catalog.diff_words import line
from catalog.exporting import export as write_table
from catalog.exporting import price_table
from catalog.keys import trusted_keys
from catalog.load import load_catalog
from catalog.prices_import import apply as applying
from catalog.prices_import.preview import Settings, Vat, read_list
from catalog.prices_import.words import report
from catalog.versions import DATA_FOLDER, find_version


def compare(other: str, user_folder: Path, view: listing.View, out: TextIO) -> int:
    """Differences from another catalogue to the one in use: a kept version, a folder, or an update package.

    1 when there are any.
    """
    current = load_catalog(user_folder)
    path = Path(other)
    if path.is_file():
        package = updates.verify(path, trusted_keys(DATA_FOLDER, user_folder))
        changes = updates.preview(package, current, user_folder, allow_older=True).changes
    else:
        changes = diff(load_catalog(data_folder=find_version(other, user_folder) or path), current)
    out.writelines(line(change, view.tr, view.language) + "\n" for change in changes)
    out.write(
        view.tr.ngettext("{count} difference.", "{count} differences.", len(changes)).format(count=len(changes)) + "\n"
    )
    return 1 if changes else 0


def import_prices(
    path: Path,
    user_folder: Path,
    view: listing.View,
    out: TextIO,
    *,
    apply: bool,
    currency: str = "",
    vat: str | None = None,
) -> int:
    """Report what a price list would do; take it over when `apply`. 1 when no row is ready."""
    settings = Settings(currency=currency, vat=None if vat is None else Vat(vat))
    catalog = load_catalog(user_folder)
    found = read_list(path, catalog.facts, view.as_of, settings, applying.remembered(user_folder))
    out.writelines(line + "\n" for line in report(found, view.tr))
    if apply and found.ready:
        done = applying.apply(found, user_folder)
        out.write(
            view.tr.gettext("{prices} prices taken over, {replaced} older ones kept as history.").format(
                prices=done.prices, replaced=done.replaced
            )
            + "\n"
        )
    return 0 if found.ready else 1


def undo_import(user_folder: Path, view: listing.View, out: TextIO) -> int:
    """Take the last change of the own entries back. 1 when there is none."""
    restored = applying.undo(user_folder)
    if not restored:
        out.write(view.tr.gettext("There is nothing to take back.") + "\n")
        return 1
    out.write(view.tr.gettext("Taken back: {files}").format(files=", ".join(restored)) + "\n")
    return 0


def export(what: str, path: Path, user_folder: Path, view: listing.View, out: TextIO) -> int:
    """Write a list of the catalogue to a file; prices in the fields in which they can be imported again."""
    catalog = load_catalog(user_folder)
    table = price_table(catalog) if what == "prices" else listing.LISTS[what](catalog, view)
    write_table(table, path)
    out.write(view.tr.gettext("Written: {file}").format(file=path) + "\n")
    return 0


def verify(path: Path, user_folder: Path, view: listing.View, out: TextIO, *, apply: bool) -> int:
    """Check an update package, show what it changes, and switch to it when `apply`. Raises `UpdateError`."""
    package = updates.verify(path, trusted_keys(DATA_FOLDER, user_folder))
    previewed = updates.preview(package, load_catalog(user_folder), user_folder)
    out.write(
        view.tr.gettext("Signed by {signer}, catalogue of {version}.").format(
            signer=package.signer, version=package.version
        )
        + "\n"
    )
    out.writelines(line(change, view.tr, view.language) + "\n" for change in previewed.changes)
    if apply:
        updates.apply(package, user_folder)
        out.write(view.tr.gettext("The catalogue of {version} is in use now.").format(version=package.version) + "\n")
    return 0


def revert(user_folder: Path, view: listing.View, out: TextIO) -> int:
    """Go back to the catalogue before the last update."""
    updates.revert(user_folder)
    version = load_catalog(user_folder).version
    out.write(view.tr.gettext("The catalogue of {version} is in use now.").format(version=version) + "\n")
    return 0

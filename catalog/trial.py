"""The catalogue as it would be after a change, while nothing of the user's is touched."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from catalog.catalog import Catalog
from catalog.load import load_catalog
from catalog.own_files import WRITABLE
from catalog.price_ages import FILE_NAME as AGES_FILE
from catalog.versions import active_data_folder

Change = Callable[[Path], object]


def trial(folder: Path, change: Change) -> Catalog:
    """Make a change on a copy of the own files and load the result. Raises what the change raises."""
    with TemporaryDirectory(prefix="passform-") as name:
        copy = Path(name)
        for file in (*WRITABLE, AGES_FILE):
            if (folder / file).is_file():
                shutil.copyfile(folder / file, copy / file)
        change(copy)
        return load_catalog(copy, data_folder=active_data_folder(folder))

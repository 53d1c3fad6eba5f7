"""The folder of the user's own entries, seller profile and settings. Nothing in it is needed to start."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

VARIABLE = "PASSFORM_DATA"
"""An environment variable that names another folder, for tests and for portable installations."""


def user_folder() -> Path:
    """Where own data live: `PASSFORM_DATA`, else the platform's place for application data. It may not exist yet."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else user_data_path("passform", appauthor=False, roaming=False)

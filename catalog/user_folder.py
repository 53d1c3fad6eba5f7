"""The folder of the user's own entries, seller profile and settings. Nothing in it is needed to start.

The window asks for it before its first paint. So the platforms' rules stand here instead of being asked of
platformdirs, whose import takes longer than painting; a test holds them against it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "PASSFORM_DATA"
"""An environment variable that names another folder, for tests and for portable installations."""
NAME = "passform"


def user_folder() -> Path:
    """Where own data live: `PASSFORM_DATA`, else the platform's place for application data. It may not exist yet."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else _application_data() / NAME


def _application_data() -> Path:
    if sys.platform == "win32":
        stated, usual = os.environ.get("LOCALAPPDATA", ""), Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        stated, usual = "", Path.home() / "Library" / "Application Support"
    else:  # freedesktop.org, "XDG Base Directory Specification" 0.8
        stated, usual = os.environ.get("XDG_DATA_HOME", ""), Path.home() / ".local" / "share"
    return Path(stated) if stated.strip() else usual

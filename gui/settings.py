"""What the user prefers, kept as JSON in the user's folder. No Qt.

Read before the first paint, so what writing them needs is imported where they are written.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path

from catalog.user_folder import user_folder
from engine.errors import PassformError
from engine.wording.translator import Language

SCHEMA = 1
RECENT_LIMIT = 10


class ThemeChoice(StrEnum):
    """Which theme the user wants."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(slots=True)
class Settings:
    """Preferences. Unknown or damaged values fall back to the defaults: a preference is no document."""

    language: Language | None = None  # None: the system's
    theme: ThemeChoice = ThemeChoice.SYSTEM
    recent: list[str] = field(default_factory=list)
    tour_seen: bool = False
    folded_rows: bool = False
    path: Path | None = None  # where they are kept; None keeps them in memory

    def remember(self, file: Path) -> None:
        """Put a file on top of the recent ones."""
        name = str(file.resolve())
        self.recent = [name, *(other for other in self.recent if other != name)][:RECENT_LIMIT]
        self.save()

    def forget(self, file: str) -> None:
        """Drop a recent file that is gone."""
        self.recent = [other for other in self.recent if other != file]
        self.save()

    def save(self) -> None:
        """Write them; raises `PassformError` when the folder cannot be written."""
        if self.path is None:
            return
        from catalog.disk import write_atomically  # noqa: PLC0415  # see above

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PassformError(
                "The settings cannot be saved: {problem}.", problem=error.strerror or str(error)
            ) from error
        raw = {"schema": SCHEMA, **{key: value for key, value in asdict(self).items() if key != "path"}}
        write_atomically(json.dumps(raw, indent=1).encode("utf-8"), self.path)


def settings_path() -> Path:
    """Where the settings of this user are kept."""
    return user_folder() / "settings.json"


def load_settings(path: Path) -> Settings:
    """Read the settings; what is missing or damaged takes its default."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):  # the last: lists in lists without end
        raw = {}
    settings = Settings(path=path)
    if not isinstance(raw, dict):
        return settings
    if raw.get("language") in list(Language):
        settings.language = Language(raw["language"])
    if raw.get("theme") in list(ThemeChoice):
        settings.theme = ThemeChoice(raw["theme"])
    if isinstance(raw.get("recent"), list):
        settings.recent = [name for name in raw["recent"] if isinstance(name, str)][:RECENT_LIMIT]
    for name in ("tour_seen", "folded_rows"):
        if isinstance(raw.get(name), bool):
            setattr(settings, name, raw[name])
    return settings

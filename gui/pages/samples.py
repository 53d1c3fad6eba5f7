"""The empty state: what to do first, and sample consultations to click."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal

from gui.look import Look
from gui.parts import Panel, button, label
from gui.theme import STEP
from resources import ROOT

EXAMPLES = ROOT.parent / "examples"


def sample_files(folder: Path = EXAMPLES) -> list[Path]:
    """The consultations that come with the program."""
    return sorted(folder.glob("*.passform.yaml"))


class Samples(Panel):
    """Teaches how to begin."""

    chosen = Signal(object)  # Path

    def __init__(self, look: Look) -> None:
        super().__init__(margin=8 * STEP, spacing=3 * STEP)
        _ = look.texts.gettext
        self.setAccessibleName(_("How to begin"))
        self.body.addWidget(
            label(_("Search a model above, or drag a config.json onto the window."), "title", wrap=True)
        )
        self.body.addWidget(
            label(
                _("From the first row on, the recommendation stands on the right and follows every change."),
                "muted",
                wrap=True,
            )
        )
        self.body.addWidget(label(_("Or begin with a sample:"), "section"))
        titles = _titles(look)
        for path in sample_files():
            name = path.name.removesuffix(".passform.yaml")
            if name in titles:
                made = button(titles[name], "link")
                made.clicked.connect(partial(self.chosen.emit, path))
                self.body.addWidget(made)


def _titles(look: Look) -> dict[str, str]:
    _ = look.texts.gettext
    return {
        "lora-department-rack": _("LoRA on 8B and 32B models for a department"),
        "lora-70b-rack": _("LoRA on a 70B model"),
        "mixed-portfolio": _("A mixed portfolio"),
        "serve-and-train": _("Serve models by day and train at night"),
    }

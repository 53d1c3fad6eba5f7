"""Steps of the sequence length slider with ten workloads against the whole catalogue, in the real window.

Run as `python -m benchmarks.slider`; the offscreen platform will do. Two figures are taken of every step, in the
processor time of all threads: until the slider itself and what is drawn at once is painted, and until the new
recommendation is painted.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from PySide6.QtWidgets import QApplication, QSlider

from benchmarks.plan_portfolio import MODELS
from catalog.consultation.document import Consultation
from catalog.load import load_catalog
from gui.app import App, make_application
from gui.flow import Step
from gui.length_slider import LengthSlider
from gui.settings import Settings

POSITIONS = (*range(5, 25), *range(5, 25))  # the second way meets lengths that were there before
PATIENCE_S = 20.0
PAUSE_S = 0.0005
REST_S = 1.0  # nobody moves a slider sooner; the window's first collection of memory, after half a second, is over then


def consultation() -> Consultation:
    """LoRA and QLoRA on five models, for a rack."""
    rows = [
        {"model": model, "method": method, "sequence_length": 2048} for model in MODELS for method in ("lora", "qlora")
    ]
    return Consultation.model_validate({"workloads": rows, "site": {"place": "rack"}})


def settle(application: QApplication, app: App) -> None:
    """Wait until the window shows the answer to the last change."""
    until = time.monotonic() + PATIENCE_S
    application.processEvents()
    while app.window.busy and time.monotonic() < until:
        time.sleep(PAUSE_S)
        application.processEvents()
    application.processEvents()


def rest(application: QApplication) -> None:
    """Let the window do what it does once after its start."""
    until = time.monotonic() + REST_S
    while time.monotonic() < until:
        time.sleep(PAUSE_S)
        application.processEvents()


def steps(target: QSlider, finish: Callable[[], None]) -> tuple[list[float], list[float]]:
    """Milliseconds of every step: until its own repaint, and until `finish` is done."""
    echoes, wholes = [], []
    for position in POSITIONS:
        started = time.process_time()
        target.setValue(position)
        target.repaint()
        QApplication.processEvents()
        echoes.append((time.process_time() - started) * 1000)
        finish()
        wholes.append((time.process_time() - started) * 1000)
    return echoes, wholes


def main() -> None:
    """Print the figures as JSON."""
    application = make_application(["passform"])
    bare = QSlider()
    bare.resize(400, 24)
    bare.show()
    with tempfile.TemporaryDirectory() as folder:
        app = App(application, load_catalog(), Settings(tour_seen=True), Path(folder))
        app.window.resize(1280, 800)
        app.window.show()
        app.start(None)
        app.document.replace(consultation(), None)
        app.window.show_step(Step.WORKLOADS)
        app.window.workloads.select_row(0)
        settle(application, app)
        rest(application)
        slider = app.window.findChild(LengthSlider).slider
        echoes, wholes = steps(slider, lambda: settle(application, app))
        found = {
            "echo_ms": median(echoes),
            "answer_ms": median(wholes),
            "worst_ms": max(wholes),
            "bare_ms": median(steps(bare, application.processEvents)[0]),
        }
        print(json.dumps(found), flush=True)
        os._exit(0)  # the document was changed; nobody is there to be asked about it


if __name__ == "__main__":
    main()

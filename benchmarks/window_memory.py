"""What the running window needs: the resident set of a process that has shown a ten-workload consultation whole."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.measures import ROOT, _environment

LIMIT_MB = 220
_CODE = """
import tempfile, time
from pathlib import Path
from catalog.consultation.files import read
from catalog.load import load_catalog
from gui.app import App, make_application
from gui.flow import Step
from gui.settings import Settings
application = make_application(["passform"])
def settle(app):
    end = time.monotonic() + 60
    application.processEvents()
    while app.window.busy and time.monotonic() < end:
        application.processEvents()
        time.sleep(0.005)
    assert not app.window.busy
with tempfile.TemporaryDirectory() as folder:
    app = App(application, load_catalog(), Settings(tour_seen=True), Path(folder))
    app.window.resize(1280, 800)
    app.start(None)
    sample = read(Path("examples/mixed-portfolio.passform.yaml"))
    rows = [row.model_copy(update={"name": f"{row.name} {number}"})
            for number in range(3) for row in sample.workloads][:10]
    app.document.replace(sample.model_copy(update={"workloads": tuple(rows)}), None)
    settle(app)
    for step in Step:
        app.window.show_step(step)
        settle(app)
        app.window.grab()
        if step is Step.RESULTS:
            tabs = app.window.results.tabs
            for number in range(tabs.count):
                tabs.bar.setCurrentIndex(number)
                settle(app)
                app.window.grab()
    assert app.window.offer.rendered is not None
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            print(int(line.split()[1]) * 1024, flush=True)
    app.document.replace(app.document.consultation, None)
    app.window.close()
"""


def window_mb() -> float | None:
    """Megabytes after results, every view of them, and the preview; None where the system does not tell them."""
    if not sys.platform.startswith("linux"):
        return None
    done = subprocess.run(
        [sys.executable, "-c", _CODE], cwd=ROOT, env=_environment(), check=True, capture_output=True, text=True
    )
    return int(done.stdout.split()[-1]) / 1e6


if __name__ == "__main__":
    found = window_mb()
    print("not told by this system" if found is None else f"{found:.0f} MB resident of {LIMIT_MB} MB allowed")

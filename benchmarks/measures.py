"""What `benchmarks.run` measures: ours and a peer for the same work, as milliseconds of processor time.

Processor time of the process (and of its children, where a program is started) is taken, so that other work on the
machine hardly counts. Every pair is measured in the same run; only the ratios carry to other machines.
"""

from __future__ import annotations

import csv
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import yaml

from benchmarks import memory_estimate, paper, plan_portfolio
from catalog.compiled import Uncached
from catalog.load import load_catalog
from catalog.versions import CARRIED, DATA_FOLDER
from engine.facts import Facts
from engine.plan.recommend import recommend

ROOT = Path(__file__).resolve().parents[1]
PEER = ROOT / "build" / "peer"
BYTECODE = ROOT / "build" / "bytecode"  # of what is measured, since a checkout may be kept free of it
DAY = date(2026, 11, 30)
PRICES = 10_000


@dataclass(frozen=True, slots=True)
class Measured:
    """One comparison. `peer_ms` is None where there is nothing to compare with. `count`: how many things took that."""

    name: str
    ours_ms: float
    peer: str
    peer_ms: float | None
    count: int = 1

    @property
    def ratio(self) -> float | None:
        """Ours over the peer's; below one we are faster."""
        return None if self.peer_ms is None else self.ours_ms / self.peer_ms

    @property
    def per_second(self) -> float | None:
        """Things a second of processor time; None for a single thing."""
        return self.count / self.ours_ms * 1000 if self.count > 1 else None


def cpu_ms(work: Callable[[], object], rounds: int = 7) -> float:
    """Median processor time of this process, after a warm-up."""
    work()
    times = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return statistics.median(times) * 1000


def program_ms(*words: str, rounds: int = 5) -> float:
    """Median processor time of a program that is started and ends, after a warm-up."""
    times = []
    for _ in range(rounds + 1):
        before = os.times()
        subprocess.run([sys.executable, *words], cwd=ROOT, env=_environment(), check=True, **_QUIET)
        after = os.times()
        times.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return statistics.median(times[1:]) * 1000


_QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def _environment() -> dict[str, str]:
    return {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": f"{ROOT}{os.pathsep}{PEER}"}


_BARE_WINDOW = """
import os, time
from PySide6.QtWidgets import QApplication, QMainWindow
application = QApplication([])
window = QMainWindow()
window.show()
application.processEvents()
print(time.process_time() * 1000, flush=True)
os._exit(0)
"""
_OUR_WINDOW = """
import gc, os, time
import main
gc.disable()  # as main.window does
from catalog.user_folder import user_folder
from gui.app import App, make_application
from gui.settings import load_settings, settings_path
application = make_application(["passform"])
app = App(application, None, load_settings(settings_path()), user_folder())
def report(*_):
    print(time.process_time() * 1000, flush=True)
    os._exit(0)
app.{moment}.connect(report)
app.start(None)
application.exec()
"""


def reached_ms(code: str, folder: Path, rounds: int = 7) -> float:
    """Median processor time a program used from its start until it printed that figure, after a warm-up.

    With compiled modules at hand, as an installed program has them, whatever this run's environment says.
    """
    environment = {**_environment(), "PASSFORM_DATA": str(folder), "PYTHONPYCACHEPREFIX": str(BYTECODE)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    words = [sys.executable, "-c", code]
    times = [
        float(subprocess.run(words, cwd=ROOT, env=environment, check=True, capture_output=True).stdout)
        for _ in range(rounds + 1)
    ]
    return statistics.median(times[1:])


def start_up() -> list[Measured]:
    """The window as a German seller starts it, and the command line, each against the least that could do it."""
    words = ("main.py", "estimate", "--model", "llama-3.1-8b", "--method", "lora")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = {"schema": 1, "language": "de", "tour_seen": True}
        (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        bare = reached_ms(_BARE_WINDOW, folder)
        painted = reached_ms(_OUR_WINDOW.format(moment="window.painted"), folder)
        ready = reached_ms(_OUR_WINDOW.format(moment="ready"), folder)
    return [
        Measured("window to first paint", painted, "bare QMainWindow", bare),
        Measured("window to first consultation", ready, "bare QMainWindow", bare),
        Measured("command `estimate`", program_ms(*words), "bare interpreter", program_ms("-c", "pass")),
    ]


def catalogue() -> list[Measured]:
    """Reading the catalogue, from its compiled form and from YAML, against parsing the same YAML and no more."""
    texts = [(DATA_FOLDER / name).read_text(encoding="utf-8") for name in CARRIED]
    parsed = cpu_ms(lambda: [yaml.load(text, Loader=yaml.CSafeLoader) for text in texts])
    return [
        Measured("catalogue, compiled", cpu_ms(load_catalog), "parsing its YAML", parsed),
        Measured("catalogue, from YAML", cpu_ms(lambda: load_catalog(store=Uncached())), "parsing its YAML", parsed),
    ]


def closed_form(calls: int) -> int:
    """The textbook estimate: 16 bytes per trained parameter, 2 per frozen one, and activations per layer.

    Activations after Korthikanti et al. 2022 (arXiv 2205.05198), equation 2, as EleutherAI's cookbook uses them:
    s * b * h * (34 + 5 * a * s / h) per layer.
    """
    layers, hidden, heads, parameters, trained = 32, 4096, 32, 8_030_261_248, 41_943_040
    total = 0
    for length in range(512, 512 + calls):
        activations = layers * length * (34 * hidden + 5 * heads * length)
        total += 2 * parameters + 16 * trained + activations
    return total


_PEER_CODE = """
import time
from benchmarks.memory_estimate import peer
peer(20)
started = time.process_time()
peer({calls})
print((time.process_time() - started) * 1000)
"""


def estimates(calls: int = 2_000) -> list[Measured]:
    """Memory estimates at ever new lengths."""
    ours = cpu_ms(lambda: memory_estimate.ours(calls))
    name = f"{calls} memory estimates"
    found = [Measured(name, ours, "closed form after EleutherAI", cpu_ms(lambda: closed_form(calls)), calls)]
    code = _PEER_CODE.format(calls=calls)
    if PEER.is_dir():
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=_environment(), check=True, capture_output=True, text=True
        )
        found.append(Measured(name, ours, "fitcheck-llm", float(done.stdout), calls))
    return found


def analysis(facts: Facts) -> list[Measured]:
    """A whole recommendation for ten workloads, against as many bare memory estimates as it has to judge."""
    scenario = plan_portfolio.portfolio(facts)
    first = cpu_ms(lambda: recommend(scenario, replace(facts)), rounds=3)
    recommend(scenario, facts)
    watts = iter(range(7000, 7100))
    again = cpu_ms(
        lambda: recommend(replace(scenario, site=replace(scenario.site, circuit_watts=next(watts))), facts), rounds=5
    )
    judged = len(scenario.workloads) * len(facts.cards) * 4  # on 1, 2, 4 and 8 cards
    bare = cpu_ms(lambda: memory_estimate.ours(judged), rounds=3)
    return [
        Measured("ten workloads, first time", first, f"{judged} bare estimates", bare),
        Measured("ten workloads, after a change", again, f"{judged} bare estimates", bare),
    ]


def documents() -> list[Measured]:
    """The proposal as PDF, against reportlab laying out the same texts in one style."""
    found = paper.pair()
    return [
        Measured("proposal as PDF", found.paper_ms, "bare reportlab, same texts", found.bare_ms),
        Measured("proposal as PDF, first one", found.first_ms, "bare reportlab, same texts", found.bare_ms),
    ]


def price_list(rows: int = PRICES) -> bytes:
    """A list of that many prices: names the catalogue knows, nearly knows, and does not know."""
    names = ("NVIDIA H200 NVL 141GB", "L40S 48 GB", "RTX PRO 6000 Blackwell", "Patchkabel Cat 6", "Rack 42HE")
    lines = [f"{names[row % 5]} {row};{row:06d};{row}.{row % 100:02d}" for row in range(1, rows + 1)]
    return ("Artikel;Art.-Nr.;Preis EUR netto\n" + "\n".join(lines)).encode()


def imports(facts: Facts) -> list[Measured]:
    """A price list of 10,000 rows matched against the catalogue, against Python's csv taking the rows apart."""
    from catalog.prices_import.files import read_content
    from catalog.prices_import.preview import preview

    content = price_list()
    ours = cpu_ms(lambda: preview(read_content(content, "list.csv"), "list.csv", facts, DAY), rounds=3)
    bare = cpu_ms(lambda: list(csv.reader(io.StringIO(content.decode()), delimiter=";")))
    return [Measured(f"{PRICES} prices matched", ours, "csv.reader on the same rows", bare, PRICES)]


def slider() -> list[Measured]:
    """Steps of the sequence length slider with ten workloads, against a bare QSlider."""
    words = [sys.executable, "-m", "benchmarks.slider"]
    try:
        done = subprocess.run(
            words, cwd=ROOT, env=_environment(), check=True, capture_output=True, text=True, timeout=120
        )
    except subprocess.SubprocessError as error:
        print(f"the slider is left out, because it could not be measured: {error}", file=sys.stderr)
        return []
    found = json.loads(done.stdout)
    peer, bare = "bare QSlider", found["bare_ms"]
    return [
        Measured("slider, one step", found["echo_ms"], peer, bare),
        Measured("slider until the answer is shown", found["answer_ms"], peer, bare),
        Measured("slider, the slowest of forty", found["worst_ms"], peer, bare),
    ]


def saving() -> list[Measured]:
    """Saving a consultation safely, against writing the same bytes."""
    from catalog.consultation.files import read, to_text, write

    consultation = read(ROOT / "examples" / "mixed-portfolio.passform.yaml")
    with tempfile.TemporaryDirectory() as name:
        target = Path(name) / "a.passform.yaml"
        text = to_text(consultation)
        ours = cpu_ms(lambda: write(consultation, target), rounds=15)
        bare = cpu_ms(lambda: target.write_text(text, encoding="utf-8"), rounds=15)
    return [Measured("save, flushed to the disk", ours, "writing the same text", bare)]

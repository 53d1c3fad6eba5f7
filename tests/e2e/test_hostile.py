"""Files from anybody crash nothing and lead nowhere; the program never reaches for the network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "lora-team-desk.passform.yaml"

WATCHED = """
import os, sys
sys.path.insert(0, '.')

def refuse(event, arguments):
    if event.startswith('socket.') or event.startswith(('http.', 'urllib.', 'ftplib.', 'smtplib.')):
        os.write(2, f'NETWORK {event} {arguments!r}'.encode())
        os._exit(99)

sys.addaudithook(refuse)
from main import main
code = main(sys.argv[1:])
for handle in os.listdir('/proc/self/fd'):
    try:
        target = os.readlink(f'/proc/self/fd/{handle}')
    except OSError:
        continue
    if target.startswith('socket:'):
        os.write(2, b'NETWORK an open socket')
        os._exit(98)
raise SystemExit(code)
"""


def run_watched(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PASSFORM_DATA": str(tmp_path / "user"), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        [sys.executable, "-c", WATCHED, *words],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    "words",
    [
        ("plan", str(EXAMPLE)),
        ("quote", str(EXAMPLE), "--output", "out.pdf"),
        ("catalog", "check"),
        ("--selftest",),
    ],
    ids=lambda words: words[0],
)
def test_that_no_socket_is_opened(words: tuple[str, ...], tmp_path: Path) -> None:
    told = [str(tmp_path / word) if word == "out.pdf" else word for word in words]
    done = run_watched(tmp_path, *told)
    assert "NETWORK" not in done.stderr
    assert done.returncode == 0, done.stderr


def test_that_the_watch_notices_a_socket(tmp_path: Path) -> None:
    code = WATCHED.replace("from main import main", "import socket; socket.socket()")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 99


def test_that_mutated_files_crash_and_hang_no_reader_and_lead_nowhere() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.fuzz.run", "--inputs", "1200", "--seed", "7"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "1200 inputs" in done.stdout


def test_that_a_mailed_consultation_reads_no_file_outside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text('{"model_type": "llama"}', encoding="utf-8")
    mailed = tmp_path / "mail" / "a.passform.yaml"
    mailed.parent.mkdir()
    mailed.write_text(
        "schema: 1\nworkloads:\n  - {config: ../secret.json, method: lora, sequence_length: 2048}\n", encoding="utf-8"
    )
    done = run_watched(tmp_path, "plan", str(mailed))
    assert done.returncode == 2
    assert "outside the folder" in done.stderr


@pytest.mark.parametrize("name", ["/dev/zero", "folder", "fifo"])
def test_that_what_is_no_file_is_refused_at_once(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    elif name == "fifo":
        os.mkfifo(path)
    done = run_watched(tmp_path, "plan", str(path))
    assert done.returncode == 2
    assert "is not a file" in done.stderr


@pytest.mark.parametrize(
    "words", [("estimate", "--model", "config.json", "--method", "lora", "--sequence-length", "512"), ("plan", "a.pdf")]
)
def test_that_pipes_in_place_of_configurations_and_papers_are_refused_at_once(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    for name in ("config.json", "a.pdf"):
        os.mkfifo(tmp_path / name)
    done = run_watched(
        tmp_path, *(str(tmp_path / word) if word in {"config.json", "a.pdf"} else word for word in words)
    )
    assert done.returncode == 2
    assert "is not a file" in done.stderr

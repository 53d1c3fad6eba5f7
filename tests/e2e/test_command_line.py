"""The command line as scripts use it: a process, its output, its exit code. Never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.passform.yaml"))


def passform(*arguments: str | Path, folder: Path, language: str = "C.UTF-8") -> subprocess.CompletedProcess[str]:
    """Run the program with an empty data folder."""
    environment = {
        **os.environ,
        "PASSFORM_DATA": str(folder / "data"),
        "LC_ALL": language,
        "QT_QPA_PLATFORM": "offscreen",
    }
    done = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env=environment,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def result(*arguments: str | Path, folder: Path) -> Any:
    done = passform(*arguments, "--json", folder=folder)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def test_that_an_estimate_states_parameters_recipe_and_states(tmp_path: Path) -> None:
    # 16 B x 8,030,261,248 parameters = 128.48 GB: bf16 weight and gradient, fp32 master, two fp32 moments.
    form = result("estimate", "--model", "llama-3.1-8b", "--method", "full", folder=tmp_path)
    assert form["schema"] == 1
    assert form["model"] == {
        "id": "llama-3.1-8b",
        "parameters": 8_030_261_248,
        "trainable_parameters": 8_030_261_248,
    }
    assert form["recipe"] == "bf16-master"
    assert form["per_card"]["model_state_bytes"] == 16 * 8_030_261_248
    sizes = [value for key, value in form["per_card"].items() if key.endswith("_bytes") and not isinstance(value, dict)]
    assert all(isinstance(size, int) for size in sizes)


def test_that_the_phases_name_what_limits_the_run(tmp_path: Path) -> None:
    # At 2,048 tokens the plain loss sets the peak of a 70B QLoRA (exact trace: 47.91 GB).
    form = result(
        *("estimate", "--model", "llama-3.3-70b", "--method", "qlora", "--sequence-length", "2048"), folder=tmp_path
    )["per_card"]
    assert form["limiting_phase"] == "loss"
    assert form["allocated_peak_bytes"] == max(form["phases"].values()) == pytest.approx(47.91e9, rel=0.002)


def test_that_a_run_that_does_not_fit_its_card_exits_with_1(tmp_path: Path) -> None:
    arguments = ("estimate", "--model", "llama-3.3-70b", "--method", "lora", "--card", "h200_nvl", "--json")
    assert passform(*arguments, folder=tmp_path).returncode == 1
    assert passform(*arguments, "--cards", "2", folder=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("estimate", "--model", "gpt-5", "--method", "lora"), "gpt-5"),
        (("estimate", "--model", "llama-3.1-8b", "--method", "prefix"), "prefix"),
        (("estimate", "--model", "llama-3.1-8b", "--method", "lora", "--rank", "0"), "--rank"),
        (("estimate", "--model", "llama-3.1-8b", "--method", "lora", "--sequence-length", "9" * 30), "outside"),
        (("estimate", "--model", "llama-3.1-8b", "--method", "lora", "--card", "h300"), "h300"),
        (("estimate", "--model", "gone.json", "--method", "lora"), "gone.json"),
        (("plan", "gone.passform.yaml"), "gone.passform.yaml"),
        (("catalog", "show", "h201_nvl"), "h201_nvl"),
        (("frobnicate",), "frobnicate"),
    ],
)
def test_that_bad_input_is_one_clear_line_and_exit_2(arguments: tuple[str, ...], part: str, tmp_path: Path) -> None:
    done = passform(*arguments, folder=tmp_path)
    assert done.returncode == 2
    assert part in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


def test_that_a_config_file_is_estimated_like_the_catalogue_model(tmp_path: Path) -> None:
    config = {
        "model_type": "llama",
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "vocab_size": 128256,
        "max_position_embeddings": 131072,
        "tie_word_embeddings": False,
    }
    (tmp_path / "config.json").write_text(json.dumps(config))
    own = result("estimate", "--model", "config.json", "--method", "lora", folder=tmp_path)
    known = result("estimate", "--model", "llama-3.1-8b", "--method", "lora", folder=tmp_path)
    assert own["per_card"] == known["per_card"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name.split(".")[0])
def test_that_every_example_gives_a_plan_with_reasons_and_ids_of_the_catalogue(example: Path, tmp_path: Path) -> None:
    form = result("plan", example, folder=tmp_path)
    plan = form["recommendation"]
    assert plan["verdict"] == "fits"
    assert plan["free_bytes"] > 0
    assert plan["reasons"]
    assert form["alternatives"]
    assert all(entry["reason"] and entry["message"] for entry in form["rejected"])
    assert {"net", "currency", "basis"} <= set(plan["price"])


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name.split(".")[0])
def test_that_every_example_becomes_a_paper(example: Path, language: str, tmp_path: Path) -> None:
    done = passform("quote", example, "--output", "x.pdf", "--language", language, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF-1.")


def test_that_messages_follow_the_language_of_the_system(tmp_path: Path) -> None:
    done = passform("plan", EXAMPLES[0], folder=tmp_path, language="de_DE.UTF-8")
    assert "Empfehlung" in done.stdout


def test_that_a_console_without_umlauts_gets_question_marks_and_no_error(tmp_path: Path) -> None:
    environment = {**os.environ, "PASSFORM_DATA": str(tmp_path), "PYTHONIOENCODING": "ascii", "LC_ALL": "de_DE.UTF-8"}
    done = subprocess.run(
        [sys.executable, ROOT / "main.py", "plan", EXAMPLES[0]],
        capture_output=True,
        env=environment,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"?" in done.stdout
    assert done.stdout.isascii()


def test_that_the_catalogue_checks_clean(tmp_path: Path) -> None:
    done = passform("catalog", "check", folder=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("what", ["cards", "systems", "models", "prices"])
def test_that_every_list_has_rows(what: str, tmp_path: Path) -> None:
    assert len(passform("catalog", "list", what, folder=tmp_path).stdout.splitlines()) > 25


def test_that_the_self_test_passes(tmp_path: Path) -> None:
    done = passform("--selftest", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_that_a_plan_says_when_it_was_last_computed_with_another_catalogue(tmp_path: Path) -> None:
    old = tmp_path / "old.passform.yaml"
    old.write_text(EXAMPLES[0].read_text(encoding="utf-8") + "catalogue: '2025-01-01'\n", encoding="utf-8")
    assert passform("plan", old, folder=tmp_path).stdout.startswith("Recorded with the catalogue of 2025-01-01")
    assert "Recorded with" not in passform("plan", EXAMPLES[0], folder=tmp_path).stdout


def test_that_a_fresh_copy_without_compiled_translations_says_how_they_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import main
    import resources

    monkeypatch.setattr(resources, "LOCALE", tmp_path)
    monkeypatch.setenv("PASSFORM_DATA", str(tmp_path))
    resources.translations.cache_clear()
    try:
        assert main.main(["--language", "de", "register", "list"]) == 2
        assert main.main(["--language", "de", "catalog", "show", "no-such-card"]) == 2  # an error of ours on the way
    finally:
        resources.translations.cache_clear()
    assert capsys.readouterr().err.count("python resources/locale/build.py") == 2

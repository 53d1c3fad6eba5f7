"""What the command line answers at its borders: wrong options, several loads, older catalogues, nothing that fits."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from catalog.commands import estimate, plan, quote, selftest, serve_estimate
from catalog.commands.grammar import make_parser
from catalog.user_folder import VARIABLE
from engine.errors import InvalidInputError

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
LLAMA = ("--model", "llama-3.1-8b", "--method")
TOO_LARGE = """\
schema: 1
catalogue: '2020-01-01'
site: {place: desk}
workloads:
  - {name: giant, model: llama-3.3-70b, method: full, sequence_length: 131072}
"""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "user"))
    return tmp_path


def _run(command: Callable[..., int], *arguments: str, language: str = "en") -> tuple[int, str]:
    out = StringIO()
    given = make_parser().parse_args([*arguments])
    given.language = language
    return command(given, out), out.getvalue()


def estimated(*arguments: str, language: str = "en") -> tuple[int, str]:
    return _run(estimate.run, "estimate", *arguments, language=language)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--rank", "many"), "'many' is not a whole number"),
        (("--rank", "0"), "0 is outside 1 to 10^15"),
        (("--rank", "1000000000000001"), "is outside 1 to 10"),
        (("--headroom", "101"), "'101' is not a whole number from 0 to 100"),
        (("--headroom", "-1"), "'-1' is not a whole number from 0 to 100"),
        (("--headroom", "½"), "'½' is not a whole number from 0 to 100"),
        (("--loss", "none"), "invalid choice"),
    ],
)
def test_that_a_wrong_option_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        make_parser().parse_args(["estimate", *LLAMA, "lora", *arguments])
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.startswith("passform: ")
    assert error.count("\n") == 1


def test_that_a_headroom_may_be_nothing_or_everything() -> None:
    for share in (0, 100):
        given = make_parser().parse_args(["estimate", *LLAMA, "lora", "--headroom", str(share)])
        assert given.headroom == share


def test_that_the_largest_that_fits_needs_a_card_and_is_told_in_words_and_as_data() -> None:
    with pytest.raises(InvalidInputError, match="--max needs --card"):
        estimated(*LLAMA, "lora", "--max", "micro-batch")
    fits = (*LLAMA, "qlora", "--card", "h200_nvl", "--max", "micro-batch")
    _, text = estimated(*fits)
    code, data = estimated(*fits, "--json")
    assert code == 0
    largest = json.loads(data)["max"]["micro_batch"]
    assert largest > 1
    assert f"Largest micro-batch {largest} " in " ".join(text.split()) + " "
    _, none = estimated("--model", "llama-3.3-70b", "--method", "full", "--card", "l40s", "--max", "sequence-length")
    assert "does not fit" in none


def test_that_host_memory_sharding_and_remarks_are_told() -> None:
    _, text = estimated(*LLAMA, "full", "--offload", "nvme", "--cards", "2", "--sharding", "zero2", language="de")
    assert "Hauptspeicher" in text
    assert "\n- " in text
    _, whole = estimated(*LLAMA, "lora")
    assert "Host memory" not in whole


def test_that_a_configuration_file_is_a_model_and_an_unknown_name_is_none(tmp_path: Path) -> None:
    config = {
        "model_type": "llama",
        "hidden_size": 64,
        "intermediate_size": 96,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "vocab_size": 100,
    }
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    code, data = estimated("--model", str(path), "--method", "full", "--json")
    # 2 x 100 x 64 and 64; two layers of 4 x 64 x 64 + 3 x 64 x 96 + 2 x 64
    assert code == 0
    assert json.loads(data)["model"]["parameters"] == 2 * 6400 + 64 + 2 * (4 * 4096 + 3 * 6144 + 128)
    with pytest.raises(InvalidInputError, match="nobody is no model of the catalogue"):
        estimated("--model", "nobody", "--method", "full")


def test_that_a_nightly_job_states_its_hours_and_two_loads_are_refused() -> None:
    serve = ("--model", "llama-3.1-8b", "--method", "serve", "--card", "h200_nvl")
    _, text = _run(serve_estimate.run, "estimate", *serve, "--requests-per-night", "5000", "--night-hours", "6")
    assert "Nightly job" in text
    _, steady = _run(serve_estimate.run, "estimate", *serve, "--requests-per-second", "2")
    assert "Nightly job" not in steady
    with pytest.raises(InvalidInputError, match="Give one of --users"):
        _run(serve_estimate.run, "estimate", *serve, "--users", "3", "--requests-per-second", "2")


def test_that_a_plan_for_nothing_says_so_and_names_the_older_catalogue(tmp_path: Path) -> None:
    path = tmp_path / "a.passform.yaml"
    path.write_text(TOO_LARGE, encoding="utf-8")
    code, text = _run(plan.run, "plan", str(path))
    assert code == 1
    assert "Nothing in the catalogue carries these workloads." in text
    assert "Recorded with the catalogue of 2020-01-01" in text
    assert "The older catalogue is not kept here" in text
    assert "Alternatives" not in text


def test_that_a_plan_with_served_models_tells_their_load_and_rates() -> None:
    code, text = _run(plan.run, "plan", str(EXAMPLES / "serve-and-train.passform.yaml"))
    assert code == 0
    for words in ("Requests at once", "Full batch", "Million output tokens"):
        assert words in text


def test_that_the_self_test_reports_each_step_and_fails_with_the_window() -> None:
    for shown, code, last in ((True, 0, "window: shown and closed\n"), (False, 1, "window: failed\n")):
        out = StringIO()
        assert selftest.run(out, lambda shown=shown: shown) == code
        text = out.getvalue()
        assert text.endswith(last)
        assert text.startswith("catalogue 20")
        assert "paper de: " in text
        assert "paper en: " in text


OUTGROWN = """\
schema: 1
site: {place: rack}
workloads:
  - {name: giant, model: kimi-k2, method: full, sequence_length: 2048}
"""


def test_that_plan_and_quote_point_from_what_no_machine_holds_to_several_machines(tmp_path: Path) -> None:
    path = tmp_path / "giant.passform.yaml"
    path.write_text(OUTGROWN, encoding="utf-8")
    pointer = r"giant: Too large for one machine with 8 cards \(B300 HGX\): \d+ of them are the fewest whose memory"
    code, text = _run(plan.run, "plan", str(path))
    assert code == 1
    assert re.search(pointer, text)
    assert text.index("The command `cluster`") < text.index("Rejected")
    code, text = _run(quote.run, "quote", str(path), "--output", str(tmp_path / "none.pdf"))
    assert code == 1
    assert re.search(pointer, text)
    code, text = _run(plan.run, "plan", str(path), "--json")
    beyond = json.loads(text)["beyond"]
    assert {entry["code"] for entry in beyond} == {"several-machines"}
    assert all(entry["machines"] > 1 and entry["need_bytes"] < entry["usable_bytes"] for entry in beyond)

"""What would make a run fit, as the command line says it."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest

from catalog.commands import estimate
from catalog.commands.grammar import make_parser
from tests.catalog.plan_command import planned

TASK = """\
schema: 1
site: {place: rack}
workloads:
  - {name: chat, model: llama-3.3-70b, method: lora, sequence_length: 2048}
"""
ON_ONE_H200 = ("--model", "llama-3.3-70b", "--method", "lora", "--sequence-length", "2048", "--card", "h200_nvl")


def estimated(*arguments: str, language: str = "en") -> tuple[int, str]:
    out = StringIO()
    given = make_parser().parse_args(["estimate", *arguments])
    given.language = language
    return estimate.run(given, out), out.getvalue()


def test_that_an_estimate_that_does_not_fit_names_what_would_help() -> None:
    code, text = estimated(*ON_ONE_H200, "--json")
    form = json.loads(text)
    assert code == 1
    remedies = {one["remedy"]: one for one in form["remedies"]}
    assert remedies["one-more-card"]["verdict"] == "fits"
    # 80 layers of 8192 x (2 x 8192 + 2 x 1024 + 3 x 28672) = 855.6 M weights go from 2 to 0.516 B each: 101.6 GB, and
    # the allocator's reserve shrinks with them
    assert remedies["qlora"]["saved_bytes"] == pytest.approx(101.6e9, rel=0.05)
    assert all(one["saved_bytes"] > 0 for one in form["remedies"])


def test_that_an_estimate_that_fits_needs_no_help() -> None:
    code, text = estimated(
        *ON_ONE_H200[:-4], "--sequence-length", "2048", "--cards", "4", "--card", "h200_nvl", "--json"
    )
    assert code == 0
    assert json.loads(text)["verdict"]["verdict"] == "fits"
    assert json.loads(text)["remedies"] == []


@pytest.mark.parametrize(("language", "words"), [("en", "One more card"), ("de", "Eine Karte mehr")])
def test_that_the_text_names_them_too(language: str, words: str) -> None:
    _, text = estimated(*ON_ONE_H200, language=language)
    assert words in text


def test_that_the_plan_names_them_for_the_nearest_misses(tmp_path: Path) -> None:
    rejected = json.loads(planned(tmp_path, TASK, "--json"))["rejected"]
    near = [item for item in rejected if item["would_fit"]]
    assert near
    assert all(item["reason"] == "memory" for item in near)
    change = next(item for item in near if item["card"] == "h200_nvl")["would_fit"][0]
    assert (change["code"], change["remedy"], change["workload"]) == ("would-fit", "one-more-card", "chat")
    assert f"{change['saved_bytes'] / 1e9:.1f}\u00a0GB" in change["message"]


def test_that_machines_with_the_same_words_share_a_line(tmp_path: Path) -> None:
    lines = planned(tmp_path, TASK).splitlines()
    one_h200 = [line for line in lines if line.startswith("  1x H200 NVL")]
    assert len(one_h200) == 1
    assert "Dell PowerEdge XE7740, Dell PowerEdge XE7745" in one_h200[0]
    assert any("What would make it fit" in line for line in lines)

"""Editions side by side, as the command line tells them: measured differences, and memory where a card is out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.fit import Verdict
from tests.catalog.plan_command import planned

DESK = """\
schema: 1
site: {place: desk}
workloads:
  - {name: chat, model: llama-3.1-8b, method: lora, sequence_length: 2048}
"""
MAXQ, WS, SE = (f"rtx_pro_6000_blackwell_{edition}" for edition in ("maxq", "ws", "se"))


def told(folder: Path, *arguments: str, language: str = "en") -> str:
    return planned(folder, DESK, *arguments, language=language).replace("\N{NO-BREAK SPACE}", " ")


def test_that_json_holds_every_measured_setup_with_its_source(tmp_path: Path) -> None:
    editions = json.loads(told(tmp_path, "--json"))["editions"]
    assert {MAXQ, WS, SE} <= set(editions["compared"])
    (found,) = editions["served"]
    assert (found["card"], found["other"], found["contradictory"]) == (MAXQ, WS, False)
    # Records s0308 and s0312 of maxq-vs-ws: 324.48 and 368.42 tokens/s; s0314 and s0318: 114.10 and 120.50.
    assert found["low_share"] == pytest.approx(324.48 / 368.42)
    assert found["high_share"] == pytest.approx(114.10 / 120.50)
    assert len(found["setups"]) == 8
    eight = next(setup for setup in found["setups"] if setup["records"] == ["s0308", "s0312"])
    assert (eight["tokens_per_second"], eight["other_tokens_per_second"]) == (324.48, 368.42)
    assert (eight["prompt_tokens"], eight["answer_tokens"], eight["requests_at_once"]) == (1024, 128, 8)
    assert found["source"]["id"] == "maxq-vs-ws"
    assert editions["not_served"] == [SE]
    # MLPerf Training v5.0, Dell's eight H200 NVL against its eight H200 SXM in two machines, tokens/s and card.
    (trained,) = editions["trained"]
    assert (trained["card"], trained["other"], trained["source"]["id"]) == ("h200_nvl", "h200_sxm", "mlperf_v50")
    assert (trained["low_share"], trained["high_share"]) == pytest.approx((2369.1 / 2616.4, 2369.1 / 2601.0))
    assert {setup["cards"] for setup in trained["setups"]} == {8}


def test_that_json_holds_the_memory_of_an_edition_that_cannot_stand_there(tmp_path: Path) -> None:
    editions = json.loads(told(tmp_path, "--json"))["editions"]
    out = next(item for item in editions["ruled_out"] if item["card"] == SE)
    assert out["reasons"] == ["passive-card-at-desk"]
    assert out["cards"] == 1
    (held,) = out["workloads"]
    assert (held["name"], held["verdict"]) == ("chat", Verdict.FITS.value)
    assert held["free_bytes"] == held["usable_bytes"] - held["required_bytes"]["expected"]


@pytest.mark.parametrize(
    ("language", "measured", "out", "cell"),
    [
        ("en", "88–95% of the tokens per second", "is passively cooled", "Verdict: fits (ruled out)"),
        ("de", "88–95 % der Token je Sekunde", "ist passiv gekühlt", "Urteil: passt (scheidet aus)"),
    ],
)
def test_that_the_text_says_it_too(tmp_path: Path, language: str, measured: str, out: str, cell: str) -> None:
    text = told(tmp_path, language=language)
    assert text.count(measured) == 1
    lines = text.splitlines()
    assert any("RTX PRO 6000 Server" in line and out in line for line in lines)
    assert any(line.strip().startswith("RTX PRO 6000 Server · ") and cell in line for line in lines)
    assert not any(line.strip().startswith("RTX PRO 6000 WS · ") and cell in line for line in lines)

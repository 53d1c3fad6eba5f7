"""The lines of an estimate: parts that add up to the peak they stand above, and labels that end before their values."""

from __future__ import annotations

from io import StringIO

import pytest

from catalog.commands import estimate
from catalog.commands.grammar import make_parser

PARTS = (
    "Weights",
    "Adapters",
    "Gradients",
    "Master weights",
    "Optimiser",
    "Activations",
    "Loss (logits)",
    "Workspace",
    "Communication",
)


def lines(*arguments: str) -> list[str]:
    out = StringIO()
    given = make_parser().parse_args(["estimate", *arguments])
    given.language = "en"
    estimate.run(given, out)
    return out.getvalue().splitlines()


def gigabytes(text: list[str], label: str) -> float:
    found = next(line for line in text if line.startswith(f"{label}  "))
    return float(found.removeprefix(label).split()[0].removesuffix("GB").replace(",", ""))


@pytest.mark.parametrize(
    "arguments",
    [
        ("--model", "llama-3.1-8b", "--method", "full", "--objective", "dpo"),  # a second copy of the weights
        ("--model", "llama-3.2-1b", "--method", "full", "--offload", "optimizer"),  # states that are not on the card
        ("--model", "qwen3-30b-a3b", "--method", "lora"),  # a peak before the gradients exist
        ("--model", "llama-3.3-70b", "--method", "qlora", "--cards", "4"),
    ],
)
def test_that_the_parts_of_an_estimate_add_up_to_its_peak(arguments: tuple[str, ...]) -> None:
    text = lines(*arguments, "--sequence-length", "2048")
    parts = sum(gigabytes(text, part) for part in PARTS)
    # Nine values with three digits each.
    assert parts == pytest.approx(gigabytes(text, "Allocated peak"), rel=0.015)


def test_that_the_reference_model_of_dpo_stands_with_the_weights() -> None:
    # 8,030,261,248 parameters of two bytes, once trained and once frozen: 32.1 GB.
    assert gigabytes(lines("--model", "llama-3.1-8b", "--method", "full", "--objective", "dpo"), "Weights") == 32.1


def test_that_a_long_card_name_ends_before_its_verdict() -> None:
    text = lines("--model", "llama-3.2-1b", "--method", "lora", "--card", "rtx_pro_6000_blackwell_ws")
    assert "RTX PRO 6000 Blackwell Workstation Edition fits" in text

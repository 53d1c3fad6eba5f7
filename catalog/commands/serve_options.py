"""The options of `estimate --method serve`."""

from __future__ import annotations

import argparse

from engine.serving.types import CacheFormat, ServingEngine, WeightFormat


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add them to a command's parser."""
    group = parser.add_argument_group("with --method serve")
    group.add_argument("--weights", choices=[entry.value for entry in WeightFormat], default="bf16")
    group.add_argument("--cache", choices=[entry.value for entry in CacheFormat], default="bf16")
    group.add_argument("--engine", choices=[entry.value for entry in ServingEngine], default="vllm")
    group.add_argument("--prompt", type=int, default=1000, metavar="TOKENS", help="mean prompt")
    group.add_argument("--prompt-max", type=int, metavar="TOKENS", help="longest prompt; default: four times the mean")
    group.add_argument("--output", type=int, default=500, metavar="TOKENS", help="mean answer")
    group.add_argument("--output-max", type=int, metavar="TOKENS", help="longest answer; default: four times the mean")
    group.add_argument("--users", type=int, help="requests at once")
    group.add_argument("--requests-per-second", type=float)
    group.add_argument("--requests-per-night", type=int)
    group.add_argument("--night-hours", type=float, default=8.0)
    group.add_argument("--first-token", type=float, metavar="SECONDS", help="limit")
    group.add_argument("--tokens-per-user", type=float, metavar="RATE", help="limit, tokens per second")
    group.add_argument("--adapters", type=int, default=0, help="LoRA adapters loaded apart")
    group.add_argument("--memory-share", type=float, help="of the card, by the engine's own setting")
    group.add_argument("--max-sequences", type=int)
    group.add_argument("--batched-tokens", type=int)
    group.add_argument("--bridge", type=int, choices=(2, 4), help="cards joined by an NVLink bridge")

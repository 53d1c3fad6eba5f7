"""Measures serving estimates per second: memory, and memory with all three points of operation.

python -m benchmarks.serving
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from catalog.load import load_catalog
from engine.serving.machine import serving_card
from engine.serving.memory import serve_memory
from engine.serving.speed import serve_speed
from engine.serving.types import Lengths, ServeLayout, ServeLoad, ServeSetup

ESTIMATES, PROMISED = 20_000, 10_000
MODELS = ("llama-3.1-8b", "llama-3.3-70b", "qwen3-30b-a3b", "gpt-oss-120b")
CARDS = ("rtx_pro_6000_blackwell_se", "h200_sxm", "b200_hgx", "l40s")


def main() -> None:
    """Print estimates per second; exit 1 below the promise."""
    facts = load_catalog().facts
    layout = ServeLayout(1, 1, 2)
    pairs = [
        (
            ServeSetup(
                facts.models[MODELS[at % 4]], Lengths(500 + at % 64, 4000, 300 + at % 32, 1000), ServeLoad(users=8)
            ),
            serving_card(facts.cards[CARDS[at // 4 % 4]], bridged=True),
        )
        for at in range(256)
    ]

    def memory() -> None:
        for at in range(ESTIMATES):
            serve_memory(*pairs[at % 256], facts.serving, layout)

    def speed() -> None:
        for at in range(ESTIMATES):
            setup, card = pairs[at % 256]
            serve_speed(setup, card, serve_memory(setup, card, facts.serving, layout), facts.serving, layout, 8.0)

    kept = [measure("memory", memory), measure("memory and speed", speed)]
    if not all(kept):
        sys.exit(1)


def measure(name: str, work: Callable[[], None]) -> bool:
    """Time one loop; whether the promise is kept."""
    start = time.process_time()
    work()
    rate = ESTIMATES / (time.process_time() - start)
    print(f"{name}: {rate:,.0f} estimates/s, promised {PROMISED:,}")
    return rate >= PROMISED


if __name__ == "__main__":
    main()

"""How many full memory estimates a second, on one core and without torch.

python -m benchmarks.memory_estimate

When the package fitcheck-llm is installed, its estimator runs the same workload in the same process.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable

from catalog.models_data import load_models
from engine.fit import judge
from engine.memory.estimate import estimate
from engine.memory.types import TrainingSetup
from engine.methods import Method, Recipe

WANTED_PER_S = 10_000
CALLS, ROUNDS = 10_000, 5
USABLE_BYTES = 97_887 * 2**20


def ours(calls: int) -> None:
    """An estimate and its verdict at ever new lengths."""
    model, recipe = load_models()["llama-3.1-8b"], Recipe(Method.QLORA)
    for length in range(512, 512 + calls):
        judge(estimate(TrainingSetup(model, recipe, length)), USABLE_BYTES, 0.15)


def peer(calls: int) -> None:
    """The same model, method and lengths by fitcheck-llm."""
    from fitcheck import ModelConfig, TrainingConfig, get_gpu  # only when it is installed
    from fitcheck import estimate as their_estimate

    config = ModelConfig(
        name="llama-3.1-8b",
        num_params=8_030_261_248,
        hidden_size=4096,
        num_layers=32,
        num_attention_heads=32,
        num_kv_heads=8,
        intermediate_size=14336,
        vocab_size=128256,
        head_dim=128,
        tie_word_embeddings=False,
    )
    card = get_gpu(vram_mib=97_887)
    for length in range(512, 512 + calls):
        their_estimate(config, TrainingConfig(quantization="nf4", seq_len=length, grad_checkpoint=True), card)


def per_second(work: Callable[[int], None], calls: int) -> float:
    """The best of several rounds, in process time."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        work(calls)
        best = min(best, time.process_time() - start)
    return calls / best


def main() -> int:
    """Print both rates; 1 when ours is below what is wanted."""
    rate = per_second(ours, CALLS)
    print(f"passform {rate:,.0f} estimates with verdict per second (wanted {WANTED_PER_S:,})")
    if "torch" in sys.modules:
        raise SystemExit("torch was loaded")
    if importlib.util.find_spec("fitcheck") is not None:
        print(f"fitcheck-llm {per_second(peer, CALLS // 20):,.0f} per second")
    return 0 if rate >= WANTED_PER_S else 1


if __name__ == "__main__":
    raise SystemExit(main())

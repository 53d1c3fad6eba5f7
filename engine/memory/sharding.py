"""How one run is spread over cards: what is divided, and the buffers that dividing costs."""

from __future__ import annotations

from dataclasses import dataclass

from engine.memory.aggregate import Aggregate
from engine.memory.states import nf4_bytes
from engine.methods import Layout, Method, Offload, Recipe, Sharding, StateRecipe

# DeepSpeed's stages 1 and 2 hold two buckets of this many 16-bit elements whatever the gradients' size
# (contiguous_gradients with overlap_comm); 2e8 is the size of the Transformers documentation's examples.
DEEPSPEED_BUCKET = 200_000_000
DEEPSPEED_BUCKETS = 2
GATHERED = (Sharding.FSDP, Sharding.HYBRID)  # every layer is gathered before it is used


@dataclass(frozen=True, slots=True)
class Shares:
    """Divisors of one card's part."""

    weights: int = 1
    gradients: int = 1
    optimizer: int = 1


def shares(layout: Layout) -> Shares:
    """ZeRO paper, figure 1: stage 1 divides optimiser states, stage 2 gradients too, stage 3 (FSDP) weights too.

    Hybrid sharding does so inside each group of cards, and every group holds a whole copy.
    """
    cards = layout.cards
    return {
        Sharding.NONE: Shares(),
        Sharding.DDP: Shares(),
        Sharding.ZERO1: Shares(optimizer=cards),
        Sharding.ZERO2: Shares(gradients=cards, optimizer=cards),
        Sharding.FSDP: Shares(cards, cards, cards),
        Sharding.TENSOR: Shares(cards, cards, cards),
        Sharding.HYBRID: Shares(layout.group, layout.group, layout.group),
    }[layout.sharding]


def part(total: int, divisor: int) -> int:
    """One card's part, rounded up."""
    return -(-total // divisor)


def compute_bytes(recipe: Recipe, weights: int, quantisable: int) -> int:
    """Bytes of gathered weights: packed ones travel packed, fp32 shards travel in bf16."""
    if recipe.method is Method.QLORA:
        rest = 4 if recipe.kbit_upcast else 2
        packed = nf4_bytes(quantisable, double_quantisation=recipe.double_quantisation)
        return packed + rest * (weights - quantisable)
    if recipe.method is Method.FULL and recipe.states is StateRecipe.AMP:
        return 4 * weights
    return 2 * weights


def communication_bytes(recipe: Recipe, layout: Layout, sums: Aggregate, gradients: int) -> int:
    """Buffers in the allocator: gradient buckets, or the gathered layers of FSDP.

    DeepSpeed's stages 1 and 2 hold their buckets on one card as well. DDP holds a flat copy of all gradients
    (torch.nn.parallel.DistributedDataParallel without gradient_as_bucket_view). FSDP holds the layer in use and the
    prefetched next one, and, from the start of the forward to the end of the backward pass, what lies outside the
    layers: embedding, output layer, final norm.
    """
    gathers = layout.sharding in GATHERED and layout.cards > 1
    if gathers or recipe.offload in (Offload.ALL, Offload.NVME):
        layer = compute_bytes(recipe, sums.largest_layer, sums.largest_layer_quantisable)
        return 2 * layer + compute_bytes(recipe, sums.outside_layers, 0)
    if layout.sharding in (Sharding.ZERO1, Sharding.ZERO2):
        return 2 * DEEPSPEED_BUCKET * DEEPSPEED_BUCKETS
    if layout.cards == 1:
        return 0
    if layout.sharding is Sharding.DDP:
        return gradients
    return 0


def pins_inputs(recipe: Recipe, layout: Layout) -> bool:
    """Whether FSDP holds every layer's input and its gradient until the backward pass ends.

    For frozen weights PyTorch's FSDP registers its resharding hook on the inputs of the recomputed layer
    (torch/distributed/fsdp/_runtime_utils.py, `_register_post_backward_reshard_only_hook`); the hook keeps inputs
    and gradients alive. Measured: 30 x 2 x hidden bytes per token beyond the plain figure for 32 layers, on two and
    four cards, LoRA and QLoRA alike (fms-acceleration, 2024-2025).
    """
    return layout.sharding in GATHERED and layout.cards > 1 and recipe.method is not Method.FULL

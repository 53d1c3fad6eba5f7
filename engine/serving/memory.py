"""Memory of a serving copy: what start-up takes, what is left for keys and values, how many requests that holds.

Start-up as vLLM does it: total x memory share - weights - non-torch - peak activation - graphs = cache. Checked against
22 logs of one dense 8B model (median error 0.3 %, worst 1.4 %); the activation term is read off those logs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import ceil

from engine.serving.facts import LARGE_CARD_BYTES, EngineDefaults, ServingFacts
from engine.serving.formats import BYTES_PER_CACHED_VALUE, cache_bytes, weight_bytes
from engine.serving.machine import ServingCard
from engine.serving.shape import BF16_BYTES, ServingShape, serving_shape
from engine.serving.types import ONE_CARD, ServeLayout, ServeSetup, ServingEngine

CACHE_BLOCK_TOKENS = 16  # the pool is handed out in blocks of this many tokens (vLLM default)
_FEED_FORWARD_BYTES = 6  # per token and unit of feed-forward width
_HIDDEN_BYTES = 8  # per token and unit of hidden width
_LOGIT_BYTES = 5  # per sequence and vocabulary entry
POOL_BAND = 0.03  # of the pool: what the logs of the checked model stay within, doubled


class StartProblem(StrEnum):
    """Why a copy does not start, or starts and still cannot serve."""

    WEIGHTS = "weights"  # weights and start-up memory exceed what the engine may take
    ONE_REQUEST = "one-request"  # the longest request is longer than the whole cache
    STATES = "states"  # fewer recurrent states than the engine's number of sequences
    POSITIONS = "positions"  # longer than the model's trained positions
    HEADS = "heads"  # tensor ranks do not divide the attention heads
    LAYERS = "layers"  # more pipeline stages than layers


@dataclass(frozen=True, slots=True)
class ServeBytes:
    """The parts of one card, in the order of the bar. They add up to the usable bytes."""

    weights: int
    adapters: int
    cache: int
    activation: int
    graphs: int
    non_torch: int
    reserve: int  # what the engine's share leaves untouched, and what CUDA hides

    @property
    def start_up(self) -> int:
        """What is taken before the first request."""
        return self.weights + self.adapters + self.activation + self.graphs + self.non_torch


@dataclass(frozen=True, slots=True)
class ServeMemory:
    """Memory of one copy of the model. Cache figures are of the whole copy, `card` is its fullest card."""

    card: ServeBytes
    usable_bytes: int
    bytes_per_token: int  # of a short sequence, on the whole copy
    card_bytes_per_token: int  # on one card: what its pool is divided by
    state_bytes: int  # per sequence, hybrids only
    cache_tokens: int  # a single short sequence could fill
    sequences_mean: int  # requests of mean length at once
    sequences_max: int  # requests of maximum length at once: the guarantee
    max_sequences: int  # the engine's own limit; for hybrids at most what their states leave room for
    default_starts: bool  # whether the engine's default limit would start; only a hybrid's may not
    short_bytes: int  # by which start-up memory exceeds what the engine may take
    batched_tokens: int
    problems: tuple[StartProblem, ...]

    @property
    def starts(self) -> bool:
        """Whether the engine starts and can serve the longest request."""
        return not self.problems


def serve_memory(
    setup: ServeSetup, card: ServingCard, facts: ServingFacts, layout: ServeLayout = ONE_CARD
) -> ServeMemory:
    """Memory of one copy in a layout. Raises ValueError when the catalogue has no serving constants."""
    shape = serving_shape(setup.model)
    engine, constants = facts.engines[setup.engine], facts.memory
    if constants is None:
        raise ValueError("the serving constants are missing")
    sequences, batched = engine_limits(setup, card, engine)
    visible = max(card.usable_bytes - constants.hidden_from_engine, 0)
    weights = card_weights(shape, setup, layout)
    adapters = adapter_bytes(setup) // layout.cards_per_replica
    activation = activation_bytes(shape, batched, sequences, layout.tensor) + constants.activation_floor
    many = layout.cards_per_replica > 1
    non_torch = constants.non_torch_many if many else constants.non_torch_one_card
    start_up = weights + adapters + activation + constants.graphs + non_torch
    left = cache_pool(setup, engine, visible, start_up, activation)
    pool = max(left, 0)
    card_bytes = ServeBytes(
        weights, adapters, pool, activation, constants.graphs, non_torch, card.usable_bytes - start_up - pool
    )
    divisor = _cache_divisor(shape, layout)
    copy_pool = pool * divisor
    states = state_slots(shape, copy_pool)
    default_starts = states is None or setup.settings.max_sequences is not None or states >= sequences
    if not default_starts and states is not None:
        sequences = max(states, 1)
    per_token = _short_bytes(shape, setup)
    at_mean = _held(shape, setup, copy_pool, setup.lengths.mean_total)
    at_max = _held(shape, setup, copy_pool, setup.lengths.max_total)
    problems = tuple(_problems(setup, shape, layout, pool, copy_pool, at_max))
    return ServeMemory(
        card=card_bytes,
        usable_bytes=card.usable_bytes,
        bytes_per_token=per_token,
        card_bytes_per_token=round(per_token / divisor),
        state_bytes=shape.state_bytes,
        cache_tokens=_tokens(copy_pool, per_token),
        sequences_mean=min(at_mean, sequences),
        sequences_max=min(at_max, sequences),
        max_sequences=sequences,
        default_starts=default_starts,
        short_bytes=max(-left, 0),
        batched_tokens=batched,
        problems=problems,
    )


def engine_limits(setup: ServeSetup, card: ServingCard, engine: EngineDefaults) -> tuple[int, int]:
    """Sequences and tokens per step: as set, else the engine's default for a card of this size."""
    large = card.usable_bytes >= LARGE_CARD_BYTES
    given = setup.settings
    sequences = given.max_sequences or (engine.max_sequences_large if large else engine.max_sequences_small)
    batched = given.batched_tokens or (engine.batched_tokens_large if large else engine.batched_tokens_small)
    return sequences, batched


def activation_bytes(shape: ServingShape, batched_tokens: int, sequences: int, tensor: int = 1) -> int:
    """Peak of the start-up run: one step of all tokens, and the logits of all sequences.

    Per card; tensor ranks share the feed-forward width. BF16; checked on one dense model, see the module.
    """
    width = _FEED_FORWARD_BYTES * shape.feed_forward / tensor + _HIDDEN_BYTES * shape.hidden
    sampled = min(sequences, batched_tokens)
    return round(batched_tokens * width + _LOGIT_BYTES * shape.vocabulary * sampled)


def cache_pool(setup: ServeSetup, engine: EngineDefaults, visible: int, start_up: int, activation: int) -> int:
    """Bytes left for the cache on one card, by the engine's own rule; negative when it does not start.

    vLLM: share of the total holds everything. SGLang: the share holds weights and cache, activations live outside it.
    TensorRT-LLM: the share of what is free after weights and activations. llama.cpp allocates what it is told: the
    share of what is free is what one can tell it.
    """
    share = setup.settings.memory_share or engine.memory_share
    match setup.engine:
        case ServingEngine.VLLM:
            return int(visible * share) - start_up
        case ServingEngine.SGLANG:
            return min(int(visible * share) - (start_up - activation), visible - start_up)
        case ServingEngine.TENSORRT_LLM | ServingEngine.LLAMA_CPP:
            free = visible - start_up
            return int(free * share) if free > 0 else free


def card_weights(shape: ServingShape, setup: ServeSetup, layout: ServeLayout) -> int:
    """Weights of the fullest card: its stage's layers over the tensor ranks, and the larger of embedding and head."""
    total = weight_bytes(shape, setup.weights)
    if layout.pipeline == 1:
        return ceil(total / layout.tensor)
    ends = shape.embedding_parameters * BF16_BYTES
    blocks = total - 2 * ends
    stage = blocks * ceil(shape.layers / layout.pipeline) / shape.layers
    return ceil((stage + ends) / layout.tensor)


def adapter_bytes(setup: ServeSetup) -> int:
    """Adapters loaded apart, in 16 bit on every linear matrix: rank x (inputs + outputs) each."""
    if not setup.adapters:
        return 0
    sides = sum(
        block.count * (linear.inputs + linear.outputs) * linear.count
        for block in setup.model.blocks
        for linear in block.linears
        if linear.is_module
    )
    return setup.adapters * setup.adapter_rank * sides * BF16_BYTES


def _cache_divisor(shape: ServingShape, layout: ServeLayout) -> int:
    """Parts the cache of one copy is spread over: stages, and tensor ranks as far as there are heads to divide.

    A latent cache is the same on every rank, so ranks add nothing to it.
    """
    heads = [group.kv_heads for group in shape.caches]
    if not heads:
        return layout.pipeline
    return layout.pipeline * min(layout.tensor, *heads)


def state_slots(shape: ServingShape, pool: float) -> int | None:
    """Blocks of states a hybrid's pool is cut into; None for other models.

    vLLM puts as many recurrent layers into a block as there are attending ones, and does not start with fewer blocks
    than sequences: 556 to 1,011 of 1,024 on a Max-Q card with a 27B model of 48 and 16 layers.
    """
    if not shape.is_hybrid:
        return None
    attending = sum(group.layers for group in shape.caches) or shape.recurrent_layers
    block = shape.state_bytes * min(attending / shape.recurrent_layers, 1.0)
    return int(pool // block)


def _short_bytes(shape: ServingShape, setup: ServeSetup) -> int:
    return round(shape.cache_elements(1) * BYTES_PER_CACHED_VALUE[setup.cache])


def _tokens(pool: float, per_token: int) -> int:
    return int(pool // (per_token * CACHE_BLOCK_TOKENS)) * CACHE_BLOCK_TOKENS if per_token else 0


def _held(shape: ServingShape, setup: ServeSetup, pool: float, tokens: int) -> int:
    """Requests of a length the pool holds: whole blocks, windows and states counted."""
    blocks = ceil(tokens / CACHE_BLOCK_TOKENS) * CACHE_BLOCK_TOKENS
    need = cache_bytes(shape, setup.cache, blocks)
    return int(pool // need) if need else 0


def _problems(
    setup: ServeSetup,
    shape: ServingShape,
    layout: ServeLayout,
    pool: int,
    copy_pool: float,
    at_max: int,
) -> list[StartProblem]:
    found: list[StartProblem] = []
    if not setup.model.divides_over(layout.tensor):
        found.append(StartProblem.HEADS)
    if layout.pipeline > shape.layers:
        found.append(StartProblem.LAYERS)
    longest = setup.model.max_position
    if longest is not None and setup.lengths.max_total > longest:
        found.append(StartProblem.POSITIONS)
    if pool <= 0:
        found.append(StartProblem.WEIGHTS)
    elif at_max < 1:
        found.append(StartProblem.ONE_REQUEST)
    elif (slots := state_slots(shape, copy_pool)) is not None and slots < (setup.settings.max_sequences or 1):
        found.append(StartProblem.STATES)
    return found

"""Which kind each layer of a model is: lists from the configuration, or the library's rule where there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from catalog.huggingface.errors import ConfigError
from catalog.huggingface.fields import Fields
from catalog.huggingface.parts import Pattern

FULL, SLIDING, CHUNKED, LINEAR = "full_attention", "sliding_attention", "chunked_attention", "linear_attention"
DENSE, SPARSE = "dense", "sparse"
# Names the library accepted before it settled on the ones above.
OLD_NAMES = {
    "attention": FULL,
    "full": FULL,
    "global": FULL,
    "local": SLIDING,
    "sliding": SLIDING,
    "mamba": LINEAR,
    "mamba2": LINEAR,
    "indexed_attention": FULL,
}


def layers(fields: Fields) -> int:
    """Number of decoder layers."""
    return fields.size("num_hidden_layers")


def always(kind: str) -> Pattern:
    """Every layer alike."""
    return lambda fields: (kind,) * layers(fields)


def listed(name: str, otherwise: Pattern) -> Pattern:
    """The list in field `name`, or else a rule."""

    def pattern(fields: Fields) -> Sequence[str]:
        words = fields.words(name)
        if words is None:
            return otherwise(fields)
        return exactly(fields, name, tuple(OLD_NAMES.get(word, word) for word in words))

    return pattern


def exactly(fields: Fields, name: str, items: tuple[str, ...]) -> tuple[str, ...]:
    """Check that a list has one entry for each layer."""
    if len(items) != layers(fields):
        raise ConfigError(
            "{field} has {entries} entries for {layers} layers.",
            field=name,
            entries=len(items),
            layers=layers(fields),
        )
    return items


def by_index(choose: Callable[[Fields, int], bool], yes: str, no: str) -> Pattern:
    """A rule that looks at the layer's index, counted from 0."""
    return lambda fields: tuple(yes if choose(fields, index) else no for index in range(layers(fields)))


def every(period: int | str, then: str, otherwise: str) -> Pattern:
    """The last of every `period` layers (a number or a field) is `then`; without a period, all are `then`."""

    def pattern(fields: Fields) -> Sequence[str]:
        length = period if isinstance(period, int) else fields.count(period)
        return tuple(then if length == 0 or (index + 1) % length == 0 else otherwise for index in range(layers(fields)))

    return pattern


def windowed(name: str = "sliding_window") -> Pattern:
    """All layers have a window when the field is set, none otherwise."""
    return lambda fields: (SLIDING if fields.present(name) else FULL,) * layers(fields)


def windowed_from_the_middle(fields: Fields) -> Sequence[str]:
    """Qwen2's rule: with `use_sliding_window`, the layers from `max_window_layers` on have the window."""
    used = fields.flag("use_sliding_window") and fields.present("sliding_window")
    start = fields.count("max_window_layers")
    return tuple(SLIDING if used and index >= start else FULL for index in range(layers(fields)))


def windowed_if_used(fields: Fields) -> Sequence[str]:
    """All layers have the window when `use_sliding_window` says so."""
    used = fields.flag("use_sliding_window") and fields.present("sliding_window")
    return (SLIDING if used else FULL,) * layers(fields)


def first_dense(name: str = "first_k_dense_replace", *, otherwise: int = 0) -> Pattern:
    """The first layers, as many as the field says, are dense, the rest sparse."""

    def pattern(fields: Fields) -> Sequence[str]:
        given = fields.optional_count(name)
        dense = otherwise if given is None else given
        return tuple(DENSE if index < dense else SPARSE for index in range(layers(fields)))

    return pattern


def sparse_steps(fields: Fields) -> Sequence[str]:
    """Qwen's rule: experts in every `decoder_sparse_step`-th layer that is not listed in `mlp_only_layers`."""
    dense = frozenset(fields.counts("mlp_only_layers") or ())
    step = fields.optional_size("decoder_sparse_step") or 1
    return tuple(SPARSE if index not in dense and (index + 1) % step == 0 else DENSE for index in range(layers(fields)))


def windowed_without_positions(fields: Fields) -> Sequence[str]:
    """SmolLM3's rule: with `use_sliding_window`, the layers without rotary positions have the window."""
    used = fields.flag("use_sliding_window") and fields.present("sliding_window")
    period = fields.count("no_rope_layer_interval") or 1
    rotary = fields.counts("no_rope_layers") or tuple(int((index + 1) % period != 0) for index in range(layers(fields)))
    return tuple(SLIDING if used and not has else FULL for has in rotary)


def windowed_at_odd_layers(fields: Fields) -> Sequence[str]:
    """Qwen2-MoE's rule: with `use_sliding_window`, every second layer below `max_window_layers` has the window."""
    used, last = fields.flag("use_sliding_window"), fields.count("max_window_layers")
    return tuple(SLIDING if used and index < last and (index + 1) % 2 else FULL for index in range(layers(fields)))

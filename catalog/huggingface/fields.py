"""Typed and bounded reading of the fields of one decoder configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from catalog.huggingface.errors import ConfigError, MissingFieldsError, shown
from catalog.huggingface.libraryfacts import TypeFacts

MAX_SIZE = 2**24  # wider than any layer or vocabulary ever published, small enough to expose a slip of units
MAX_LAYERS = 2_000
MAX_POSITIONS = 2**31
LIMITS = {
    "num_hidden_layers": MAX_LAYERS,
    "num_layers": MAX_LAYERS,
    "max_position_embeddings": MAX_POSITIONS,
    "sliding_window": MAX_POSITIONS,
    "attention_chunk_size": MAX_POSITIONS,
}

# Fields that a configuration must state itself. Anything else may come from the library's class defaults, as it does
# when the library reads the file, and is then listed in `Fields.defaulted`.
STATED = frozenset(
    {
        "hidden_size",
        "num_hidden_layers",
        "num_layers",
        "num_attention_heads",
        "vocab_size",
        "intermediate_size",
        "moe_intermediate_size",
        "num_experts",
        "num_local_experts",
        "n_routed_experts",
        "moe_num_experts",
        "num_experts_per_tok",
        "kv_lora_rank",
        "qk_nope_head_dim",
        "qk_rope_head_dim",
        "v_head_dim",
    }
)


class Fields:
    """One configuration with the names and defaults of its model type.

    `strict` is for a configuration that stands alone: fields in STATED must then be present. The text part of a
    composite configuration is stored without the fields that equal the class defaults, so there it is off.
    """

    def __init__(self, raw: Mapping[str, object], facts: TypeFacts, *, strict: bool) -> None:
        self._raw = raw
        self._facts = facts
        self._strict = strict and not facts.whole
        self._overlay: Mapping[str, object] = {}
        self._missing: dict[str, None] = {}
        self._defaulted: dict[str, None] = {}

    @property
    def defaulted(self) -> tuple[str, ...]:
        """Size fields that were absent and filled from the class defaults."""
        return tuple(self._defaulted)

    @contextmanager
    def with_values(self, overlay: Mapping[str, object]) -> Iterator[None]:
        """Let fields have other values for a while: those of one layer where the configuration lists them per layer."""
        before = self._overlay
        self._overlay = {**before, **overlay}
        try:
            yield
        finally:
            self._overlay = before

    def raise_missing(self) -> None:
        """MissingFieldsError with every missing field asked for so far."""
        if self._missing:
            raise MissingFieldsError(tuple(self._missing))

    def require(self, names: Sequence[str]) -> None:
        """Note the absent ones among `names` as missing, whatever the class defaults say."""
        for name in names:
            if self._stated(name) is None and not self._facts.whole:
                self._missing[name] = None

    def size(self, name: str) -> int:
        """A positive whole number; a missing one is noted and stands in as 1 until `raise_missing`."""
        value = self.optional_size(name)
        if value is None:
            self._missing[name] = None
            return 1
        return value

    def optional_size(self, name: str) -> int | None:
        """A positive whole number, or None where neither the configuration nor the class default has one."""
        value = self.optional_count(name)
        if value == 0:
            raise ConfigError("{field} must be at least 1.", field=name)
        if value is not None and name not in self._overlay and not self._is_named(name):
            self._defaulted[name] = None
        return value

    def count(self, name: str) -> int:
        """A whole number of at least 0; 0 where it is absent."""
        return self.optional_count(name) or 0

    def optional_count(self, name: str) -> int | None:
        """A whole number of at least 0, or None."""
        value = self._value(name)
        if value is None:
            return None
        return whole_number(name, value)

    def factor(self, name: str) -> int:
        """A multiple of a width; some configurations write 2.0 for 2."""
        value = self._value(name)
        if isinstance(value, float) and value.is_integer():
            return whole_number(name, int(value))
        return self.size(name)

    def whole(self, name: str) -> int | None:
        """A whole number of at least -1, which some configurations use for "the last"; or None."""
        return -1 if self._value(name) == -1 else self.optional_count(name)

    def is_true(self, name: str) -> bool:
        """Whether a field that may also hold a word is true."""
        return self._value(name) is True

    def is_word(self, name: str, word: str) -> bool:
        """Whether a field holds this word."""
        return self._value(name) == word

    def flag(self, name: str) -> bool:
        """True or false; false where it is absent."""
        value = self._value(name)
        if value is None:
            return False
        if not isinstance(value, bool):
            raise ConfigError("{field} must be true or false, not {value}.", field=name, value=shown(value))
        return value

    def present(self, name: str) -> bool:
        """Whether a field has any value but null."""
        return self._value(name) is not None

    def number(self, name: str) -> float | None:
        """A finite positive number, or None."""
        value = self._value(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < MAX_POSITIONS:
            raise ConfigError("{field} must be a positive number, not {value}.", field=name, value=shown(value))
        return float(value)

    def drops_out(self, *names: str) -> bool:
        """Whether any of these dropout probabilities is above 0."""
        return any(self._share(name) > 0 for name in names)

    def _share(self, name: str) -> float:
        value = self._value(name)
        if value is None:
            return 0.0
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1:
            raise ConfigError("{field} must be a share from 0 to below 1, not {value}.", field=name, value=shown(value))
        return float(value)

    def word(self, name: str) -> str | None:
        """A text, or None."""
        value = self._value(name)
        if value is None:
            return None
        if not isinstance(value, str):
            raise ConfigError("{field} must be a text, not {value}.", field=name, value=shown(value))
        return value

    def words(self, name: str) -> tuple[str, ...] | None:
        """A list of texts, one for each layer at most, or None."""
        items = self._items(name)
        if items is None:
            return None
        for item in items:
            if not isinstance(item, str):
                raise ConfigError("{field} must be a list of texts, not {value}.", field=name, value=shown(item))
        return tuple(str(item) for item in items)

    def counts(self, name: str) -> tuple[int, ...] | None:
        """A list of whole numbers of at least 0, or None."""
        items = self._items(name)
        if items is None:
            return None
        return tuple(whole_number(name, int(item) if isinstance(item, bool) else item) for item in items)

    def integers(self, name: str) -> tuple[object, ...]:
        """The entries of a list as they are; empty where it is absent."""
        return tuple(self._items(name) or ())

    def first(self, name: str) -> int:
        """A size that some configurations write as a list of equal sides."""
        if self.is_list(name):
            sides = self.counts(name) or (0,)
            if len(set(sides)) != 1 or sides[0] < 1:
                raise ConfigError("{field} must be a list of equal sizes.", field=name)
            return sides[0]
        return self.size(name)

    def is_list(self, name: str) -> bool:
        """Whether a field holds a list: some configurations give one value for all layers, some one for each."""
        return isinstance(self._value(name), list | tuple)

    def part(self, name: str) -> Mapping[str, object] | None:
        """A nested object, or None."""
        value = self._value(name)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise ConfigError("{field} must be an object, not {value}.", field=name, value=shown(value))
        return value

    def _items(self, name: str) -> Sequence[object] | None:
        value = self._value(name)
        if value is None:
            return None
        if not isinstance(value, list | tuple):
            raise ConfigError("{field} must be a list, not {value}.", field=name, value=shown(value))
        if len(value) > MAX_LAYERS:
            raise ConfigError("{field} has more than {limit} entries.", field=name, limit=MAX_LAYERS)
        return value

    def _stated(self, name: str) -> object:
        for key in (name, *self._facts.aliases.get(name, ())):
            if self._raw.get(key) is not None:
                return self._raw[key]
        return None

    def _is_named(self, name: str) -> bool:
        return any(key in self._raw for key in (name, *self._facts.aliases.get(name, ())))

    def _value(self, name: str) -> object:
        if name in self._overlay:
            return self._overlay[name]
        stated = self._stated(name)
        if stated is not None or self._is_named(name):
            return stated
        if self._strict and name in STATED:
            return None
        return self._facts.defaults.get(name)


def whole_number(name: str, value: object) -> int:
    """Check a whole number between 0 and the field's limit."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError("{field} must be a whole number, not {value}.", field=name, value=shown(value))
    limit = LIMITS.get(name, MAX_SIZE)
    if not 0 <= value <= limit:
        raise ConfigError(
            "{field} must lie between 0 and {limit}, not {value}.", field=name, limit=limit, value=shown(value)
        )
    return value

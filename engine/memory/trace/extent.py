"""Sizes that are linear in the tokens of a micro-batch.

An extent is `(constant, per token, per token and sequence position)`: weights have the first part only, activations
the second, score matrices of eager attention the third. `tokens` is micro-batch x sequence length, so the third part
counts micro-batch x sequence length squared.
"""

from __future__ import annotations

Extent = tuple[int, int, int]

ZERO: Extent = (0, 0, 0)


def constant(size: int) -> Extent:
    """A size that does not depend on the batch."""
    return (size, 0, 0)


def per_token(size: int) -> Extent:
    """A size per token."""
    return (0, size, 0)


def per_pair(size: int) -> Extent:
    """A size per token and sequence position."""
    return (0, 0, size)


def plus(a: Extent, b: Extent) -> Extent:
    """Sum of two extents."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def minus(a: Extent, b: Extent) -> Extent:
    """Difference of two extents."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def times(a: Extent, factor: int) -> Extent:
    """An extent taken `factor` times."""
    return (a[0] * factor, a[1] * factor, a[2] * factor)


def larger(a: Extent, b: Extent) -> Extent:
    """The extent of a broadcast result: the operand that grows faster."""
    return a if a[::-1] >= b[::-1] else b


def evaluate(extent: Extent, tokens: int, sequence_length: int) -> int:
    """The size for a micro-batch."""
    return extent[0] + tokens * (extent[1] + sequence_length * extent[2])

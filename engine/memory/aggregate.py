"""Sums over a model that every estimate needs, computed once per model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.adapters import adapter_parameters
from engine.models import Linear, ModelSpec

V = TypeVar("V")
MODELS_REMEMBERED = 256
VALUES_REMEMBERED = 4096  # per model


class PerModel(Generic[V]):
    """Remembers one value per model and key. A model is told apart by identity: hashing hundreds of shapes costs more
    than an estimate may take."""

    def __init__(self, compute: Callable[..., V]) -> None:
        self._compute = compute
        self._models: dict[int, tuple[ModelSpec, dict[tuple[object, ...], V]]] = {}

    def __call__(self, model: ModelSpec, *key: object) -> V:
        """The value for this model and key."""
        entry = self._models.get(id(model))
        if entry is None or entry[0] is not model:
            if len(self._models) >= MODELS_REMEMBERED:
                self._models.pop(next(iter(self._models)))
            entry = (model, {})
            self._models[id(model)] = entry
        values = entry[1]
        value = values.get(key)
        if value is None:
            if len(values) >= VALUES_REMEMBERED:
                values.clear()
            value = values[key] = self._compute(model, *key)
        return value

    def cache_clear(self) -> None:
        """Forget everything, as a cache of `functools` does."""
        self._models.clear()


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Counts of parameters by what may happen to them."""

    parameters: int
    quantisable: int  # weights of linear layers, which bitsandbytes packs to 4 bit; the output layer is left out
    matrices: int  # weights of all matrices but embedding and head
    matrix_rows_and_columns: int
    matrix_sides: tuple[tuple[int, int, int], ...]  # shorter side, longer side, how many matrices have them
    largest_matrix: int  # all experts of a layer are one where they share a tensor
    largest_packed_matrix: int  # of those that are quantised, each for itself
    largest_layer: int
    largest_layer_quantisable: int
    outside_layers: int  # embedding, head and final parameters


def is_quantisable(linear: Linear) -> bool:
    """Whether bitsandbytes packs this matrix: linear layers yes, bare parameters (fused experts, routers) no."""
    return not linear.fused_parameter


def _aggregate(model: ModelSpec) -> Aggregate:
    quantisable = matrices = edges = largest_matrix = largest_packed = largest_layer = largest_quantisable = 0
    sides = Counter[tuple[int, int]]()
    for block in model.blocks:
        packed = sum(linear.weights for linear in block.linears if is_quantisable(linear))
        quantisable += block.count * packed
        matrices += block.count * sum(linear.weights for linear in block.linears)
        edges += block.count * sum((linear.inputs + linear.outputs) * linear.count for linear in block.linears)
        for linear in block.linears:
            shorter, longer = sorted((linear.inputs, linear.outputs))
            sides[shorter, longer] += block.count * linear.count
        largest_matrix = max([largest_matrix, *(linear.weights for linear in block.linears)])
        packable = [linear.inputs * linear.outputs for linear in block.linears if is_quantisable(linear)]
        largest_packed = max([largest_packed, *packable])
        if block.parameters // block.count > largest_layer:
            largest_layer, largest_quantisable = block.parameters // block.count, packed
    outside = model.embedding_parameters + model.head_parameters + model.final_parameters
    return Aggregate(
        parameters=model.parameters,
        quantisable=quantisable,
        matrices=matrices,
        matrix_rows_and_columns=edges,
        matrix_sides=tuple((*both, count) for both, count in sides.items()),
        largest_matrix=largest_matrix,
        largest_packed_matrix=largest_packed,
        largest_layer=largest_layer,
        largest_layer_quantisable=largest_quantisable,
        outside_layers=outside,
    )


aggregate: PerModel[Aggregate] = PerModel(_aggregate)


def _adapters(model: ModelSpec, rank: int, targets: tuple[str, ...], dora: bool) -> int:  # noqa: FBT001 - a cache key
    return adapter_parameters(model, rank, targets, dora=dora)


adapter_count: PerModel[int] = PerModel(_adapters)

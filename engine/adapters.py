"""How many parameters LoRA adapters have, target by target, as PEFT 0.21.2 would create them.

Source of the rules: PEFT 0.21.2, `peft/tuners/lora/layer.py` (two matrices, rank x inputs and outputs x rank; one
magnitude per output for DoRA) and `peft/utils/transformers_weight_conversion.py` (fused experts). The counts equal
PEFT's own on the meta device for every model of the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.errors import InvalidInputError
from engine.methods import ALL_LINEAR, ATTENTION_ONLY
from engine.models import Linear, ModelSpec, Role

MAX_RANK = 65_536


def adapter_parameters(model: ModelSpec, rank: int, targets: Sequence[str] = ALL_LINEAR, *, dora: bool = False) -> int:
    """Trainable parameters of all adapters.

    `targets` is ("all-linear",), ("attention",) or module names, matched by suffix as PEFT does; names of expert
    tensors ("experts.down_proj") may be added to either, as PEFT's `target_parameters`. Modules PEFT refuses are left
    out of "all-linear", as its `exclude_modules` would. InvalidInputError when nothing matches, when a target is one
    PEFT refuses, when an expert's gate is named without its up projection (both are one tensor), when DoRA meets
    fused experts, or when the rank is outside 1 to 65,536.
    """
    if isinstance(rank, bool) or not 1 <= rank <= MAX_RANK:
        raise InvalidInputError("{field} must lie between 1 and {limit}.", field="rank", limit=MAX_RANK)
    total, found = 0, False
    for linear, layers in adapted_linears(model, targets):
        found = True
        total += layers * linear_adapter_parameters(linear, rank, dora=dora)
    if not found:
        raise InvalidInputError(
            "None of the adapter's targets ({targets}) is a module of {model}.",
            targets=", ".join(targets),
            model=model.name,
        )
    return total


def linear_adapter_parameters(linear: Linear, rank: int, *, dora: bool = False) -> int:
    """Adapter parameters of one entry of a block: rank x (inputs + outputs) for each of its matrices.

    DoRA adds one magnitude for each output; PEFT refuses it on bare parameters.
    """
    if dora and not linear.is_module:
        raise InvalidInputError("DoRA cannot adapt the fused experts of this model ({module}).", module=linear.name)
    magnitudes = linear.outputs if dora else 0
    return linear.count * (rank * linear.rank_factor * (linear.inputs + linear.outputs) + magnitudes)


def adapted_linears(model: ModelSpec, targets: Sequence[str]) -> Iterator[tuple[Linear, int]]:
    """The matrices that get an adapter, each with the number of layers that have it."""
    chosen = frozenset(targets)
    if not chosen:
        raise InvalidInputError("An adapter needs at least one target.")
    refused = frozenset(model.peft_refused)
    if named_and_refused := chosen & refused:
        raise InvalidInputError(
            "PEFT cannot adapt {targets} of {model}.", targets=", ".join(sorted(named_and_refused)), model=model.name
        )
    entries = [(linear, block.count) for block in model.blocks for linear in block.linears]
    entries += [(linear, 1) for linear in model.adaptable_extras]
    whole, attention = not chosen.isdisjoint(ALL_LINEAR), not chosen.isdisjoint(ATTENTION_ONLY)
    tensors, modules = _translated(chosen, dict(model.peft_module_names))
    for linear, layers in entries:
        if linear.name.rpartition(".")[2] in refused:
            continue
        named = _matches(linear.name, modules if linear.is_module else tensors)
        by_role = attention and linear.role is Role.ATTENTION and linear.is_module
        if named or by_role or (whole and linear.peft_all_linear):
            yield linear, layers


def _translated(chosen: frozenset[str], renamed: dict[str, str]) -> tuple[frozenset[str], frozenset[str]]:
    """Split targets into bare tensors and modules, as PEFT's conversion does."""
    tensors = {target for target in chosen if target.startswith("experts.")}
    modules, olds = set[str](), set[str]()
    for target in chosen - tensors:
        old = next((name for name in renamed if target == name or target.endswith(f".{name}")), None)
        if old is None:
            modules.add(target)
        else:
            olds.add(old)
            tensors.add(renamed[old])
    for tensor in sorted(tensors):
        parts = {old for old, new in renamed.items() if new == tensor}
        if len(parts) > 1 and not parts <= olds:
            raise InvalidInputError(
                "{present} cannot be adapted without {missing}: the experts keep both in one tensor.",
                present=", ".join(sorted(parts & olds)),
                missing=", ".join(sorted(parts - olds)),
            )
    return frozenset(tensors), frozenset(modules)


def _matches(name: str, targets: frozenset[str]) -> bool:
    return any(name == target or name.endswith(f".{target}") for target in targets)

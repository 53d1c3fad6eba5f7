"""From a consultation document to the engine's scenario."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path

from catalog.consultation.calibrations import measured_stack, to_own_run
from catalog.consultation.config_paths import config_path
from catalog.consultation.document import CalibrationRow, Consultation, RecipeSettings, WorkloadRow
from catalog.consultation.serving import ServingRow, to_serving
from engine.cost.types import OwnershipAnswers
from engine.errors import InvalidInputError
from engine.facts import Facts
from engine.memory.types import TrainingSetup
from engine.methods import Method, Optimizer, Recipe, StateRecipe
from engine.models import ModelSpec
from engine.speed.types import OwnRun
from engine.units import Money
from engine.workload import Scenario, Site, Workload

ConfigReader = Callable[[Path], ModelSpec]
"""Reads a Hugging Face `config.json` into a model."""


def default_states(method: Method, optimizer: Optimizer) -> StateRecipe:
    """The state recipe when none is named: 16 B per trained parameter with AdamW, 10 B with 8-bit AdamW.

    For LoRA and QLoRA it describes the adapters (16 B per adapter parameter: sizing rules of October 2026).
    """
    eight_bit = optimizer in (Optimizer.ADAMW_8BIT, Optimizer.PAGED_ADAMW_8BIT)
    if method is Method.FULL and eight_bit:
        return StateRecipe.BF16_8BIT
    return StateRecipe.BF16_MASTER


def to_recipe(method: Method, settings: RecipeSettings) -> Recipe:
    """The engine's recipe from a method and the settings of a row."""
    return Recipe(
        method=method,
        states=settings.states or default_states(method, settings.optimizer),
        optimizer=settings.optimizer,
        objective=settings.objective,
        rank=settings.rank,
        targets=settings.targets,
        adapter_dtype=settings.adapter_dtype,
        dora=settings.dora,
        trains_embeddings=settings.trains_embeddings,
        trains_head=settings.trains_head,
        kbit_upcast=settings.kbit_upcast,
        checkpointing=settings.checkpointing,
        attention=settings.attention,
        loss=settings.loss,
        gradient_accumulation=settings.gradient_accumulation,
        packing=settings.packing,
        offload=settings.offload,
    )


def to_scenario(
    consultation: Consultation, facts: Facts, as_of: date, read_config: ConfigReader, folder: Path = Path()
) -> Scenario:
    """The engine's scenario. `as_of` is used when the document has no date, `folder` for relative config paths.

    Without a stated software stack, that of the customer's own test runs counts, where they agree. Raises
    `InvalidInputError` when a model id is unknown, a price names no catalogue item, a test run cannot be or nothing is
    asked.
    """
    if not consultation.workloads and not consultation.serving:
        raise InvalidInputError("The consultation has no workload yet: add a model, a method and a sequence length.")
    for item_id in consultation.prices:
        if item_id not in facts.priceable_ids:
            raise InvalidInputError("prices: {id} is no item of the catalogue.", id=item_id)
    workloads = tuple(_workload(row, facts, read_config, folder) for row in consultation.workloads)
    return Scenario(
        workloads=workloads,
        site=Site(
            place=consultation.site.place,
            circuit_watts=consultation.site.circuit_watts,
            cooling_watts=consultation.site.cooling_watts,
            noise_limit_db_a=consultation.site.noise_db_a,
            free_rack_units=consultation.site.rack_units,
            slots=consultation.site.slots,
        ),
        must_have=frozenset(consultation.must_have),
        priority=consultation.priority,
        currency=consultation.currency,
        as_of=consultation.date or as_of,
        horizon_years=consultation.horizon_years,
        budget=None if consultation.budget is None else Money(consultation.budget, consultation.currency),
        headroom=float(Decimal(consultation.headroom_percent) / 100),
        price_overrides={key: Money(amount, consultation.currency) for key, amount in consultation.prices.items()},
        stack=consultation.stack or measured_stack(consultation.calibrations),
        calibrations=tuple(_own_run(row, workloads, facts) for row in consultation.calibrations),
        ownership=_ownership(consultation),
        serving=tuple(
            to_serving(row, lambda entry: find_model(entry, facts, read_config, folder), consultation.currency)
            for row in consultation.serving
        ),
    )


def _ownership(consultation: Consultation) -> OwnershipAnswers:
    row, currency = consultation.ownership, consultation.currency
    return OwnershipAnswers(
        overrides=dict(row.assumptions),
        needs_own_weights=row.needs_own_weights,
        data_may_leave=row.data_may_leave,
        checkpoint_value=None if row.checkpoint_value is None else Money(row.checkpoint_value, currency),
        api_prices={provider: Money(amount, currency) for provider, amount in row.api_prices.items()},
        allow_spot=row.allow_spot,
        lease_per_month=None if row.lease_per_month is None else Money(row.lease_per_month, currency),
    )


def _workload(row: WorkloadRow, facts: Facts, read_config: ConfigReader, folder: Path) -> Workload:
    model = find_model(row, facts, read_config, folder)
    return Workload(
        name=row.name or model.name,
        model=model,
        recipe=to_recipe(row.method, row.recipe),
        sequence_length=row.sequence_length,
        micro_batch=row.micro_batch,
        tokens_per_run=row.tokens_per_run,
        runs_per_month=row.runs_per_month,
        runs_at_once=row.runs_at_once,
        deadline_h=row.deadline_hours,
        sequences_per_step=row.sequences_per_step,
    )


def own_run_of(
    row: CalibrationRow, consultation: Consultation, facts: Facts, read_config: ConfigReader, folder: Path = Path()
) -> OwnRun:
    """A test run beside what the model says for it. Raises `InvalidInputError` when it cannot have been."""
    named = [] if row.workload is None else consultation.workloads
    return _own_run(row, [_workload(one, facts, read_config, folder) for one in named], facts)


def _own_run(row: CalibrationRow, workloads: Sequence[Workload], facts: Facts) -> OwnRun:
    """A test run in the engine's terms, by the row of the consultation it names or by what it says itself."""
    if row.workload is not None:
        named = next((workload for workload in workloads if workload.name == row.workload), None)
        if named is None:
            raise InvalidInputError("calibrations: {name} is no workload of this consultation.", name=row.workload)
        length, micro_batch = row.sequence_length or named.sequence_length, row.micro_batch or named.micro_batch or 1
        return to_own_run(row, TrainingSetup(named.model, named.recipe, length, micro_batch), facts)
    model = facts.models.get(row.model or "")
    if model is None or row.method is None or row.sequence_length is None:
        raise InvalidInputError(
            "{id} is no model of the catalogue; `catalog list models` names them all.", id=row.model
        )
    recipe = to_recipe(row.method, row.recipe)
    return to_own_run(row, TrainingSetup(model, recipe, row.sequence_length, row.micro_batch or 1), facts)


def find_model(row: WorkloadRow | ServingRow, facts: Facts, read_config: ConfigReader, folder: Path) -> ModelSpec:
    """The model of a row: by catalogue id, or read from its `config.json`. Raises `InvalidInputError`."""
    if row.config is not None:
        return read_config(config_path(row.config, folder))
    model = facts.models.get(row.model or "")
    if model is None:
        raise InvalidInputError(
            "{id} is no model of the catalogue; `catalog list models` names them all.", id=row.model
        )
    return model

"""`estimate`: the memory of one training run, as text or JSON."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields
from pathlib import Path
from typing import Any, TextIO

from catalog.config_model import model_from_file
from catalog.consultation.scenario import default_states
from catalog.load import load_catalog
from catalog.user_folder import user_folder
from engine.errors import InvalidInputError
from engine.facts import Facts
from engine.fit import Verdict, judge
from engine.hardware import Card
from engine.memory.estimate import estimate
from engine.memory.inverse import largest_micro_batch, longest_sequence
from engine.memory.remedies import Remedy, remedies
from engine.memory.types import MemoryEstimate, TrainingSetup
from engine.methods import (
    Attention,
    Checkpointing,
    Layout,
    Loss,
    Method,
    Objective,
    Offload,
    Optimizer,
    Precision,
    Recipe,
    Sharding,
    StateRecipe,
)
from engine.models import ModelSpec
from engine.wording import labels, notes, numbers
from engine.wording.translator import Language
from resources import translations

SCHEMA = 1


def run(arguments: argparse.Namespace, out: TextIO) -> int:
    """Print the estimate; 1 when `--card` is given and the run does not fit on it."""
    facts = load_catalog(user_folder()).facts
    setup = TrainingSetup(
        model=find_model(arguments.model, facts),
        recipe=_recipe(arguments),
        sequence_length=arguments.sequence_length,
        micro_batch=arguments.micro_batch,
        layout=_layout(arguments),
    )
    card = None if arguments.card is None else find_card(arguments.card, facts)
    if arguments.max is not None and card is None:
        raise InvalidInputError("--max needs --card: the largest that fits depends on the card.")
    result = estimate(setup)
    headroom = arguments.headroom / 100
    verdict = None if card is None else judge(result, card.usable_bytes.value, headroom)
    helping = () if card is None or verdict is Verdict.FITS else remedies(setup, card.usable_bytes.value, headroom)
    largest = None if card is None else _largest(arguments.max, setup, card, headroom)
    language = Language(arguments.language)
    tr = translations(language)
    if arguments.json:
        form = as_json(result, [notes.note_sentence(note, tr, language) for note in result.notes])
        if card is not None and verdict is not None:
            form["verdict"] = {
                "card": card.id,
                "verdict": verdict.value,
                "usable_bytes": card.usable_bytes.value,
                "free_bytes": card.usable_bytes.value - result.required.expected,
                "headroom_percent": arguments.headroom,
            }
            form["remedies"] = [
                {"remedy": one.kind.value, "saved_bytes": one.saved_bytes, "verdict": one.verdict.value}
                for one in helping
            ]
        if largest is not None:
            form["max"] = {arguments.max.replace("-", "_"): largest}
        json.dump(form, out, indent=1)
        out.write("\n")
    else:
        _print(result, card, verdict, (arguments.max, largest), language, out)
        _print_remedies(helping, language, out)
    return 1 if verdict is Verdict.NO else 0


def as_json(result: MemoryEstimate, sentences: list[str]) -> dict[str, Any]:
    """The public JSON form of an estimate; every size in whole bytes.

    The model states are those of the recipe, all gradients at once, as they are usually counted; activations, logits,
    workspace and communication are those of the limiting phase. A peak is a maximum over phases and no sum of these.
    """
    setup, recipe, card, states = result.setup, result.setup.recipe, result.card, result.states
    required = {"low": result.required.low, "expected": result.required.expected, "high": result.required.high}
    return {
        "schema": SCHEMA,
        "model": {
            "id": setup.model.id,
            "parameters": result.parameters,
            "trainable_parameters": result.trainable_parameters,
        },
        "recipe": recipe.states.value,
        "method": recipe.method.value,
        "objective": recipe.objective.value,
        "optimizer": recipe.optimizer.value,
        "rank": recipe.rank,
        "targets": list(recipe.targets),
        "adapter_dtype": recipe.adapter_dtype.value,
        "kbit_upcast": recipe.kbit_upcast,
        "sequence_length": setup.sequence_length,
        "micro_batch": setup.micro_batch,
        "gradient_accumulation": recipe.gradient_accumulation,
        "cards": setup.layout.cards,
        "sharding": setup.layout.sharding.value,
        "checkpointing": recipe.checkpointing.value,
        "attention": recipe.attention.value,
        "loss": recipe.loss.value,
        "offload": recipe.offload.value,
        "per_card": {
            "weights_bytes": states.weights,
            "adapter_bytes": states.adapters,
            "gradient_bytes": states.gradients,
            "master_weight_bytes": states.master_weights,
            "optimizer_bytes": states.optimizer,
            "model_state_bytes": states.model_states,
            "activation_bytes": card.activations,
            "logits_bytes": card.logits,
            "workspace_bytes": card.workspace,
            "communication_bytes": card.communication,
            "peak_low_bytes": result.required.low,
            "peak_expected_bytes": result.required.expected,
            "peak_high_bytes": result.required.high,
            "allocated_peak_bytes": result.allocated_peak,
            "phases": {
                "load": result.phases.load,
                "forward": result.phases.forward,
                "loss": result.phases.loss,
                "backward": result.phases.backward,
                "step": result.phases.step,
            },
            "limiting_phase": result.phases.limiting.value,
            "runtime_context_bytes": result.runtime_context,
            "allocator_reserve_bytes": result.allocator_reserve,
            "required_bytes": required,
        },
        "host_bytes": result.host,
        "host_high_bytes": result.host_high,
        "notes": sentences,
    }


def find_model(name: str, facts: Facts) -> ModelSpec:
    """A model by catalogue id or configuration file. Raises `InvalidInputError` for an unknown id."""
    if name in facts.models:
        return facts.models[name]
    if name.endswith(".json"):
        return model_from_file(Path(name))
    raise InvalidInputError("{id} is no model of the catalogue; `catalog list models` names them all.", id=name)


def find_card(card_id: str, facts: Facts) -> Card:
    """A card by catalogue id. Raises `InvalidInputError` for an unknown one."""
    card = facts.cards.get(card_id)
    if card is None:
        raise InvalidInputError("{id} is no card of the catalogue; `catalog list cards` names them all.", id=card_id)
    return card


def _recipe(arguments: argparse.Namespace) -> Recipe:
    method, optimizer = Method(arguments.method), Optimizer(arguments.optimizer)
    return Recipe(
        method=method,
        states=StateRecipe(arguments.recipe) if arguments.recipe else default_states(method, optimizer),
        optimizer=optimizer,
        objective=Objective(arguments.objective),
        rank=arguments.rank,
        targets=tuple(word.strip() for word in arguments.targets.split(",") if word.strip()),
        adapter_dtype=Precision(arguments.adapter_dtype),
        dora=arguments.dora == "on",
        kbit_upcast=arguments.kbit_upcast == "on",
        checkpointing=Checkpointing(arguments.checkpointing),
        attention=Attention(arguments.attention),
        loss=Loss(arguments.loss),
        gradient_accumulation=arguments.gradient_accumulation,
        offload=Offload(arguments.offload),
    )


def _layout(arguments: argparse.Namespace) -> Layout:
    if arguments.sharding is not None:
        return Layout(arguments.cards, Sharding(arguments.sharding))
    return Layout(arguments.cards, Sharding.NONE if arguments.cards == 1 else Sharding.FSDP)


def _largest(what: str | None, setup: TrainingSetup, card: Card, headroom: float) -> int | None:
    if what is None:
        return None
    search = longest_sequence if what == "sequence-length" else largest_micro_batch
    return search(setup, card.usable_bytes.value, headroom)


def _print_remedies(helping: tuple[Remedy, ...], language: Language, out: TextIO) -> None:
    """What each change saves per card, and how the run would sit with it alone."""
    tr = translations(language)
    if helping:
        out.write(tr.gettext("What would help, each alone:") + "\n")
    for one in helping:
        saved = tr.gettext("saves {size}").format(size=numbers.gigabytes(one.saved_bytes, language))
        out.write(f"  {labels.label(one.kind, tr):<50}{saved:<20}{labels.label(one.verdict, tr)}\n")


def _print(
    result: MemoryEstimate,
    card: Card | None,
    verdict: Verdict | None,
    largest: tuple[str | None, int | None],
    language: Language,
    out: TextIO,
) -> None:
    tr = translations(language)

    def line(label: str, text: str) -> None:
        out.write(f"{label:<33} {text}\n")

    def size(label: str, size_bytes: int) -> None:
        line(label, numbers.gigabytes(size_bytes, language))

    setup = result.setup
    line(tr.gettext("Model"), setup.model.name)
    line(tr.gettext("Parameters"), numbers.integer(result.parameters, language))
    line(tr.gettext("Trainable parameters"), numbers.integer(result.trainable_parameters, language))
    line(tr.gettext("Recipe"), f"{setup.recipe.method.value} · {setup.recipe.states.value} · {setup.recipe.optimizer}")
    line(tr.gettext("Cards and sharding"), f"{setup.layout.cards} · {setup.layout.sharding.value}")
    size(tr.gettext("Model states"), result.states.model_states)
    line(tr.gettext("Limiting phase"), labels.label(result.phases.limiting, tr))
    for part in fields(result.card):  # their sum is the peak, which the usual count of the states is no part of
        size(labels.memory_part(part.name, tr), getattr(result.card, part.name))
    size(tr.gettext("Allocated peak"), result.allocated_peak)
    line(
        tr.gettext("The card must have"),
        tr.gettext("{expected} ({low} to {high})").format(
            expected=numbers.gigabytes(result.required.expected, language),
            low=numbers.gigabytes(result.required.low, language),
            high=numbers.gigabytes(result.required.high, language),
        ),
    )
    if result.host:
        size(tr.gettext("Host memory, floor"), result.host)
        size(tr.gettext("Host memory, cautious"), result.host_high)
    if card is not None and verdict is not None:
        line(card.name, labels.label(verdict, tr))
        size(tr.gettext("Free"), card.usable_bytes.value - result.required.expected)
    if largest[0] is not None:
        value = tr.gettext("does not fit") if largest[1] is None else numbers.integer(largest[1], language)
        line(tr.gettext("Largest {what}").format(what=largest[0]), value)
    for note in result.notes:
        out.write(f"- {notes.note_sentence(note, tr, language)}\n")

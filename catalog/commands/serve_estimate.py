"""`estimate --method serve`: memory, requests at once and speed of a served model, as text or JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any, TextIO

from catalog.commands.estimate import find_card, find_model
from catalog.commands.serving_form import serving_form
from catalog.load import load_catalog
from catalog.user_folder import user_folder
from engine.errors import InvalidInputError
from engine.fit import CARRIED
from engine.models import ModelSpec
from engine.plan.types import ServingPlacement
from engine.serving.place import ServingHost, serve_on
from engine.serving.summary import memory_parts
from engine.serving.types import (
    CacheFormat,
    EngineSettings,
    Lengths,
    LoadKind,
    ServeLimits,
    ServeLoad,
    ServeSetup,
    ServingEngine,
    WeightFormat,
)
from engine.wording import labels, numbers
from engine.wording.filling import Reader
from engine.wording.reasons import sentence
from engine.wording.serving import (
    basis_text,
    engine_name,
    format_name,
    layout_text,
    lengths_text,
    load_text,
    note_text,
    part_name,
    rate_text,
)
from engine.wording.translator import Language, Translator
from engine.workload import ServingWorkload
from resources import translations

SCHEMA = 1
LONGEST_OVER_MEAN = 4  # maximum lengths where only means are given


def run(arguments: argparse.Namespace, out: TextIO) -> int:
    """Print the estimate; 1 when the model cannot be served as asked on the cards."""
    facts = load_catalog(user_folder()).facts
    if arguments.card is None:
        raise InvalidInputError("Serving needs --card: formats, memory and speed depend on it.")
    setup = serve_setup(arguments, find_model(arguments.model, facts))
    host = ServingHost(find_card(arguments.card, facts), arguments.cards, arguments.bridge)
    placement = serve_on(ServingWorkload(setup.model.name, setup), host, arguments.headroom / 100, facts.serving)
    language = Language(arguments.language)
    words = Reader(translations(language), language, {card.id: card.name for card in facts.cards.values()})
    if arguments.json:
        json.dump(as_json(placement, host, words), out, indent=1, ensure_ascii=False)
        out.write("\n")
    else:
        _print(placement, host, words, out)
    return 0 if placement.verdict in CARRIED else 1


def serve_setup(arguments: argparse.Namespace, model: ModelSpec) -> ServeSetup:
    """The setup of the options. Raises `InvalidInputError` for two loads at once."""
    given = [
        value
        for value in (arguments.users, arguments.requests_per_second, arguments.requests_per_night)
        if value is not None
    ]
    if len(given) > 1:
        raise InvalidInputError("Give one of --users, --requests-per-second and --requests-per-night.")
    if arguments.requests_per_second is not None:
        load = ServeLoad(LoadKind.RATE, requests_per_s=arguments.requests_per_second)
    elif arguments.requests_per_night is not None:
        load = ServeLoad(LoadKind.BATCH, requests_per_night=arguments.requests_per_night, night_h=arguments.night_hours)
    else:
        load = ServeLoad(LoadKind.USERS, users=1 if arguments.users is None else arguments.users)
    lengths = Lengths(
        arguments.prompt,
        _longest(arguments.prompt_max, arguments.prompt),
        arguments.output,
        _longest(arguments.output_max, arguments.output),
    )
    return ServeSetup(
        model=model,
        lengths=lengths,
        load=load,
        weights=WeightFormat(arguments.weights),
        cache=CacheFormat(arguments.cache),
        engine=ServingEngine(arguments.engine),
        limits=ServeLimits(arguments.first_token, arguments.tokens_per_user),
        adapters=arguments.adapters,
        adapter_rank=arguments.rank,
        settings=EngineSettings(arguments.memory_share, arguments.max_sequences, arguments.batched_tokens),
    )


def _longest(given: int | None, mean: int) -> int:
    return mean * LONGEST_OVER_MEAN if given is None else given


def as_json(placement: ServingPlacement, host: ServingHost, words: Reader) -> dict[str, Any]:
    """The public JSON form of an estimate."""
    return {
        "schema": SCHEMA,
        "method": "serve",
        "card": host.card.id,
        **serving_form(placement, words),
        "cards": host.cards,
    }


def _print(placement: ServingPlacement, host: ServingHost, words: Reader, out: TextIO) -> None:
    tr, language = words.tr, words.language
    setup, memory, layout = placement.workload.setup, placement.memory, placement.layout

    def line(label: str, text: str) -> None:
        out.write(f"{label:<34}{text}\n")

    line(tr.gettext("Model"), setup.model.name)
    line(tr.gettext("Cards"), f"{host.cards}x {host.card.name}: {labels.label(placement.verdict, tr)}")
    line(tr.gettext("Weights and KV cache"), f"{format_name(setup.weights)} · {setup.cache.value.upper()}")
    line(tr.gettext("Inference server"), engine_name(setup.engine))
    line(tr.gettext("Serving load"), f"{load_text(setup, tr, language)}; {lengths_text(setup, tr, language)}")
    line(tr.gettext("Serving layout"), layout_text(layout, tr))
    for part, size in memory_parts(memory.card):
        line(part_name(part, tr), numbers.gigabytes(size, language))
    line(tr.gettext("KV cache per token"), numbers.byte_count(memory.bytes_per_token, language))
    line(tr.gettext("KV tokens per copy"), numbers.integer(memory.cache_tokens, language))
    line(
        tr.gettext("Requests at once"),
        tr.gettext("{mean} of mean length, {most} of maximum length").format(
            mean=numbers.integer(memory.sequences_mean * layout.replicas, language),
            most=numbers.integer(memory.sequences_max * layout.replicas, language),
        ),
    )
    _print_speed(placement, tr, language, line)
    for reason in placement.reasons:
        out.write(f"- {sentence(reason, tr, language, words.names)}\n")
    if placement.speed is not None:
        out.writelines(f"- {note_text(note, tr)}\n" for note in placement.speed.notes)


def _print_speed(
    placement: ServingPlacement, tr: Translator, language: Language, line: Callable[[str, str], None]
) -> None:
    speed = placement.speed
    if speed is None:
        line(tr.gettext("Output tokens/s"), tr.gettext("speed not stated"))
        return
    points = [(tr.gettext("One user"), speed.one_user), (tr.gettext("Full batch"), speed.full)]
    if speed.planned is not None:
        points.insert(1, (tr.gettext("Planned load"), speed.planned))
    for name, point in points:
        each = rate_text(point.tokens_per_s_per_user, tr, language)
        line(
            name,
            tr.gettext("{rate} in all, {each} per user at {users} at once; {basis}").format(
                rate=rate_text(point.tokens_per_s, tr, language),
                each=each,
                users=numbers.integer(round(point.users), language),
                basis=basis_text(point, tr, language),
            ),
        )
    line(
        tr.gettext("First token, lower bound"),
        tr.gettext("{seconds} (prompt computed alone)").format(seconds=numbers.seconds(speed.prefill_s, language)),
    )
    if placement.night_h is not None:
        line(tr.gettext("Nightly job"), numbers.hours(placement.night_h.expected, language))

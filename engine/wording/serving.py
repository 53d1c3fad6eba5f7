"""Words for served models: formats, bars, points of operation, remarks, and why a record was not scored."""

from __future__ import annotations

from collections.abc import Mapping

from engine.serving.baseline import BaselineKind, TokenBaseline
from engine.serving.facts import Anchor
from engine.serving.speed import OperatingPoint, ServingNote, SpeedBasis
from engine.serving.types import LoadKind, ServeLayout, ServeSetup, ServingEngine, WeightFormat
from engine.units import FloatBand
from engine.wording import numbers
from engine.wording.catalogue_texts import source_date, source_title
from engine.wording.translator import Language, Translator, mark

_PARTS: Mapping[str, str] = {
    "weights": mark("Weights"),
    "adapters": mark("Adapters"),
    "cache": mark("KV cache"),
    "activation": mark("Activations at start-up"),
    "graphs": mark("CUDA graphs"),
    "non_torch": mark("Outside PyTorch"),
    "reserve": mark("Left alone"),
}
_NOTES: Mapping[ServingNote, str] = {
    ServingNote.QUEUED_FIRST_ANSWER: mark(
        "The first token under load is not stated: it waits in a queue, and the computed prompt is its lower bound."
    ),
    ServingNote.EXPERTS: mark("Models with experts were measured less often; their range is wider."),
    ServingNote.HYBRID: mark("Hybrid models were measured on few cards; their range is wider."),
    ServingNote.DEFAULT_SEQUENCES: mark(
        "With its default number of sequences the server does not start here: the states of a hybrid model need room."
    ),
    ServingNote.LATENT_NOT_STATED: mark(
        "For compressed attention (MLA) the memory is computed, but no speed is stated: too little was measured."
    ),
    ServingNote.NO_RATE: mark("No speed is stated: bandwidth or rate of the card are not published or not evidenced."),
    ServingNote.TENSOR_OVER_PCIE: mark("The tensor ranks exchange over PCIe; every token waits for it."),
    ServingNote.ADAPTERS_UNMEASURED: mark(
        "Adapters loaded apart slow decoding; by how much was not measured anywhere. A merged adapter costs nothing."
    ),
    ServingNote.NO_RECORD: mark("Nothing comparable was measured on this card: computed."),
    ServingNote.PLAIN_DECODING: mark("Without speculative decoding and without prefix caching."),
}
_BASES: Mapping[SpeedBasis, str] = {
    SpeedBasis.MEASURED: mark("measured: {record}"),
    SpeedBasis.SCALED: mark("scaled from {record}"),
    SpeedBasis.COMPUTED: mark("computed from the data sheet"),
}
_UNSCORED: Mapping[str, str] = {
    "benchmark-lengths": mark("the benchmark's own data set fixes no lengths"),
    "incomplete": mark("length or rate is missing"),
    "attention-parallel": mark("attention is spread over ranks of its own"),
    "speculative": mark("speculative decoding lifts or lowers the rate"),
    "power-limited": mark("the card runs far below its full power"),
    "open-load": mark("requests arrive openly or all at once, so the batch is unknown"),
    "latent-attention": mark("no speed is stated for compressed attention"),
    "unknown-model": mark("the model is not known"),
    "unknown-card": mark("the card is not known"),
    "unknown-engine": mark("the inference server is not known"),
    "unknown-precision": mark("the number format is not known"),
    "no-card-rate": mark("the card has no published rate for the number format"),
}
_FORMATS: Mapping[WeightFormat, str] = {
    WeightFormat.BF16: "BF16",
    WeightFormat.FP8: "FP8",
    WeightFormat.INT8: "INT8",
    WeightFormat.NVFP4: "NVFP4",
    WeightFormat.MXFP4: "MXFP4",
    WeightFormat.AWQ: "INT4 (AWQ)",
    WeightFormat.GPTQ: "INT4 (GPTQ)",
    WeightFormat.Q8_0: "Q8_0",
    WeightFormat.Q4_K_M: "Q4_K_M",
}
_ENGINES: Mapping[ServingEngine, str] = {
    ServingEngine.VLLM: "vLLM",
    ServingEngine.SGLANG: "SGLang",
    ServingEngine.TENSORRT_LLM: "TensorRT-LLM",
    ServingEngine.LLAMA_CPP: "llama.cpp",
}


def part_name(part: str, tr: Translator) -> str:
    """A part of the memory bar."""
    return tr.gettext(_PARTS[part])


def note_text(note: ServingNote, tr: Translator) -> str:
    """A remark as a sentence."""
    return tr.gettext(_NOTES[note])


def unscored_text(reason: str, tr: Translator) -> str:
    """Why a record was not scored."""
    return tr.gettext(_UNSCORED[reason])


def format_name(weights: WeightFormat) -> str:
    """A weight format by its usual name."""
    return _FORMATS[weights]


def engine_name(engine: ServingEngine) -> str:
    """An inference server by its own name."""
    return _ENGINES[engine]


def rate_text(band: FloatBand, tr: Translator, language: Language) -> str:
    """Tokens per second as a range."""
    low, high = (numbers.significant(value, language, 2) for value in (band.low, band.high))
    return tr.gettext("{low} to {high} tokens/s").format(low=low, high=high)


def record_text(record: Anchor, tr: Translator, language: Language) -> str:
    """A measurement: figure, model, engine, lengths and users, source and date."""
    return tr.gettext(
        "{rate} tokens/s per copy, {model}, {engine}, {prompt} to {output} tokens, {users} at once ({source}, {date})"
    ).format(
        rate=numbers.significant(record.tokens_per_s, language),
        model=record.model,
        engine=engine_name(record.engine),
        prompt=numbers.integer(record.prompt, language),
        output=numbers.integer(record.output, language),
        users=numbers.integer(round(record.users), language),
        source=source_title(record.source, tr),
        date=source_date(record.source, tr, language),
    )


def basis_text(point: OperatingPoint, tr: Translator, language: Language) -> str:
    """What a point of operation rests on."""
    text = tr.gettext(_BASES[point.basis])
    record = "" if point.record is None else record_text(point.record, tr, language)
    return text.format(record=record)


def layout_text(layout: ServeLayout, tr: Translator) -> str:
    """Copies, stages and ranks."""
    count = layout.replicas
    copies = tr.ngettext("{count} copy", "{count} copies", count).format(count=count)
    if layout.tensor > 1:
        text = tr.ngettext("{copies} on {ranks} tensor ranks", "{copies} on {ranks} tensor ranks each", count)
        return text.format(copies=copies, ranks=layout.tensor)
    if layout.pipeline > 1:
        text = tr.ngettext("{copies} in {stages} pipeline stages", "{copies} in {stages} pipeline stages each", count)
        return text.format(copies=copies, stages=layout.pipeline)
    return tr.ngettext("{copies} on one card", "{copies}, each on one card", count).format(copies=copies)


def load_text(setup: ServeSetup, tr: Translator, language: Language) -> str:
    """The load in one phrase."""
    load = setup.load
    match load.kind:
        case LoadKind.USERS:
            return tr.ngettext("{count} request at once", "{count} requests at once", load.users).format(
                count=numbers.integer(load.users, language)
            )
        case LoadKind.RATE:
            return tr.gettext("{rate} requests per second").format(
                rate=numbers.significant(load.requests_per_s, language)
            )
        case LoadKind.BATCH:
            return tr.gettext("{count} requests in a night of {hours}").format(
                count=numbers.integer(load.requests_per_night, language), hours=numbers.hours(load.night_h, language)
            )


def lengths_text(setup: ServeSetup, tr: Translator, language: Language) -> str:
    """Prompt and output, mean and maximum."""
    lengths = setup.lengths
    return tr.gettext("prompt {prompt} tokens (at most {prompt_max}), answer {output} (at most {output_max})").format(
        prompt=numbers.integer(lengths.prompt_mean, language),
        prompt_max=numbers.integer(lengths.prompt_max, language),
        output=numbers.integer(lengths.output_mean, language),
        output_max=numbers.integer(lengths.output_max, language),
    )


def baseline_text(baseline: TokenBaseline, tr: Translator, language: Language) -> str:
    """A dated price of a million output tokens elsewhere."""
    price = numbers.money(baseline.per_million, language)
    date = numbers.recorded_date(baseline.as_of, language)
    if baseline.kind is BaselineKind.API:
        return tr.gettext("inference API, price as entered: {price} ({date})").format(price=price, date=date)
    return tr.gettext("the same card by the hour at {provider}: {price} ({date})").format(
        provider=baseline.provider, price=price, date=date
    )

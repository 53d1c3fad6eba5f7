"""Reads files of published inference measurements and scores the serving model on them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from catalog.fitted_data import Text
from catalog.huggingface import model_from_config
from catalog.serving_data import CoefficientsRow, load_serving_facts
from catalog.validated import read_located, validated
from catalog.yaml_nodes import FileFormatError, LocatedYaml
from engine.evidence import Unscored
from engine.facts import Facts
from engine.models import ModelSpec
from engine.serving.evidence import USUAL_SHARE, ServingRecord, SpeedScore, score_speed
from engine.serving.evidence_memory import MemoryScore, StartRecord, score_memory
from engine.serving.facts import ServingCoefficients
from engine.serving.formats import ComputeClass
from engine.serving.machine import ServingCard, serving_card
from engine.serving.shape import serving_shape
from engine.serving.terms import Work
from engine.serving.types import CacheFormat, ServeLayout, ServingEngine, WeightFormat
from engine.units import GIB, TB

EVIDENCE_FILE = Path(__file__).with_name("data") / "evidence_inference.yaml"
LOWEST_POWER_W = 400  # below it another power table would be needed: such records are not scored

Shape = TypeVar("Shape", bound=BaseModel)

_WEIGHTS: Mapping[str, WeightFormat] = {
    "bf16": WeightFormat.BF16,
    "fp16": WeightFormat.BF16,
    "fp8": WeightFormat.FP8,
    "fp8-block": WeightFormat.FP8,
    "w8a8": WeightFormat.FP8,
    "w8a16": WeightFormat.INT8,
    "fp4": WeightFormat.NVFP4,
    "nvfp4": WeightFormat.NVFP4,
    "mxfp4": WeightFormat.MXFP4,
    "int4-awq": WeightFormat.AWQ,
    "w4a16": WeightFormat.GPTQ,
    "int4 (native)": WeightFormat.GPTQ,
    "q8_0": WeightFormat.Q8_0,
    "q4_k_m": WeightFormat.Q4_K_M,
}
_NAME_NOISE = re.compile(r"^(?:nvidia|meta|geforce)-|-(?:instruct|chat|it|hf)(?=-|$)")
_DECODE_ONLY_SOURCES = frozenset({"accelmark"})  # publishes 1 / time per output token for single requests


class _Lenient(BaseModel):
    """Files of others may carry more than is read here."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _RecordRow(_Lenient):
    id: Text
    source: Text
    model: Text
    precision: Text
    kv_dtype: Text | None = None
    card: Text
    cards: int = Field(ge=1)
    tp: int | None = Field(default=None, ge=1)
    pp: int | None = Field(default=None, ge=1)
    replicas: int | None = Field(default=None, ge=1)
    engine: Text
    input_len: int | None = Field(default=None, ge=0)
    output_len: int | None = Field(default=None, ge=1)
    load: Text
    concurrency: float | None = Field(default=None, gt=0)
    out_tok_s: float | None = Field(default=None, gt=0)
    out_tok_s_derived: float | None = Field(default=None, gt=0)
    gpu_memory_utilization: float | None = Field(default=None, gt=0, le=1)
    max_num_seqs: int | None = Field(default=None, ge=1)
    power_limit_w: int | None = None
    attention_dp: int | None = None
    speculative: Text = "none"


class _StartRow(_Lenient):
    id: Text
    source: Text
    model: Text
    precision: Text
    kv_dtype: Text | None = None
    card: Text
    tp: int | None = Field(default=None, ge=1)
    engine: Text
    gpu_memory_utilization: float | None = None
    max_num_batched_tokens: int | None = Field(default=None, ge=1)
    max_num_seqs: int | None = Field(default=None, ge=1)
    total_gib: float | None = None
    weights_gib: float | None = None
    kv_gib: float | None = Field(default=None, gt=0)
    kv_tokens: int | None = Field(default=None, gt=0)
    approximate: bool = False


class _RecordsFile(_Lenient):
    records: tuple[_RecordRow, ...] = ()
    memory_records: tuple[_StartRow, ...] = ()


class _ModelRow(_Lenient):
    same_as: str = ""
    config: dict[str, Any] | None = None


class _CardRow(_Lenient):
    card: str = ""
    like: str = ""
    visible_gib: float | None = None
    bf16_tflops: float | None = None
    fp8_tflops: float | None = None
    memory_only: bool = False


class _TablesFile(_Lenient):
    models: dict[str, _ModelRow]
    cards: dict[str, _CardRow]
    families: dict[str, str]
    fitted_without: dict[str, CoefficientsRow]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Records that can be computed, those that cannot, and what to judge them with."""

    records: tuple[ServingRecord, ...]
    starts: tuple[StartRecord, ...]
    unscored: tuple[Unscored, ...]
    without: Mapping[str, ServingCoefficients]


@dataclass(frozen=True, slots=True)
class InferenceScore:
    """Throughput and start-up memory against what was published; None: the file has no such record."""

    speed: SpeedScore | None
    memory: MemoryScore | None


def score(path: Path | None, facts: Facts) -> InferenceScore:
    """Score the bundled records, or any file with records of the same fields.

    `facts` gives cards and models. Raises `FileFormatError` with file and line for a file that cannot be read, and
    when none of its records can be computed.
    """
    serving = load_serving_facts()
    bundled = load_evidence(None, facts)
    evidence = bundled if path is None else load_evidence(path, facts)
    if serving.coefficients is None or serving.widths is None:
        raise FileFormatError("{file}: the fitted constants are missing.", file="serving.yaml")
    if not evidence.records and not evidence.starts:
        raise FileFormatError("{file}: no record can be computed.", file=(path or EVIDENCE_FILE).name)
    speed = None
    if evidence.records:
        speed = score_speed(
            evidence.records,
            evidence.unscored,
            serving.coefficients,
            bundled.without,
            bundled.records,
            serving.widths,
        )
    memory = score_memory(evidence.starts, serving) if evidence.starts else None
    return InferenceScore(speed, memory)


def load_evidence(path: Path | None, facts: Facts) -> Evidence:
    """Read records with the bundled tables of cards and models."""
    own = _bundled()
    tables = validated(_TablesFile, own)
    file = validated(_RecordsFile, own if path is None else read_located(path))
    reader = _Reader(tables, facts)
    records: list[ServingRecord] = []
    starts: list[StartRecord] = []
    unscored: list[Unscored] = []
    for row in file.records:
        outcome = reader.record(row)
        if isinstance(outcome, ServingRecord):
            records.append(outcome)
        else:
            unscored.append(outcome)
    for start in file.memory_records:
        found = reader.start(start)
        if found is not None:
            starts.append(found)
    without = {source: row.coefficients() for source, row in tables.fitted_without.items()}
    return Evidence(tuple(records), tuple(starts), tuple(unscored), without)


@cache
def _bundled() -> LocatedYaml:
    """The bundled file, read once: a thousand records take their time."""
    return read_located(EVIDENCE_FILE)


class _Reader:
    """Turns rows into records the engine can compute."""

    def __init__(self, tables: _TablesFile, facts: Facts) -> None:
        self._tables = tables
        self._facts = facts
        self._models: dict[str, ModelSpec | None] = {}
        self._model_names = {
            _plain(name): model
            for model in facts.models.values()
            for name in (model.id, model.name, model.hf_id.rpartition("/")[2])
        }
        self._card_names = {
            _plain(name): card.id for card in facts.cards.values() for name in (card.id, card.name, card.short_name)
        }

    def record(self, row: _RecordRow) -> ServingRecord | Unscored:
        """A record, or the reason why it is not computed."""
        reason = _left_out(row)
        if reason:
            return Unscored(row.id, reason)
        model, card, engine = self._model(row.model), self._card(row.card), _engine(row.engine)
        weights = _weights(row)
        tokens_per_s = row.out_tok_s or row.out_tok_s_derived
        if model is None:
            return Unscored(row.id, "unknown-model")
        if card is None:
            return Unscored(row.id, "unknown-card")
        if engine is None:
            return Unscored(row.id, "unknown-engine")
        if weights is None:
            return Unscored(row.id, "unknown-precision")
        if tokens_per_s is None or row.input_len is None:
            return Unscored(row.id, "incomplete")
        shape, card_row = serving_shape(model), self._card_row(row.card)
        if shape.is_latent:
            return Unscored(row.id, "latent-attention")
        layout = ServeLayout(row.replicas or 1, row.pp or 1, row.tp or 1)
        single = row.load == "single"
        offline = not single and row.concurrency is None
        return ServingRecord(
            id=row.id,
            source=row.source,
            family=self._tables.families.get(row.source, row.source),
            model=row.model,
            card_key=row.card if card_row is None or not card_row.card else card_row.card,
            work=Work(shape, weights, _cache(row, engine, weights), engine, card, layout),
            replicas=layout.replicas,
            prompt=row.input_len,
            output=row.output_len or 128,
            offline=offline,
            users=None if offline else row.concurrency or 1.0,
            decode_only=single and (row.source in _DECODE_ONLY_SOURCES or engine is ServingEngine.LLAMA_CPP),
            max_sequences=row.max_num_seqs,
            memory_share=max(row.gpu_memory_utilization or USUAL_SHARE, USUAL_SHARE),
            tokens_per_s=tokens_per_s,
            software=row.engine.strip(),
        )

    def start(self, row: _StartRow) -> StartRecord | None:
        """A start-up log of a model and card that are known; None for the others."""
        model, card = self._model(row.model), self._card(row.card)
        weights = WeightFormat.BF16 if row.precision == "bitsandbytes" else _WEIGHTS.get(row.precision)
        engine = _engine(row.engine)
        if model is None or weights is None or engine is None or row.approximate:
            return None
        known = self._card_row(row.card)
        visible = row.total_gib or (None if known is None else known.visible_gib)
        return StartRecord(
            id=row.id,
            source=row.source,
            model=model,
            weights=weights,
            cache=CacheFormat.FP8 if "fp8" in (row.kv_dtype or "") else CacheFormat.BF16,
            engine=engine,
            tensor=row.tp or 1,
            card=card,
            visible_bytes=None if visible is None else round(visible * GIB),
            memory_share=row.gpu_memory_utilization,
            batched_tokens=row.max_num_batched_tokens,
            max_sequences=row.max_num_seqs,
            weight_bytes=None if row.weights_gib is None else round(row.weights_gib * GIB),
            cache_bytes=None if row.kv_gib is None else round(row.kv_gib * GIB),
            cache_tokens=row.kv_tokens,
        )

    def _model(self, name: str) -> ModelSpec | None:
        if name not in self._models:
            self._models[name] = self._find(name)
        return self._models[name]

    def _find(self, name: str) -> ModelSpec | None:
        row = self._tables.models.get(name)
        if row is not None and row.config is not None:
            return model_from_config(row.config, id=name, name=name, hf_id="", family="", licence="")
        if row is not None:
            return self._facts.models.get(row.same_as)
        return self._facts.models.get(name) or self._model_names.get(_plain(name.rpartition("/")[2]))

    def _card_row(self, name: str) -> _CardRow | None:
        """As the table has it, else a card of the catalogue under a usual spelling."""
        row = self._tables.cards.get(name)
        if row is None:
            found = self._card_names.get(_plain(name))
            row = None if found is None else _CardRow(card=found)
        return row

    def _card(self, name: str) -> ServingCard | None:
        row = self._card_row(name)
        if row is None or row.memory_only:
            return None
        card = self._facts.cards.get(row.card or row.like)
        if card is None:
            return None
        found = serving_card(card, bridged=True)
        rates = dict(found.rates)
        if row.bf16_tflops is not None:
            rates[ComputeClass.BF16] = rates[ComputeClass.WEIGHT_ONLY] = row.bf16_tflops * TB
        if row.fp8_tflops is not None:
            rates[ComputeClass.FP8] = row.fp8_tflops * TB
        return replace(found, rates=rates)


def _plain(name: str) -> str:
    """A name without spelling, maker and variant, so that Meta-Llama-3.1-8B-Instruct and llama-3.1-8b meet."""
    spelt = _NAME_NOISE.sub("", name.lower().replace("_", "-").replace(" ", "-"))
    return "".join(letter for letter in spelt if letter.isalnum() or letter == ".")


def _left_out(row: _RecordRow) -> str:
    """Why a record is not scored; empty when nothing speaks against it."""
    if row.load.startswith("mlperf"):
        return "benchmark-lengths"
    if row.input_len is None:
        return "incomplete"
    if row.attention_dp:
        return "attention-parallel"
    if row.speculative.lower() not in {"", "none"}:
        return "speculative"
    if row.power_limit_w is not None and row.power_limit_w < LOWEST_POWER_W:
        return "power-limited"
    if row.load == "open-loop" or (row.source == "accelmark" and row.load == "offline-max"):
        return "open-load"
    return ""


def _engine(name: str) -> ServingEngine | None:
    plain = name.lower()
    if "tensorrt" in plain or plain.startswith(("trtllm", "nim")):
        return ServingEngine.TENSORRT_LLM
    if "sglang" in plain:
        return ServingEngine.SGLANG
    if "llama.cpp" in plain:
        return ServingEngine.LLAMA_CPP
    return ServingEngine.VLLM if "vllm" in plain else None


def _weights(row: _RecordRow) -> WeightFormat | None:
    """As stated; gpt-oss is published in MXFP4 alone, whatever a table's column says."""
    known = _WEIGHTS.get(row.precision.lower())
    return WeightFormat.MXFP4 if known is not None and "gpt-oss" in row.model else known


def _cache(row: _RecordRow, engine: ServingEngine, weights: WeightFormat) -> CacheFormat:
    """As stated; NVIDIA's 8- and 4-bit checkpoints for TensorRT-LLM carry an 8-bit cache by recipe."""
    stated = row.kv_dtype or ""
    if "fp8" in stated:
        return CacheFormat.FP8
    recipe = engine is ServingEngine.TENSORRT_LLM and weights in {WeightFormat.FP8, WeightFormat.NVFP4}
    return CacheFormat.FP8 if recipe and not stated else CacheFormat.BF16

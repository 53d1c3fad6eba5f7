"""Reads files of published training speeds and scores the speed model on them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field

from catalog.fitted_data import Text
from catalog.speed_data import CoefficientsRow, coefficients_from, load_speed_facts
from catalog.validated import read_located, validated
from catalog.yaml_nodes import FileFormatError
from engine.evidence import Unscored
from engine.hardware import LinkKind
from engine.methods import Method, Sharding
from engine.models import ModelSpec
from engine.speed.evidence import (
    Circumstances,
    FittedSet,
    RecordCard,
    RecordUse,
    SpeedRecord,
    SpeedScore,
    score,
)
from engine.speed.shape import AttentionGroup, ModelShape, shape_of
from engine.speed.types import ComputeFormat, SpeedFacts, StackClass

EVIDENCE_FILE = Path(__file__).with_name("data") / "evidence_speed.yaml"

_STACKS = {
    "plain_hf": StackClass.PLAIN_HF,
    "tuned_pytorch": StackClass.TUNED_PYTORCH,
    "tuned_vendor": StackClass.VENDOR_TUNED,
}
Shape = TypeVar("Shape", bound=BaseModel)

_NAME_NOISE = re.compile(r"^meta-|-(hf|instruct|base|chat|it|v0\.\d|2407|2501)$")


class _Lenient(BaseModel):
    """Files of others may carry more than is read here."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _RecordRow(_Lenient):
    id: Text
    source_key: Text
    model: Text
    method: Text
    framework: Text = ""
    stack_class: Text
    card: Text
    cards: int = Field(ge=1)
    interconnect: Text = ""
    precision: Text
    seq: int | None = None
    micro_batch: int | None = None
    global_batch: int | None = None
    gradient_checkpointing: bool | Text = "unknown"
    tokens_per_s_per_card: float | None = None
    derived_hfu: float | None = None
    notes: Text = ""
    use: RecordUse


class _RecordsFile(_Lenient):
    records: tuple[_RecordRow, ...] = Field(min_length=1)


class _ModelRow(_Lenient):
    layers: int
    width: int
    attention_width: int
    matrix_parameters: int
    stored_parameters: int


class _CardRow(_Lenient):
    memory_gb: float
    bandwidth_gb_per_s: float
    nvlink_gb_per_s: float | None
    pcie_gb_per_s: float
    architecture: str
    card: str | None = None
    rates: dict[ComputeFormat, float] = {}


class _FittedRow(_Lenient):
    coefficients: CoefficientsRow
    nvlink_share: float


class _TablesFile(_Lenient):
    families: dict[str, str]
    never_used: frozenset[str]
    models: dict[str, _ModelRow]
    cards: dict[str, _CardRow]
    fitted_without: dict[str, _FittedRow]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The records that can be timed, those that cannot, and what to judge them with."""

    records: tuple[SpeedRecord, ...]
    unscored: tuple[Unscored, ...]
    circumstances: Circumstances


def score_speed(path: Path | None = None, models: Mapping[str, ModelSpec] | None = None) -> SpeedScore:
    """Score the bundled records, or any file with records of the same fields.

    `models` widens the models that can be recognised by name. Raises `FileFormatError` with file and line for a file
    that cannot be read, and when none of its records can be timed.
    """
    evidence = load_evidence(path, models)
    try:
        return score(evidence.records, evidence.unscored, evidence.circumstances)
    except ValueError as error:
        name = (path or EVIDENCE_FILE).name
        raise FileFormatError("{file}: no record marked for scoring can be timed.", file=name) from error


def load_evidence(path: Path | None = None, models: Mapping[str, ModelSpec] | None = None) -> Evidence:
    """Read records with the bundled tables of cards and models."""
    own = read_located(EVIDENCE_FILE)
    located = own if path is None else read_located(path)
    tables = validated(_TablesFile, own)
    file = validated(_RecordsFile, located)
    facts = load_speed_facts()
    reader = _Reader(tables, facts, models or {})
    records: list[SpeedRecord] = []
    unscored: list[Unscored] = []
    for row in file.records:
        outcome = reader.record(row)
        if isinstance(outcome, SpeedRecord):
            records.append(outcome)
        else:
            unscored.append(outcome)
    return Evidence(tuple(records), tuple(unscored), reader.circumstances())


class _Reader:
    """Turns rows into records the engine can time."""

    def __init__(self, tables: _TablesFile, facts: SpeedFacts, models: Mapping[str, ModelSpec]) -> None:
        self._tables = tables
        self._facts = facts
        self._shapes = {_plain(name): _shape(row) for name, row in tables.models.items()}
        for model in models.values():
            for name in (model.id, model.name, model.hf_id.rpartition("/")[2]):
                self._shapes.setdefault(_plain(name), shape_of(model))

    def circumstances(self) -> Circumstances:
        """The bundled fit and what it left out."""
        facts, tables = self._facts, self._tables
        if facts.coefficients is None or facts.pcie_pair is None:
            raise FileFormatError("{file}: the fitted constants are missing.", file="speed.yaml")
        return Circumstances(
            fitted=FittedSet(facts.coefficients, facts.links[LinkKind.NVSWITCH].expected),
            without={
                family: FittedSet(coefficients_from(row.coefficients), row.nvlink_share)
                for family, row in tables.fitted_without.items()
            },
            never_used=tables.never_used,
            pcie_share=facts.links[LinkKind.PCIE].expected,
            pcie_pair_share=facts.pcie_pair.expected,
            dora_speed=facts.assumptions["dora_speed"].value,
        )

    def record(self, row: _RecordRow) -> SpeedRecord | Unscored:
        """A record, or the reason why it cannot be timed."""
        card, shape, stack = self._card(row.card), self._shapes.get(_plain(row.model)), _STACKS.get(row.stack_class)
        speed, length, micro_batch = row.tokens_per_s_per_card, row.seq, row.micro_batch
        if row.use is RecordUse.REJECTED:
            return Unscored(row.id, "impossible-rate")
        if card is None:
            return Unscored(row.id, "unknown-card")
        if shape is None:
            return Unscored(row.id, "unknown-model")
        if stack is None:
            return Unscored(row.id, "unknown-stack")
        if speed is None or length is None or micro_batch is None:
            return Unscored(row.id, "incomplete")
        if "offload" in row.method.lower():
            return Unscored(row.id, "offloaded")
        remarks = re.sub(r"\(.*?\)", "", row.notes)  # what stands in brackets is true of some records of a table only
        text = " ".join((row.framework, row.method, row.interconnect, remarks))
        method = _method(row)
        return SpeedRecord(
            id=row.id,
            family=self._tables.families.get(row.source_key, row.source_key),
            use=row.use,
            shape=shape,
            model=row.model,
            method=method,
            dora="dora" in row.method.lower(),
            stack=stack,
            card=card,
            cards=row.cards,
            over_pcie="pcie" in row.interconnect.lower() and "nvlink" not in row.interconnect.lower(),
            sharding=_sharding(text, row.cards, method, stack),
            tensor_parallel=_tensor_parallel(row, stack),
            sequence_parallel=_number(r"(?:CP|sequence parallel )(\d+)", row.notes) or 1,
            compute=_compute(row.precision),
            sequence_length=length,
            micro_batch=micro_batch,
            accumulation=_accumulation(row, micro_batch),
            checkpointing=_checkpointing(row, stack),
            tokens_per_s_per_card=speed,
            hfu=row.derived_hfu,
        )

    def _card(self, name: str) -> RecordCard | None:
        row = self._tables.cards.get(name)
        if row is None:
            return None
        rates = dict(row.rates)
        listed = self._facts.rates.get(row.card) if row.card is not None else None
        if listed is not None:
            for compute in ComputeFormat:
                figure = getattr(listed, compute.value)
                if figure is not None:
                    rates[compute] = figure.value
        return RecordCard(
            name,
            row.card,
            rates,
            row.bandwidth_gb_per_s,
            row.memory_gb,
            row.nvlink_gb_per_s,
            row.pcie_gb_per_s,
            row.architecture,
        )


def _plain(name: str) -> str:
    """A model's name without spelling, so that Meta-Llama-3-8B-Instruct and Llama3 8B meet."""
    spelt = name.lower().replace(" ", "-").replace("_", "-")
    shorter = _NAME_NOISE.sub("", spelt)
    while shorter != spelt:
        spelt, shorter = shorter, _NAME_NOISE.sub("", shorter)
    return re.sub(r"[^a-z0-9.]", "", spelt)


def _shape(row: _ModelRow) -> ModelShape:
    group = AttentionGroup(row.layers, row.attention_width, None, chunked=False)
    return ModelShape(
        layers=row.layers,
        width=row.width,
        matrix_parameters=row.matrix_parameters,
        stored_parameters=row.stored_parameters,
        quantisable_parameters=row.matrix_parameters - (row.stored_parameters - row.matrix_parameters),
        attention=(group,),
    )


def _number(pattern: str, text: str) -> int | None:
    found = re.search(pattern, text)
    return int(found.group(1)) if found else None


def _method(row: _RecordRow) -> Method:
    name = row.method.lower()
    if "qlora" in name or (("lora" in name or "dora" in name) and re.search("nf4|int4", row.precision.lower())):
        return Method.QLORA
    return Method.LORA if "lora" in name or "dora" in name else Method.FULL


def _sharding(text: str, cards: int, method: Method, stack: StackClass) -> Sharding:
    if cards == 1:
        return Sharding.NONE
    if re.search(r"fsdp|zero-?3", text.lower()):
        return Sharding.FSDP
    if stack is StackClass.VENDOR_TUNED and method is Method.FULL:
        return Sharding.ZERO1  # Megatron's distributed optimiser
    return Sharding.DDP


def _tensor_parallel(row: _RecordRow, stack: StackClass) -> int | None:
    stated = _number(r"TP(\d+)", row.notes)
    if stated is not None or stack is not StackClass.VENDOR_TUNED:
        return stated or 1
    return None if "not in log" in row.notes else 1


def _compute(precision: str) -> ComputeFormat:
    """NVFP4 where stated alone; a source that leaves FP8 or FP4 open counts as FP8; 4-bit bases compute in BF16."""
    if "FP8" in precision:
        return ComputeFormat.FP8
    return ComputeFormat.FP4 if "NVFP4" in precision else ComputeFormat.BF16


def _accumulation(row: _RecordRow, micro_batch: int) -> int:
    stated = _number(r"(?:grad accum|gradient accumulation) (\d+)", row.notes)
    if stated is not None:
        return stated
    if row.global_batch is None or row.global_batch < row.cards * micro_batch:
        return 1
    return max(1, round(row.global_batch / row.cards / micro_batch))


def _checkpointing(row: _RecordRow, stack: StackClass) -> bool:
    """As stated; where it is not, off for vendor stacks and selective schemes, on for the others' default."""
    if isinstance(row.gradient_checkpointing, bool):
        return row.gradient_checkpointing
    return stack is not StackClass.VENDOR_TUNED and "selective" not in row.notes

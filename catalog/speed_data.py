"""Reads `data/speed.yaml`: measured rates, power tables, links, machines and the fitted constants."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, model_validator

from catalog.fitted_data import (
    FittedFile,
    Positive,
    Row,
    Share,
    SourcedRow,
    Sourcing,
    ValueRow,
    read_fitted,
)
from catalog.yaml_nodes import parse
from engine.hardware import LinkKind
from engine.methods import Method
from engine.speed.types import (
    CardRates,
    CardRecord,
    Coefficients,
    ComputeFormat,
    Fabric,
    FabricRate,
    LinkRate,
    MachineLink,
    PowerPoint,
    PowerTable,
    SpeedFacts,
    StackClass,
    StackCoefficients,
)

SPEED_FILE = Path(__file__).with_name("data") / "speed.yaml"


class _Rate(SourcedRow):
    value: Positive
    scaled: bool = False


class _CardRates(Row):
    bf16: _Rate
    fp8: _Rate | None = None
    fp4: _Rate | None = None


class _Power(SourcedRow):
    architecture: str
    limits_w: tuple[int, ...] = Field(min_length=2)
    gflops: tuple[Positive, ...]

    @model_validator(mode="after")
    def _rising(self) -> _Power:
        if len(self.limits_w) != len(self.gflops):
            raise ValueError("limits_w and gflops differ in length")
        if list(self.limits_w) != sorted(set(self.limits_w)) or list(self.gflops) != sorted(self.gflops):
            raise ValueError("limits_w and gflops must rise")
        return self


class _LinkRate(SourcedRow):
    low: Share
    expected: Share
    high: Share

    @model_validator(mode="after")
    def _ordered(self) -> _LinkRate:
        if not self.low <= self.expected <= self.high <= 1:
            raise ValueError("low <= expected <= high <= 1 does not hold")
        return self


class _Machine(SourcedRow):
    system: str
    card: str | None
    pcie_gb_per_s: Positive | None = None
    sharded: Share
    data_parallel: Share


class _Stack(Row):
    matmul_efficiency: Share
    activation_bytes: float = Field(ge=0)
    launch_s: float = Field(ge=0)


class CoefficientsRow(Row):
    """The fitted constants as data files hold them."""

    stacks: dict[StackClass, _Stack]
    attention_efficiency: Share
    dequantisation_bytes: Positive
    exposed_share: float = Field(ge=0, le=1)

    @model_validator(mode="after")
    def _complete(self) -> CoefficientsRow:
        missing = set(StackClass) - self.stacks.keys()
        if missing:
            raise ValueError(f"no coefficients for {', '.join(sorted(missing))}")
        return self


class _Record(Row):
    card: str
    record: str
    model: str
    parameters: int = Field(gt=0)
    method: Method
    stack: StackClass
    compute: ComputeFormat
    cards: int = Field(ge=1)
    sequence_length: int = Field(ge=1)
    micro_batch: int = Field(ge=1)
    tokens_per_s_per_card: Positive
    source: str


class _Incomplete(SourcedRow):
    what: str


class _SpeedFile(FittedFile):
    rates: dict[str, _CardRates]
    scaled_share: dict[str, ValueRow]
    power: dict[str, _Power]
    links: dict[LinkKind, _LinkRate]
    pcie_pair: _LinkRate
    fabrics: dict[Fabric, _LinkRate]
    machines: tuple[_Machine, ...]
    assumptions: dict[str, ValueRow]
    coefficients: CoefficientsRow
    records: tuple[_Record, ...]
    editions: tuple[_Record, ...]
    incomplete_records: dict[str, _Incomplete]


def load_speed_facts(text: str | None = None, name: str = SPEED_FILE.name) -> SpeedFacts:
    """The speed facts of the bundled file, or of `text`.

    Raises `FileFormatError` with file, line and field when the file is not what it claims to be.
    """
    located = parse(SPEED_FILE.read_text(encoding="utf-8") if text is None else text, name)
    return _Converter(read_fitted(_SpeedFile, located), name).facts()


class _Converter:
    """Turns the validated file into engine types."""

    def __init__(self, file: _SpeedFile, name: str) -> None:
        self._file = file
        self._sourcing = Sourcing(file, name)

    def facts(self) -> SpeedFacts:
        """The whole file."""
        file = self._file
        return SpeedFacts(
            coefficients=coefficients_from(file.coefficients),
            rates={card: self._rates(row) for card, row in file.rates.items()},
            scaled_share={key: row.value for key, row in file.scaled_share.items()},
            power={card: self._power(card, row) for card, row in file.power.items()},
            links={kind: self._link(kind, row) for kind, row in file.links.items()},
            pcie_pair=self._link(LinkKind.PCIE, file.pcie_pair),
            fabrics={
                fabric: FabricRate(fabric, row.low, row.expected, row.high, self._sourcing.words(row))
                for fabric, row in file.fabrics.items()
            },
            machines=tuple(
                MachineLink(
                    row.system, row.card, row.pcie_gb_per_s, row.sharded, row.data_parallel, self._sourcing.words(row)
                )
                for row in file.machines
            ),
            records=self._records(),
            editions=tuple(map(self._record, self._file.editions)),
            incomplete_records={
                card: self._sourcing.figure(row.what, "", row) for card, row in file.incomplete_records.items()
            },
            assumptions=self._sourcing.values(file.assumptions),
        )

    def _link(self, kind: LinkKind, row: _LinkRate) -> LinkRate:
        return LinkRate(kind, row.low, row.expected, row.high, self._sourcing.words(row))

    def _rates(self, row: _CardRates) -> CardRates:
        given = {compute: rate for compute in ComputeFormat if (rate := getattr(row, compute.value)) is not None}
        figures = {compute.value: self._sourcing.figure(rate.value, "TFLOPS", rate) for compute, rate in given.items()}
        scaled = frozenset(compute for compute, rate in given.items() if rate.scaled)
        return CardRates(figures["bf16"], figures.get("fp8"), figures.get("fp4"), scaled)

    def _power(self, card: str, row: _Power) -> PowerTable:
        full = row.gflops[-1]
        points = tuple(PowerPoint(watts, rate / full) for watts, rate in zip(row.limits_w, row.gflops, strict=True))
        return PowerTable(card, row.architecture, points, self._sourcing.words(row))

    def _records(self) -> dict[str, tuple[CardRecord, ...]]:
        by_card: dict[str, list[CardRecord]] = {}
        for row in self._file.records:
            by_card.setdefault(row.card, []).append(self._record(row))
        return {card: tuple(records) for card, records in by_card.items()}

    def _record(self, row: _Record) -> CardRecord:
        return CardRecord(
            card_id=row.card,
            record_id=row.record,
            model=row.model,
            matrix_parameters=row.parameters,
            method=row.method,
            stack=row.stack,
            compute=row.compute,
            cards=row.cards,
            sequence_length=row.sequence_length,
            micro_batch=row.micro_batch,
            tokens_per_s_per_card=row.tokens_per_s_per_card,
            source=self._sourcing.source(row.source),
        )


def coefficients_from(row: CoefficientsRow) -> Coefficients:
    """The engine's constants from a validated row."""
    return Coefficients(
        {
            stack: StackCoefficients(fitted.matmul_efficiency, fitted.activation_bytes, fitted.launch_s)
            for stack, fitted in row.stacks.items()
        },
        row.attention_efficiency,
        row.dequantisation_bytes,
        row.exposed_share,
    )

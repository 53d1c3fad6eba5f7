"""Reads `data/cloud_offers.yaml`: what renting costs per card and hour, and fine-tuning services per token."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from catalog.compiled import Store
from catalog.data_file import DataPart, Number, SourceRow, file_problem
from catalog.data_reader import read_data
from engine.cost.types import HOURS_PER_MONTH, FineTuningApi, RentalOffer, RentalTerm
from engine.figures import Grade
from engine.hardware import CardForm, LinkKind
from engine.methods import Method

CLOUD_FILE = Path(__file__).parent / "data" / "cloud_offers.yaml"

Day = Annotated[str, Field(pattern=r"^\d{4}(-\d{2}(-\d{2})?)?$")]
CurrencyCode = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
Amount = Annotated[Number, Field(gt=0)]


class GradedSourceRow(SourceRow):
    """A source and how far its prices can be trusted."""

    grade: Grade


class TopologyRow(DataPart):
    """How rented cards of one node are joined."""

    form: CardForm
    link: LinkKind
    source: str


class OfferRow(DataPart):
    """One shape of one provider with its prices by term."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    provider: str
    cards: tuple[str, ...]
    name: str
    region: str = ""
    shape: str = ""
    cards_per_shape: Annotated[int, Field(ge=1)] | None = None
    network_gbit_per_s: Annotated[int, Field(ge=1)] | None = None
    currency: CurrencyCode = "USD"
    prices: Annotated[dict[RentalTerm, Amount | tuple[Amount, Amount]], Field(min_length=1)]
    per_month: Amount | None = None
    setup_fee: Amount | None = None
    source: str
    as_of: Day
    note: str = ""
    contradicts: tuple[str, ...] = ()
    superseded: bool = False

    @model_validator(mode="after")
    def _one_monthly_price(self) -> OfferRow:
        if RentalTerm.MONTHLY in self.prices:
            raise ValueError("a price for a whole month belongs in per_month")
        return self


class FineTuningRow(DataPart):
    """One tier of a fine-tuning service."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    provider: str
    method: Method
    parameters_from: Annotated[int, Field(ge=1)] = 1
    parameters_to: Annotated[int, Field(ge=1)] | None = None
    per_million_tokens: Amount
    currency: CurrencyCode = "USD"
    minimum: Amount | None = None
    source: str
    as_of: Day
    note: str = ""


class CloudFile(DataPart):
    """The whole file, schema 1."""

    schema_number: Annotated[Literal[1], Field(alias="schema")]
    version: Day
    sources: dict[str, GradedSourceRow]
    topologies: dict[str, TopologyRow]
    not_priced: tuple[str, ...]
    fine_tuning_apis: tuple[FineTuningRow, ...]
    offers: tuple[OfferRow, ...]

    @model_validator(mode="after")
    def _unique_and_sourced(self) -> CloudFile:
        ids = [row.id for row in self.offers] + [row.id for row in self.fine_tuning_apis]
        doubled = {row_id for row_id in ids if ids.count(row_id) > 1}
        if doubled:
            raise file_problem("ids given twice", doubled)
        used = {row.source for row in self.offers} | {row.source for row in self.fine_tuning_apis}
        unknown = (used | {row.source for row in self.topologies.values()}) - set(self.sources)
        if unknown:
            raise file_problem("sources that are not listed", unknown)
        return self


@dataclass(frozen=True, slots=True)
class CloudData:
    """What the file says, in the engine's types."""

    version: str
    offers: tuple[RentalOffer, ...]
    fine_tuning_apis: tuple[FineTuningApi, ...]
    not_priced: tuple[str, ...]  # looked for, no price found


def load_cloud(path: Path = CLOUD_FILE, store: Store | None = None) -> CloudData:
    """Read and validate the file. Raises `FileFormatError` with file, line and field."""
    data = read_data(path, CloudFile, store)
    return CloudData(
        version=data.version,
        offers=tuple(offer for row in data.offers for offer in _offers(row, data)),
        fine_tuning_apis=tuple(_api(row, data) for row in data.fine_tuning_apis),
        not_priced=data.not_priced,
    )


def _offers(row: OfferRow, data: CloudFile) -> Iterator[RentalOffer]:
    for term, price in row.prices.items():
        low, high = price if isinstance(price, tuple) else (price, price)
        yield _offer(row, data, term, low, high)
    if row.per_month is not None:
        hourly = row.per_month / HOURS_PER_MONTH
        yield _offer(row, data, RentalTerm.MONTHLY, hourly, hourly)


def _offer(row: OfferRow, data: CloudFile, term: RentalTerm, low: Decimal, high: Decimal) -> RentalOffer:
    source = data.sources[row.source]
    known = {data.topologies[card] for card in row.cards if card in data.topologies}
    shared = known.pop() if len(known) == 1 and all(card in data.topologies for card in row.cards) else None
    return RentalOffer(
        id=f"{row.id}-{term.value}",
        provider=row.provider,
        card_ids=row.cards,
        card_name=row.name,
        region=row.region,
        shape=row.shape,
        cards=row.cards_per_shape,
        form=shared.form if shared else None,
        link=LinkKind.NONE if row.cards_per_shape == 1 else (shared.link if shared else None),
        network_gbit_per_s=row.network_gbit_per_s,
        term=term,
        low=low,
        high=high,
        currency=row.currency,
        as_of=row.as_of,
        source=source.source(row.source),
        grade=source.grade,
        setup_fee=row.setup_fee,
        superseded=row.superseded,
        note=row.note,
        contradicts=row.contradicts,
    )


def _api(row: FineTuningRow, data: CloudFile) -> FineTuningApi:
    source = data.sources[row.source]
    return FineTuningApi(
        id=row.id,
        provider=row.provider,
        method=row.method,
        parameters_from=row.parameters_from,
        parameters_to=row.parameters_to,
        per_million_tokens=row.per_million_tokens,
        currency=row.currency,
        as_of=row.as_of,
        source=source.source(row.source),
        grade=source.grade,
        minimum=row.minimum,
        note=row.note,
    )

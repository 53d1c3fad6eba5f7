"""The published shape of an exported quote, schema 1: what `engine.quote.form` writes, as types and as JSON Schema.

`python -m catalog.quote_schema` prints the schema that `docs/quote.schema.json` holds.
"""

from __future__ import annotations

import json
import sys
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from engine.fit import Verdict
from engine.methods import Method, Sharding
from engine.prices import PriceBasis
from engine.quote.draft import DocumentKind, LineKind, Measure, SectionRole
from engine.quote.parties import CustomerKind
from engine.quote.vat import VatCase

ADDRESS = "https://json-schema.org/draft/2020-12/schema"

Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="ISO 8601 date")]
Amount = Annotated[str, Field(pattern=r"^-?\d+(\.\d+)?$", description="money in `currency`, exact decimal")]
Share = Annotated[str, Field(pattern=r"^\d+(\.\d+)?(E-\d+)?$", description="fraction from 0 to 1, exact decimal")]
Quantity = Annotated[str, Field(pattern=r"^-?\d+(\.\d+)?(E[+-]\d+)?$")]
Code = Annotated[str, Field(pattern=r"^[A-Z]{2}$", description="ISO 3166-1")]
Bytes = Annotated[int, Field(description="bytes")]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SellerPart(_Part):
    """Who offers."""

    name: str
    vat_id: str


class CustomerPart(_Part):
    """Who asked."""

    company: str
    contact: str
    address: list[str]
    country: Code
    delivery_country: Code
    kind: CustomerKind
    vat_id: str
    number: str
    reference: str
    cost_centre: str


class TermsPart(_Part):
    """Conditions in the seller's words; empty ones do not exist. Delivery time empty: on request."""

    binding: bool
    payment: str
    delivery: str
    delivery_time: str
    warranty: str
    retention_of_title: str
    where_readable: str
    export_reservation: str


class LinePart(_Part):
    """One line. `total` = round half up of quantity x unit price x (1 - discount), to the cent; null: on request,
    a line of text, or not shown."""

    number: Annotated[str, Field(description='"1.2"; "1.2a" for an alternative; empty for text')]
    kind: Annotated[LineKind, Field(description="only `base` lines enter the sums")]
    item: Annotated[str, Field(description="catalogue id, or empty")]
    title: str
    description: str
    quantity: Quantity
    unit: Measure
    unit_price: Amount | None
    discount: Share | None
    total: Amount | None
    vat_case: VatCase | None
    alternative_to: str | None
    price_basis: PriceBasis | None
    price_date: str | None


class SectionPart(_Part):
    """Lines under one heading; `subtotal` sums its base lines."""

    number: str
    title: str
    role: SectionRole
    lines: list[LinePart]
    subtotal: Amount


class VatPart(_Part):
    """VAT of one case and rate: round half up of net x rate, once."""

    case: VatCase
    rate: Share
    net: Amount
    vat: Amount


class TotalsPart(_Part):
    """Sums. `vat` null: the treatment is not settled. `on_request` names lines that are in no sum."""

    before_discount: Amount | None
    discount: Amount | None
    net: Amount | None
    vat: list[VatPart] | None
    gross: Amount | None
    on_request: list[str]


class BridgePart(_Part):
    """NVLink bridges of one machine."""

    size: int
    count: int
    islands: int


class SystemPart(_Part):
    """A machine with its cards."""

    card: str
    cards: int
    system: str
    bridge: BridgePart | None
    power_w: int | None
    verdict: Verdict
    free_bytes: Bytes


class VariantPart(_Part):
    """A complete other system with its own sums."""

    system: SystemPart
    totals: TotalsPart


class BytesBand(_Part):
    """A size with its uncertainty."""

    low: Bytes
    expected: Bytes
    high: Bytes


class Band(_Part):
    """A time with its uncertainty."""

    low: float
    expected: float
    high: float


class TaskPart(_Part):
    """One training task on the recommended system."""

    name: str
    model: str
    method: Method
    sequence_length: int
    micro_batch: int
    cards: int
    sharding: Sharding
    verdict: Verdict
    required_bytes: BytesBand
    usable_bytes: Bytes
    step_seconds: Band | None
    hours_per_run: Band | None


class QuoteDocument(_Part):
    """An exported quote. Money is text so that no reader turns cents into binary fractions."""

    schema_number: Annotated[Literal[1], Field(alias="schema")]
    kind: DocumentKind
    number: str
    revision: Annotated[int, Field(ge=1)]
    draft: Annotated[bool, Field(description="shows what would be issued; without a number, nobody is bound")] = False
    date: Day
    valid_until: Annotated[Day, Field(description="the offer holds to the end of this day")]
    language: Literal["de", "en"]
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$", description="ISO 4217")]
    seller: SellerPart
    customer: CustomerPart
    subject: str
    introduction: str
    closing: str
    public_tender: bool
    terms: TermsPart
    sections: list[SectionPart]
    totals: TotalsPart
    net_with_options: Amount | None
    variants: list[VariantPart]
    recommendation: SystemPart | None
    tasks: list[TaskPart]
    catalogue: Annotated[str, Field(description="version of the catalogue the figures come from")]


def json_schema() -> str:
    """The schema as it is published."""
    schema = {"$schema": ADDRESS, **QuoteDocument.model_json_schema(by_alias=True)}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(json_schema())

"""What the register writes down about a document: its searchable head, its sums, and the prices of that day."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from catalog.register.types import Made
from engine.prices import ExchangeRate
from engine.quote.document import Quote, QuoteLine
from engine.quote.form import quote_json
from engine.units import Money

Row = dict[str, Any]


def head(quote: Quote) -> Row:
    """The customer fields of a document row."""
    customer = quote.customer
    fields = {
        "company": plain(customer.company),
        "contact": plain(customer.contact),
        "customer_number": plain(customer.number),
        "reference": plain(customer.reference),
        "subject": plain(quote.subject),
    }
    return {**fields, "search": "\n".join([quote.number, *fields.values()]).casefold()}


def revision_row(made: Made) -> Row:
    """The sums and the fingerprint of a revision row."""
    quote, totals = made.quote, made.quote.totals
    net = None if totals.nothing_priced else totals.net
    gross = None if totals.nothing_priced else totals.gross
    return {
        "issued_on": quote.as_of,
        "valid_until": quote.valid_until,
        "language": quote.language,
        "currency": quote.currency,
        "net": None if net is None else str(net.amount),
        "gross": None if gross is None else str(gross.amount),
        "on_request": len(totals.gaps),
        "pdf_sha256": hashlib.sha256(made.pdf).hexdigest(),
        "pdf_bytes": len(made.pdf),
        "catalogue": "" if quote.advice is None else quote.advice.catalogue_version,
    }


def paper_row(made: Made) -> Row:
    """The document itself and what it stood on."""
    return {
        "pdf": made.pdf,
        "quote": quote_json(made.quote).decode(),
        "prices": json.dumps(price_snapshot(made.quote), ensure_ascii=False, indent=1),
        "consultation": made.consultation,
    }


def price_snapshot(quote: Quote) -> Mapping[str, Any]:
    """Every price of the document with what it stood on: source, date, grade and exchange rate."""
    return {
        "schema": 1,
        "date": quote.as_of.isoformat(),
        "currency": quote.currency,
        "lines": [_price(line) for line in quote.lines if line.unit_price is not None],
    }


def _price(line: QuoteLine) -> Row:
    origin = line.origin
    row: Row = {"number": line.number, "item": line.item_id, "unit_price": _amount(line.unit_price)}
    if origin is None:
        return row
    return {
        **row,
        "basis": origin.basis.value,
        "as_of": origin.as_of,
        "age": None if origin.age is None else origin.age.value,
        "source": origin.source_title,
        "url": origin.source_url,
        "grade": None if origin.grade is None else origin.grade.value,
        "rate": None if origin.rate is None else _rate(origin.rate),
    }


def _rate(rate: ExchangeRate) -> Row:
    return {"base": rate.base, "quote": rate.quote, "rate": str(rate.rate), "as_of": str(rate.as_of)}


def _amount(money: Money | None) -> str | None:
    return None if money is None else str(money.amount)


def plain(text: str) -> str:
    """Without what no database column takes."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")

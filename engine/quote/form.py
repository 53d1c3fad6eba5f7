"""The quote as plain data for machines: schema 1, customer-side facts only, money as strings, sizes in whole bytes."""

from __future__ import annotations

import json
from typing import Any

from engine.plan.types import Placement, Plan
from engine.quote.document import Quote, QuoteLine
from engine.quote.draft import Terms
from engine.quote.totals import Totals
from engine.units import FloatBand, Money

SCHEMA = 1

Form = dict[str, Any]


def quote_json(quote: Quote) -> bytes:
    """UTF-8 JSON; the same quote gives the same bytes."""
    return (json.dumps(quote_form(quote), ensure_ascii=False, indent=2) + "\n").encode()


def quote_form(quote: Quote) -> Form:
    """Named fields only: what is not listed here cannot leave the program this way."""
    customer = quote.customer
    return {
        "schema": SCHEMA,
        "kind": quote.kind.value,
        "number": quote.number,
        "revision": quote.revision,
        "draft": quote.preview,
        "date": quote.as_of.isoformat(),
        "valid_until": quote.valid_until.isoformat(),
        "language": quote.language,
        "currency": quote.currency,
        "seller": {"name": quote.seller.name, "vat_id": quote.seller.vat_id},
        "customer": {
            "company": customer.company,
            "contact": customer.contact,
            "address": list(customer.lines),
            "country": customer.country,
            "delivery_country": customer.goes_to,
            "kind": customer.kind.value,
            "vat_id": customer.vat_id,
            "number": customer.number,
            "reference": customer.reference,
            "cost_centre": customer.cost_centre,
        },
        "subject": quote.subject,
        "introduction": quote.introduction,
        "closing": quote.closing,
        "public_tender": quote.tender,
        "terms": _terms(quote.terms),
        "sections": [
            {
                "number": section.number,
                "title": section.title,
                "role": section.role.value,
                "lines": [_line(line, shown=quote.shows_prices_of(section)) for line in section.lines],
                "subtotal": _money(section.subtotal),
            }
            for section in quote.sections
        ],
        "totals": _totals(quote.totals),
        "net_with_options": _money(quote.options_net),
        "variants": [{"system": _plan(item.plan), "totals": _totals(item.totals)} for item in quote.variants],
        "recommendation": None if quote.advice is None else _plan(quote.advice.chosen),
        "tasks": [] if quote.advice is None else [_placement(item) for item in quote.advice.chosen.placements],
        "catalogue": "" if quote.advice is None else quote.advice.catalogue_version,
    }


def _line(line: QuoteLine, *, shown: bool) -> Form:
    origin = line.origin
    return {
        "number": line.number,
        "kind": line.kind.value,
        "item": line.item_id,
        "title": line.title,
        "description": line.description,
        "quantity": str(line.quantity),
        "unit": line.measure.value,
        "unit_price": _money(line.unit_price) if shown else None,
        "discount": str(line.discount) if shown else None,
        "total": _money(line.total) if shown else None,
        "vat_case": None if line.vat_case is None else line.vat_case.value,
        "alternative_to": line.base_number or None,
        "price_basis": None if origin is None else origin.basis.value,
        "price_date": None if origin is None else origin.as_of or None,
    }


def _terms(terms: Terms) -> Form:
    return {
        "binding": terms.binding,
        "payment": terms.payment,
        "delivery": terms.delivery,
        "delivery_time": terms.delivery_time,
        "warranty": terms.warranty,
        "retention_of_title": terms.retention_of_title,
        "where_readable": terms.where_readable,
        "export_reservation": terms.export_reservation,
    }


def _totals(totals: Totals) -> Form:
    return {
        "before_discount": None if totals.nothing_priced else _money(totals.before_discount),
        "discount": None if totals.nothing_priced else _money(totals.discount),
        "net": None if totals.nothing_priced else _money(totals.net),
        "vat": None
        if totals.vat is None
        else [
            {
                "case": item.case.value,
                "rate": str(item.rate),
                "net": _money(item.net),
                "vat": _money(item.vat),
            }
            for item in totals.vat
        ],
        "gross": None if totals.nothing_priced else _money(totals.gross),
        "on_request": list(totals.gaps),
    }


def _plan(plan: Plan) -> Form:
    return {
        "card": plan.card.id,
        "cards": plan.cards,
        "system": plan.system.id,
        "bridge": None
        if plan.bridging is None
        else {"size": plan.bridging.size, "count": plan.bridging.count, "islands": plan.bridging.islands},
        "power_w": plan.power_w,
        "verdict": plan.verdict.value,
        "free_bytes": plan.free_bytes,
    }


def _placement(placement: Placement) -> Form:
    workload, required = placement.workload, placement.estimate.required
    return {
        "name": workload.name,
        "model": workload.model.id,
        "method": workload.recipe.method.value,
        "sequence_length": workload.sequence_length,
        "micro_batch": placement.micro_batch,
        "cards": placement.layout.cards,
        "sharding": placement.layout.sharding.value,
        "verdict": placement.verdict.value,
        "required_bytes": {"low": required.low, "expected": required.expected, "high": required.high},
        "usable_bytes": placement.capacity_bytes,
        "step_seconds": None if placement.step is None else _band(placement.step.total_s),
        "hours_per_run": _band(placement.hours_per_run),
    }


def _band(band: FloatBand | None) -> Form | None:
    return None if band is None else {"low": band.low, "expected": band.expected, "high": band.high}


def _money(amount: Money | None) -> str | None:
    return None if amount is None else str(amount.amount)

"""The addressee of the paper, from the consultation document."""

from __future__ import annotations

from catalog.consultation.document import Consultation
from engine.quote.parties import Customer


def to_customer(consultation: Consultation) -> Customer:
    """The customer as the quote knows him."""
    row = consultation.customer
    return Customer(
        company=row.company,
        contact=row.contact,
        lines=row.address,
        country=row.country,
        delivery_country=row.delivery_country,
        kind=row.kind,
        vat_id=row.vat_id,
        number=row.number,
        reference=row.reference,
        cost_centre=row.cost_centre,
    )

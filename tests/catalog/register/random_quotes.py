"""Quotes of every shape: kinds of lines, VAT cases, discounts, quantities with decimals, negative prices, gaps."""

from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import Decimal

from engine.prices import PriceBasis
from engine.quote.document import Quote
from engine.quote.draft import DocumentKind, DraftLine, DraftSection, LineKind, Measure, PriceOrigin, SectionRole
from engine.quote.release import release
from engine.quote.vat import Supply, VatCase, VatTreatment
from tests.catalog.register.samples import draft

CASES = (
    (VatCase.DOMESTIC, VatCase.DOMESTIC),
    (VatCase.INTRA_COMMUNITY, VatCase.REVERSE_CHARGE),
    (VatCase.EXPORT, VatCase.EXPORT),
)
KINDS = (*[LineKind.BASE] * 6, LineKind.OPTIONAL, LineKind.INCLUDED, LineKind.TEXT, LineKind.ALTERNATIVE)


def random_quotes(amount: int, seed: int) -> Iterator[Quote]:
    chance = random.Random(seed)
    for _ in range(amount):
        yield random_quote(chance)


def random_quote(chance: random.Random) -> Quote:
    lines = [_line(chance, "0", LineKind.BASE)]
    lines += [_line(chance, str(index), chance.choice(KINDS)) for index in range(1, chance.randint(1, 9))]
    cut = chance.randint(0, len(lines))
    sections = tuple(
        DraftSection(SectionRole.FREE, tuple(part), title) for part, title in ((lines[:cut], "Eins"), (lines[cut:], ""))
    )
    goods, service = chance.choice(CASES)
    return release(
        draft(
            kind=DocumentKind.RECOMMENDATION,
            number="KE-2026-0001",
            language=chance.choice(["de", "en"]),
            sections=sections,
            vat=VatTreatment(goods, service, Decimal("0.19"), confirmed=True),
            document_discount=Decimal(chance.choice([0, 0, 0, 2, 7])) / 100,
        )
    )


def _line(chance: random.Random, id_: str, kind: LineKind) -> DraftLine:
    price = Decimal(chance.randint(-5_000_000, 90_000_000)) / 10 ** chance.randint(2, 4)
    return DraftLine(
        id_,
        f"Artikel {id_}",
        kind=kind,
        supply=chance.choice(list(Supply)),
        quantity=Decimal(chance.randint(1, 400)) / chance.choice([1, 1, 1, 10, 100]),
        measure=chance.choice(list(Measure)),
        unit_price=None if chance.random() < 0.05 else price,
        discount=Decimal(chance.choice([0, 0, 0, 5, 15, 33])) / 100,
        base_id="0" if kind is LineKind.ALTERNATIVE else "",
        origin=PriceOrigin(PriceBasis.SELLER, "2026-11-30"),
    )

"""How the time grows with the size of the task: workloads, cards, positions of the paper, faults of a file."""

from __future__ import annotations

import gc
import io
import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from engine.facts import Facts
from engine.memory.estimate import estimate
from engine.memory.types import TrainingSetup
from engine.methods import Layout, Method, Recipe, Sharding
from engine.plan.recommend import recommend
from engine.prices import PriceBasis
from engine.quote.draft import DocumentKind, DraftLine, DraftSection, PriceOrigin, QuoteDraft, SectionRole
from engine.quote.parties import Customer, Seller
from engine.quote.release import release
from engine.quote.vat import VatCase, VatTreatment
from engine.workload import Place, Priority, Scenario, Site, Workload

DAY = date(2026, 11, 30)
LONGEST_S = 30.0  # larger sizes are left out once one took this long


@dataclass(frozen=True, slots=True)
class Growth:
    """Milliseconds by size. `order` is the exponent of the size between the smallest third and the largest size."""

    name: str
    points: tuple[tuple[int, float], ...]

    @property
    def order(self) -> float:
        """1: doubling the size doubles the time; 0: the size does not matter."""
        first, last = self.points[len(self.points) // 3], self.points[-1]
        return math.log(last[1] / first[1]) / math.log(last[0] / first[0])


def _grown(name: str, sizes: Iterable[int], work: Callable[[int], object]) -> Growth:
    points = []
    for size in sizes:
        gc.collect()  # what the measurement before left behind is not this one's
        started = time.process_time()
        work(size)
        took = time.process_time() - started
        points.append((size, took * 1000))
        if took > LONGEST_S:
            break
    return Growth(name, tuple(points))


def workloads(facts: Facts) -> Growth:
    """A recommendation for ever more different workloads."""
    model = facts.models["llama-3.1-8b"]

    def work(size: int) -> object:
        rows = tuple(
            Workload(
                f"{row}", model, Recipe(Method.LORA), 512 + row, tokens_per_run=1_000_000, runs_per_month=Decimal(1)
            )
            for row in range(size)
        )
        scenario = Scenario(rows, Site(Place.RACK), frozenset(), Priority.COST_PER_RUN, "EUR", DAY)
        return recommend(scenario, replace(facts))

    return _grown("workloads", (1, 3, 10, 30, 100, 300, 1000), work)


def catalogue(facts: Facts) -> Growth:
    """A recommendation for three workloads from a catalogue with ever more cards, each listed wherever its model is."""
    model = facts.models["llama-3.1-8b"]
    rows = tuple(
        Workload(f"{row}", model, Recipe(Method.LORA), 2048 * row, tokens_per_run=1_000_000, runs_per_month=Decimal(1))
        for row in (1, 2, 3)
    )
    scenario = Scenario(rows, Site(Place.RACK), frozenset(), Priority.COST_PER_RUN, "EUR", DAY)

    def work(size: int) -> object:
        return recommend(scenario, _multiplied(facts, size))

    return _grown("catalogue cards, times", (1, 2, 5, 10, 20), work)


def _multiplied(facts: Facts, times: int) -> Facts:
    """The facts with every card `times` over, with a name of its own and in the same machines."""
    copies = [(f"-{copy}" if copy else "") for copy in range(times)]
    cards = {
        f"{card.id}{copy}": replace(card, id=f"{card.id}{copy}") for card in facts.cards.values() for copy in copies
    }
    systems = {
        system.id: replace(
            system,
            options=tuple(
                replace(option, card_id=f"{option.card_id}{copy}") for option in system.options for copy in copies
            ),
        )
        for system in facts.systems.values()
    }
    return replace(facts, cards=cards, systems=systems)


def cards(facts: Facts) -> Growth:
    """A memory estimate over ever more cards of one run, a thousand of each."""
    model = facts.models["llama-3.3-70b"]

    def work(size: int) -> object:
        layout = Layout(size, Sharding.FSDP if size > 1 else Sharding.NONE)
        return [estimate(TrainingSetup(model, Recipe(Method.LORA), 512 + at, 1, layout)) for at in range(1000)]

    return _grown("cards of one run", (1, 2, 4, 8, 12, 16, 20), work)


def positions() -> Growth:
    """A paper with ever more positions, from the draft to the finished PDF."""
    from catalog.paper_assets import report_assets
    from engine.report.document import render

    assets = report_assets("de")

    def work(size: int) -> object:
        origin = PriceOrigin(PriceBasis.SELLER, DAY.isoformat())
        lines = tuple(
            DraftLine(str(at), f"Artikel {at}", unit_price=Decimal(at), origin=origin) for at in range(1, size + 1)
        )
        draft = QuoteDraft(
            kind=DocumentKind.RECOMMENDATION,
            seller=Seller(),
            customer=Customer(company="Beispiel AG"),
            language="de",
            currency="EUR",
            as_of=DAY,
            sections=(DraftSection(SectionRole.FREE, lines),),
            vat=VatTreatment(VatCase.DOMESTIC, VatCase.DOMESTIC, Decimal("0.19"), confirmed=True),
        )
        return render(release(draft), "de", assets, io.BytesIO())

    return _grown("positions", (1, 3, 10, 30, 100, 300, 1000), work)


def faults() -> Growth:
    """The refusal of a consultation with ever more unknown fields, each of which would be named with its line."""
    from catalog.consultation.files import parse_text
    from engine.errors import PassformError

    def work(size: int) -> object:
        try:
            return parse_text("schema: 1\n" + "".join(f"k{number}: 1\n" for number in range(size)), "a")
        except PassformError as error:
            return error

    return _grown("faults of a file", (500, 1000, 3000, 10_000, 30_000, 60_000), work)

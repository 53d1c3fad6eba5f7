"""The requirement sheet of a public tender: what is needed, without the name of any product, card or maker."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from engine.fit import planned_bytes
from engine.hardware import Card, LinkKind
from engine.plan.types import Plan, ServingPlacement
from engine.quote.document import Advice
from engine.reasons import ReasonCode
from engine.report.context import Paper, chapter
from engine.report.style import TEXT_WIDTH
from engine.report.tables import table
from engine.serving.types import LoadKind
from engine.units import GB
from engine.wording import numbers
from engine.wording.labels import label
from engine.workload import MustHave

BRIDGED = {LinkKind.NVLINK_BRIDGE, LinkKind.NVSWITCH, LinkKind.INFINITY_FABRIC}


def requirement_sheet(paper: Paper, advice: Advice) -> Iterator[Flowable]:
    """One table of needs and the tasks they come from."""
    _, styles = paper.tr.gettext, paper.styles
    yield from chapter(paper, _("Requirements in product-neutral words"), "requirements", room=160)
    yield paper.small(
        _("The figures follow from the tasks; products that meet them are equivalent for these tasks."), "requirements"
    )
    head = [
        paper.paragraph(_("Property"), styles.head, "head"),
        paper.paragraph(_("Requirement"), styles.head, "head"),
    ]
    rows: list[list[Flowable | list[Flowable]]] = [
        [
            paper.paragraph(name, styles.cell_small, "requirement"),
            paper.paragraph(value, styles.cell_small, "requirement"),
        ]
        for name, value in (*_accelerators(paper, advice), *_machine(paper, advice))
    ]
    yield table(head, rows, [70 * mm, TEXT_WIDTH - 70 * mm])


def _accelerators(paper: Paper, advice: Advice) -> Iterator[tuple[str, str]]:
    _, language, plan = paper.tr.gettext, paper.language, advice.chosen
    card, headroom = plan.card, advice.scenario.headroom
    trained = [max(planned_bytes(item.estimate, headroom), item.estimate.required.high) for item in plan.placements]
    need = max((*trained, *(_served_bytes(item) for item in plan.serving)), default=0)
    whole = numbers.with_unit(numbers.integer(-(-need // GB), language), "GB")
    yield _("Accelerators"), numbers.integer(plan.cards, language)
    yield _("Memory usable per accelerator"), _("at least {value}").format(value=whole)
    if card.bandwidth_gb_per_s is not None:
        rate = numbers.rate_gb_per_s(_rounded_down(card.bandwidth_gb_per_s.value), language)
        yield _("Memory bandwidth per accelerator"), _("at least {value}").format(value=rate)
    if card.bf16_dense_tflops is not None:
        rate = numbers.with_unit(numbers.plain(_rounded_down(card.bf16_dense_tflops.value), language), "TFLOPS")
        yield _("Dense BF16 matrix rate per accelerator"), _("at least {value}").format(value=rate)
    if card.ecc is not None and card.ecc.value:
        yield _("Error correction of the memory"), _("required")
    yield from _link(paper, plan, card)
    for feature in sorted(advice.scenario.must_have - {MustHave.NVLINK, MustHave.ECC}):
        yield label(feature, paper.tr), _("or equivalent, required")


def _served_bytes(item: ServingPlacement) -> int:
    """What the fullest card holds at the planned load: the cache as far as requests of mean length fill it."""
    card = item.memory.card
    return card.start_up + max(card.cache - item.free_bytes, 0)


def _link(paper: Paper, plan: Plan, card: Card) -> Iterator[tuple[str, str]]:
    """The direct link, where a run is spread over cards that have one."""
    _ = paper.tr.gettext
    spread = any(
        item.step is not None and item.step.link in BRIDGED and item.step.link_bytes for item in plan.placements
    )
    if spread and card.nvlink is not None:
        rate = numbers.rate_gb_per_s(card.nvlink.gb_per_s_per_direction.value, paper.language)
        yield _("Direct link between accelerators, per direction"), _("at least {value}").format(value=rate)


def _machine(paper: Paper, advice: Advice) -> Iterator[tuple[str, str]]:
    _, language, plan, site = paper.tr.gettext, paper.language, advice.chosen, advice.scenario.site
    kept = max((item.estimate.host_high * item.runs_in_parallel for item in plan.placements), default=0)
    if kept:
        memory = numbers.with_unit(numbers.integer(-(-kept // GB) + _host_minimum_gb(plan), language), "GB")
        yield _("Host memory"), _("at least {value}").format(value=memory)
    yield _("Place"), label(site.place, paper.tr)
    yield (
        _("Power of the whole system under load"),
        _("at most {value}").format(value=numbers.watts(site.circuit_watts or plan.power_w, language)),
    )
    if site.free_rack_units is not None:
        yield _("Height"), _("at most {value}").format(value=numbers.rack_units(site.free_rack_units, language))
    if site.noise_limit_db_a is not None:
        noise = numbers.with_unit(numbers.integer(site.noise_limit_db_a, language), "dB(A)")
        yield _("Noise"), _("at most {value}").format(value=noise)
    for item in plan.placements:
        if item.step is not None:
            seconds = numbers.seconds(item.step.total_s.high, language)
            tokens = numbers.integer(item.step.tokens_per_step, language)
            text = _("one step of {tokens} tokens in at most {time}, shown at acceptance")
            yield item.workload.name, text.format(tokens=tokens, time=seconds)
    for summary in advice.serving:
        if summary.planned is not None:
            rate = numbers.significant(summary.planned.tokens_per_s.low, language, 2)
            users = numbers.integer(round(summary.planned.users), language)
            text = _("at least {rate} output tokens per second at {users} at once, shown at acceptance")
            yield summary.placement.workload.name, text.format(rate=rate, users=users)
        load = summary.placement.workload.setup.load
        if load.kind is LoadKind.BATCH:
            requests, night = numbers.integer(load.requests_per_night, language), numbers.hours(load.night_h, language)
            text = _("{requests} requests in a night of {hours}, shown at acceptance")
            yield summary.placement.workload.name, text.format(requests=requests, hours=night)


def _host_minimum_gb(plan: Plan) -> int:
    """What the host needs for its cards, beside what runs keep in its memory."""
    said = next((item for item in plan.reasons if item.code is ReasonCode.HOST_MINIMUM), None)
    return 0 if said is None else int(said.value("need_gb"))


def _rounded_down(value: Decimal) -> Decimal:
    """Two significant digits downwards: a need, not the exact figure of one product."""
    step = Decimal(10) ** (value.adjusted() - 1)
    return value // step * step

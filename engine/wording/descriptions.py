"""What a position is, in one line from the catalogue's figures."""

from __future__ import annotations

from engine.hardware import Card, System
from engine.plan.types import Plan
from engine.quote.document import Quote, QuoteLine
from engine.quote.draft import DocumentKind
from engine.wording import numbers
from engine.wording.labels import label
from engine.wording.translator import Language, Translator, mark

_ITEM_NOTES = {
    "nvaie_h200_nvl": mark("The five years begin 90 days after the card was shipped to the server maker."),
}


def line_description(quote: Quote, line: QuoteLine, tr: Translator, language: Language) -> str:
    """The line's own text, or what the catalogue says about its item."""
    if line.description or quote.advice is None:
        return line.description
    if line.item_id in _ITEM_NOTES:
        return tr.gettext(_ITEM_NOTES[line.item_id])
    plan = quote.advice.chosen
    if line.item_id == plan.card.id:
        return card_description(plan.card, tr, language, plan.power_cap_w)
    if line.item_id == plan.system.id:
        return system_description(plan.system, tr, language, offered=quote.kind is DocumentKind.OFFER)
    return ""


def card_description(card: Card, tr: Translator, language: Language, power_cap_w: int | None = None) -> str:
    """Memory, bandwidth, power and cooling of a card."""
    parts = [numbers.with_unit(numbers.plain(card.memory_gb.value, language), "GB")]
    if card.bandwidth_gb_per_s is not None:
        parts.append(numbers.rate_gb_per_s(card.bandwidth_gb_per_s.value, language))
    power = numbers.watts(card.power_w.value, language)
    if power_cap_w is not None and power_cap_w < card.power_w.value:
        power = tr.gettext("{power}, in this system {cap}").format(
            power=power, cap=numbers.watts(power_cap_w, language)
        )
    parts.append(power)
    parts.append(tr.gettext("cooling: {cooling}").format(cooling=label(card.cooling.value, tr)))
    return ", ".join(parts)


def system_description(system: System, tr: Translator, language: Language, *, offered: bool = False) -> str:
    """Kind, height and host memory of a machine; built-to-order machines say so.

    The figures of such a machine are assumptions until the seller offers it: then they are what he offers.
    """
    parts = [label(system.kind, tr)]
    if system.rack_units is not None:
        parts.append(numbers.rack_units(system.rack_units.value, language))
    if system.host_memory_max_gb is not None:
        memory = numbers.with_unit(numbers.integer(system.host_memory_max_gb.value, language), "GB")
        parts.append(tr.gettext("up to {memory} of host memory").format(memory=memory))
    if system.built_to_order:
        parts.append(tr.gettext("built to order") if offered else tr.gettext("built to order, figures assumed"))
    return ", ".join(parts)


def plan_title(plan: Plan) -> str:
    """Count and edition."""
    return f"{plan.cards} × {plan.card.name}"

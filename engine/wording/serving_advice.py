"""The recomputed inference advice in sentences: what the guide says, what today's figures say."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from engine.serving.advice import CardFigures, Claim, Finding
from engine.units import Money
from engine.wording import numbers
from engine.wording.serving import format_name
from engine.wording.translator import Language, Translator, mark

_CLAIMS: Mapping[Claim, str] = {
    Claim.BATCH_LARGE: mark("L40S for batches that need more than 24 GB"),
    Claim.BATCH_SMALL: mark("RTX 4090 for batches of models within 24 GB"),
    Claim.LATENCY: mark("H200 for the lowest latency"),
    Claim.EDGE: mark("L4 for small models at the edge"),
}
_VERDICTS: Mapping[bool | None, str] = {
    True: mark("still holds"),
    False: mark("no longer holds"),
    None: mark("cannot be judged: no price is published"),
}


def finding_lines(finding: Finding, currency: str, tr: Translator, language: Language) -> tuple[str, ...]:
    """A claim with its job, its verdicts, and the figures of the named card and of the best ones."""
    job = tr.gettext("{claim} ({model}, {weights}, one card):").format(
        claim=tr.gettext(_CLAIMS[finding.claim]), model=finding.model, weights=format_name(finding.weights)
    )
    verdict = tr.gettext("to buy: {bought}; to rent: {rented}").format(
        bought=tr.gettext(_VERDICTS[finding.holds_to_buy]), rented=tr.gettext(_VERDICTS[finding.holds_to_rent])
    )
    lines = [job, verdict]
    for text, figures in (
        (tr.gettext("named: {card}"), finding.named),
        (tr.gettext("best to buy: {card}"), finding.best_to_buy),
        (tr.gettext("best to rent: {card}"), finding.best_to_rent),
    ):
        if figures is not None:
            lines.append(text.format(card=card_text(figures, currency, tr, language)))
    return tuple(lines)


def card_text(figures: CardFigures, currency: str, tr: Translator, language: Language) -> str:
    """A card's figures in one line."""
    parts = [
        figures.card.name,
        tr.gettext("{rate} tokens/s").format(rate=numbers.significant(figures.tokens_per_s, language, 2)),
    ]
    if figures.price is None:
        parts.append(tr.gettext("no published price"))
    else:
        parts.append(numbers.money_whole(Money(Decimal(str(figures.price)), currency), language))
    if figures.rent_per_million is not None:
        per_million = numbers.money(Money(Decimal(str(figures.rent_per_million)), currency), language)
        parts.append(tr.gettext("rented {amount} per million output tokens").format(amount=per_million))
    if not figures.for_sale:
        parts.append(tr.gettext("at the end of its life"))
    return ", ".join(parts)

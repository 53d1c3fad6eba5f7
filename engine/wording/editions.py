"""What stands below a table of editions: what was measured of them side by side, and why some are out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.compare import Comparison
from engine.editions import EditionRange
from engine.figures import Source
from engine.ruled_out import RuledOut
from engine.serving.editions import ServedPair
from engine.speed.editions import TrainedPair
from engine.wording import numbers
from engine.wording.catalogue_texts import source_date, source_title
from engine.wording.filling import Reader
from engine.wording.labels import label
from engine.wording.reasons import sentence
from engine.wording.serving import format_name


def edition_remarks(comparison: Comparison, reader: Reader) -> tuple[str, ...]:
    """Every remark of a comparison of cards, one paragraph each; none where there is nothing to say."""
    return tuple(_remarks(comparison, reader._replace(names={**reader.names, **comparison.names})))


def _remarks(comparison: Comparison, reader: Reader) -> Iterator[str]:
    for served in comparison.served:
        yield served_text(served, reader)
    for trained in comparison.trained:
        yield trained_text(trained, reader)
    if comparison.unserved:
        text = reader.tr.gettext("No source measured beside another edition while serving: {cards}.")
        yield text.format(cards=_joined([_name(card, reader) for card in comparison.unserved], reader))
    alike: dict[str, list[str]] = {}
    for out in comparison.ruled_out:
        alike.setdefault(why_ruled_out(out, reader), []).append(_name(out.card.id, reader))
    for reasons, cards in alike.items():
        text = reader.tr.ngettext("{cards} is ruled out. {reasons}", "{cards} are ruled out. {reasons}", len(cards))
        yield text.format(cards=_joined(cards, reader), reasons=reasons)
    if any(out.cards for out in comparison.ruled_out):
        yield reader.tr.gettext(
            "Of a card that is ruled out only the memory was examined, on the fewest cards that hold every task; else "
            "on the number that comes nearest."
        )


def served_text(found: EditionRange[ServedPair], reader: Reader) -> str:
    """One range with its setups and its source; where the measurements contradict each other, each of them."""
    tr = reader.tr
    if found.contradictory:
        text = tr.gettext(
            "Serving, measured side by side: {card} gives {share} of the tokens per second of {other}. The "
            "measurements contradict each other, so nothing follows for other setups: {setups}. Source: {source}."
        )
        setups = "; ".join(setup_text(pair, reader) for pair in found.pairs)
    else:
        text = tr.gettext(
            "Serving, measured side by side: {card} gives {share} of the tokens per second of {other} ({setups}). "
            "Source: {source}."
        )
        setups = _setups(found, reader)
    return _said(text, found, setups, reader)


def trained_text(found: EditionRange[TrainedPair], reader: Reader) -> str:
    """One range with its setups and its source; where the measurements contradict each other, each of them."""
    tr = reader.tr
    if found.contradictory:
        text = tr.gettext(
            "Training, measured side by side: {card} gives {share} of the tokens per second and card of {other}. The "
            "measurements contradict each other, so nothing follows for other setups: {setups}. Source: {source}."
        )
        setups = "; ".join(
            f"{numbers.percent(pair.ratio, reader.language)}: {_trained_setup(pair, reader)}" for pair in found.pairs
        )
    else:
        text = tr.gettext(
            "Training, measured side by side: {card} gives {share} of the tokens per second and card of {other} "
            "({setups}). Source: {source}."
        )
        count = len(found.pairs)
        setups = tr.ngettext("{count} comparison: {setups}", "{count} comparisons: {setups}", count).format(
            count=numbers.integer(count, reader.language),
            setups=_listed(_trained_setup(pair, reader) for pair in found.pairs),
        )
    return _said(text, found, setups, reader)


def _trained_setup(pair: TrainedPair, reader: Reader) -> str:
    record, language = pair.record, reader.language
    text = reader.tr.ngettext(
        "{model}, {method} in {format} on {count} card, sequences of {length} tokens, micro-batch {micro_batch}",
        "{model}, {method} in {format} on {count} cards, sequences of {length} tokens, micro-batch {micro_batch}",
        record.cards,
    )
    return text.format(
        model=record.model,
        method=label(record.method, reader.tr),
        format=record.compute.value.upper(),
        count=numbers.integer(record.cards, language),
        length=numbers.integer(record.sequence_length, language),
        micro_batch=numbers.integer(record.micro_batch, language),
    )


def _said(text: str, found: EditionRange[Any], setups: str, reader: Reader) -> str:
    return text.format(
        card=_name(found.card_id, reader),
        other=_name(found.other_id, reader),
        share=numbers.band(found.low, found.high, lambda value: numbers.percent(value, reader.language)),
        setups=setups,
        source=_source(found.source, reader),
    )


def setup_text(pair: ServedPair, reader: Reader) -> str:
    """One setup with its own share."""
    anchor, language = pair.record, reader.language
    return reader.tr.gettext("{share} with {model} on {software}, {prompt} to {answer} tokens, {users}").format(
        share=numbers.percent(pair.ratio, language),
        model=_model(pair, reader),
        software=anchor.software,
        prompt=numbers.integer(anchor.prompt, language),
        answer=numbers.integer(anchor.output, language),
        users=_requests([anchor.users], reader),
    )


def why_ruled_out(out: RuledOut, reader: Reader) -> str:
    """Every reason against a card, each once."""
    return " ".join(dict.fromkeys(sentence(item, reader.tr, reader.language, reader.names) for item in out.reasons))


def _setups(found: EditionRange[ServedPair], reader: Reader) -> str:
    tr, language = reader.tr, reader.language
    anchors = [pair.record for pair in found.pairs]
    count = len(anchors)
    text = tr.ngettext(
        "{count} setup: {models} on {software}, prompts of {prompts} tokens, answers of {answers} tokens, {users}",
        "{count} setups: {models} on {software}, prompts of {prompts} tokens, answers of {answers} tokens, {users}",
        count,
    )
    return text.format(
        count=numbers.integer(count, language),
        models=_listed(_model(pair, reader) for pair in found.pairs),
        software=_listed(anchor.software for anchor in anchors),
        prompts=_span([anchor.prompt for anchor in anchors], reader),
        answers=_span([anchor.output for anchor in anchors], reader),
        users=_requests([anchor.users for anchor in anchors], reader),
    )


def _model(pair: ServedPair, reader: Reader) -> str:
    """A model in its weight format."""
    return f"{reader.names.get(pair.record.model, pair.record.model)} ({format_name(pair.record.weights)})"


def _requests(users: Iterable[float], reader: Reader) -> str:
    counts = [round(number) for number in users]
    text = reader.tr.ngettext("{count} request at once", "{count} requests at once", max(counts))
    return text.format(count=_span(counts, reader))


def _span(values: Iterable[int], reader: Reader) -> str:
    """The ends of a range of whole numbers."""
    known = sorted(set(values))
    ends = dict.fromkeys((known[0], known[-1]))
    return numbers.EN_DASH.join(numbers.integer(end, reader.language) for end in ends)


def _joined(words: list[str], reader: Reader) -> str:
    """Several names as a sentence lists them."""
    if len(words) < 2:
        return "".join(words)
    return reader.tr.gettext("{words} and {last}").format(words=", ".join(words[:-1]), last=words[-1])


def _listed(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(words))


def _source(source: Source, reader: Reader) -> str:
    return f"{source_title(source, reader.tr)} ({source_date(source, reader.tr, reader.language)})"


def _name(card_id: str, reader: Reader) -> str:
    return reader.names.get(card_id, card_id)

"""The customer's own test runs: changes of the document, and what is said about a run. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from pydantic import ValidationError

from catalog.config_model import model_from_file
from catalog.consultation.document import CalibrationRow, Consultation, RecipeSettings
from catalog.consultation.scenario import own_run_of
from catalog.validation_words import problem_words
from engine.errors import InvalidInputError, PassformError
from engine.speed.types import OwnRun
from engine.wording.own_runs import peak_text
from gui.context import Context
from gui.draft import amended
from gui.texts import Texts

UNCHANGED = 0.005  # below half a percent the times are called unchanged


def own_run_row(**fields: object) -> CalibrationRow:
    """A row from a form's fields. Raises `InvalidInputError` with what would be right."""
    try:
        return CalibrationRow.model_validate(fields)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        raise InvalidInputError("{problem}", problem=problem_words(problem)) from error


def with_own_run(document: Consultation, row: CalibrationRow, index: int | None = None) -> Consultation:
    """Add a row at the end, or put it in the place of another."""
    rows = list(document.calibrations)
    if index is None:
        rows.append(row)
    else:
        rows[index] = row
    return amended(document, calibrations=tuple(rows))


def without_own_runs(document: Consultation, indexes: Sequence[int]) -> Consultation:
    """Remove rows."""
    gone = set(indexes)
    kept = tuple(row for index, row in enumerate(document.calibrations) if index not in gone)
    return amended(document, calibrations=kept)


def own_run(row: CalibrationRow, context: Context) -> OwnRun:
    """The run beside what the model says for it. Raises `PassformError` when it cannot have been."""
    document = context.document
    return own_run_of(row, document.consultation, context.catalog.facts, model_from_file, document.folder)


def settings_of(row: CalibrationRow, model_id: str) -> RecipeSettings:
    """The recipe settings of a stored run as long as the model is the same."""
    return row.recipe if row.model == model_id else RecipeSettings()


def what_text(row: CalibrationRow, context: Context) -> str:
    """What ran: the model, the method, the sequence length."""
    texts = context.texts
    if row.workload is not None:
        parts = [texts.gettext("as {workload}").format(workload=row.workload)]
    else:
        model = context.catalog.facts.models.get(row.model or "")
        parts = [model.name if model else row.model or ""]
    if row.method is not None:
        parts.append(texts.label(row.method))
    if row.sequence_length is not None:
        parts.append(texts.integer(row.sequence_length))
    return " · ".join(parts)


def where_text(row: CalibrationRow, context: Context) -> str:
    """Where it ran: cards, machine, software."""
    texts = context.texts
    card = context.catalog.facts.cards.get(row.card)
    parts = [f"{row.cards} × {card.short_name if card else row.card}"]
    if row.system is not None:
        parts.append(texts.name(row.system))
    parts.append(texts.label(row.stack))
    return " · ".join(parts)


def rate_text(tokens_per_s: float, texts: Texts) -> str:
    """Tokens per second of all cards."""
    return texts.gettext("{count} tokens/s").format(count=texts.integer(round(tokens_per_s)))


def effect_text(run: OwnRun, texts: Texts) -> str:
    """What the run does to the computed times of its kind."""
    _ = texts.gettext
    share = run.modelled_tokens_per_s / run.measured_tokens_per_s - 1
    if abs(share) < UNCHANGED:
        return _("times stay")
    template = _("times {share} longer") if share > 0 else _("times {share} shorter")
    return template.format(share=texts.percent(abs(share)))


def peak_words(run: OwnRun, texts: Texts) -> str:
    """The measured memory beside the estimate, and what to think of it; empty where none was measured."""
    return "" if run.peak is None else peak_text(run.peak, texts.tr, texts.language)


def row_memory(row: CalibrationRow, context: Context) -> str:
    """The same for a row; empty as well when the run cannot have been."""
    try:
        return peak_words(own_run(row, context), context.texts)
    except PassformError:
        return ""


def row_effect(row: CalibrationRow, context: Context) -> tuple[str, str]:
    """What the model says for the run and what follows; a dash and the reason when the run cannot have been."""
    try:
        run = own_run(row, context)
    except PassformError as error:
        return "–", context.texts.error(error)
    return rate_text(run.modelled_tokens_per_s, context.texts), effect_text(run, context.texts)


def tokens_per_second(step_s: Decimal, sequences: int, sequence_length: int) -> float:
    """Tokens per second of all cards from a measured step: sequences of one step x their length / its seconds."""
    return float(Decimal(sequences * sequence_length) / step_s)

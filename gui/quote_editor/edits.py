"""Changes of a stored proposal, each giving a new, valid one. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from catalog.consultation.quote_rows import InternalRow, LineRow, QuoteRow, SectionRow
from engine.errors import InvalidInputError
from engine.quote.draft import LineKind, SectionRole
from gui.draft import amended

Spot = tuple[int, int]  # section, line


def new_id(quote: QuoteRow) -> str:
    """An id no line of the proposal has."""
    known = {line.id for line in quote.lines}
    number = 1
    while f"line-{number}" in known:
        number += 1
    return f"line-{number}"


def with_line(quote: QuoteRow, line: LineRow, section: int, index: int | None = None) -> QuoteRow:
    """Insert a line, at the section's end unless told where. A known id is replaced by a new one."""
    if line.id in {known.id for known in quote.lines}:
        line = line.model_copy(update={"id": new_id(quote)})

    def insert(lines: list[LineRow]) -> None:
        lines.insert(len(lines) if index is None else index, line)

    return _changed(quote, section, insert)


def with_section(quote: QuoteRow, section: SectionRow, index: int | None = None) -> QuoteRow:
    """Insert a section; its lines get ids of their own, and alternatives keep their base line."""
    sections = list(quote.sections or ())
    place = len(sections) if index is None else index
    made = quote
    lines: list[LineRow] = []
    renamed: dict[str, str] = {}
    empty = section.model_copy(update={"lines": ()})
    made = _with(made, [*sections[:place], empty, *sections[place:]])
    for line in section.lines:
        made = with_line(made, line, place)
        lines = list((made.sections or ())[place].lines)
        renamed[line.id] = lines[-1].id
    lines = [line.model_copy(update={"base": renamed.get(line.base, "")}) if line.base else line for line in lines]
    return _with_lines(made, place, lines)


def without_line(quote: QuoteRow, spot: Spot) -> QuoteRow:
    """Remove a line, and the alternatives that stand for it."""
    gone = _line(quote, spot).id
    sections = [
        section.model_copy(update={"lines": tuple(one for one in section.lines if gone not in (one.id, one.base))})
        for section in quote.sections or ()
    ]
    return _with(quote, sections)


def without_section(quote: QuoteRow, section: int) -> QuoteRow:
    """Remove a section with its lines, and alternatives elsewhere that stand for them."""
    for line in (quote.sections or ())[section].lines:
        place = next(
            (index for index, one in enumerate((quote.sections or ())[section].lines) if one.id == line.id), None
        )
        if place is not None:
            quote = without_line(quote, (section, place))
    sections = list(quote.sections or ())
    del sections[section]
    return _with(quote, sections)


def without(quote: QuoteRow, spot: Spot) -> QuoteRow:
    """Remove a line, or the section where the line is -1."""
    return without_section(quote, spot[0]) if spot[1] < 0 else without_line(quote, spot)


def cloned_line(quote: QuoteRow, spot: Spot) -> QuoteRow:
    """A copy of a line beneath it, which no longer follows the recommendation."""
    line = _line(quote, spot).model_copy(update={"id": new_id(quote), "planned": False})
    return with_line(quote, line, spot[0], spot[1] + 1)


def cloned_section(quote: QuoteRow, section: int) -> QuoteRow:
    """A copy of a section beneath it."""
    lines = tuple(line.model_copy(update={"planned": False}) for line in (quote.sections or ())[section].lines)
    return with_section(quote, (quote.sections or ())[section].model_copy(update={"lines": lines}), section + 1)


def moved_line(quote: QuoteRow, spot: Spot, section: int, index: int) -> QuoteRow:
    """Move a line to a place counted before the move."""
    line = _line(quote, spot)
    if section == spot[0] and index > spot[1]:
        index -= 1
    taken = _changed(quote, spot[0], lambda lines: lines.pop(spot[1]))
    return with_line(taken, line, section, index)


def moved_section(quote: QuoteRow, section: int, target: int) -> QuoteRow:
    """Move a section to a place counted after it was taken out."""
    sections = list(quote.sections or ())
    sections.insert(target, sections.pop(section))
    return _with(quote, sections)


@dataclass(frozen=True, slots=True)
class Way:
    """Where a line goes, counted before the move, and where it then stands."""

    target: Spot
    landed: Spot


def neighbour(sections: Sequence[SectionRow], spot: Spot, step: int) -> Way | None:
    """One place up or down; over a section's edge into the next one. None at the ends."""
    section, line = spot
    place = line + step
    if 0 <= place < len(sections[section].lines):
        return Way((section, place + (1 if step > 0 else 0)), (section, place))
    if not 0 <= section + step < len(sections):
        return None
    there = (section + step, 0 if step > 0 else len(sections[section + step].lines))
    return Way(there, there)


def amended_line(quote: QuoteRow, spot: Spot, **changes: object) -> QuoteRow:
    """Change fields of a line. Raises `InvalidInputError` with what would be right."""
    line: LineRow = amended(_line(quote, spot), **changes)
    if line.kind is LineKind.ALTERNATIVE and not line.base:
        line = line.model_copy(update={"base": _base_before(quote, spot)})
    if line.kind is not LineKind.ALTERNATIVE and line.base:
        line = line.model_copy(update={"base": ""})
    lines = list((quote.sections or ())[spot[0]].lines)
    was = lines[spot[1]]
    lines[spot[1]] = line
    if was.kind is LineKind.BASE and line.kind is not LineKind.BASE and any(one.base == line.id for one in quote.lines):
        raise InvalidInputError("Alternatives stand for this position, so it must stay one that counts.")
    return _with_lines(quote, spot[0], lines)


def amended_internal(quote: QuoteRow, spot: Spot, **changes: object) -> QuoteRow:
    """Change what stays with the seller. Raises `InvalidInputError`."""
    internal: InternalRow = amended(_line(quote, spot).internal, **changes)
    return amended_line(quote, spot, internal=internal)


def amended_section(quote: QuoteRow, section: int, **changes: object) -> QuoteRow:
    """Change fields of a section. Raises `InvalidInputError`."""
    sections = list(quote.sections or ())
    sections[section] = amended(sections[section], **changes)
    return _with(quote, sections)


def section_for(quote: QuoteRow, role: SectionRole) -> tuple[QuoteRow, int]:
    """The first section of a role, made at the end when there is none, and its number."""
    for number, section in enumerate(quote.sections or ()):
        if section.role is role:
            return quote, number
    made = with_section(quote, SectionRow(role=role))
    return made, len(made.sections or ()) - 1


def bases(quote: QuoteRow) -> list[LineRow]:
    """The lines an alternative can stand for."""
    return [line for line in quote.lines if line.kind is LineKind.BASE]


def has_own_amounts(quote: QuoteRow) -> bool:
    """Whether the seller entered any amount, so that the currency matters."""
    return any(line.price is not None or line.internal.purchase_price is not None for line in quote.lines)


def _base_before(quote: QuoteRow, spot: Spot) -> str:
    before = [line.id for line in (quote.sections or ())[spot[0]].lines[: spot[1]] if line.kind is LineKind.BASE]
    if not before:
        raise InvalidInputError("An alternative needs a position before it that it stands for.")
    return before[-1]


def _line(quote: QuoteRow, spot: Spot) -> LineRow:
    return (quote.sections or ())[spot[0]].lines[spot[1]]


def _changed(quote: QuoteRow, section: int, change: Callable[[list[LineRow]], object]) -> QuoteRow:
    lines = list((quote.sections or ())[section].lines)
    change(lines)
    return _with_lines(quote, section, lines)


def _with_lines(quote: QuoteRow, section: int, lines: Sequence[LineRow]) -> QuoteRow:
    sections = list(quote.sections or ())
    sections[section] = sections[section].model_copy(update={"lines": tuple(lines)})
    return _with(quote, sections)


def _with(quote: QuoteRow, sections: Sequence[SectionRow]) -> QuoteRow:
    made: QuoteRow = amended(quote, sections=tuple(sections))
    return made

"""The table of positions: nothing torn, heads repeated, sums carried over, totals never alone on a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reportlab.platypus import Flowable, Table

from engine.report.style import BOTTOM_LATER, PAGE_HEIGHT, TOP_LATER

WHOLE_PAGE = PAGE_HEIGHT - TOP_LATER - BOTTOM_LATER - 12  # what only a page of its own offers

RowMaker = Callable[[str], Flowable]  # a carried sum -> its row


class Block(Table):  # type: ignore[misc]  # reportlab carries no types
    """A row that measures itself once per width: every page asks all rows that are still to come."""

    _measured_at: float | None = None
    _size = (0.0, 0.0)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Size at a width; the height offered does not matter to a row that is never cut."""
        if width != self._measured_at:
            self._size = super().wrap(width, height)
            self._measured_at = width
        return self._size


@dataclass(frozen=True, slots=True)
class Row:
    """One row as its own small table. `carried` is the running sum after it, already worded; empty before any sum."""

    block: Block
    carried: str = ""
    opens: bool = False  # a section's title: never the last row of a page
    closes: bool = False  # a section's subtotal: never the first row of a page


class PositionTable(Flowable):  # type: ignore[misc]  # reportlab carries no types
    """Rows under a head, a tail (the totals) that stays with the last row.

    `carry_down` makes the last row of a page that is not the last one, `carry_up` the first row of the next page.
    """

    def __init__(
        self,
        head: Table,
        rows: Sequence[Row],
        tail: Flowable | None,
        carry_down: RowMaker,
        carry_up: RowMaker,
        brought: str = "",
    ) -> None:
        super().__init__()
        self._head, self._rows, self._tail = head, list(rows), tail
        self._carry_down, self._carry_up = carry_down, carry_up
        self._brought = brought
        self._blocks: list[Flowable] = []
        self._width = 0.0

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows, for those who measure."""
        return tuple(self._rows)

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        """Full height of head, rows and tail."""
        self._width = width
        self._blocks = [self._head, *self._brought_block(), *(row.block for row in self._rows)]
        if self._tail is not None:
            self._blocks.append(self._tail)
        self.width, self.height = width, sum(self._height_of(block) for block in self._blocks)
        return self.width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """What fits in `height`, and the rest; nothing when not even one row does."""
        self._width = width
        count = self._fitting(height)
        if count == 0:
            return []
        carried = self._rows[count - 1].carried
        first = PositionTable(
            self._head,
            self._rows[:count],
            self._carry_down(carried) if carried else None,
            self._carry_down,
            self._carry_up,
            self._brought,
        )
        rest = PositionTable(self._head, self._rows[count:], self._tail, self._carry_down, self._carry_up, carried)
        return [first, rest]

    def draw(self) -> None:
        """Draw the blocks from top to bottom."""
        y = self.height
        for block in self._blocks:
            y -= self._height_of(block)
            block.drawOn(self.canv, 0, y)

    def _height_of(self, block: Flowable) -> float:
        return float(block.wrap(self._width, 0)[1])

    def _brought_block(self) -> list[Flowable]:
        return [self._carry_up(self._brought)] if self._brought else []

    def _fitting(self, height: float) -> int:
        """Rows that fit above a carried sum: the last position stays with subtotal and tail, a title never ends a page.

        Where that leaves no row at all on a whole page, subtotals may begin the next one.
        """
        room = height - self._height_of(self._head) - sum(self._height_of(block) for block in self._brought_block())
        room -= self._height_of(self._carry_down("0"))
        count, used = 0, 0.0
        for row in self._rows:
            used += self._height_of(row.block)
            if used > room:
                break
            count += 1
        if count == len(self._rows):
            count -= 1
        kept = self._before_title(self._before_subtotal(count))
        return kept if kept or height < WHOLE_PAGE else self._before_title(count)

    def _before_subtotal(self, count: int) -> int:
        """Fewer rows, where the next page would begin with a subtotal."""
        while count and self._rows[count].closes:
            count -= 1
        return count

    def _before_title(self, count: int) -> int:
        """Fewer rows, where the page would end with a title."""
        while count and self._rows[count - 1].opens:
            count -= 1
        return count

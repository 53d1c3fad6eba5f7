"""Memory against sequence length for the selected workload, with each card's limit."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot

from engine.glance import CardGlance
from engine.length_curve import CurvePoint, Limit, card_limits, curve_lengths, curve_points
from engine.memory.types import TrainingSetup
from engine.pictures.length_curve import CurveWords, length_curve
from engine.pictures.shapes import Picture, Style
from engine.plan.types import Placement
from engine.progress import Progress
from gui.context import Context
from gui.picture_view import PictureView
from gui.results.computed_view import ComputedView
from gui.results.origins import brief
from gui.theme import STEP
from gui.widgets import column, label

MOST_LIMITS = 6


class LengthView(ComputedView):
    """Computes the curve off the GUI thread and shows it; a click on a point takes that length."""

    length_chosen = Signal(int, int)  # workload, length (below 2^31)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._workload = 0
        self._setup: TrainingSetup | None = None
        _ = context.texts.gettext
        body = column(self, spacing=2 * STEP)
        self.title = label("", "section")
        hint = label(_("Everything else as chosen. Click a point to take its length."), "small", wrap=True)
        self.curve = PictureView(context, _("Memory against sequence length"))
        for widget in (self.title, hint, self.curve):
            body.addWidget(widget)
        self.curve.activated.connect(self._on_point)
        self._runner.finished.connect(self._on_points)

    def show_placement(
        self, placement: Placement | None, glances: list[CardGlance], workload: int, headroom: float
    ) -> None:
        """Show the curve of a placed workload, as it is laid out there."""
        self._workload = workload
        if placement is None:
            self._setup = None
            self.title.setText(self._context.texts.gettext("Select a trained workload in the heat map."))
            self.curve.show_picture(None)
            return
        setup = placement.estimate.setup
        texts = self._context.texts
        cards = texts.ngettext("{count} card", "{count} cards", setup.layout.cards).format(count=setup.layout.cards)
        self.title.setText(
            f"{placement.workload.name} · {texts.label(setup.layout.sharding)} · {cards} · "
            + texts.gettext("micro-batch {count}").format(count=setup.micro_batch)
        )
        if setup == self._setup and self.curve.picture is not None:
            return
        self._setup = setup
        chosen = {item.card.id: item.card for item in glances if item.placements}

        def job(progress: Progress) -> tuple[tuple[CurvePoint, ...], tuple[Limit, ...]]:
            progress(0, 2)
            points = curve_points(setup, curve_lengths(setup.model.max_position, setup.sequence_length))
            progress(1, 2)
            return points, card_limits(setup, list(chosen.values())[:MOST_LIMITS], headroom)

        self._runner.start(job)

    @Slot(object)
    def _on_points(self, result: tuple[tuple[CurvePoint, ...], tuple[Limit, ...]]) -> None:
        points, limits = result
        setup = self._setup
        if setup is None:
            return
        words = curve_words(self._context)

        def build(style: Style) -> Picture:
            return length_curve(points, limits, setup.sequence_length, words, style)

        self.curve.show_picture(build)

    @Slot(str)
    def _on_point(self, target: str) -> None:
        if target:
            self.length_chosen.emit(self._workload, int(target))


def curve_words(context: Context) -> CurveWords:
    """What the curve says."""
    texts = context.texts
    _ = texts.gettext

    cards = {card.short_name: card for card in context.catalog.facts.cards.values()}

    def limit_tip(limit: Limit) -> str:
        lines = [_("{card}: {size} usable").format(card=limit.name, size=texts.size(limit.usable_bytes))]
        if limit.longest:
            length = texts.integer(limit.longest)
            lines.append(_("up to {length} tokens with the stated headroom").format(length=length))
        card = cards.get(limit.name)
        return "\n".join([*lines, *([] if card is None else [brief(card.usable_bytes, texts)])])

    def point_tip(point: CurvePoint) -> str:
        required = point.required
        need = _("{length} tokens: {expected} ({low} to {high})").format(
            length=texts.integer(point.length),
            expected=texts.size(required.expected),
            low=texts.size(required.low),
            high=texts.size(required.high),
        )
        return need + "\n" + _("Need: computed from the model's configuration and the recipe")

    return CurveWords(
        texts.integer,
        texts.size,
        _("Sequence length in tokens"),
        limit_tip,
        point_tip,
        _("Memory against sequence length"),
    )

"""The sequence length as slider and number: steps of a quarter octave from 512 tokens to a million."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from gui.texts import Texts
from gui.theme import STEP
from gui.widgets import NumberField

SMALLEST = 512
OCTAVES = 11
STOPS = (
    *(SMALLEST * 2**octave * quarter // 4 for octave in range(OCTAVES) for quarter in (4, 5, 6, 7)),
    SMALLEST * 2**OCTAVES,
)


def stop_for(length: int) -> int:
    """Position of the stop nearest to a length."""
    return min(range(len(STOPS)), key=lambda index: abs(STOPS[index] - length))


class _QuietSlider(QSlider):
    """A slider that leaves the wheel to the page."""

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802  # Qt's name
        event.ignore()


class LengthSlider(QWidget):
    """Slider for the gesture, field for the exact number."""

    moved = Signal(int)  # while dragging and by keys; lengths stay below 2^31
    settled = Signal()  # the gesture is over

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        _ = texts.gettext
        self._quiet = False
        self.slider = _QuietSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(STOPS) - 1)
        self.slider.setPageStep(4)
        self.slider.setMinimumHeight(24)
        self.slider.setAccessibleName(_("Sequence length, slider"))
        self.slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.field = NumberField(texts)
        self.field.setFixedWidth(110)
        self.field.setAccessibleName(_("Sequence length in tokens"))
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3 * STEP)
        layout.addWidget(self.slider, 1)
        layout.addWidget(self.field)
        self.setFocusProxy(self.slider)
        self.slider.valueChanged.connect(self._on_slider)
        self.slider.sliderReleased.connect(self.settled)

    def show_value(self, length: int) -> None:
        """Show the document's value; the slider stands at the nearest stop."""
        self._quiet = True
        if STOPS[self.slider.value()] != length:
            self.slider.setValue(stop_for(length))
        self._quiet = False
        self.field.show_value(length)

    @Slot(int)
    def _on_slider(self, position: int) -> None:
        if not self._quiet:
            self.moved.emit(STOPS[position])

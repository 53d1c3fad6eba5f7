"""What can be wrong with a widget as it stands on the screen; each function names its findings in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QFontMetricsF, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QMenuBar,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)

from engine.pictures.palette import Ink
from engine.pictures.shapes import Anchor, Label, Picture
from gui.dialogs.tour import Tour
from gui.find_bar import Spotlight
from gui.picture_view import PictureView
from gui.theme import Theme

OVERLAYS = (Tour, Spotlight)  # lie over other things on purpose
Pixels = npt.NDArray[np.uint32]

SLACK = 1
LINE, LINES_PADDING = 19, 10  # of a wrapped text
CELL_PADDING = 22  # the style sheet's, and Qt's own beside it
ROWS = 60  # of a long table; the rest differs in nothing but its figures
ASCENT, DESCENT = 0.72, 0.2  # of a font's size, as capitals and commas take them
TOUCH = 1.5  # pixels two labels may share before somebody sees it
READABLE = 4.5
SAMPLES = 160  # of a row or column of pixels, to see whether anything is drawn
COMPOSED = (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QMenuBar,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QHeaderView,
)


def shown_parts(root: QWidget) -> list[QWidget]:
    """The root and everything visible in its window."""
    window = root.window()
    found = [one for one in root.findChildren(QWidget) if one.isVisible() and one.window() is window]
    return [root, *found]


def blank(pixels: Pixels) -> bool:
    """Whether a picture is of one or two colours."""
    rows, columns = (max(side // SAMPLES, 1) for side in pixels.shape)
    return len(np.unique(pixels[::rows, ::columns])) <= 3


def colours_of_another_theme(pixels: Pixels, theme: Theme) -> Iterator[str]:
    """The most frequent colour along the edge must be a ground or a line of the theme."""
    edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    values, counts = np.unique(edge, return_counts=True)
    most = f"#{int(values[counts.argmax()]) & 0xFFFFFF:06x}"
    grounds = {theme.colour(ink).name() for ink in (Ink.WINDOW, Ink.SURFACE, Ink.SUNKEN, Ink.LINE, Ink.ACCENT)}
    if most not in grounds:
        yield f"ground: {most} is none of {sorted(grounds)}"


def overlapping(parts: Sequence[QWidget]) -> Iterator[str]:
    """Siblings that cover one another, and children that stand out of their parent."""
    for parent in parts:
        if isinstance(parent, COMPOSED) or isinstance(parent.parentWidget(), QAbstractScrollArea):
            continue
        children = [
            one
            for one in parent.children()
            if isinstance(one, QWidget) and one.isVisible() and not one.isWindow() and not isinstance(one, OVERLAYS)
        ]
        children = [one for one in children if one.width() and one.height()]
        for one, other in combinations(children, 2):
            if one.geometry().adjusted(SLACK, SLACK, -SLACK, -SLACK).intersects(other.geometry()):
                yield f"overlap: {_name(one)} and {_name(other)}"
        for one in children:
            if not parent.rect().adjusted(-SLACK, -SLACK, SLACK, SLACK).contains(one.geometry()):
                yield f"outside: {_name(one)} in {_name(parent)}"


def sideways(parts: Sequence[QWidget]) -> Iterator[str]:
    """Pages that have to be scrolled sideways. Tables may be."""
    for area in parts:
        if isinstance(area, QScrollArea) and area.widget() is not None:
            too_wide = area.widget().width() - area.viewport().width()
            if too_wide > SLACK:
                yield f"sideways: {_name(area)} lacks {too_wide} pixels"


def cut_cells(parts: Sequence[QWidget]) -> Iterator[str]:
    """Cells whose text is cut off, where no tooltip tells the whole."""
    for view in parts:
        if isinstance(view, QTableView | QTreeView | QListView):
            lines = 2 if isinstance(view, QListView | QTableView) and view.wordWrap() else 1
            for index in shown_cells(view):
                text = max(str(index.data() or "").splitlines(), key=len, default="")
                place = view.visualRect(index)
                fitting = min(lines, max((place.height() - LINES_PADDING) // LINE, 1))
                room = fitting * (place.width() - CELL_PADDING)
                tip = " ".join(str(index.data(Qt.ItemDataRole.ToolTipRole) or "").splitlines())
                font = index.data(Qt.ItemDataRole.FontRole) or view.font()
                if room > 0 and QFontMetricsF(font).horizontalAdvance(text) > room + SLACK and text not in tip:
                    yield f"cell: {text} ({room} pixels)"


def shown_cells(view: QAbstractItemView) -> Iterator[QModelIndex]:
    """The cells of the first rows; of a tree, of its first two levels; without hidden and spanned ones."""
    model = view.model()
    if model is None:
        return
    for row in range(min(model.rowCount(), ROWS)):
        places = range(1) if isinstance(view, QListView) else range(model.columnCount())
        for index in (model.index(row, place) for place in places):
            if _stands_alone(view, index):
                yield index
        head = model.index(row, 0)
        for inner in range(min(model.rowCount(head), ROWS)) if isinstance(view, QTreeView) else ():
            for place in range(model.columnCount(head)):
                yield model.index(inner, place, head)


def _stands_alone(view: QAbstractItemView, index: QModelIndex) -> bool:
    if isinstance(view, QTableView):
        return view.columnSpan(index.row(), index.column()) == 1 and not view.isColumnHidden(index.column())
    if isinstance(view, QTreeView):
        return not view.isFirstColumnSpanned(index.row(), QModelIndex())
    return True


def picture_faults(parts: Sequence[QWidget]) -> Iterator[str]:
    """Labels inside our drawn pictures that collide or run over the edge."""
    for view in parts:
        if isinstance(view, PictureView) and view.picture is not None:
            yield from (f"{view.accessibleName()}: {fault}" for fault in label_faults(view.picture, view))


def label_faults(picture: Picture, view: PictureView) -> Iterator[str]:
    """Labels of one picture that collide or run over the edge."""
    boxes = [(shape, _box(shape, view)) for shape in picture.shapes if isinstance(shape, Label) and shape.text]
    for shape, (left, _top, right, bottom) in boxes:
        if left < -TOUCH or right > picture.width + TOUCH or bottom > picture.height + TOUCH:
            yield f"runs over the edge: {shape.text}"
    for (one, a), (other, b) in combinations(boxes, 2):
        if min(a[2], b[2]) - max(a[0], b[0]) > TOUCH and min(a[3], b[3]) - max(a[1], b[1]) > TOUCH:
            yield f"labels collide: {one.text} | {other.text}"


def _box(shape: Label, view: PictureView) -> tuple[float, float, float, float]:
    theme = view._context.theme
    width = QFontMetricsF(theme.font(round(shape.size), bold=shape.bold)).horizontalAdvance(shape.text)
    left = shape.x - {Anchor.START: 0.0, Anchor.MIDDLE: width / 2, Anchor.END: width}[shape.anchor]
    return left, shape.y - ASCENT * shape.size, left + width, shape.y + DESCENT * shape.size


class Faintness:
    """Looks for faint texts; what was readable once with the same looks is not measured again."""

    def __init__(self) -> None:
        self._readable: set[tuple[object, ...]] = set()

    def faint(self, parts: Sequence[QWidget], pixels: Pixels, theme: Theme) -> Iterator[str]:
        """Texts of labels and buttons whose drawn colour stands out too little from what is drawn behind it."""
        root = parts[0]
        scale = pixels.shape[1] / root.width()
        for part in parts:
            text = part.text() if isinstance(part, QLabel | QAbstractButton) else ""
            if not text or not part.isEnabled() or (isinstance(part, QLabel) and part.pixmap().width()):
                continue
            looks = (theme.dark, type(part), type(root), part.property("role"), text, part.hasFocus())
            place = _seen(part, root)
            if looks in self._readable or place.width() < 8 or place.height() < 8:
                continue
            left, top = round(place.left() * scale), round(place.top() * scale)
            cut = pixels[top : top + round(place.height() * scale), left : left + round(place.width() * scale)]
            found = _contrast(cut.ravel())
            if found is not None and found < READABLE - 0.05:
                yield f"faint ({found:.1f}): {text}"
            else:
                self._readable.add(looks)


def _seen(part: QWidget, root: QWidget) -> QRect:
    """The part's rectangle in the root, cut to what scroll areas leave of it."""
    region = part.visibleRegion().boundingRect()
    return region.translated(part.mapTo(root, QPoint(0, 0)))


def _contrast(pixels: Pixels) -> float | None:
    """The greatest contrast against the most frequent colour; a single pixel may be a corner of something else."""
    values, counts = np.unique(pixels, return_counts=True)
    often = values[counts >= 2]
    if len(often) < 2:
        return None
    light = _luminance(often)
    ground = _luminance(values[counts.argmax()])
    return float(((np.maximum(light, ground) + 0.05) / (np.minimum(light, ground) + 0.05)).max())


def _luminance(values: Pixels) -> npt.NDArray[np.float64]:
    """Relative luminance after WCAG 2.2."""
    share = np.stack([values >> 16 & 255, values >> 8 & 255, values & 255], axis=-1) / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    found: npt.NDArray[np.float64] = linear @ np.array([0.2126, 0.7152, 0.0722])
    return found


def pixels_of(picture: QImage) -> Pixels:
    """One number per pixel of a picture of 32 bits, by row and column; its first byte says nothing.

    It looks into the picture, which must live as long: a copy of a long page at 200 % would be 90 megabytes.
    """
    return np.frombuffer(picture.constBits(), np.uint32).reshape(picture.height(), picture.width())


def _name(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QLabel | QAbstractButton | QLineEdit) else widget.accessibleName()
    return f"{type(widget).__name__}({text[:40]})" if text else type(widget).__name__

"""A widget that shows one of the engine's pictures: hover, click, keyboard, copy and save as SVG or PNG."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QEvent, QIODevice, QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolTip, QWidget

from catalog.disk import write_atomically
from engine.pictures.palette import Ink
from engine.pictures.shapes import Picture, Spot, Style
from gui.ask_file import ask_where
from gui.context import Context
from gui.painter import measure_with, paint

Build = Callable[[Style], Picture]

PNG_SCALE = 2
PAD = 5  # room for the focus frame
KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class PictureView(QWidget):
    """Lays its picture out to its own width and is as high as the picture needs."""

    activated = Signal(str)  # the target of a clicked place

    def __init__(self, context: Context, name: str, *, minimum_width: int = 420, pad: int = PAD) -> None:
        super().__init__()
        self._context = context
        self._build: Build | None = None
        self._picture: Picture | None = None
        self._current = -1
        self._framed = False
        self._pad = pad
        self._minimum_width = minimum_width
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(minimum_width)

    @property
    def picture(self) -> Picture | None:
        """What is shown."""
        return self._picture

    def show_picture(self, build: Build | None) -> None:
        """Show what `build` lays out for a width; None shows nothing."""
        self._build = build
        self._lay_out()

    def target_at(self, point: QPoint) -> str:
        """The target of the place under a point; empty when there is none."""
        spot = self._spot_at(point)
        return "" if spot is None else spot.target

    def area_of(self, spot: Spot) -> QRect:
        """Where a place of the picture stands in the widget."""
        return QRect(round(spot.x) + self._pad, round(spot.y) + self._pad, round(spot.width), round(spot.height))

    def sizeHint(self) -> QSize:  # noqa: N802  # Qt's name
        height = 0 if self._picture is None else round(self._picture.height + 0.5) + 2 * self._pad
        return QSize(max(self.width(), self._minimum_width), height)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802  # Qt's name
        if self._picture is None:
            return
        painter = QPainter(self)
        painter.save()
        painter.translate(self._pad, self._pad)
        paint(painter, self._picture, self._context.theme)
        painter.restore()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._context.theme.colour(Ink.ACCENT), 2))
        spot = self._current_spot()
        if self.hasFocus() and spot is not None:
            painter.drawRect(
                QRectF(spot.x + self._pad, spot.y + self._pad, spot.width, spot.height).adjusted(-2, -2, 2, 2)
            )
        elif self.hasFocus() and self._framed:
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  # Qt's name
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay_out()

    def event(self, event: QEvent) -> bool:
        """Show the text of the place under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            spot = self._spot_at(event.pos())
            if spot is None or not spot.tip:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), spot.tip, self, self.area_of(spot))
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        if event.button() is Qt.MouseButton.LeftButton:
            target = self.target_at(event.position().toPoint())
            if target:
                self.activated.emit(target)
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        over = bool(self.target_at(event.position().toPoint()))
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
        super().mouseMoveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  # Qt's name
        """Arrow keys walk through the places, Enter and space choose one."""
        spots = self._stops()
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
        key = Qt.Key(event.key())
        if spots and key in steps:
            self._current = (self._current + steps[key]) % len(spots)
            self._announce(spots[self._current])
            return
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            spot = self._current_spot()
            if spot is not None and spot.target:
                self.activated.emit(spot.target)
                return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802  # Qt's name
        super().focusInEvent(event)
        self._framed = event.reason() in KEYBOARD
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802  # Qt's name
        super().focusOutEvent(event)
        self._current = -1
        self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802  # Qt's name
        menu = QMenu(self)
        _ = self._context.texts.gettext
        for text, slot in ((_("Copy picture"), self.copy), (_("Save picture as …"), self.ask_and_save)):
            action = QAction(text, menu)
            action.triggered.connect(slot)
            menu.addAction(action)
        menu.exec(event.globalPos())
        menu.deleteLater()

    @Slot()
    def copy(self) -> None:
        """Put the picture on the clipboard."""
        if self._picture is not None:
            QGuiApplication.clipboard().setImage(self.image())

    @Slot()
    def ask_and_save(self) -> None:
        """Ask for a file and save the picture there."""
        _ = self._context.texts.gettext
        kinds = _("SVG picture (*.svg);;PNG picture (*.png)")
        path = ask_where(self, _("Save picture"), "passform.svg", kinds, self._context.texts)
        if path is not None:
            self.save(path)

    def save(self, path: Path) -> None:
        """Save as PNG or SVG by the file's ending. Raises `PassformError` when it cannot be written."""
        content = self._png() if path.suffix.lower() == ".png" else self._svg()
        write_atomically(content, path)

    def image(self) -> QImage:
        """The picture on the surface colour, at twice its size."""
        picture = self._picture or Picture(1, 1, ())
        image = QImage(
            round(picture.width * PNG_SCALE), round(picture.height * PNG_SCALE) or 1, QImage.Format.Format_RGB32
        )
        image.fill(self._context.theme.colour(Ink.SURFACE))
        painter = QPainter(image)
        painter.scale(PNG_SCALE, PNG_SCALE)
        paint(painter, picture, self._context.theme)
        painter.end()
        return image

    def _png(self) -> bytes:
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        self.image().save(buffer, "PNG")
        return bytes(buffer.data().data())

    def _svg(self) -> bytes:
        picture = self._picture or Picture(1, 1, ())
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        size = QSize(round(picture.width), round(picture.height))
        generator.setSize(size)
        generator.setViewBox(QRect(QPoint(0, 0), size))
        generator.setTitle(self.accessibleName())
        painter = QPainter(generator)
        paint(painter, picture, self._context.theme)
        painter.end()
        return bytes(buffer.data().data())

    def _lay_out(self) -> None:
        if self._build is None:
            self._picture = None
        else:
            theme = self._context.theme
            width = max(self.width(), self._minimum_width) - 2 * self._pad
            self._picture = self._build(Style(width=width, measure=measure_with(theme), dark=theme.dark))
        self._current = -1
        self.setAccessibleDescription("" if self._picture is None else self._picture.description)
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def _spot_at(self, point: QPoint) -> Spot | None:
        return None if self._picture is None else self._picture.spot_at(point.x() - self._pad, point.y() - self._pad)

    def _stops(self) -> list[Spot]:
        return [] if self._picture is None else [spot for spot in self._picture.spots if spot.tip]

    def _current_spot(self) -> Spot | None:
        stops = self._stops()
        return stops[self._current] if 0 <= self._current < len(stops) else None

    def _announce(self, spot: Spot) -> None:
        self.update()
        self.setToolTip("")
        QToolTip.showText(
            self.mapToGlobal(QPoint(round(spot.x) + self._pad, round(spot.y + spot.height) + self._pad)), spot.tip, self
        )

"""Presses Tab and Shift+Tab through a window, as somebody without a mouse does, and tells where that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gui.preview.pdf_view import PageView
from tests.gui.gallery.examine import shown_parts
from tests.gui.layout import inner

MOST = 400  # presses; a window in which more are needed lets nobody out
ENOUGH_PAGES = 3  # of a paper; the others are the same widget


def tab_faults(root: QWidget, settle: Callable[[], None]) -> Iterator[str]:
    """What takes the focus by Tab and does not get it, keeps it, gets it unseen, or does not show it."""
    if not root.isWindow() or root.windowType() is Qt.WindowType.Popup:
        return
    root.activateWindow()
    settle()
    before = QApplication.focusWidget()
    if before is None:
        before = root
        root.setFocus()
    wanted = set(_focusable(root))
    met: list[QWidget] = []
    yield from _forward(root, met)
    missed = wanted.intersection(_focusable(root)) - set(met)  # of buttons in a group, Tab takes the chosen one alone
    yield from (f"Tab never comes to {_name(part)}" for part in _in_order(missed, root))
    back = set(_backward(root))
    yield from (f"Shift+Tab never comes to {_name(part)}" for part in _in_order(set(met) - back, root))
    before.setFocus()
    settle()


def _focusable(root: QWidget) -> list[QWidget]:
    pages = 0
    found = []
    for part in shown_parts(root):
        takes = part.isEnabled() and part.focusPolicy() & Qt.FocusPolicy.TabFocus and not part.focusProxy()
        if not takes or inner(part):
            continue
        pages += isinstance(part, PageView)
        if not isinstance(part, PageView) or pages <= ENOUGH_PAGES:
            found.append(part)
    return found


def _forward(root: QWidget, met: list[QWidget]) -> Iterator[str]:
    """Tab until the first widget comes again."""
    for _ in range(MOST):
        here = _press(root, Qt.Key.Key_Tab)
        if here is None:
            yield "Tab leads out of the window"
            return
        if met and here is met[-1] and len(_focusable(root)) > 1:
            yield f"Tab stays in {_name(here)}"
            return
        if here in met:
            return
        met.append(here)
        if here.visibleRegion().isEmpty():
            yield f"the focus is out of sight at {_name(here)}"
        elif not _shows_focus(here):
            yield f"the focus is not seen at {_name(here)}"
    yield "Tab finds no end"


def _backward(root: QWidget) -> Iterator[QWidget]:
    seen: set[QWidget] = set()
    for _ in range(MOST):
        here = _press(root, Qt.Key.Key_Backtab)
        if here is None or here in seen:
            return
        seen.add(here)
        yield here


def _press(root: QWidget, key: Qt.Key) -> QWidget | None:
    modifier = Qt.KeyboardModifier.ShiftModifier if key is Qt.Key.Key_Backtab else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(QApplication.focusWidget() or root, key, modifier)
    found = QApplication.focusWidget()
    return found if found is not None and found.window() is root.window() else None


def _shows_focus(widget: QWidget) -> bool:
    """Whether the widget is drawn differently with the focus than without it."""
    focused = widget.grab().toImage()
    widget.clearFocus()
    plain = widget.grab().toImage()
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    return focused != plain


def _in_order(parts: set[QWidget], root: QWidget) -> list[QWidget]:
    return [part for part in shown_parts(root) if part in parts]


def _name(widget: QWidget) -> str:
    return f"{type(widget).__name__}({widget.accessibleName() or getattr(widget, 'text', str)()})"

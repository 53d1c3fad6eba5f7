"""Colours, type and spacing of the window: one table of colours (the pictures' palette) for light and dark."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QByteArray
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from engine.pictures.palette import Ink, hex_value
from gui.settings import ThemeChoice
from resources import FONTS, ICONS

STEP = 4  # all spacing is a multiple of it, in device-independent pixels

SMALL, TEXT, TITLE, HERO = 11, 13, 17, 24  # the four sizes of type, in device-independent pixels

FALLBACK_FAMILY = "DejaVu Sans"
DARK_LIGHTNESS = 128  # a window colour below it makes the system's theme dark


@dataclass(frozen=True, slots=True)
class Theme:
    """Which column of the colour table is in use, and the type family."""

    dark: bool
    family: str = FALLBACK_FAMILY

    def colour(self, ink: Ink) -> QColor:
        """The colour of a key."""
        return QColor(hex_value(ink, dark=self.dark))

    def font(self, size: int = TEXT, *, bold: bool = False) -> QFont:
        """A font of the one family; figures are tabular where the family has them."""
        return _font(self.family, size, bold)

    def icon(self, name: str, ink: Ink = Ink.TEXT) -> QIcon:
        """An icon of our own drawing, in a colour of the table."""
        return _icon(name, self.colour(ink).name())


@cache
def _icon(name: str, colour: str) -> QIcon:
    svg = (ICONS / f"{name}.svg").read_text(encoding="utf-8").replace("currentColor", colour)
    renderer = QSvgRenderer(QByteArray(svg.encode("utf-8")))
    icon = QIcon()
    for size in (16, 20, 32, 48):
        pixmap = QPixmap(size, size)
        pixmap.fill(QColor(0, 0, 0, 0))
        painter = QPainter(pixmap)
        renderer.render(painter)
        painter.end()
        icon.addPixmap(pixmap)
    return icon


@cache
def _font(family: str, size: int, bold: bool) -> QFont:  # noqa: FBT001  # a key of the cache
    font = QFont(family)
    font.setPixelSize(size)
    font.setWeight(QFont.Weight.Bold if bold else QFont.Weight.Normal)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def load_family() -> str:
    """Register the bundled type family and return its name; the system's where none is bundled."""
    family = ""
    for path in sorted(FONTS.glob("*.ttf")):
        identifier = QFontDatabase.addApplicationFont(str(path))
        families = QFontDatabase.applicationFontFamilies(identifier) if identifier >= 0 else []
        family = family or (families[0] if families else "")
    return family or FALLBACK_FAMILY


def wants_dark(choice: ThemeChoice, system: QPalette) -> bool:
    """Whether to use the dark column; the system's wish is read from its own window colour."""
    if choice is ThemeChoice.SYSTEM:
        return system.color(QPalette.ColorRole.Window).lightness() < DARK_LIGHTNESS
    return choice is ThemeChoice.DARK


def apply(application: QApplication, theme: Theme) -> None:
    """Give the application the theme's palette, font and style sheet."""
    application.setPalette(palette(theme))
    application.setFont(theme.font())
    application.setStyleSheet(style_sheet(theme))


def palette(theme: Theme) -> QPalette:
    """Every role of the palette from the colour table."""
    roles = {
        QPalette.ColorRole.Window: Ink.WINDOW,
        QPalette.ColorRole.WindowText: Ink.TEXT,
        QPalette.ColorRole.Base: Ink.SURFACE,
        QPalette.ColorRole.AlternateBase: Ink.SUNKEN,
        QPalette.ColorRole.Text: Ink.TEXT,
        QPalette.ColorRole.PlaceholderText: Ink.MUTED,
        QPalette.ColorRole.Button: Ink.SURFACE,
        QPalette.ColorRole.ButtonText: Ink.TEXT,
        QPalette.ColorRole.BrightText: Ink.NO,
        QPalette.ColorRole.Highlight: Ink.ACCENT,
        QPalette.ColorRole.HighlightedText: Ink.ON_ACCENT,
        QPalette.ColorRole.ToolTipBase: Ink.SURFACE,
        QPalette.ColorRole.ToolTipText: Ink.TEXT,
        QPalette.ColorRole.Link: Ink.ACCENT,
        QPalette.ColorRole.LinkVisited: Ink.ACCENT,
        QPalette.ColorRole.Light: Ink.SURFACE,
        QPalette.ColorRole.Midlight: Ink.SUNKEN,
        QPalette.ColorRole.Mid: Ink.LINE,
        QPalette.ColorRole.Dark: Ink.LINE,
        QPalette.ColorRole.Shadow: Ink.LINE,
        QPalette.ColorRole.Accent: Ink.ACCENT,
    }
    made = QPalette()
    for role, ink in roles.items():
        made.setColor(role, theme.colour(ink))
    quiet = theme.colour(Ink.MUTED)
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, quiet)
    return made


def style_sheet(theme: Theme) -> str:
    """The style sheet; colours by key, lengths in steps of `STEP`."""
    names = {ink.name.lower(): hex_value(ink, dark=theme.dark) for ink in Ink}
    shade = "dark" if theme.dark else "light"
    signs = {name: (ICONS / f"{name}_{shade}.svg").as_posix() for name in ("tick", "dot")}
    return _TEMPLATE.format(**names, **signs, size_small=SMALL, size_title=TITLE, size_hero=HERO)


_TEMPLATE = """
QToolTip {{ color: {text}; background: {surface}; border: 1px solid {line}; padding: 6px; }}
QMainWindow, QDialog {{ background: {window}; }}
QLabel {{ background: transparent; }}
QLabel[role="hero"] {{ font-size: {size_hero}px; font-weight: bold; }}
QLabel[role="title"] {{ font-size: {size_title}px; font-weight: bold; }}
QLabel[role="section"] {{ font-weight: bold; }}
QLabel[role="muted"] {{ color: {muted}; }}
QLabel[role="small"] {{ color: {muted}; font-size: {size_small}px; }}
QLabel[role="error"] {{ color: {no}; font-size: {size_small}px; }}
QLabel[role="hint"] {{ color: {tight}; font-size: {size_small}px; }}
QFrame[role="card"] {{ background: {surface}; border: none; border-radius: 8px; }}
QFrame[role="bubble"] {{ background: {surface}; border: 2px solid {accent}; border-radius: 8px; }}
QFrame[role="rule"] {{ background: {line}; border: none; max-height: 1px; min-height: 1px; }}
QPushButton {{
    background: {surface}; color: {text}; border: 1px solid {line}; border-radius: 6px;
    padding: 6px 12px; min-height: 18px;
}}
QPushButton:hover {{ border-color: {accent}; }}
QPushButton:pressed {{ background: {sunken}; }}
QPushButton:disabled {{ color: {muted}; border-color: {line}; background: {window}; }}
QPushButton:focus {{ border: 2px solid {accent}; padding: 5px 11px; }}
QPushButton[role="primary"] {{ background: {accent}; color: {on_accent}; border-color: {accent}; font-weight: bold; }}
QPushButton[role="primary"]:disabled {{ background: {sunken}; color: {muted}; border-color: {line}; }}
QPushButton[role="primary"]:focus {{ border: 2px solid {text}; }}
QPushButton[role="link"] {{
    border: 2px solid transparent; background: transparent; color: {accent}; padding: 2px 2px; text-align: left;
}}
QPushButton[role="link"]:hover {{ text-decoration: underline; }}
QPushButton[role="link"]:focus {{ border-color: {accent}; }}
QPushButton[role="step"] {{
    border: 2px solid transparent; background: transparent; text-align: left; padding: 8px 8px; border-radius: 6px;
}}
QPushButton[role="step"]:hover {{ background: {sunken}; }}
QPushButton[role="step"]:checked {{ background: {selection}; font-weight: bold; }}
QPushButton[role="step"]:focus {{ border-color: {accent}; }}
QToolButton {{ border: 2px solid transparent; border-radius: 6px; padding: 4px; background: transparent; }}
QToolButton:hover {{ background: {sunken}; }}
QToolButton:checked {{ background: {selection}; }}
QToolButton:focus {{ border-color: {accent}; }}
QLineEdit, QComboBox, QPlainTextEdit, QDateEdit {{
    background: {surface}; color: {text}; border: 1px solid {muted}; border-radius: 6px; padding: 5px 8px;
    min-height: 18px; selection-background-color: {accent}; selection-color: {on_accent};
}}
QLineEdit:focus, QComboBox:focus, QPlainTextEdit:focus, QDateEdit:focus {{
    border: 2px solid {accent}; padding: 4px 7px;
}}
QLineEdit[invalid="true"] {{ border: 2px solid {no}; padding: 4px 7px; }}
QLineEdit:read-only {{ background: {window}; }}
QComboBox::drop-down {{ border: none; width: 22px; }}
QComboBox QAbstractItemView {{
    background: {surface}; color: {text}; border: 1px solid {line};
    selection-background-color: {selection}; selection-color: {text};
}}
QCheckBox, QRadioButton {{ spacing: 8px; padding: 3px; border: 2px solid transparent; border-radius: 4px; }}
QCheckBox:focus, QRadioButton:focus {{ border-color: {accent}; }}
QCheckBox::indicator, QRadioButton::indicator, QTableView::indicator, QTreeView::indicator {{
    width: 16px; height: 16px; border: 1px solid {muted}; background: {surface}; border-radius: 4px;
}}
QRadioButton::indicator {{ border-radius: 9px; }}
QCheckBox::indicator:checked, QTableView::indicator:checked, QTreeView::indicator:checked {{
    background: {accent}; border-color: {accent}; image: url("{tick}");
}}
QRadioButton::indicator:checked {{ background: {accent}; border-color: {accent}; image: url("{dot}"); }}
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled {{ background: {sunken}; }}
QTableView, QTreeView, QListView {{
    background: {surface}; alternate-background-color: {window}; border: none; gridline-color: {line};
    selection-background-color: {selection}; selection-color: {text};
}}
QTableView:focus, QTreeView:focus, QListView:focus {{ border: 2px solid {accent}; }}
QTableView::item {{ padding: 4px 8px; }}
QListView::item, QTreeView::item {{ padding: 5px 8px; color: {text}; }}
QListView::item:selected, QTreeView::item:selected {{ background: {selection}; color: {text}; }}
QListView::item:hover, QTreeView::item:hover {{ background: {sunken}; }}
QTextBrowser {{ background: {surface}; border: none; }}
QHeaderView {{ background: {surface}; }}
QHeaderView::section {{
    background: {surface}; color: {muted}; border: none; border-bottom: 1px solid {line}; padding: 6px 8px;
}}
QTabBar::tab {{
    background: transparent; color: {muted}; padding: 8px 12px; border: none; border-bottom: 3px solid transparent;
}}
QTabBar::tab:selected {{ color: {text}; border-bottom-color: {accent}; font-weight: bold; }}
QTabBar::tab:hover {{ color: {text}; }}
QTabBar::tab:focus {{ color: {accent}; }}
QScrollArea {{ border: none; background: transparent; }}
QScrollArea:focus, QTextBrowser:focus {{ border: 2px solid {accent}; }}
QScrollArea > QWidget > QWidget {{ background: transparent; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {line}; border-radius: 4px; min-height: 24px; min-width: 24px; margin: 1px; }}
QScrollBar::handle:hover {{ background: {muted}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QSlider::groove:horizontal {{ height: 4px; background: {line}; border-radius: 2px; }}
QSlider::sub-page:horizontal {{ background: {accent}; border-radius: 2px; }}
QSlider::handle:horizontal {{
    background: {surface}; border: 2px solid {accent}; width: 14px; height: 14px; margin: -7px 0; border-radius: 9px;
}}
QSlider::handle:horizontal:focus {{ background: {accent}; }}
QSlider:focus {{ border: 2px solid {accent}; border-radius: 6px; }}
QMenuBar {{ background: {window}; color: {text}; }}
QMenuBar::item {{ padding: 6px 10px; background: transparent; border-radius: 4px; }}
QMenuBar::item:selected {{ background: {selection}; }}
QMenu {{ background: {surface}; color: {text}; border: 1px solid {line}; padding: 4px; }}
QMenu::item {{ padding: 6px 24px 6px 12px; border-radius: 4px; }}
QMenu::item:selected {{ background: {selection}; }}
QMenu::item:disabled {{ color: {muted}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 4px 8px; }}
QStatusBar {{ background: {window}; color: {muted}; }}
QStatusBar::item {{ border: none; }}
QSplitter::handle {{ background: {line}; }}
QProgressBar {{ background: {sunken}; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }}
QProgressBar::chunk {{ background: {accent}; border-radius: 3px; }}
QGroupBox {{ border: none; margin-top: 22px; }}
QGroupBox::title {{ subcontrol-origin: margin; left: 0; font-weight: bold; color: {text}; }}
"""

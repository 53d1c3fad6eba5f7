"""What menus, shortcuts and the start page ask of the main window, and how it is carried out.

What needs nothing of the catalogue is done at once, the rest as soon as it can be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gui.flow import Step
from gui.menus import Commands

if TYPE_CHECKING:
    from gui.window import MainWindow


class Deeds:
    """Carries out commands on a window that may still be loading."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def commands(self) -> Commands:
        """What the menus call."""
        wish, window = self.wish, self._window
        return Commands(
            new=wish("new", lambda: window.files.new),
            open=wish("ask", lambda: window.files.ask_and_open),
            open_recent=wish("open", lambda: window.files.open),
            save=wish("save", lambda: window.files.save),
            save_as=wish("save as", lambda: window.files.ask_and_save),
            save_pdf=wish("pdf", lambda: self._save_pdf),
            quit=window.close,
            find=wish("find", lambda: window.find_bar.begin),
            find_next=wish("find next", lambda: window.find_bar.go_on),
            find_previous=wish("find previous", lambda: window.find_bar.go_back),
            print=wish("print", lambda: self._print),
            show_step=window.show_step,
            back=window.go_back,
            forward=window.go_on,
            theme=window.theme_wanted.emit,
            language=window.language_wanted.emit,
            customer_view=window.set_customer_view,
            findings=wish("findings", lambda: window.tools.show_findings),
            catalogue=wish("catalogue", lambda: window.tools.show_catalogue),
            import_prices=wish("import", lambda: window.tools.import_prices),
            update_catalogue=wish("update", lambda: window.tools.update_catalogue),
            compare_versions=wish("compare", lambda: window.tools.compare_versions),
            settings=wish("settings", lambda: window.tools.show_settings),
            positions=wish("positions", lambda: window.tools.show_positions),
            evidence=wish("evidence", lambda: window.tools.show_evidence),
            register=wish("register", lambda: window.register.show),
            help=wish("help", lambda: self._show_help),
            tour=wish("tour", lambda: window.start_tour),
            about=wish("about", lambda: window.tools.show_about),
        )

    def wish(self, name: str, find: Callable[[], Callable[..., object]]) -> Callable[..., None]:
        """A command that can be given before what carries it out exists; `find` is asked when it does."""

        def asked(*arguments: object) -> None:
            self._window.wishes.ask((name, *arguments), lambda: find()(*arguments))

        return asked

    def _print(self) -> None:
        self._window.show_step(Step.OFFER)
        self._window.offer.once_made(self._window.offer.ask_and_print)

    def _save_pdf(self) -> None:
        self._window.show_step(Step.OFFER)
        self._window.offer.once_made(self._window.offer.ask_and_save)

    def _show_help(self) -> None:
        self._window.tools.show_help(self._window.step.value)

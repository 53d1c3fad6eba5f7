"""The disk refuses once, at the first call, the second, and so on: every act ends in words, and loses nothing.

A network drive that goes away, a card that wears out or a folder that belongs to somebody else can refuse any call, not
only a write: looking whether a file is there is one.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from catalog import keys, own_files, price_ages, quote_templates, seller, versions
from catalog.consultation import journal
from catalog.consultation.config_paths import keep_content
from catalog.consultation.document import Consultation
from catalog.consultation.files import read, write
from catalog.consultation.holding import OpenFile
from catalog.consultation.journal import Journal
from catalog.consultation.locks import this_window
from catalog.consultation.quote_rows import SectionRow
from catalog.crash_report import write_report
from catalog.load import load_catalog
from catalog.own_prices import OwnPrice, save_price
from catalog.prices_import.apply import remember
from catalog.register import settings as register_settings
from engine.errors import PassformError
from engine.prices import AgeLimits
from gui.settings import Settings, load_settings

FILE = "kunde.passform.yaml"
SECTION = SectionRow.model_validate({"title": "Dienste", "lines": [{"id": "a1", "title": "Einbau", "price": "120.50"}]})
LEFT = replace(this_window(), token="left", process=2**22 + 11, birth="")
CALLS = (
    "open",
    "mkdir",
    "replace",
    "rename",
    "unlink",
    "fsync",
    "rmdir",
    "listdir",
    "scandir",
    "stat",
    "lstat",
    "link",
)


def own_price(folder: Path) -> None:
    save_price(folder, OwnPrice("h200_nvl", Decimal(1), "EUR", date(2026, 11, 1)))


def save_in_a_window(folder: Path) -> None:
    opened = OpenFile(folder / FILE, this_window())
    try:
        opened.check()
        write(Consultation(title="new"), folder / FILE)
        opened.wrote()
    finally:
        opened.close()


def autosave(folder: Path) -> None:
    Journal(folder, replace(LEFT, token="another")).write(Consultation(title="other"), folder / FILE)


def look_for_left_work(folder: Path) -> None:
    journal.left_behind(folder)


ACTS: dict[str, Callable[[Path], object]] = {
    "own price": own_price,
    "undo": own_files.undo,
    "save": save_in_a_window,
    "autosave": autosave,
    "left work": look_for_left_work,
    "age limits": lambda folder: price_ages.save_age_limits(folder, AgeLimits(30, 90)),
    "template": lambda folder: quote_templates.keep_template(folder, "Dienste", SECTION),
    "dropped template": lambda folder: quote_templates.drop_template(folder, "Dienste"),
    "names": lambda folder: remember(folder, {"NVL": "h200_nvl"}),
    "window's settings": lambda folder: Settings(path=folder / "settings.json").save(),
    "window's settings read": lambda folder: load_settings(folder / "settings.json"),
    "register's settings": register_settings.load_settings,
    "configuration": lambda folder: keep_content(b"{}", "model", folder),
    "version": lambda folder: versions.set_applied(folder, ["2026-12-01"]),
    "trusted keys": lambda folder: keys.trusted_keys(folder / "nothing", folder),
    "new key": lambda folder: keys.create_key(folder / "key", "Beispiel GmbH", date(2026, 1, 1)),
    "crash report": lambda folder: write_report("where", folder),
    "catalogue": load_catalog,
    "seller": seller.load_seller,
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's folder with something of everything."""
    folder = tmp_path_factory.mktemp("filled") / "user"
    folder.mkdir()
    write(Consultation(title="old"), folder / FILE)
    own_price(folder)
    quote_templates.keep_template(folder, "Dienste", SECTION)
    price_ages.save_age_limits(folder, AgeLimits(20, 80))
    Settings(path=folder / "settings.json").save()
    for name in ("register.yaml", "seller.yaml", keys.KEYS_FILE):
        (folder / name).write_text("schema: 1\n", encoding="utf-8")
    Journal(folder, LEFT).write(Consultation(title="left"), None)
    return folder


class Refusal:
    """Counts the calls that reach a folder and refuses one of them."""

    def __init__(self, patched: pytest.MonkeyPatch, folder: Path, failing: int, number: int) -> None:
        self.made = 0
        self._folder, self._failing, self._number = str(folder), failing, number
        for name in CALLS:
            patched.setattr(os, name, self._wrapped(getattr(os, name)))
        patched.setattr(io, "open", self._wrapped(io.open))

    def _wrapped(self, true: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **named: object) -> object:
            place = arguments[0] if arguments else ""
            if isinstance(place, int) or str(place).startswith(self._folder):
                self.made += 1
                if self.made == self._failing:
                    raise OSError(self._number, os.strerror(self._number), str(place))
            return true(*arguments, **named)

        return call


def each_refusal(
    monkeypatch: pytest.MonkeyPatch, filled: Path, folder: Path, act: Callable[[Path], object]
) -> Iterator[BaseException | None]:
    """What comes of the act when its first call is refused, its second, ... until none is left to refuse."""
    for failing in range(1, 200):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(filled, folder)
        caught: BaseException | None = None
        with monkeypatch.context() as patched:
            refusal = Refusal(patched, folder, failing, (errno.EACCES, errno.EIO, errno.ENOSPC)[failing % 3])
            try:
                act(folder)
            except Exception as error:  # noqa: BLE001  # which ones is what the test is about
                caught = error
        yield caught
        if refusal.made < failing:
            assert failing > 1, "the act reached no disk"
            return
    raise AssertionError("there is no end of calls")


@pytest.mark.parametrize("name", sorted(ACTS))
def test_that_a_disk_that_refuses_any_call_ends_in_words_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, filled: Path, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "user"
    for caught in each_refusal(monkeypatch, filled, folder, ACTS[name]):
        assert caught is None or isinstance(caught, PassformError), repr(caught)
        assert "{" not in str(caught)
        assert read(folder / FILE).title in {"old", "new"}
        assert "left" in {left.consultation.title for left in journal.left_behind(folder)}
        for file in ("prices.yaml", "sources.yaml"):
            own_files.read_own(folder, file)


def test_that_a_folder_of_somebody_else_costs_the_own_entries_and_not_the_start(
    monkeypatch: pytest.MonkeyPatch, filled: Path
) -> None:
    """As after a first start with the rights of the administrator."""
    look = os.stat

    def refuse(path: object, *arguments: object, **named: object) -> object:
        if str(path).startswith(str(filled)):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return look(path, *arguments, **named)  # type: ignore[arg-type]  # handed on as it came

    def refuse_open(path: object, *arguments: object, **named: object) -> object:
        if str(path).startswith(str(filled)):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return true_open(path, *arguments, **named)  # type: ignore[call-overload]  # handed on as it came

    true_open = io.open
    monkeypatch.setattr(os, "stat", refuse)
    monkeypatch.setattr(io, "open", refuse_open)
    catalogue = load_catalog(filled)
    assert "h200_nvl" in catalogue.facts.cards
    said = [finding.located() for finding in catalogue.findings]
    assert any("prices.yaml" in words and "Permission denied" in words for words in said), said

"""The program's own reader of compiled messages says what Python's says."""

from __future__ import annotations

import gettext
from pathlib import Path

import pytest

from resources import LOCALE, translations
from resources.messages import Messages

COMPILED = LOCALE / "de" / "LC_MESSAGES" / "passform.mo"


def test_that_every_message_and_form_reads_as_pythons_reader_reads_it() -> None:
    with COMPILED.open("rb") as stream:
        python = gettext.GNUTranslations(stream)
    ours = translations("de")
    stored = dict(python._catalog)
    assert len(stored) > 1000
    singles = [key for key in stored if isinstance(key, str)]
    counted = {key[0] for key in stored if not isinstance(key, str)}
    assert counted
    for message in (*singles, *counted):
        assert ours.gettext(message) == python.gettext(message)
    for message in counted:
        for number in (0, 1, 2, 21):
            assert ours.ngettext(message, "many", number) == python.ngettext(message, "many", number)


def test_that_a_message_nobody_translated_stays_as_it_is() -> None:
    ours = translations("de")
    assert ours.gettext("No such message.") == "No such message."
    assert [ours.ngettext("one thing", "many things", number) for number in (1, 2)] == ["one thing", "many things"]
    assert ours.gettext("zzzz") == "zzzz"


def test_that_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.mo").write_bytes(b"no catalogue, and more than twenty bytes long")
    with pytest.raises(ValueError, match="no message catalogue"):
        Messages(tmp_path / "a.mo")

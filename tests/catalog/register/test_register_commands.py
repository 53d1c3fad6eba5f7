"""The command line of the register and of the exports."""

from __future__ import annotations

import argparse
import json
import shutil
import sqlite3
from io import StringIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from catalog.attachments import consultation_from_pdf
from catalog.commands import quote as quote_command
from catalog.commands import quote_exports
from catalog.commands import register as command
from catalog.commands.grammar import make_parser
from catalog.consultation.files import parse_text, write
from catalog.register.types import EventKind, RegisterError, State
from catalog.register.words import state_word
from catalog.user_folder import VARIABLE
from engine.errors import PassformError
from resources import translations
from tests.catalog.register.conftest import Case
from tests.catalog.register.samples import TODAY

SELLER_FILE = Path(__file__).parents[2] / "data" / "seller.yaml"
ISSUE = {"paper_language": None, "offer": True, "vat_confirmed": False, "revise": None, "language": "de", "pdfa": False}


@pytest.fixture
def office(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A seller's folder with his profile and one consultation that is ready for an offer."""
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setattr(command, "today", lambda: TODAY)
    shutil.copyfile(SELLER_FILE, tmp_path / "seller.yaml")
    write(case.consultation, tmp_path / "case.passform.yaml")
    return tmp_path


def issue(office: Path, name: str = "a.pdf", **changes: object) -> tuple[int, str]:
    out = StringIO()
    arguments = {"file": office / "case.passform.yaml", "output": office / name, **ISSUE, **changes}
    return command.issue_document(argparse.Namespace(**arguments), out), out.getvalue()


def register(action: str, **changes: object) -> tuple[int, str]:
    out = StringIO()
    blank = dict.fromkeys(
        ("text", "state", "kind", "due", "json", "revision", "output", "data", "prices", "consultation", "on"), None
    )
    arguments = argparse.Namespace(**{**blank, "action": action, "language": "de", **changes})
    return command.run(arguments, out), out.getvalue()


def test_that_an_offer_for_archives_is_stored_as_one(office: Path) -> None:
    assert issue(office, pdfa=True)[0] == 0
    packet = PdfReader(office / "a.pdf").xmp_metadata
    assert packet is not None
    assert (packet.pdfaid_part, packet.pdfaid_conformance) == ("3", "B")
    assert consultation_from_pdf(office / "a.pdf", office).quote.archivable
    assert register("show", number="AN-2026-0001", output=office / "b.pdf")[0] == 0
    assert (office / "b.pdf").read_bytes() == (office / "a.pdf").read_bytes()


def test_that_an_offer_is_numbered_stored_and_written(office: Path) -> None:
    code, text = issue(office)
    assert code == 0
    assert "AN-2026-0001, Revision 1, geschrieben" in text
    assert PdfReader(office / "a.pdf").xmp_metadata is None
    code, text = register("list")
    assert text.startswith("AN-2026-0001 · Rev. 1 · ")
    assert "Musterwerk GmbH" in text
    register("show", number="AN-2026-0001", output=office / "again.pdf")
    assert (office / "again.pdf").read_bytes() == (office / "a.pdf").read_bytes()
    assert consultation_from_pdf(office / "a.pdf", office).quote.number == "AN-2026-0001"


def test_that_a_draft_shows_the_offer_and_takes_no_number(office: Path) -> None:
    arguments = argparse.Namespace(
        file=office / "case.passform.yaml", output=office / "draft.pdf", **{**ISSUE, "offer": False}, draft=True
    )
    out = StringIO()
    assert quote_command.run(arguments, out) == 0
    assert "Es wurde keine Nummer vergeben" in out.getvalue()
    text = "".join(page.extract_text() for page in PdfReader(office / "draft.pdf").pages)
    assert "ENTWURF" in text
    assert "AN-" not in text
    assert register("list")[1] == "Das Register enthält kein solches Dokument.\n"
    assert "AN-2026-0001" in issue(office)[1]


def test_that_a_draft_says_what_the_offer_still_lacks(office: Path) -> None:
    (office / "seller.yaml").unlink()
    arguments = argparse.Namespace(
        file=office / "case.passform.yaml", output=office / "draft.pdf", **{**ISSUE, "offer": False}, draft=True
    )
    out = StringIO()
    assert quote_command.run(arguments, out) == 0
    assert "Das kann noch kein Angebot sein:\n- Dem Anbieterprofil fehlt" in out.getvalue()


@pytest.mark.parametrize("way", [["--offer"], ["--issue"], ["--revise", "AN-2026-0001"]])
def test_that_a_draft_and_a_document_cannot_be_asked_for_at_once(way: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        make_parser().parse_args(["quote", "a.yaml", "--output", "a.pdf", "--draft", *way])


def test_that_the_same_wish_twice_gives_two_numbers_and_a_revision_gives_none(office: Path) -> None:
    issue(office)
    assert "AN-2026-0002, Revision 1" in issue(office, "b.pdf")[1]
    assert "AN-2026-0001, Revision 2" in issue(office, "c.pdf", revise="AN-2026-0001")[1]
    assert "KE-2026-0001, Revision 1" in issue(office, "d.pdf", offer=False)[1]
    text = register("show", number="AN-2026-0001")[1]
    assert "Rev. 1 vom 30.11.2026: ersetzt, bis 30.12.2026" in text
    assert "ersetzt" in text
    assert register("check") == (0, "3 Dokumente, keine Lücke, jedes PDF wie ausgestellt.\n")


def test_that_what_stands_in_an_offers_way_is_said_and_uses_no_number(office: Path, case: Case) -> None:
    stored = case.consultation.quote.model_copy(update={"vat_confirmed": False})
    write(case.consultation.model_copy(update={"quote": stored}), office / "case.passform.yaml")
    code, text = issue(office)
    assert code == 1
    assert "Die umsatzsteuerliche Behandlung ist vom Anbieter nicht bestätigt." in text
    assert not (office / "a.pdf").exists()
    assert issue(office, vat_confirmed=True)[0] == 0
    assert "AN-2026-0001" in register("list")[1]


def test_that_a_revision_of_an_offer_is_held_to_what_an_offer_needs(office: Path, case: Case) -> None:
    issue(office)
    stored = case.consultation.quote.model_copy(update={"vat_confirmed": False})
    write(case.consultation.model_copy(update={"quote": stored}), office / "case.passform.yaml")
    code, text = issue(office, "b.pdf", offer=False, revise="AN-2026-0001")
    assert code == 1
    assert "nicht bestätigt" in text
    assert "Rev. 1" in register("list")[1]


def test_that_commands_take_a_paper_for_the_consultation_it_carries(office: Path) -> None:
    issue(office)
    code, text = issue(office, "b.pdf", file=office / "a.pdf", vat_confirmed=True, revise="AN-2026-0001")
    assert code == 0
    assert "AN-2026-0001, Revision 2" in text


def test_that_an_incomplete_seller_makes_no_offer(office: Path) -> None:
    (office / "seller.yaml").unlink()
    code, text = issue(office)
    assert code == 1
    assert "Anbieter" in text
    assert register("list")[1] == "Das Register enthält kein solches Dokument.\n"


def test_that_a_document_whose_file_cannot_be_written_is_in_the_register(office: Path) -> None:
    with pytest.raises(RegisterError, match="AN-2026-0001 is stored in the register"):
        issue(office, "no/such/folder/a.pdf")
    assert "AN-2026-0001" in register("list")[1]


def test_that_lists_and_entries_are_data_for_machines(office: Path) -> None:
    issue(office)
    (entry,) = json.loads(register("list", json=True)[1])
    assert entry["number"] == "AN-2026-0001"
    shown = json.loads(register("show", number="AN-2026-0001", json=True)[1])
    assert shown["history"][0]["what"] == "issued"
    assert len(shown["revisions"][0]["pdf_sha256"]) == 64


def test_that_a_stored_document_gives_back_data_prices_and_consultation(office: Path, case: Case) -> None:
    issue(office)
    wanted = {name: office / f"out.{name}" for name in ("data", "prices", "consultation")}
    register("show", number="AN-2026-0001", **wanted)
    assert json.loads(wanted["data"].read_text(encoding="utf-8"))["number"] == "AN-2026-0001"
    assert json.loads(wanted["prices"].read_text(encoding="utf-8"))["lines"]
    again = parse_text(wanted["consultation"].read_text(encoding="utf-8"), "x")
    assert again.notes == case.consultation.notes
    assert again.quote.number == "AN-2026-0001"


def test_that_states_follow_ups_and_erasure_work_from_the_command_line(office: Path) -> None:
    issue(office)
    number = "AN-2026-0001"
    assert register("state", number=number, state="sent")[1] == "AN-2026-0001 ist jetzt: versandt\n"
    assert "Wiedervorlage am" in register("follow-up", number=number, date="2026-12-07", remark="anrufen")[1]
    assert "anrufen" in register("show", number=number)[1]
    assert "keine Wiedervorlage" in register("follow-up", number=number, date="none", remark=None)[1]
    with pytest.raises(PassformError, match="no date"):
        register("state", number=number, state="accepted", on="7.12.2026")
    code, text = register("delete-customer", name="Musterwerk GmbH", yes=False, keep_accepted=False)
    assert code == 1
    assert "--yes" in text
    code, text = register("delete-customer", name="Musterwerk GmbH", yes=True, keep_accepted=False)
    assert code == 0
    assert "AN-2026-0001: Kundendaten gelöscht" in text
    assert "Kundendaten gelöscht" in register("list")[1]
    assert register("delete-customer", name="Musterwerk GmbH", yes=True, keep_accepted=False)[0] == 1


def test_that_a_changed_register_fails_its_check(office: Path) -> None:
    issue(office)
    connection = sqlite3.connect(office / "register.sqlite")
    connection.execute("UPDATE passform_papers SET pdf = x'00'")
    connection.commit()
    connection.close()
    code, text = register("check")
    assert code == 1
    assert "AN-2026-0001: Ein gespeichertes PDF wurde nach der Ausstellung verändert." in text


@pytest.mark.parametrize("file_format", ["pdf", "xlsx", "csv", "json", "email"])
def test_that_every_format_is_exported(office: Path, file_format: str) -> None:
    arguments = argparse.Namespace(
        file=office / "case.passform.yaml",
        format=file_format,
        output=office / f"out.{file_format}",
        paper_language="en",
        language="de",
    )
    out = StringIO()
    assert quote_exports.run(arguments, out) == 0
    assert "Geschrieben" in out.getvalue()
    begins = {"pdf": b"%PDF", "xlsx": b"PK", "csv": b"\xef\xbb\xbfPos.", "json": b"{", "email": b"Subject: "}
    assert (office / f"out.{file_format}").read_bytes().startswith(begins[file_format])


def test_that_a_plain_quote_is_a_recommendation_that_opens_again(office: Path) -> None:
    arguments = argparse.Namespace(
        file=office / "case.passform.yaml",
        output=office / "a.pdf",
        paper_language=None,
        language="de",
        draft=False,
        pdfa=False,
    )
    assert quote_command.run(arguments, StringIO()) == 0
    again = consultation_from_pdf(office / "a.pdf", office)
    assert again.quote.number == ""
    assert again.customer.company == "Musterwerk GmbH"


def test_that_words_of_both_languages_exist_for_every_state() -> None:
    for member in (*State, *EventKind):
        assert state_word(member, translations("de")) != state_word(member, translations("en"))

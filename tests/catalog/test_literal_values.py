"""What stands in a file is what is computed with: no value is turned into another one on the way, none ends in a trace.

YAML 1.1 reads 010 as eight and 1:30 as ninety; pydantic reads yes as 1 and 86400 as a day of 1970.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from catalog.consultation.document import Consultation
from catalog.consultation.files import MOST_PROBLEMS, ConsultationError, parse_text, to_text
from catalog.documents import MOST_FINDINGS
from catalog.load import load_catalog
from catalog.yaml_nodes import FileFormatError, parse
from resources import translations

WORKLOAD = "schema: 1\nworkloads:\n- {{name: a, model: m, method: lora, sequence_length: {}, deadline_hours: {}}}\n"


def in_length(value: str) -> str:
    return WORKLOAD.format(value, 2)


def in_deadline(value: str) -> str:
    return WORKLOAD.format(2048, value)


def in_budget(value: str) -> str:
    return f"schema: 1\nbudget: {value}\n"


def in_date(value: str) -> str:
    return f"schema: 1\ndate: {value}\n"


@pytest.mark.parametrize("place", [in_length, in_deadline, in_budget])
@pytest.mark.parametrize(
    "value",
    ["1:30", "017", "00", "190:20:30", "yes", "true", ".nan", ".inf", "1.0e+999", "1e999", "9" * 500, "2048.5x"],
)
def test_that_no_number_is_read_as_another_one(place: Callable[[str], str], value: str) -> None:
    with pytest.raises(FileFormatError, match=r"^a:\d: "):
        parse_text(place(value), "a")


@pytest.mark.parametrize("value", ["0", "86400", "20261130", "1.5", "true", "2026-13-01", "'30.11.2026'"])
def test_that_no_number_is_read_as_a_date(value: str) -> None:
    with pytest.raises(FileFormatError, match=r"^a"):
        parse_text(in_date(value), "a")


@pytest.mark.parametrize(
    "value",
    [
        *("!!timestamp x", "!!int ''", "!!int '5'", "!!float x", "!!bool x", "!!null x"),
        *("!!binary aGk=", "!!set {a}", "!!omap [a: 1]", "!!pairs [a: 1]", "!!map x", "!!seq x", "!ours 5"),
        *("!!python/object/apply:os.system ['true']", "!!python/name:os.system"),
    ],
)
@pytest.mark.parametrize("place", [in_length, in_budget, in_date, lambda value: f"{value}: 1\n"])
def test_that_marks_of_types_are_refused_with_their_line(place: Callable[[str], str], value: str) -> None:
    with pytest.raises(FileFormatError, match=r"^a:\d: (YAML's marks of types|a key must be a word)"):
        parse_text(place(value), "a")


def test_that_such_refusals_are_said_in_german() -> None:
    for text, words in ((in_deadline("1:30"), "ohne führende Nullen"), (in_budget("!!int '5'"), "Typangaben von YAML")):
        with pytest.raises(FileFormatError) as caught:
            parse(text, "a")
        assert words in caught.value.text(translations("de").gettext)


@pytest.mark.parametrize("text", ["<<: {schema: 1}\n", "schema: 1\nsite: {<<: {place: desk}}\n"])
def test_that_merged_fields_are_refused(text: str) -> None:
    with pytest.raises(FileFormatError, match="a key must be a word"):
        parse_text(text, "a")


def test_that_plain_values_mean_what_they_say() -> None:
    found = parse_text(
        "schema: 1\ntitle: '017'\nbudget: '010.50'\ndate: 2026-11-30\nhorizon_years: 3\nnotes: '1:30'\n", "a"
    )
    assert (found.title, found.budget, found.date) == ("017", Decimal("10.50"), datetime.date(2026, 11, 30))
    assert (found.horizon_years, found.notes) == (3, "1:30")


@pytest.mark.parametrize("text", ["017", "1:30", "yes", "null", "2026-11-30", "<<", "=", "!!int 5", "*a", "&a", "0x10"])
def test_that_texts_which_look_like_other_things_come_back_as_texts(text: str) -> None:
    written = Consultation(title=text, notes=f"{text}\n{text}", prices={text: Decimal(1)})
    assert parse_text(to_text(written), "a") == written


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "latin-1", "cp1252"])
def test_that_other_encodings_are_refused_in_words(tmp_path, encoding: str) -> None:
    from catalog.consultation.files import read

    path = tmp_path / "a.passform.yaml"
    path.write_bytes("schema: 1\ntitle: Müller\n".encode(encoding))
    with pytest.raises(ConsultationError, match="not UTF-8"):
        read(path)


@pytest.mark.parametrize("ends", ["\r\n", "\n", "\r"])
def test_that_marks_and_line_ends_of_other_systems_are_read(tmp_path, ends: str) -> None:
    from catalog.consultation.files import read

    path = tmp_path / "a.passform.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + f"schema: 1{ends}title: Müller{ends}".encode())
    assert read(path).title == "Müller"


def lines_run(work: Callable[[], object]) -> int:
    """Lines of Python that a call executes: work without a clock."""
    count = 0

    def trace(_frame: object, event: str, _argument: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


WIDE: dict[str, tuple[int, Callable[[int], str]]] = {
    "unknown fields": (60_000, lambda size: "schema: 1\n" + "".join(f"k{number}: 1\n" for number in range(size))),
    "empty rows": (200_000, lambda size: "schema: 1\nworkloads: [" + "{}," * size + "]"),
    "wishes": (300_000, lambda size: "schema: 1\nmust_have: [" + "x," * size + "]"),
    "prices": (120_000, lambda size: f"schema: 1\nprices: {{{','.join(f'k{number}: 1' for number in range(size))}}}"),
}


def _read(text: str) -> None:
    with suppress(FileFormatError):  # few enough prices are taken
        parse_text(text, "a")


@pytest.mark.parametrize("name", sorted(WIDE))
def test_that_a_file_full_of_faults_is_refused_in_bounded_work(name: str) -> None:
    """Naming 60,000 unknown fields with their lines took 100 seconds: every name was looked up among all."""
    size, text = WIDE[name]
    with pytest.raises(FileFormatError) as caught:
        parse_text(text(size), "a")
    assert len(str(caught.value).splitlines()) <= MOST_PROBLEMS
    # Twice as many faults, at most twice as many executed lines of code; looking up all of them made it 3.7 times.
    once, twice = (lines_run(partial(_read, text(faults))) for faults in (1_500, 3_000))
    assert twice <= 2.05 * once


@pytest.mark.parametrize("text", ["prices:\n" + "- {item: x}\n" * 3_000, "".join(f"k{n}: 1\n" for n in range(3_000))])
def test_that_own_prices_full_of_faults_name_the_first_ones_and_cost_no_start(tmp_path: Path, text: str) -> None:
    (tmp_path / "prices.yaml").write_text(f"schema: 1\n{text}", encoding="utf-8")
    catalogue = load_catalog(tmp_path)
    assert "h200_nvl" in catalogue.facts.prices
    assert len(catalogue.findings) == MOST_FINDINGS

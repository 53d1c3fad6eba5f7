"""The bundled assumptions of the cost side."""

from decimal import Decimal

import pytest

from catalog.economics_data import ECONOMICS_FILE, load_economics
from catalog.yaml_nodes import FileFormatError
from engine.cost.assumptions import check
from engine.cost.types import EconomicsKey
from engine.figures import Basis, Grade


@pytest.fixture(scope="module")
def economics():
    return load_economics()


def test_that_every_key_but_the_utilisation_has_a_default_within_its_limits(economics):
    assert set(economics.assumptions) == set(EconomicsKey) - {EconomicsKey.UTILISATION}
    for key, assumption in economics.assumptions.items():
        for value in (assumption.figure.value, assumption.low, assumption.high):
            check(key, value)


def test_that_every_default_names_source_date_and_basis(economics):
    for assumption in economics.assumptions.values():
        assert assumption.figure.source.title
        assert assumption.figure.source.document_date
        assert assumption.figure.grade is not Grade.M
        assert assumption.figure.basis in (Basis.ASSUMED, Basis.ESTIMATED)
        assert assumption.low <= assumption.figure.value <= assumption.high


def test_that_what_is_left_out_is_zero_and_says_so(economics):
    for key in ("maintenance_share", "staff_per_year", "room_per_year", "interest_per_year", "licences_per_year"):
        figure = economics.assumptions[EconomicsKey(key)].figure
        assert figure.value == 0
        assert figure.note.startswith("Not included")


def test_that_contradicting_electricity_prices_are_recorded(economics):
    figure = economics.assumptions[EconomicsKey.ELECTRICITY_PER_KWH].figure
    assert figure.value == Decimal("0.27")
    assert len(figure.contradicts) >= 3


def test_that_depreciation_is_a_note_and_in_no_sum(economics):
    assert {note.note for note in economics.notes} >= {"depreciation-one-year", "depreciation-declining"}
    assert all("tax adviser" in note.value for note in economics.notes if note.note.startswith("depreciation"))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('value: "0.27"', "value: 0.27", "in quotes"),
        ('low: "0.17"', 'low: "0.28"', "between low and high"),
        ("source: eurostat_clean", "source: nobody", "not listed"),
        ("  decision_margin:", "  decision_margins:", "decision_margin"),
        ("schema: 1", "schema: 2", "schema"),
    ],
)
def test_that_a_damaged_file_is_refused_with_its_place(tmp_path, old, new, says):
    path = tmp_path / "economics.yaml"
    path.write_text(ECONOMICS_FILE.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(FileFormatError, match=says) as caught:
        load_economics(path)
    assert str(caught.value).startswith("economics.yaml:")


def test_that_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileFormatError, match=r"nowhere\.yaml"):
        load_economics(tmp_path / "nowhere.yaml")

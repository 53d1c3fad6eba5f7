"""From when on prices are marked: one file for the window and the command line, and every mark follows it."""

from __future__ import annotations

import io
from argparse import Namespace
from datetime import date
from pathlib import Path

import pytest

from catalog.commands import catalogue
from catalog.config_model import model_from_file
from catalog.consultation.files import read
from catalog.consultation.scenario import to_scenario
from catalog.findings import Level
from catalog.integrity import check
from catalog.load import load_catalog
from catalog.price_ages import (
    FILE_NAME,
    PriceAgesError,
    checked,
    load_age_limits,
    save_age_limits,
)
from catalog.trial import trial
from catalog.yaml_nodes import FileFormatError
from engine.cost.compare import compare
from engine.errors import PassformError
from engine.plan.recommend import recommend
from engine.prices import AgeLimits, PriceAge
from engine.pricing import guide_price

TODAY = date(2026, 11, 30)
EXAMPLE = Path(__file__).parents[2] / "examples" / "lora-department-rack.passform.yaml"


def test_that_limits_are_read_back_as_written(tmp_path: Path) -> None:
    assert load_age_limits(tmp_path) == AgeLimits(60, 180)
    save_age_limits(tmp_path / "new", AgeLimits(14, 45))
    assert load_age_limits(tmp_path / "new") == AgeLimits(14, 45)
    assert [path.name for path in (tmp_path / "new").iterdir()] == [FILE_NAME]


@pytest.mark.parametrize(("fresh", "old"), [(60, 60), (180, 60), (0, 10), (-1, 10), (10, 3_651)])
def test_that_limits_out_of_order_are_refused_and_nothing_is_written(tmp_path: Path, fresh: int, old: int) -> None:
    with pytest.raises(PriceAgesError, match="fewer days"):
        checked(fresh, old)
    with pytest.raises(PriceAgesError):
        save_age_limits(tmp_path, AgeLimits(fresh, old))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "schema: 2\n",
        "schema: 1\nfresh_days: 12.5\n",
        "schema: 1\nfresh_days: yes\n",
        "schema: 1\nfresh_days: 200\n",
        "schema: 1\nfresh: 20\n",
        "schema: 1\nold_days: 99999\n",
        "- 1\n",
    ],
)
def test_that_a_damaged_file_is_reported_and_the_defaults_count(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text, encoding="utf-8")
    with pytest.raises(PassformError):
        load_age_limits(tmp_path)
    catalog = load_catalog(tmp_path)
    assert catalog.facts.age_limits == AgeLimits(60, 180)
    assert [(finding.level, finding.file) for finding in catalog.findings] == [(Level.ERROR, FILE_NAME)]


def test_that_a_wrong_field_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("schema: 1\nfresh_days: soon\n", encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"price_ages.yaml:2: fresh_days"):
        load_age_limits(tmp_path)


def test_that_guide_prices_findings_and_rents_follow_the_limits(tmp_path: Path) -> None:
    save_age_limits(tmp_path, AgeLimits(1, 2))
    strict, usual = load_catalog(tmp_path), load_catalog()
    ages = {}
    for name, catalog in (("strict", strict), ("usual", usual)):
        expired = [finding for finding in check(catalog, TODAY) if finding.code == "expired-price"]
        guide = guide_price("rtx_pro_5000_blackwell_72", catalog.facts, "EUR", TODAY)
        scenario = to_scenario(read(EXAMPLE), catalog.facts, TODAY, model_from_file, EXAMPLE.parent)
        rents = compare(recommend(scenario, catalog.facts), catalog.facts)
        assert rents.comparison is not None
        old = sum(entry.age is PriceAge.EXPIRED for entry in rents.comparison.offers)
        ages[name] = (guide.age, len(expired), old)
    assert ages["usual"][0] is PriceAge.OLD
    assert ages["strict"][0] is PriceAge.EXPIRED
    assert ages["strict"][1] > ages["usual"][1]
    assert ages["strict"][2] > ages["usual"][2]


def test_that_a_change_is_tried_under_the_same_limits(tmp_path: Path) -> None:
    save_age_limits(tmp_path, AgeLimits(1, 2))
    assert trial(tmp_path, lambda _folder: None).facts.age_limits == AgeLimits(1, 2)


def test_that_the_command_line_shows_and_sets_the_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSFORM_DATA", str(tmp_path))

    def run(fresh: int | None = None, old: int | None = None) -> str:
        out = io.StringIO()
        arguments = Namespace(action="ages", fresh=fresh, old=old, language="de")
        assert catalogue.run(arguments, out) == 0
        return out.getvalue()

    assert run() == "Preise gelten bis 60 Tage als frisch, bis 180 Tage als alt, danach als abgelaufen.\n"
    assert "bis 30 Tage" in run(fresh=30)
    assert load_age_limits(tmp_path) == AgeLimits(30, 180)
    with pytest.raises(PriceAgesError):
        run(old=20)
    assert load_age_limits(tmp_path) == AgeLimits(30, 180)

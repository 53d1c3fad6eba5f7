"""A random sample of what the catalogue's window shows leads back to the data files: source, date, grade, value."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from catalog.versions import DATA_FOLDER
from engine.figures import Grade
from engine.wording.translator import Language
from gui.catalogue.figures import FigureLine
from gui.catalogue.rows import Tab
from gui.texts import Texts
from tests.gui.conftest import OpenApp
from tests.gui.test_catalogue import shown

SAMPLE = 40
SEED = 20261130
DAY_BEHIND = re.compile(r" \(\d{4}(-\d\d)*\)$")
UNDATED = {Language.EN: "date not recorded", Language.DE: "Datum nicht vermerkt"}


def raw(name: str) -> dict[str, Any]:
    """A data file as it stands on the disk, past everything of ours that reads it."""
    content: dict[str, Any] = yaml.safe_load((DATA_FOLDER / name).read_text(encoding="utf-8"))
    return content


def listed_sources(texts: Texts) -> dict[str, list[dict[str, Any]]]:
    """Every source of the catalogue by its title, as written and as shown where the title is a description of ours."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name in ("sources.yaml", "cloud_offers.yaml"):
        for source in raw(name)["sources"].values():
            for title in {source["title"], texts.gettext(source["title"])}:
                found.setdefault(title, []).append(source)
    return found


def dates_of(source: dict[str, Any], texts: Texts) -> Iterator[str]:
    """How the window would write the days a source has."""
    for field in ("document_date", "read_date", "date", "read"):
        day = str(source.get(field) or "")
        if day and day != "not recorded":
            yield texts.recorded_date(day)


def traced(figure: FigureLine, sources: dict[str, list[dict[str, Any]]], texts: Texts) -> bool:
    """Whether the lines behind a figure name a listed source and one of its days, or that it has none."""
    behind = "\n".join(figure.behind)
    for line in figure.behind:
        for source in sources.get(line, ()):
            days = list(dates_of(source, texts))
            if any(day in behind for day in days) or (not days and UNDATED[texts.language] in behind):
                return True
    return False


@pytest.mark.parametrize("language", list(Language))
def test_that_a_random_sample_of_figures_leads_to_its_reference(open_app: OpenApp, language: Language) -> None:
    app = open_app(language=language)
    window, texts, rng = shown(app), app.context.texts, random.Random(SEED)  # a sample, no secret
    sources = listed_sources(texts)
    models = {row["id"]: row for row in raw("models.yaml")["models"]}
    seen: set[tuple[Tab, str, str]] = set()
    while len(seen) < SAMPLE:
        tab = rng.choice(list(Tab))
        window.show_tab(tab)
        row = rng.choice(window.filter.shown)
        assert window.choose(row.id)
        if not window.sheet._model.rows:  # a machine of which only its name is known
            assert tab is Tab.SYSTEMS
            assert app.context.catalog.all_provenance(row.id) == ()
            continue
        figure = rng.choice(window.sheet._model.rows)
        assert figure.value, (tab, row.id, figure)
        assert isinstance(figure.grade, Grade), (tab, row.id, figure)
        assert any(f" {figure.grade.value}:" in f" {line}" for line in figure.behind), (tab, row.id, figure)
        if tab is Tab.MODELS:
            assert figure.behind[1:], (row.id, figure)
            titles = {source["title"] for source in models[row.id]["sources"]}
            assert {DAY_BEHIND.sub("", line) for line in figure.behind[1:]} == titles, (row.id, figure)
        else:
            assert traced(figure, sources, texts), (tab, row.id, figure)
        seen.add((tab, row.id, figure.name))
    assert {tab for tab, _row, _name in seen} == set(Tab)


def test_that_the_value_shown_is_the_one_of_the_file(open_app: OpenApp) -> None:
    """Numbers of cards, taken from the file itself."""
    app = open_app()
    window, rng = shown(app), random.Random(SEED)  # a sample, no secret
    window.show_tab(Tab.CARDS)
    for card in rng.sample(raw("cards.yaml")["cards"], 12):
        assert window.choose(card["id"])
        values = {figure.name: figure for figure in window.sheet._model.rows}
        for field, name, unit in (("memory_gb", "Memory by datasheet", "GB"), ("power_w", "Power", "W")):
            written = card[field]
            expected = f"{app.context.texts.plain(float(written['value']))}\u00a0{unit}"
            assert values[name].value == expected, (card["id"], field)
            assert values[name].grade == Grade(written["grade"]), (card["id"], field)

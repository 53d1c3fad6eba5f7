"""Every question, gap and scope of a cluster plan, and every reason for leaving a record out, has its words."""

import re
from pathlib import Path

import pytest

from engine.speed.cluster.types import ClusterGap, ParallelLayout, Question, QuestionCode, ShardScope
from engine.wording.cluster import gap_sentence, layout_text, question_sentence
from engine.wording.speed import unscored_text
from engine.wording.translator import Language
from resources import translations

ROOT = Path(__file__).parents[3]
LANGUAGES = [(language, translations(language.value)) for language in Language]


@pytest.mark.parametrize(("language", "tr"), LANGUAGES)
@pytest.mark.parametrize("code", QuestionCode)
def test_that_every_question_can_be_asked_without_numbers(code, language, tr):
    assert question_sentence(Question(code), tr, language).endswith("?")


def test_that_a_question_carries_its_numbers_in_german():
    asked = Question(QuestionCode.FABRIC_RATE, (("gbit_rate", 286.3), ("nodes", 8)))
    text = question_sentence(asked, translations("de"), Language.DE)
    assert text == "Trägt das Netz bei 8 Knoten blockierungsfrei 286 Gbit/s je Karte?"


@pytest.mark.parametrize(("language", "tr"), LANGUAGES)
def test_that_gaps_and_layouts_are_said(language, tr):
    assert all(gap_sentence(gap, tr) for gap in ClusterGap)
    texts = {layout_text(ParallelLayout(4, 2, 8, scope), tr, language) for scope in ShardScope}
    assert len(texts) == len(ShardScope)


def test_that_every_reason_the_reader_gives_has_words():
    sources = [ROOT / "catalog/speed_evidence.py", ROOT / "engine/speed/evidence.py"]
    given = {code for path in sources for code in re.findall(r'Unscored\([^"]*"([a-z-]+)"', path.read_text("utf-8"))}
    assert given
    assert all(unscored_text(code, translations("de")) for code in given)

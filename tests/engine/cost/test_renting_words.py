"""Every code of the comparison has its words in both languages."""

import pytest

from engine.cost.break_even import BreakEvenStatus, PaybackStatus
from engine.cost.offers import SpeedBasis
from engine.cost.procurement import BenchmarkStep, ProviderQuestion
from engine.cost.rent import LeftOutCode
from engine.cost.sensitivity import CaseInput
from engine.wording.renting import renting_label
from resources import translations

SETS = (BreakEvenStatus, PaybackStatus, SpeedBasis, ProviderQuestion, BenchmarkStep, LeftOutCode, CaseInput)


@pytest.mark.parametrize("closed_set", SETS, ids=lambda closed_set: closed_set.__name__)
def test_that_every_member_has_a_word_of_its_own_in_both_languages(closed_set):
    english = [renting_label(member, translations("en")) for member in closed_set]
    german = [renting_label(member, translations("de")) for member in closed_set]
    assert len(set(english)) == len(set(german)) == len(closed_set)
    assert not set(english) & set(german)

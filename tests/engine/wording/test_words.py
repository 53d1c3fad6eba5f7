"""Every code has its words, in both languages, and the words name the numbers they are given."""

from __future__ import annotations

import importlib
import pkgutil
from enum import StrEnum
from itertools import pairwise
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.reasons import Reason, ReasonCode, reason
from engine.wording.filling import placeholders
from engine.wording.labels import label
from engine.wording.ordering_reasons import ORDERING_MESSAGES
from engine.wording.reasons import MESSAGES, sentence
from engine.wording.translator import Language, Translator
from resources import translations
from resources.locale.build import merged

NBSP = "\u00a0"
ROOT = Path(__file__).parents[3]
CORE = (
    *("cost.ownership", "cost.types", "figures", "hardware", "memory.types", "methods", "models", "plan.types"),
    *("prices", "speed.types", "workload"),
)


def _translator(language: Language) -> Translator:
    return translations(language.value)


def _closed_sets() -> list[type[StrEnum]]:
    modules = [importlib.import_module(f"engine.{name}") for name in CORE]
    return sorted(
        {
            member
            for module in modules
            for member in vars(module).values()
            if isinstance(member, type) and issubclass(member, StrEnum) and member is not StrEnum
            if member.__module__ == module.__name__
        },
        key=lambda closed_set: closed_set.__name__,
    )


@pytest.mark.parametrize("closed_set", _closed_sets(), ids=lambda closed_set: closed_set.__name__)
@pytest.mark.parametrize("language", Language)
def test_that_every_member_has_a_word_of_its_own(closed_set: type[StrEnum], language: Language) -> None:
    words = [label(member, _translator(language)) for member in closed_set]
    assert all(words)
    assert len(set(words)) == len(words)


def test_that_the_core_modules_are_all_looked_at() -> None:
    names = {module.name for module in pkgutil.iter_modules(engine.__path__)}
    assert {name.split(".")[0] for name in CORE} <= names


@pytest.mark.parametrize("code", ReasonCode)
@pytest.mark.parametrize("language", Language)
def test_that_every_reason_has_a_sentence_even_without_numbers(code: ReasonCode, language: Language) -> None:
    text = sentence(Reason(code), _translator(language), language)
    assert text.endswith(".")
    assert "!" not in text
    assert "{" not in text


@pytest.mark.parametrize("code", ReasonCode)
def test_that_the_last_message_of_a_reason_needs_no_number(code: ReasonCode) -> None:
    messages = MESSAGES[code]
    assert placeholders(messages[-1]) == set()
    for richer, poorer in pairwise(messages):
        assert len(placeholders(richer)) >= len(placeholders(poorer))


def test_that_a_memory_rejection_says_what_is_missing() -> None:
    # 144.4 GB of model states against a 102.6e9-byte card: 41.8 GB are missing.
    rejection = reason(ReasonCode.MEMORY, need_bytes=144_421_000_000, usable_bytes=102_641_958_912)
    german = sentence(rejection, _translator(Language.DE), Language.DE)
    assert german.startswith(f"Braucht 144{NBSP}GB je Karte, nutzbar sind 103{NBSP}GB: Es fehlen 41,8{NBSP}GB.")


def test_that_ids_are_replaced_by_names_and_the_workload_is_named() -> None:
    rejection = reason(ReasonCode.NOT_LISTED, system="srv", card="c", workload="70B LoRA")
    text = sentence(rejection, _translator(Language.EN), Language.EN, {"srv": "SR650a V4", "c": "H200 NVL"})
    assert text.startswith("70B LoRA: SR650a V4 is not listed for H200 NVL.")


def test_that_braces_in_a_name_are_text() -> None:
    rejection = reason(ReasonCode.NOT_LISTED, system="{card}", card="{0}")
    assert "{card} is not listed for {0}." in sentence(rejection, _translator(Language.EN), Language.EN)


@given(st.sampled_from(ReasonCode), st.dictionaries(st.text(max_size=12), st.text() | st.integers() | st.floats()))
def test_that_unexpected_values_never_break_a_sentence(code: ReasonCode, values: dict[str, str | int | float]) -> None:
    assert sentence(Reason(code, tuple(values.items())), _translator(Language.DE), Language.DE)


@given(st.sampled_from(ReasonCode), st.integers(0, 10**13))
def test_that_every_richest_message_can_be_filled(code: ReasonCode, amount: int) -> None:
    values = dict.fromkeys(placeholders(MESSAGES[code][0]), amount)
    text = sentence(Reason(code, tuple(values.items())), _translator(Language.DE), Language.DE)
    assert "{" not in text


def test_that_every_marked_message_has_its_german() -> None:
    german = merged("de")
    missing = [
        message
        for _file, _line, message, _comments, _context in extract_from_dir(
            str(ROOT / "engine"), method_map=[("**.py", "python")], keywords={"mark": None}
        )
        if message not in german
    ]
    assert missing == []


def test_that_a_feature_nobody_states_is_not_called_missing() -> None:
    unstated = reason(ReasonCode.MUST_HAVE_UNSTATED, card="a100_pcie_80", feature="ecc")
    english = sentence(unstated, _translator(Language.EN), Language.EN)
    assert english == "No published statement was found on whether this card has the must-have ECC memory."
    missing = reason(ReasonCode.MUST_HAVE, card="rtx_5090", feature="ecc")
    assert sentence(missing, _translator(Language.EN), Language.EN) == (
        "The must-have ECC memory is missing on this card."
    )


@pytest.mark.parametrize("code", sorted(ORDERING_MESSAGES))
def test_that_an_amount_that_rests_on_stand_in_prices_says_so(code: ReasonCode) -> None:
    numbers = {
        key: 2_110.0 for message in ORDERING_MESSAGES[code] for key in placeholders(message) if key != "other"
    } | {"currency": "EUR", "other": "3 × L40S"}
    published, resting = (Reason(code, tuple({**numbers, "stand_ins": flag}.items())) for flag in (0, 1))
    for language, phrase in ((Language.EN, "prices used for ordering"), (Language.DE, "nur der Reihung")):
        tr = _translator(language)
        assert phrase in sentence(resting, tr, language)
        assert phrase not in sentence(published, tr, language)


@pytest.mark.parametrize("saved", [{}, {"saving_amount": 900.0, "currency": "EUR"}])
def test_that_a_cheaper_system_that_may_run_out_of_memory_is_never_called_only_slower(
    saved: dict[str, str | float],
) -> None:
    doubtful = reason(
        ReasonCode.CHEAPER_BUT_SLOWER,
        other="4 × L40S",
        other_step_s=17.0,
        step_s=5.0,
        need_bytes=49_400_000_000,
        usable_bytes=48_300_000_000,
        **saved,
    )
    text = sentence(doubtful, translations("en"), Language.EN).replace("\N{NO-BREAK SPACE}", " ")
    assert "up to 49.4 GB of 48.3 GB" in text


@pytest.mark.parametrize(("instances", "said"), [(1, "1 MIG instance of its own"), (3, "3 MIG instances of its own")])
def test_that_one_instance_is_one(instances: int, said: str) -> None:
    shared = reason(ReasonCode.SHARED_BY_MIG, instances=instances, profile="1g.24gb")
    assert said in sentence(shared, _translator(Language.EN), Language.EN)


def test_that_a_missing_figure_is_not_called_published() -> None:
    missing = reason(ReasonCode.MISSING_FIGURE, card="x", figure="bf16_dense_tflops")
    said = sentence(missing, _translator(Language.EN), Language.EN)
    assert said == "Cannot be judged, since a figure is not published: dense BF16 matrix rate."


@pytest.mark.parametrize(("years", "said"), [(1, "saves over 1 year."), (3, "saves over 3 years.")])
def test_that_a_horizon_of_one_year_is_one(years: int, said: str) -> None:
    waiting = reason(ReasonCode.BEST_TIME_FOR_MONEY, need_h=9.0, hour_amount="25", currency="EUR", years=years)
    assert sentence(waiting, _translator(Language.EN), Language.EN).endswith(said)

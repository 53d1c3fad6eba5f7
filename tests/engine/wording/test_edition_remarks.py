"""What stands below a table of editions, word for word where a buyer will quote it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from catalog.load import load_catalog
from engine.compare import Comparison, compare_cards
from engine.editions import EditionRange
from engine.facts import Facts
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.serving.editions import served_ranges
from engine.speed.editions import trained_ranges
from engine.wording.catalogue_texts import source_title
from engine.wording.editions import edition_remarks, served_text, trained_text
from engine.wording.filling import Reader
from engine.wording.translator import Language
from engine.workload import Place, Priority, Scenario, Site, Workload
from resources import translations

EDITIONS = ("rtx_pro_6000_blackwell_ws", "rtx_pro_6000_blackwell_maxq", "rtx_pro_6000_blackwell_se")


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_catalog().facts


def reader(facts: Facts, language: str) -> Reader:
    names = {card.id: card.short_name for card in facts.cards.values()}
    names |= {model.id: model.name for model in facts.models.values()}
    names |= {system.id: system.name for system in facts.systems.values()}
    return Reader(translations(language), Language(language), names)


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


# 0.8807 to 0.9475 of the Workstation edition in eight setups of one source.
@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "Serving, measured side by side: RTX PRO 6000 Max-Q gives 88–95% of the tokens per second of RTX PRO "
            "6000 WS (8 setups: qwen3.8-27b (NVFP4) on vLLM 0.27.1, prompts of 256–1,024 tokens, answers of 128–1,024 "
            "tokens, 1–8 requests at once). Source: {title} (20 August 2026).",
        ),
        (
            "de",
            "Im Betrieb nebeneinander gemessen: RTX PRO 6000 Max-Q liefert 88–95 % der Token je Sekunde von RTX PRO "
            "6000 WS (8 Messungen: qwen3.8-27b (NVFP4) mit vLLM 0.27.1, Prompts von 256–1.024 Token, Antworten von "
            "128–1.024 Token, 1–8 Anfragen gleichzeitig). Quelle: {title} (20.08.2026).",
        ),
    ],
)
def test_that_a_range_names_its_setups_and_its_source(facts: Facts, language: str, said: str) -> None:
    (found,) = served_ranges(facts, EDITIONS)
    title = source_title(found.source, translations(language))
    assert "Max-Q" in title
    assert plain(served_text(found, reader(facts, language))) == said.format(title=title)


def test_that_one_setup_is_one_figure(facts: Facts) -> None:
    (found,) = served_ranges(facts, EDITIONS)
    text = plain(served_text(EditionRange(found.pairs[:1]), reader(facts, "en")))
    assert "gives 94% of the tokens" in text  # 59.43 / 63.50
    assert "(1 setup: qwen3.8-27b (NVFP4) on vLLM 0.27.1, prompts of 1,024 tokens, answers of 128 tokens, " in text
    assert "1 request at once)" in text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "Training, measured side by side: H200 NVL gives 91% of the tokens per second and card of H200 SXM (2 "
            "comparisons: Llama-2-70B, LoRA in FP8 on 8 cards, sequences of 8,192 tokens, micro-batch 1). Source: "
            "{title} (30 May 2025).",
        ),
        (
            "de",
            "Beim Training nebeneinander gemessen: H200 NVL liefert 91 % der Token je Sekunde und Karte von H200 SXM "
            "(2 Vergleiche: Llama-2-70B, LoRA in FP8 auf 8 Karten, Sequenzen von 8.192 Token, Mikro-Batch 1). Quelle: "
            "{title} (30.05.2025).",
        ),
    ],
)
def test_that_training_side_by_side_is_told_in_the_same_shape(facts: Facts, language: str, said: str) -> None:
    (found,) = trained_ranges(facts, ("h200_nvl",))
    title = source_title(found.source, translations(language))
    assert plain(trained_text(found, reader(facts, language))) == said.format(title=title)
    turned = EditionRange((found.pairs[0], found.pairs[0].turned()))
    text = plain(trained_text(turned, reader(facts, language))).replace(" %", "%")
    assert "91%: Llama-2-70B" in text  # 2,369.1 / 2,616.4
    assert "110%: Llama-2-70B" in text


@pytest.mark.parametrize(("language", "word"), [("en", "contradict each other"), ("de", "widersprechen sich")])
def test_that_measurements_that_contradict_each_other_are_all_told(facts: Facts, language: str, word: str) -> None:
    # Records of accelmark, vLLM 0.7.3: 70.08 / 75.82, 55.68 / 32.71 and 317.46 / 261.10 tokens/s.
    (found,) = served_ranges(facts, ("a100_sxm_40", "a100_sxm_80"))
    text = plain(served_text(found, reader(facts, language))).replace(" %", "%")
    assert word in text
    for share in ("92%", "170%", "122%"):
        assert share in text
    for model in ("Llama 3 8B", "Llama 3.1 8B", "Qwen2.5 0.5B"):
        assert f"{model} (BF16)" in text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "No source measured beside another edition while serving: RTX PRO 6000 Server."),
        ("de", "Von keiner Quelle im Betrieb neben einer anderen Edition gemessen: RTX PRO 6000 Server."),
    ],
)
def test_that_the_edition_without_a_measurement_is_named(facts: Facts, language: str, said: str) -> None:
    comparison = compare_cards([facts.cards[card] for card in EDITIONS], {}, facts)
    remarks = edition_remarks(comparison, reader(facts, language))
    assert len(remarks) == 2  # what was measured, and of whom nothing was
    assert said in remarks


@pytest.mark.parametrize(
    ("language", "said", "memory"),
    [
        ("en", "RTX PRO 6000 WS and RTX PRO 6000 Max-Q are ruled out. BTO", "only the memory was examined"),
        ("de", "RTX PRO 6000 WS und RTX PRO 6000 Max-Q scheiden aus. BTO", "wurde nur der Speicher untersucht"),
    ],
)
def test_that_cards_that_are_out_for_the_same_reason_share_a_remark(
    facts: Facts, language: str, said: str, memory: str
) -> None:
    comparison = in_the_rack(facts)
    remarks = edition_remarks(comparison, reader(facts, language))
    assert sum(text.startswith(said) for text in remarks) == 1
    assert memory in remarks[-1]
    without = replace(comparison, ruled_out=tuple(replace(out, cards=0) for out in comparison.ruled_out))
    assert not any(memory in text for text in edition_remarks(without, reader(facts, language)))


def test_that_a_table_without_anything_to_say_has_no_remark(facts: Facts) -> None:
    assert edition_remarks(Comparison((), ()), reader(facts, "en")) == ()


def in_the_rack(facts: Facts) -> Comparison:
    work = Workload("LoRA 8B", facts.models["llama-3.1-8b"], Recipe(Method.LORA), 2048)
    rack = Scenario((work,), Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", date(2026, 11, 30))
    return compare_cards([facts.cards[card] for card in EDITIONS], {}, facts, recommend(rack, facts))

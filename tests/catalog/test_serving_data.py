"""The serving facts: complete, sourced, and refused where they are not what they claim."""

import pytest

from catalog.serving_data import ANCHORS_FILE, SERVING_FILE, anchor_line, load_serving_facts
from catalog.yaml_nodes import FileFormatError
from engine.serving.formats import ComputeClass
from engine.serving.types import ServingEngine

TEXT = SERVING_FILE.read_text(encoding="utf-8")
HEAD = ANCHORS_FILE.read_text(encoding="utf-8").splitlines()[0]


def test_that_every_engine_and_number_format_has_its_constants():
    facts = load_serving_facts()
    assert set(facts.engines) == set(ServingEngine)
    assert set(facts.coefficients.compute_share) == set(ComputeClass)
    assert set(facts.coefficients.start_s) == set(ServingEngine)


def test_that_every_figure_names_a_dated_source():
    facts = load_serving_facts()
    figures = [facts.memory.figure, *(row.figure for row in facts.engines.values()), *facts.assumptions.values()]
    assert all(figure.source.title and figure.source.document_date for figure in figures)
    assert all(anchor.source.title for anchors in facts.anchors.values() for anchor in anchors)


def test_that_measurements_are_kept_by_a_card_of_the_catalogue(bundled):
    facts = load_serving_facts()
    assert set(facts.anchors) <= set(bundled.facts.cards)
    assert sum(map(len, facts.anchors.values())) > 600


def test_that_the_catalogue_hands_them_over(bundled):
    assert bundled.facts.serving.coefficients == load_serving_facts().coefficients


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("schema: 1", "schema: 7", "7"),
        ("graphs_gib: 0.6", "graphs_gib: none", "graphs_gib"),
        ("source: trtllm-1.0, grade: B", "source: nobody, grade: B", "nobody"),
        ("llama.cpp: {memory_share: 0.95", "llama.cpp: {memory_share: 1.5", "memory_share"),
        ("vllm: 0.001341, ", "", "no coefficients for vllm"),
        ("dense: 1.4", "dense: 0.4", "dense"),
        ("measured: 1.35", "measured: 1.35, more: 1", "more"),
    ],
)
def test_that_a_damaged_file_is_refused_with_its_place(old, new, said):
    assert old in TEXT
    with pytest.raises(FileFormatError, match=r"serving\.yaml") as refused:
        load_serving_facts(TEXT.replace(old, new, 1))
    assert said in str(refused.value)


def test_that_a_missing_constant_is_named():
    with pytest.raises(FileFormatError):
        load_serving_facts(TEXT.replace("fp4: ", "fp5: ", 1))


def test_that_a_line_is_written_as_it_is_read():
    anchors = [anchor for listed in load_serving_facts().anchors.values() for anchor in listed]
    lines = "\n".join([HEAD, *map(anchor_line, anchors)])
    again = [anchor for listed in load_serving_facts(None, lines).anchors.values() for anchor in listed]
    assert again == anchors
    assert any("," in anchor.software for anchor in anchors)  # a comma in the source's words splits nothing


@pytest.mark.parametrize(
    "line",
    [
        "s1,trtllm-1.0",
        "s1,nobody" + ",1" * 16,
        "s1,trtllm-1.0,h200_sxm" + ",x" * 15,
        "s1,trtllm-1.0,h200_sxm,m,1,1,0,bf16,bf16,vllm,1,1,0,1,1,1,1,1",  # no software
    ],
)
def test_that_a_torn_measurement_is_refused_with_its_line(line):
    with pytest.raises(FileFormatError, match=r"csv:2"):
        load_serving_facts(None, f"{HEAD}\n{line}\n")

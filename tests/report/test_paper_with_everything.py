"""What a paper says only where it applies: limits of the place, host memory, links, the seller's letterhead."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from catalog.load import load_catalog
from engine.facts import Facts
from engine.methods import Method, Offload, Optimizer, Recipe
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation
from engine.quote.build import build_quote
from engine.quote.parties import Customer, CustomerKind, GeneralPartner, LegalForm, RegisterEntry, Seller
from engine.quote.release import release
from engine.speed.types import StackClass
from engine.wording.findings import FindingKind
from engine.workload import MustHave, Place, Priority, Scenario, Site, Workload
from tests.report.conftest import SELLER, Drawn, assets, draw

TODAY = date(2026, 11, 30)


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_catalog().facts


def _recommended(facts: Facts, *workloads: Workload, **changes: Any) -> Recommendation:
    made = Scenario(workloads, Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", TODAY)
    found = recommend(replace(made, **changes), facts)
    assert found.chosen is not None
    return found


def _paper(
    facts: Facts, found: Recommendation, language: str = "en", seller: Seller = SELLER, *, tender: bool = True
) -> Drawn:
    """With the sheet of requirements that public buyers ask for."""
    customer = Customer(company="Stadt Beispiel", lines=("Weg 1", "10115 Berlin"), kind=CustomerKind.PUBLIC)
    quote = build_quote(found, facts, seller, customer, language, TODAY)
    return draw(replace(quote, tender=tender), language)


@pytest.fixture(scope="module")
def demanding(facts: Facts) -> Drawn:
    """Optimiser states in host memory, a rack with limits, ECC and FP8 wanted, the customer's own software named."""
    offloaded = Workload("Full", facts.models["llama-3.1-8b"], Recipe(Method.FULL, offload=Offload.OPTIMIZER), 4096)
    site = Site(Place.RACK, circuit_watts=7000, noise_limit_db_a=80, free_rack_units=8)
    wanted = frozenset({MustHave.ECC, MustHave.FP8})
    return _paper(facts, _recommended(facts, offloaded, site=site, must_have=wanted, stack=StackClass.PLAIN_HF))


def test_that_the_requirements_name_the_limits_of_the_place(demanding: Drawn) -> None:
    for words in ("at most 8 U", "at most 80 dB(A)", "at most 7,000 W", "Error correction of the memory required"):
        assert words in demanding.text
    assert "or equivalent, required" in demanding.text


def test_that_host_memory_and_the_named_software_are_told(demanding: Drawn) -> None:
    # 8,030,261,248 parameters: 14 B each are 112.4 GB, 24 B each 192.7 GB; 128 GB more for the host of the one card.
    assert "Host memory at least 321 GB" in demanding.text
    assert "Host memory, floor 112.42 GB" in demanding.text
    assert "as named by the customer" in demanding.text
    assert "the customer’s own was not named" not in demanding.text.replace("'", "’")


def test_that_runs_side_by_side_each_ask_for_their_host_memory(facts: Facts) -> None:
    # Two runs at once on two cards keep 2 x 192,726,269,952 B = 385.5 GB; two cards add 256 GB for the host.
    job = Workload("Full", facts.models["llama-3.1-8b"], Recipe(Method.FULL, offload=Offload.OPTIMIZER), 4096)
    found = _recommended(facts, replace(job, runs_at_once=2))
    assert found.chosen is not None
    assert (found.chosen.cards, found.chosen.placements[0].runs_in_parallel) == (2, 2)
    assert "Host memory at least 642 GB" in _paper(facts, found).text


def test_that_a_plain_paper_says_nothing_about_what_was_not_asked(facts: Facts) -> None:
    plain = _paper(facts, _recommended(facts, Workload("A", facts.models["llama-3.1-8b"], Recipe(Method.LORA), 2048)))
    for words in ("dB(A)", "or equivalent, required", "Host memory, floor", "as named by the customer"):
        assert words not in plain.text


def test_that_a_bridged_pair_names_its_bridge_and_its_link(facts: Facts) -> None:
    job = Workload("Full", facts.models["llama-3.1-8b"], Recipe(Method.FULL), 4096)
    found = _recommended(facts, job, must_have=frozenset({MustHave.NVLINK}))
    plan = found.chosen
    assert plan is not None
    text = _paper(facts, found).text
    assert plan.bridging is not None
    assert "NVLink bridge, 2-way" in text
    assert "NVLink group of 2 cards" in text
    assert "Direct link between accelerators, per direction at least" in text


def test_that_a_remark_about_a_model_stands_among_the_assumptions(facts: Facts) -> None:
    pure = Workload("Alone", facts.models["llama-3.1-8b"], Recipe(Method.FULL, optimizer=Optimizer.SGD), 2048)
    moe = Workload("Experts", facts.models["qwen3-30b-a3b"], Recipe(Method.QLORA), 2048)
    text = _paper(facts, _recommended(facts, pure, moe)).text
    assert "Experts: " in text


def _png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = b"".join(b"\x00" + b"\x10\x20\x30" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def test_that_a_logo_is_drawn_and_a_broken_one_is_reported(make_draft: Any, make_line: Any) -> None:
    quote = release(make_draft([make_line("1")]))
    without, with_logo = draw(quote), draw(quote, "de", replace(assets("de"), logo_png=_png(60, 20)))
    assert b"/Subtype /Image" not in without.pdf
    assert b"/Image" in with_logo.pdf
    assert with_logo.report.findings == without.report.findings
    broken = draw(quote, "de", replace(assets("de"), logo_png=b"\x89PNG\r\n\x1a\nrubbish"))
    assert FindingKind.UNREADABLE_LOGO in {finding.kind for finding in broken.report.findings}
    assert broken.text == without.text


def test_that_boards_and_general_partners_stand_on_the_letter(make_draft: Any, make_line: Any) -> None:
    stock = replace(
        SELLER,
        name="Muster AG",
        legal_form=LegalForm.AG,
        board_chair="Vera Vorsitz",
        supervisory_chair="Alma Aufsicht",
        directors=(),
    )
    text = draw(release(make_draft([make_line("1")], seller=stock))).text
    assert "Vera Vorsitz" in text
    assert "Alma Aufsicht" in text
    assert "Geschäftsführer" not in text
    partner = GeneralPartner("Muster Verwaltungs GmbH", RegisterEntry("Berlin", "AG Berlin", "HRB 9"), ("Gerd Gesell",))
    kg = replace(SELLER, legal_form=LegalForm.GMBH_CO_KG, partner=partner)
    text = draw(release(make_draft([make_line("1")], seller=kg))).text
    for words in ("Muster Verwaltungs GmbH", "HRB 9", "Gerd Gesell"):
        assert words in text

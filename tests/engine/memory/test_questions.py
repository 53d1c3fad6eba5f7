"""The questions the other way round: longest sequence, largest micro-batch, remedies, MIG instances."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from engine.errors import InvalidInputError
from engine.fit import Verdict, judge
from engine.memory.estimate import estimate
from engine.memory.inverse import largest_micro_batch, longest_sequence
from engine.memory.mig import instance_bytes, memory_slices
from engine.memory.remedies import RemedyKind, remedies
from engine.methods import Loss, Method, Sharding
from tests.engine.memory.builders import LLAMA_8B, LLAMA_70B, run

CARD_96 = 97_887 * 2**20  # driver total of a 96 GB card
CARD_48 = 49_140 * 2**20


def test_that_the_longest_sequence_fits_and_one_token_more_does_not() -> None:
    setup = run(LLAMA_70B, Method.QLORA)
    length = longest_sequence(setup, CARD_96, 0.15)
    assert length is not None
    assert judge(estimate(replace(setup, sequence_length=length)), CARD_96, 0.15) is Verdict.FITS
    assert judge(estimate(replace(setup, sequence_length=length + 1)), CARD_96, 0.15) is not Verdict.FITS
    # traced live bytes: 65.6 GB at 8,192 tokens, 89.2 GB at 16,384; 102.6 GB less 15 % lies between them
    assert 8192 < length < 16384 + 512


def test_that_the_largest_micro_batch_fits_and_one_more_does_not() -> None:
    setup = run(LLAMA_8B, Method.QLORA, sequence=1024)
    count = largest_micro_batch(setup, CARD_48, 0.15)
    assert count is not None
    assert judge(estimate(replace(setup, micro_batch=count)), CARD_48, 0.15) is Verdict.FITS
    assert judge(estimate(replace(setup, micro_batch=count + 1)), CARD_48, 0.15) is not Verdict.FITS


def test_that_what_does_not_fit_at_all_has_no_longest_sequence() -> None:
    assert longest_sequence(run(LLAMA_70B, Method.FULL), CARD_96, 0.15) is None


def test_that_remedies_name_what_each_step_saves() -> None:
    setup = run(LLAMA_70B, Method.QLORA, sequence=8192)
    present = estimate(setup).required.expected
    found = {remedy.kind: remedy for remedy in remedies(setup, CARD_48, 0.15)}
    assert {RemedyKind.FUSED_LOSS, RemedyKind.ONE_MORE_CARD, RemedyKind.SHORTER_SEQUENCE} <= set(found)
    for remedy in found.values():
        assert remedy.saved_bytes == present - estimate(remedy.setup).required.expected > 0
    assert found[RemedyKind.FUSED_LOSS].setup.recipe.loss is Loss.FUSED
    assert found[RemedyKind.ONE_MORE_CARD].setup.layout.sharding is Sharding.FSDP


def test_that_a_full_run_is_offered_eight_bit_moments_and_offloading() -> None:
    kinds = {remedy.kind for remedy in remedies(run(LLAMA_8B, Method.FULL), CARD_96, 0.15)}
    assert {RemedyKind.EIGHT_BIT_OPTIMIZER, RemedyKind.OFFLOADED_OPTIMIZER, RemedyKind.LORA} <= kinds


@pytest.mark.parametrize(
    ("card", "profile", "share"),
    [
        ("96", "24", 4),
        ("141", "18", 8),
        ("141", "35", 4),
        ("141", "71", 2),
        ("96", "48", 2),
        ("80", "10", 8),
        ("141", "141", 1),
    ],
)
def test_that_an_instance_has_a_whole_slice_of_the_card(card: str, profile: str, share: int) -> None:
    assert memory_slices(Decimal(card), Decimal(profile)) == share


# RTX PRO 6000: 102,641,958,912 / 4 = 25,660,489,728 B is more than 24 x 10^9; a quarter of 90 x 10^9 B is less.
def test_that_an_instance_has_what_its_name_says_and_a_slice_at_most() -> None:
    assert instance_bytes(CARD_96, Decimal(96), Decimal(24)) == 24_000_000_000
    assert instance_bytes(90_000_000_000, Decimal(96), Decimal(24)) == 22_500_000_000


def test_that_an_instance_larger_than_the_card_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        instance_bytes(CARD_48, Decimal(48), Decimal(96))

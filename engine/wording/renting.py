"""Words for the comparison of buying and renting: statuses, inputs, questions to a provider, the benchmark plan."""

from __future__ import annotations

from enum import StrEnum

from engine.cost.break_even import BreakEvenStatus, PaybackStatus
from engine.cost.offers import SpeedBasis
from engine.cost.procurement import BenchmarkStep, ProviderQuestion
from engine.cost.rent import LeftOutCode
from engine.cost.sensitivity import CaseInput
from engine.cost.types import RentalOffer
from engine.wording.translator import Translator, mark

_Words = dict[StrEnum, str]

_BREAK_EVENS: _Words = {
    BreakEvenStatus.REACHED: mark("buying pays from this use on"),
    BreakEvenStatus.ABOVE_FULL_USE: mark("renting is always cheaper"),
    BreakEvenStatus.NEVER: mark("an owned hour costs as much as a rented one"),
    BreakEvenStatus.COMMITTED: mark("due whether used or not"),
}
_PAYBACKS: _Words = {
    PaybackStatus.WITHIN_LIFE: mark("within the useful life"),
    PaybackStatus.BEYOND_LIFE: mark("not within the useful life"),
    PaybackStatus.NEVER: mark("never"),
    PaybackStatus.NO_USE: mark("no use planned"),
}
_SPEED_BASES: _Words = {
    SpeedBasis.SAME_CARD: mark("same card, same speed"),
    SpeedBasis.MODELLED: mark("from the speed model"),
    SpeedBasis.ENTERED: mark("entered"),
}
_INPUTS: _Words = {
    CaseInput.PURCHASE_PRICE: mark("Purchase price"),
    CaseInput.RENT: mark("Rent per card and hour"),
    CaseInput.USEFUL_HOURS: mark("Useful hours per year"),
    CaseInput.SPEED_RATIO: mark("Speed of the rented cards"),
    CaseInput.HORIZON_YEARS: mark("Years of use"),
}
_LEFT_OUT: _Words = {
    LeftOutCode.SUPERSEDED: mark("replaced by a newer price"),
    LeftOutCode.NO_RATE: mark("no exchange rate"),
    LeftOutCode.UNKNOWN_CARD: mark("card not in the catalogue"),
    LeftOutCode.NO_SPEED: mark("no step time for the card"),
    LeftOutCode.SERVES_ON_OWN_CARD: mark("serving is compared on the card of this system alone"),
    LeftOutCode.TOO_SLOW: mark("a single run takes longer than a month"),
}
_QUESTIONS: _Words = {
    ProviderQuestion.ALL_REDUCE_BANDWIDTH: mark(
        "Which all-reduce bandwidth do NCCL tests show, inside and between machines?"
    ),
    ProviderQuestion.ALL_GATHER_BANDWIDTH: mark("Which all-gather bandwidth do NCCL tests show?"),
    ProviderQuestion.PLACEMENT: mark("Is it guaranteed that the cards of one job stand together?"),
    ProviderQuestion.FABRIC: mark("InfiniBand or Ethernet with RDMA, and is GPUDirect RDMA supported?"),
    ProviderQuestion.CHECKPOINT_STORAGE: mark("At which rate are checkpoints written and read under load?"),
    ProviderQuestion.PREEMPTION: mark("With what notice may capacity be withdrawn, and what is refunded?"),
    ProviderQuestion.FAILURE_HANDLING: mark("How are failed machines replaced, and how fast?"),
    ProviderQuestion.SUPPORT_RESPONSE: mark("How fast does support answer, also for NCCL errors?"),
    ProviderQuestion.CAPACITY_GUARANTEE: mark("Is the capacity guaranteed for the whole project?"),
    ProviderQuestion.DATA_LOCATION: mark(
        "In which country is the data, under which processing contract, and when is it deleted?"
    ),
}
_STEPS: _Words = {
    BenchmarkStep.MEMORY_FIT: mark(
        "One card: load model, tokenizer, batch and optimiser with the method; does it fit?"
    ),
    BenchmarkStep.MICRO_BATCH_SWEEP: mark(
        "Try micro-batch, sequence length, accumulation and activation checkpointing"
    ),
    BenchmarkStep.NODE_TEST: mark("One whole machine: NCCL tests and a short training"),
    BenchmarkStep.CHECKPOINT_TEST: mark("Write and restore a checkpoint under real load"),
    BenchmarkStep.MULTI_NODE_TEST: mark("Several machines: all-reduce and all-gather at the planned number"),
    BenchmarkStep.FAILURE_DRILL: mark("Kill a worker or simulate preemption, and recover"),
    BenchmarkStep.COST_PER_CHECKPOINT: mark("Compute the cost of one validated checkpoint from the measurements"),
}
_ALL = (_BREAK_EVENS, _PAYBACKS, _SPEED_BASES, _INPUTS, _LEFT_OUT, _QUESTIONS, _STEPS)
_WORDS = {(type(member), member.value): word for words in _ALL for member, word in words.items()}


def renting_label(member: StrEnum, tr: Translator) -> str:
    """The word for a member of one of the comparison's closed sets. KeyError for a set without words."""
    return tr.gettext(_WORDS[type(member), member.value])


def offered_card(offer: RentalOffer, tr: Translator) -> str:
    """The card of an offer as its source names it, and that the source leaves its edition or form open."""
    if len(offer.card_ids) > 1:
        return tr.gettext("{name}, edition not stated").format(name=offer.card_name)
    return offer.card_name

"""Why a plan was chosen, ranked or rejected: codes with numbers. Sentences are made in `engine.wording`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class MemoryHelp(StrEnum):
    """What is open to a run that a card's memory does not hold."""

    ALL = "all"
    FOUR_BIT_ALREADY = "four-bit-already"
    ONE_CARD = "one-card"  # runs over several of these cards are not evidenced, nor are 4-bit bases on them


class ReasonCode(StrEnum):
    """Every reason the planner knows. The value is stable and public (`plan --json`)."""

    # rejections
    MEMORY = "memory"  # the workload does not fit in the card's memory
    HEADROOM = "headroom"  # it fits but leaves less than the stated headroom
    NO_SHARDING_ON_MIG = "no-sharding-on-mig"
    PASSIVE_CARD_AT_DESK = "passive-card-at-desk"
    NOT_LISTED = "not-listed"  # machine not listed for this edition
    COUNT_NOT_LISTED = "count-not-listed"  # more cards than the machine is listed for
    CIRCUIT_POWER = "circuit-power"
    PSU_POWER = "psu-power"
    COOLING = "cooling"
    SLOTS = "slots"
    RACK_UNITS = "rack-units"
    NOISE = "noise"
    RACK_MACHINE_AT_DESK = "rack-machine-at-desk"
    DESK_MACHINE_IN_RACK = "desk-machine-in-rack"  # a tower has no rack mount; values: system
    BRIDGE_LIMIT = "bridge-limit"
    HOST_MEMORY = "host-memory"
    MUST_HAVE = "must-have"  # the card does not have it; values: feature
    MUST_HAVE_UNSTATED = "must-have-unstated"  # no source says whether it does; values: feature, maybe system
    METHOD_UNSUPPORTED = "method-unsupported"  # e.g. bitsandbytes on this vendor's cards
    NO_MULTI_CARD_EVIDENCE = "no-multi-card-evidence"  # no NCCL story
    END_OF_LIFE = "end-of-life"
    PRELIMINARY = "preliminary"
    NO_SYSTEM = "no-system"
    MISSING_FIGURE = "missing-figure"
    BUDGET = "budget"
    BUDGET_UNPROVEN = "budget-unproven"  # no figure for the cards: it may cost any sum; values: limit_amount, currency
    LOAD = "load"  # the month has too few hours for the runs
    DEADLINE = "deadline"  # a run is not done in time at the slow end; values: workload, need_h, limit_h
    RUNS_AT_ONCE = "runs-at-once"  # fewer places than runs that train at once; values: workload, need_runs, limit_runs
    DOMINATED = "dominated"  # fewer of the card in the same machine do as well; values: other, other_need_h and need_h
    SERVING_FORMAT = "serving-format"  # no kernels for weights or cache; values: workload, problem
    SERVING_START = "serving-start"  # the engine does not start; values: workload, problem, need_bytes, limit_bytes
    SERVING_USERS = "serving-users"  # too few requests at once; need_users, limit_users; headroom if only that lacks
    SERVING_USER_RATE = "serving-user-rate"  # too few tokens/s per user; values: workload, need_rate, limit_rate
    SERVING_FIRST_ANSWER = "serving-first-token"  # the prompt alone takes longer; values: workload, need_s, limit_s
    SERVING_THROUGHPUT = "serving-throughput"  # too few tokens/s in all; values: workload, need_rate, limit_rate
    SERVING_NIGHT = "serving-night"  # the job is not done in its night; values: workload, need_h, limit_h
    SERVING_CARDS = "serving-cards"  # no cards or hours left beside training; values: workload
    # grounds and remarks
    SERVING_REPLICAS = "serving-replicas"  # it fits a card, so copies scale straight; values: workload, copies
    SERVING_PIPELINE = "serving-pipeline"  # stages over PCIe for throughput; values: workload, copies, stages
    SERVING_TENSOR = "serving-tensor"  # ranks for latency or fit; values: workload, copies, ranks
    SERVING_NOT_STATED = "serving-not-stated"  # no speed can be stood behind; values: workload
    SHARED_BY_TIME = "shared-by-time"  # values: workload, serving_h, training_h per month
    SHARED_BY_CARDS = "shared-by-cards"  # values: workload, serving_cards, training_cards
    SHARED_BY_MIG = "shared-by-mig"  # values: workload, instances, profile
    TWO_MACHINES = "two-machines"  # one each costs less; values: other, saving_amount, currency
    CHEAPEST = "cheapest"
    FASTEST = "fastest"
    LOWEST_COST_PER_RUN = "lowest-cost-per-run"
    FASTER_SET_ASIDE = "faster-set-aside"  # behind for an unchecked limit or want of a price; values: other
    CHEAPER_SET_ASIDE = "cheaper-set-aside"  # as before
    NONE_PRICED = "none-priced"  # chosen though no price is known for it
    BEST_TIME_FOR_MONEY = "best-time-for-money"  # no budget: an hour less of waiting costs more; need_h, hour_amount
    HOLDS_WITHOUT_SHARDING = "holds-without-sharding"
    SHARDED = "sharded"
    SHARDED_IN_ISLANDS = "sharded-in-islands"  # FSDP inside groups, replicas across; values: also group_cards
    TENSOR_PARALLEL = "tensor-parallel"  # values as for sharded
    CHEAPER_BUT_SLOWER = "cheaper-but-slower"  # what the cheaper choice costs in seconds per step or hours a month
    DEARER_BUT_FASTER = "dearer-but-faster"  # extra_amount, currency, other, other_step_s and step_s, or need_h
    DEARER_AND_SLOWER = "dearer-and-slower"  # values as for dearer-but-faster
    PRICE_NOT_COMPARABLE = "price-not-comparable"  # left out of the order by price on every side; values: item
    NOT_CHECKED = "not-checked"  # a limit could not be checked for want of a figure; values: figure
    HOST_MINIMUM = "host-minimum"  # what the host needs for its cards; values: cards, need_cores, need_gb
    HOST_BELOW_MINIMUM = "host-below-minimum"  # values: system, need_cores and limit_cores, or need_gb and limit_gb
    HOST_MEMORY_CAUTION = "host-memory-caution"  # the floor fits, the cautious figure does not; need_bytes, limit_bytes
    HOST_MEMORY_NEED = "host-memory-need"  # what runs keep there beside the minimum; need_bytes (floor), cautious_bytes
    POWER_OF_CARDS_ALONE = "power-of-cards-alone"  # no figure for the machine without its cards; values: system
    SHARED_MEMORY = "shared-memory"  # processor and graphics draw on one memory; values: system, usable_bytes
    ISLANDS = "islands"  # eight bridged cards are two NVLink islands
    POWER_CAPPED = "power-capped"
    MIG_INSTANCES = "mig-instances"
    PRICE_ON_REQUEST = "price-on-request"
    PRICE_STAND_IN = "price-stand-in"
    ASSUMED_SYSTEM = "assumed-system"
    CALIBRATED = "calibrated"  # times follow the customer's own test run; values: run, measured_tokens, modelled_tokens
    CALIBRATED_ELSEWHERE = "calibrated-elsewhere"  # the same by a run of another kind; values as for calibrated
    WOULD_FIT = "would-fit"  # one change that suffices; values: workload, remedy, saved_bytes
    WOULD_FIT_TIGHTLY = "would-fit-tightly"  # one change that suffices without the headroom; values as above
    WOULD_SAVE = "would-save"  # a step of several; values as above
    WOULD_FIT_TOGETHER = "would-fit-together"  # these steps together suffice; values: workload, saved_bytes
    SEVERAL_MACHINES = "several-machines"  # no one machine holds it; machines, cards of each, card, maybe tensor_cards
    SPLIT_LAYERS = "split-layers"  # one machine holds it by tensor parallelism alone; values as for several-machines
    TOO_MANY_MACHINES = "too-many-machines"  # nor do so many; values: workload, limit_machines, cards of each
    OTHER_PLACE = "other-place"  # a machine for a rack carries what no desk machine does; values: workload, other
    WOULD_NOT_FIT = "would-not-fit"  # no change known here suffices; values: workload
    UTILISATION = "utilisation"
    ALTERNATIVE = "alternative"


@dataclass(frozen=True, slots=True)
class Reason:
    """A code with its numbers: keys end in their unit (`need_bytes`, `limit_w`, `step_s`)."""

    code: ReasonCode
    values: tuple[tuple[str, str | int | float], ...] = ()

    def value(self, key: str) -> str | int | float:
        """The number behind a key; KeyError when absent."""
        return dict(self.values)[key]


def reason(code: ReasonCode, **values: str | int | float) -> Reason:
    """Build a reason from keyword numbers."""
    return Reason(code, tuple(values.items()))

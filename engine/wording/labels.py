"""A word for every member of every closed set. English stands here, German in the catalogue of translations."""

from __future__ import annotations

from enum import StrEnum

from engine.cost.ownership import CostLineKind
from engine.cost.types import EconomicsKey, RentalTerm
from engine.figures import Basis, Grade
from engine.fit import Verdict
from engine.hardware import Availability, CardForm, Cooling, ItemKind, LinkKind, SystemKind
from engine.memory.evidence import Reading
from engine.memory.remedies import RemedyKind
from engine.memory.types import Phase
from engine.methods import (
    Attention,
    Checkpointing,
    Loss,
    Method,
    Objective,
    Offload,
    Optimizer,
    Precision,
    Sharding,
    StateRecipe,
)
from engine.models import CheckpointFormat, MixerKind, Role
from engine.plan.types import PositionKind
from engine.prices import PriceAge, PriceBasis, PriceKind
from engine.serving.formats import FormatProblem
from engine.serving.memory import StartProblem
from engine.speed.types import ComputeFormat, Fabric, SpeedNote, StackClass
from engine.wording.translator import Translator, mark
from engine.workload import MustHave, Place, Priority, ServingSharing

_Words = dict[StrEnum, str]

_METHODS: _Words = {
    Method.FULL: mark("Full fine-tuning"),
    Method.LORA: mark("LoRA"),
    Method.QLORA: mark("QLoRA"),
}
_OBJECTIVES: _Words = {
    Objective.SFT: mark("Supervised fine-tuning"),
    Objective.CONTINUED_PRETRAINING: mark("Continued pretraining"),
    Objective.DPO: mark("DPO (preference pairs)"),
}
_STATE_RECIPES: _Words = {
    StateRecipe.BF16_MASTER: mark("bf16 with fp32 master weights (16 B per parameter)"),
    StateRecipe.BF16: mark("pure bf16 (8 B per parameter)"),
    StateRecipe.AMP: mark("fp32 weights under autocast"),
    StateRecipe.FP32_GRADIENTS: mark("bf16 with fp32 gradients (18 B per parameter)"),
    StateRecipe.FSDP_MIXED: mark("FSDP mixed precision (fp32 shards, bf16 compute)"),
    StateRecipe.BF16_8BIT: mark("8-bit Adam with fp32 master weights (10 B per parameter)"),
}
_OPTIMIZERS: _Words = {
    Optimizer.ADAMW: mark("AdamW"),
    Optimizer.ADAMW_FUSED: mark("AdamW (fused)"),
    Optimizer.ADAMW_FOREACH: mark("AdamW (multi-tensor)"),
    Optimizer.ADAMW_8BIT: mark("AdamW 8-bit"),
    Optimizer.PAGED_ADAMW_8BIT: mark("AdamW 8-bit, paged"),
    Optimizer.ADAFACTOR: mark("Adafactor"),
    Optimizer.LION: mark("Lion"),
    Optimizer.SGD: mark("SGD"),
    Optimizer.MUON: mark("Muon"),
    Optimizer.GALORE: mark("GaLore AdamW"),
}
_PRECISIONS: _Words = {
    Precision.FP32: mark("32-bit (fp32)"),
    Precision.BF16: mark("16-bit (bf16)"),
    Precision.NF4: mark("4-bit (NF4)"),
}
_CHECKPOINTING: _Words = {
    Checkpointing.OFF: mark("activation checkpointing off"),
    Checkpointing.ON: mark("activation checkpointing on"),
    Checkpointing.OFFLOADED: mark("activation checkpoints in host memory"),
}
_ATTENTION: _Words = {
    Attention.FLASH: mark("FlashAttention"),
    Attention.SDPA: mark("SDPA"),
    Attention.EAGER: mark("eager attention"),
}
_LOSSES: _Words = {
    Loss.PLAIN: mark("plain cross-entropy"),
    Loss.CHUNKED: mark("chunked cross-entropy"),
    Loss.FUSED: mark("fused linear cross-entropy"),
}
_OFFLOADS: _Words = {
    Offload.NONE: mark("no offload"),
    Offload.OPTIMIZER: mark("optimiser in host memory"),
    Offload.ALL: mark("optimiser and parameters in host memory"),
    Offload.NVME: mark("optimiser on NVMe"),
}
_SHARDINGS: _Words = {
    Sharding.NONE: mark("no sharding"),
    Sharding.DDP: mark("data parallel (DDP)"),
    Sharding.ZERO1: mark("ZeRO-1"),
    Sharding.ZERO2: mark("ZeRO-2"),
    Sharding.FSDP: mark("FSDP (ZeRO-3)"),
    Sharding.TENSOR: mark("tensor parallel"),
    Sharding.HYBRID: mark("hybrid sharding (HSDP)"),
}
_PRIORITIES: _Words = {
    Priority.PURCHASE_PRICE: mark("lowest purchase price"),
    Priority.COST_PER_RUN: mark("lowest cost per run"),
    Priority.TIME: mark("shortest time"),
}
_PLACES: _Words = {
    Place.DESK: mark("at the desk"),
    Place.RACK: mark("in a rack"),
    Place.DATA_CENTRE: mark("in a data centre"),
}
_MUST_HAVES: _Words = {
    MustHave.NVLINK: mark("NVLink"),
    MustHave.MIG: mark("MIG"),
    MustHave.VGPU: mark("vGPU"),
    MustHave.ECC: mark("ECC memory"),
    MustHave.FP8: mark("FP8 training"),
    MustHave.NVFP4: mark("NVFP4 training"),
}
_COOLINGS: _Words = {
    Cooling.ACTIVE: mark("active, fans on the card"),
    Cooling.BLOWER: mark("active, blower"),
    Cooling.PASSIVE: mark("passive, needs a server's airflow"),
    Cooling.LIQUID: mark("liquid"),
    Cooling.NOT_STATED: mark("cooling not stated"),
}
_CARD_FORMS: _Words = {
    CardForm.PCIE: mark("PCIe card"),
    CardForm.SXM: mark("SXM module"),
    CardForm.OAM: mark("OAM module"),
    CardForm.RACK_SCALE: mark("part of a rack-scale system"),
    CardForm.UNIT: mark("complete small computer"),
}
_AVAILABILITY: _Words = {
    Availability.CURRENT: mark("available"),
    Availability.END_OF_LIFE: mark("end of life"),
    Availability.PRELIMINARY: mark("preliminary"),
}
_LINKS: _Words = {
    LinkKind.NONE: mark("no link"),
    LinkKind.PCIE: mark("PCIe"),
    LinkKind.NVLINK_BRIDGE: mark("NVLink bridge"),
    LinkKind.NVSWITCH: mark("NVSwitch"),
    LinkKind.INFINITY_FABRIC: mark("Infinity Fabric"),
    LinkKind.ETHERNET: mark("Ethernet"),
}
_SYSTEMS: _Words = {
    SystemKind.WORKSTATION: mark("Workstation"),
    SystemKind.SERVER: mark("Server"),
    SystemKind.UNIT: mark("Compact unit"),
    SystemKind.RACK: mark("Rack system"),
}
_VERDICTS: _Words = {
    Verdict.FITS: mark("fits"),
    Verdict.TIGHT: mark("tight"),
    Verdict.UNCERTAIN: mark("uncertain"),
    Verdict.NO: mark("does not fit"),
}
_POSITIONS: _Words = {
    PositionKind.CARD: mark("Graphics card"),
    PositionKind.SYSTEM: mark("System"),
    PositionKind.BRIDGE: mark("Bridge"),
    PositionKind.ACCESSORY: mark("Accessory"),
    PositionKind.SOFTWARE: mark("Software"),
}
_PRICE_KINDS: _Words = {
    PriceKind.LIST: mark("list price"),
    PriceKind.STREET: mark("street price"),
    PriceKind.OFFER: mark("offered price"),
    PriceKind.SELLER: mark("seller's price"),
    PriceKind.ESTIMATE: mark("estimated price"),
    PriceKind.INCLUDED: mark("included at no charge"),
}
_PRICE_BASES: _Words = {
    PriceBasis.SELLER: mark("Seller's price"),
    PriceBasis.PUBLISHED: mark("Published price"),
    PriceBasis.ESTIMATED: mark("Guide price (estimated)"),
    PriceBasis.ON_REQUEST: mark("On request"),
}
_PRICE_AGES: _Words = {
    PriceAge.FRESH: mark("current price"),
    PriceAge.OLD: mark("old price"),
    PriceAge.EXPIRED: mark("expired price"),
}
_GRADES: _Words = {
    Grade.A: mark("vendor's own text"),
    Grade.B: mark("vendor figure from a dated copy"),
    Grade.C: mark("trade press, retailer or measurement"),
    Grade.D: mark("derived by calculation"),
    Grade.M: mark("from memory, unverified"),
}
_BASES: _Words = {
    Basis.PUBLISHED: mark("published"),
    Basis.DERIVED: mark("derived"),
    Basis.ESTIMATED: mark("estimated"),
    Basis.ASSUMED: mark("assumed"),
}
_PHASES: _Words = {
    Phase.LOAD: mark("Loading"),
    Phase.FORWARD: mark("Forward pass"),
    Phase.LOSS: mark("Loss computation"),
    Phase.BACKWARD: mark("Backward pass"),
    Phase.STEP: mark("Optimiser step"),
}
_ROLES: _Words = {
    Role.ATTENTION: mark("Attention layer"),
    Role.MLP: mark("Feed-forward layer"),
    Role.EXPERT: mark("Expert"),
    Role.SHARED_EXPERT: mark("Shared expert"),
    Role.ROUTER: mark("Router"),
    Role.MIXER: mark("State-space or linear-attention layer"),
}
_MIXERS: _Words = {
    MixerKind.ATTENTION: mark("full attention"),
    MixerKind.SLIDING_ATTENTION: mark("sliding-window attention"),
    MixerKind.CHUNKED_ATTENTION: mark("chunked attention"),
    MixerKind.LATENT_ATTENTION: mark("latent attention (MLA)"),
    MixerKind.LINEAR_ATTENTION: mark("linear attention"),
    MixerKind.STATE_SPACE: mark("state-space mixer"),
    MixerKind.NONE: mark("no token mixer"),
}
_CHECKPOINT_FORMATS: _Words = {
    CheckpointFormat.NONE: mark("16- or 32-bit weights"),
    CheckpointFormat.FP8: mark("FP8 weights"),
    CheckpointFormat.MXFP4: mark("MXFP4 weights"),
    CheckpointFormat.NVFP4: mark("NVFP4 weights"),
    CheckpointFormat.GPTQ: mark("GPTQ weights"),
    CheckpointFormat.AWQ: mark("AWQ weights"),
    CheckpointFormat.BITSANDBYTES: mark("bitsandbytes weights"),
    CheckpointFormat.COMPRESSED_TENSORS: mark("integer weights (compressed-tensors)"),
    CheckpointFormat.OTHER: mark("weights in another format"),
}
_SHARINGS: _Words = {
    ServingSharing.AUTO: mark("chosen by the planner"),
    ServingSharing.TIME: mark("by the hour"),
    ServingSharing.CARDS: mark("cards of its own"),
    ServingSharing.MIG: mark("MIG instances of its own"),
}
_SERVING_PROBLEMS: _Words = {
    FormatProblem.CARD: mark("the card has no kernels for it"),
    FormatProblem.ENGINE: mark("the serving engine does not read it"),
    FormatProblem.CACHE: mark("there is no 8-bit cache on this card or in this engine"),
    StartProblem.WEIGHTS: mark("the weights alone are too large"),
    StartProblem.ONE_REQUEST: mark("the longest request is longer than the whole cache"),
    StartProblem.STATES: mark("there is no room for the states of so many requests"),
    StartProblem.POSITIONS: mark("the request is longer than the model was trained for"),
    StartProblem.HEADS: mark("the attention heads cannot be divided over so many cards"),
    StartProblem.LAYERS: mark("there are more pipeline stages than layers"),
}
_ITEMS: _Words = {
    ItemKind.NVLINK_BRIDGE: mark("NVLink bridge"),
    ItemKind.KIT: mark("Kit"),
    ItemKind.SOFTWARE: mark("Software"),
    ItemKind.PRICE_REFERENCE: mark("Price reference (not sold)"),
}
_STACKS: _Words = {
    StackClass.PLAIN_HF: mark("plain Hugging Face stack"),
    StackClass.TUNED_PYTORCH: mark("tuned PyTorch stack"),
    StackClass.VENDOR_TUNED: mark("vendor-tuned stack (NeMo, Megatron)"),
}
_FORMATS: _Words = {
    ComputeFormat.BF16: mark("BF16"),
    ComputeFormat.FP8: mark("FP8"),
    ComputeFormat.FP4: mark("FP4"),
}
_FABRICS: _Words = {
    Fabric.INFINIBAND: mark("InfiniBand"),
    Fabric.ROCE: mark("Ethernet with RoCE"),
}
_SPEED_NOTES: _Words = {
    SpeedNote.RATE_SCALED: mark("The card's matrix rate is scaled from a sister card, not measured."),
    SpeedNote.NO_CARD_RECORD: mark("No fine-tuning measurement is published for this card."),
    SpeedNote.INCOMPLETE_RECORD: mark(
        "A fine-tuning measurement of this card is published, but not with everything needed to compare it."
    ),
    SpeedNote.NO_INSTANCE_RECORD: mark("No training on a MIG instance was measured in public: the band is wider."),
    SpeedNote.SHARDED_OVER_PCIE: mark("Sharded over PCIe: the band is wider."),
    SpeedNote.OFFLOADED: mark("States in host memory: the band is wider."),
    SpeedNote.SHORT_MICRO_BATCH: mark("The micro-batch is short; start-up costs of the kernels dominate."),
    SpeedNote.STACK_ASSUMED: mark("The software stack is assumed."),
    SpeedNote.MIXTURE_OF_EXPERTS: mark("Mixture of experts: the band is wider."),
    SpeedNote.POWER_TABLE_BORROWED: mark("Speed at this power limit is taken from another edition's sweep."),
    SpeedNote.POWER_BELOW_TABLE: mark("The power limit lies outside the measured range; the rate is extrapolated."),
    SpeedNote.PADDED: mark("Samples are padded, not packed."),
    SpeedNote.CALIBRATED: mark("Narrowed by the customer's own test run."),
    SpeedNote.ACROSS_NODES: mark("The run crosses a network between machines: the band is wider."),
    SpeedNote.CALIBRATED_ELSEWHERE: mark("Moved by the customer's own test run of another kind."),
    SpeedNote.LONG_SEQUENCE: mark(
        "Attention over so long a sequence was measured up to 1.8 times slower than computed on cards of this kind, or "
        "not at all: the band is wider."
    ),
    SpeedNote.SHORT_QUANTISED: mark(
        "4-bit weights are unpacked for few tokens at a time; such runs were measured up to 1.7 times slower than "
        "computed: the band is wider."
    ),
    SpeedNote.PREFERENCE_PAIRS: mark("DPO's reference pass is counted, but no measurement of it was found."),
}
_COST_LINES: _Words = {
    CostLineKind.CAPITAL: mark("Purchase less residual value"),
    CostLineKind.INTEREST: mark("Interest"),
    CostLineKind.LEASE: mark("Leasing"),
    CostLineKind.ENERGY_LOAD: mark("Energy under load"),
    CostLineKind.ENERGY_IDLE: mark("Energy between runs"),
    CostLineKind.MAINTENANCE: mark("Maintenance"),
    CostLineKind.LICENCES: mark("Licences"),
    CostLineKind.STAFF: mark("Staff"),
    CostLineKind.ROOM: mark("Room or colocation"),
}
_REMEDIES: _Words = {
    RemedyKind.FUSED_LOSS: mark("Fused loss"),
    RemedyKind.FLASH_ATTENTION: mark("FlashAttention"),
    RemedyKind.CHECKPOINTING: mark("Activation checkpointing"),
    RemedyKind.EIGHT_BIT_OPTIMIZER: mark("8-bit optimiser"),
    RemedyKind.NO_UPCAST: mark("No upcast of embeddings and head"),
    RemedyKind.SMALLER_MICRO_BATCH: mark("Half the micro-batch"),
    RemedyKind.ONE_MORE_CARD: mark("One more card"),
    RemedyKind.OFFLOADED_CHECKPOINTS: mark("Activation checkpoints in host memory"),
    RemedyKind.SHORTER_SEQUENCE: mark("Half the sequence length"),
    RemedyKind.OFFLOADED_OPTIMIZER: mark("Optimiser in host memory"),
    RemedyKind.QLORA: mark("QLoRA instead"),
    RemedyKind.LORA: mark("LoRA instead"),
}
_ECONOMICS: _Words = {
    EconomicsKey.ELECTRICITY_PER_KWH: mark("Electricity per kWh"),
    EconomicsKey.PUE_DESK: mark("PUE at the desk"),
    EconomicsKey.PUE_RACK: mark("PUE in the server room"),
    EconomicsKey.PUE_DATA_CENTRE: mark("PUE in the data centre"),
    EconomicsKey.CO2_G_PER_KWH: mark("CO₂ per kWh in grams"),
    EconomicsKey.LOAD_POWER_SHARE: mark("Power under load, share of the rated power"),
    EconomicsKey.IDLE_POWER_SHARE: mark("Power between runs, share of the load"),
    EconomicsKey.USEFUL_LIFE_YEARS: mark("Useful life in years"),
    EconomicsKey.RESIDUAL_SHARE: mark("Residual value, share of the purchase price"),
    EconomicsKey.MAINTENANCE_SHARE: mark("Maintenance per year, share of the purchase price"),
    EconomicsKey.LICENCES_PER_YEAR: mark("Licences per year"),
    EconomicsKey.STAFF_PER_YEAR: mark("Staff per year"),
    EconomicsKey.ROOM_PER_YEAR: mark("Room or colocation per year"),
    EconomicsKey.INTEREST_PER_YEAR: mark("Interest per year"),
    EconomicsKey.UTILISATION: mark("Utilisation of the year"),
    EconomicsKey.FAILED_RUN_SHARE: mark("Share of failed runs"),
    EconomicsKey.SEARCH_FACTOR: mark("Search runs per productive run"),
    EconomicsKey.RECOVERY_HOURS: mark("Engineer's hours per failed run"),
    EconomicsKey.WAGE_PER_HOUR: mark("Engineer's hourly cost"),
    EconomicsKey.WAITING_PER_HOUR: mark("What an hour less of waiting may cost"),
    EconomicsKey.STORAGE_PER_CHECKPOINT: mark("Storage per checkpoint"),
    EconomicsKey.TRANSFER_PER_CHECKPOINT: mark("Data transfer per checkpoint"),
    EconomicsKey.ORCHESTRATION_PER_CHECKPOINT: mark("Orchestration per checkpoint"),
    EconomicsKey.RENTAL_EXTRA_PER_HOUR: mark("Extra rental cost per hour"),
    EconomicsKey.SPEED_RATIO_BAND: mark("Uncertainty of one card's speed relative to another, factor both ways"),
    EconomicsKey.DECISION_MARGIN: mark("Difference below which neither side is recommended"),
}
_RENTAL_TERMS: _Words = {
    RentalTerm.ON_DEMAND: mark("on demand"),
    RentalTerm.SPOT: mark("spot (may be interrupted)"),
    RentalTerm.COMMUNITY: mark("community (private hosts)"),
    RentalTerm.MARKET_MEDIAN: mark("median of a marketplace"),
    RentalTerm.CAPACITY_BLOCK: mark("capacity block, booked ahead"),
    RentalTerm.FLEX_START: mark("flexible start, limited run time"),
    RentalTerm.RESERVED: mark("reserved, length not stated"),
    RentalTerm.RESERVED_1Y: mark("reserved for one year"),
    RentalTerm.RESERVED_3Y: mark("reserved for three years"),
    RentalTerm.MONTHLY: mark("by the month"),
}
_READINGS: _Words = {
    Reading.DRIVER: mark("as nvidia-smi shows it"),
    Reading.RESERVED: mark("as max_memory_reserved of PyTorch"),
    Reading.ALLOCATED: mark("as max_memory_allocated of PyTorch"),
}
_ALL = (
    *(_METHODS, _OBJECTIVES, _STATE_RECIPES, _OPTIMIZERS, _PRECISIONS, _CHECKPOINTING, _ATTENTION, _LOSSES),
    *(_OFFLOADS, _SHARDINGS, _PRIORITIES, _PLACES, _MUST_HAVES, _COOLINGS, _CARD_FORMS, _AVAILABILITY, _LINKS),
    *(_SYSTEMS, _VERDICTS, _POSITIONS, _PRICE_KINDS, _PRICE_BASES, _PRICE_AGES, _GRADES, _BASES, _PHASES),
    *(_SHARINGS, _SERVING_PROBLEMS, _CHECKPOINT_FORMATS, _ROLES, _MIXERS, _ITEMS, _STACKS, _FORMATS, _FABRICS),
    *(_SPEED_NOTES, _COST_LINES, _ECONOMICS, _RENTAL_TERMS, _REMEDIES, _READINGS),
)
# Members of different sets may share their text ("full", "none"), so the set's type is part of the key.
_WORDS = {(type(member), member.value): word for words in _ALL for member, word in words.items()}

_MEMORY_PARTS = {
    "weights": mark("Weights"),
    "adapters": mark("Adapters"),
    "gradients": mark("Gradients"),
    "master_weights": mark("Master weights"),
    "optimizer": mark("Optimiser"),
    "activations": mark("Activations"),
    "logits": mark("Loss (logits)"),
    "workspace": mark("Workspace"),
    "communication": mark("Communication"),
    "runtime_context": mark("CUDA context"),
    "allocator_reserve": mark("Allocator reserve"),
    "reserve": mark("Reserve"),
    "headroom": mark("Headroom"),
    "free": mark("Free"),
}


def label(member: StrEnum, tr: Translator) -> str:
    """The word for a member of one of Passform's closed sets. KeyError for a set without words."""
    return tr.gettext(_WORDS[type(member), member.value])


def memory_part(name: str, tr: Translator) -> str:
    """The word for one part of the memory bar, by its field name in `CardBytes` and `MemoryEstimate`."""
    return tr.gettext(_MEMORY_PARTS[name])


def grade_mark(grade: Grade, tr: Translator) -> str:
    """The grade as it is shown beside a figure: its letter and what it means."""
    return tr.gettext("{grade}: {meaning}").format(grade=grade.value, meaning=label(grade, tr))

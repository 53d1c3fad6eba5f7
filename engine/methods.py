"""Fine-tuning methods and their recipe: every choice that changes bytes or seconds is named here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Method(StrEnum):
    """What is trained."""

    FULL = "full"
    LORA = "lora"
    QLORA = "qlora"


class Objective(StrEnum):
    """What the loss compares."""

    SFT = "sft"
    CONTINUED_PRETRAINING = "continued-pretraining"
    DPO = "dpo"


class StateRecipe(StrEnum):
    """Precision of weights, gradients, master weights and moments; named, never a silent constant."""

    BF16_MASTER = "bf16-master"  # 16 B per trained parameter with AdamW
    BF16 = "bf16"  # 8 B, plus the step's temporary copy with the multi-tensor AdamW
    AMP = "amp"  # fp32 weights under autocast
    FP32_GRADIENTS = "fp32-gradients"  # 18 B
    FSDP_MIXED = "fsdp-mixed"  # fp32 shards, bf16 compute
    BF16_8BIT = "bf16-8bit"  # 10 B: fp32 master and 8-bit moments as the sizing rules of October 2026 count


class Optimizer(StrEnum):
    """The optimiser and its implementation."""

    ADAMW = "adamw"  # = adamw-fused
    ADAMW_FUSED = "adamw-fused"
    ADAMW_FOREACH = "adamw-foreach"
    ADAMW_8BIT = "adamw8bit"
    PAGED_ADAMW_8BIT = "paged-adamw8bit"
    ADAFACTOR = "adafactor"
    LION = "lion"
    SGD = "sgd"
    MUON = "muon"
    GALORE = "galore-adamw"


class Precision(StrEnum):
    """Number format of stored values."""

    FP32 = "fp32"
    BF16 = "bf16"
    NF4 = "nf4"


class Checkpointing(StrEnum):
    """Activation checkpointing."""

    OFF = "off"
    ON = "on"
    OFFLOADED = "offloaded"


class Attention(StrEnum):
    """The attention kernel."""

    FLASH = "flash"
    SDPA = "sdpa"
    EAGER = "eager"


class Loss(StrEnum):
    """The loss kernel: what becomes of the logits."""

    PLAIN = "plain"
    CHUNKED = "chunked"
    FUSED = "fused"


class Offload(StrEnum):
    """What lives in host memory or on NVMe."""

    NONE = "none"
    OPTIMIZER = "optimizer"
    ALL = "all"
    NVME = "nvme"


class Sharding(StrEnum):
    """How one run is spread over several cards."""

    NONE = "none"
    DDP = "ddp"
    ZERO1 = "zero1"
    ZERO2 = "zero2"
    FSDP = "fsdp"  # = ZeRO-3: parameters, gradients and optimiser states
    TENSOR = "tensor"
    HYBRID = "hsdp"  # FSDP inside each group of cards, replicas of it across the groups


ALL_LINEAR = ("all-linear",)
ATTENTION_ONLY = ("attention",)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Every setting of a training run that changes its memory or speed. Defaults are PEFT's and Hugging Face's."""

    method: Method
    states: StateRecipe = StateRecipe.BF16_MASTER
    optimizer: Optimizer = Optimizer.ADAMW
    objective: Objective = Objective.SFT
    rank: int = 16
    targets: tuple[str, ...] = ALL_LINEAR
    adapter_dtype: Precision = Precision.FP32
    dora: bool = False
    adapter_dropout: bool = False  # dropout in front of the adapters: a mask and a copy of every adapted input
    trains_embeddings: bool = False
    trains_head: bool = False
    double_quantisation: bool = True
    kbit_upcast: bool = False
    checkpointing: Checkpointing = Checkpointing.ON
    attention: Attention = Attention.FLASH
    loss: Loss = Loss.PLAIN
    gradient_accumulation: int = 1
    packing: bool = True
    offload: Offload = Offload.NONE
    autocast: bool | None = None  # None: as usual for the method (AMP, LoRA and QLoRA run under bf16 autocast)
    keeps_outputs: bool = False  # the script holds the logits until the backward pass ends; the HF Trainer does not
    fused_kernels: bool = False  # norms and gated activations as one kernel each (Liger, Unsloth)
    fused_activation: bool = False  # the activation is one operator even where the library writes it out
    keeps_linear_inputs: bool = False  # the framework keeps the inputs of frozen matrices too
    keeps_unpacked: bool = False  # 4-bit weights unpacked for a layer stay until its backward pass (AutoGPTQ's kernels)
    logit_bytes: int | None = None  # held per logit at the loss, where a framework's own loss is none of the above


@dataclass(frozen=True, slots=True)
class Layout:
    """Cards that work on one run and how the run is spread over them."""

    cards: int = 1
    sharding: Sharding = Sharding.NONE
    group: int = 0  # cards of one group, where sharding is hybrid

    @property
    def shard_cards(self) -> int:
        """Cards that hold one copy of the states together, where the layout divides any."""
        return self.group if self.sharding is Sharding.HYBRID else self.cards


SINGLE_CARD = Layout()

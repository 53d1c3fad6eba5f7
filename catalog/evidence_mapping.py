"""From a published record to the setup it describes: what each framework does by default, and units and readings."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.evidence_models import EvidenceModels, UnmappableError
from catalog.evidence_rows import MeasuredRow
from engine.memory.evidence import Outcome, Reading
from engine.memory.types import TrainingSetup
from engine.methods import (
    Attention,
    Checkpointing,
    Layout,
    Loss,
    Method,
    Optimizer,
    Precision,
    Recipe,
    Sharding,
    StateRecipe,
)
from engine.units import GIB

# Module names behind the letters of published tables, over the families in question.
TARGETS = {
    "q": ("q_proj", "query_key_value", "qkv_proj"),
    "k": ("k_proj", "query_key_value", "qkv_proj"),
    "v": ("v_proj", "query_key_value", "qkv_proj"),
    "o": ("o_proj", "dense"),
    "mlp": ("gate_proj", "up_proj", "down_proj", "gate_up_proj", "fc1", "fc2", "dense_h_to_4h", "dense_4h_to_h"),
    "gate": ("gate_proj",),
    "up": ("up_proj",),
    "down": ("down_proj",),
}
# Sources that print "GB" although only GiB can be meant: a run of theirs would need less than its own model states.
GIB_PRINTED_AS_GB = ("qwen-recipes",)
# A driver's total of a card sold with so many gigabytes (nvidia-smi of the cards in the set, MiB).
CARD_TOTALS_MIB = {16: 16384, 24: 24576, 40: 40960, 48: 49140, 80: 81920, 96: 97887, 141: 143771}


@dataclass(frozen=True, slots=True)
class _Framework:
    """What a framework does that a record does not say."""

    logit_bytes: int | None = None
    adapter_dtype: Precision = Precision.FP32
    autocast: bool | None = None
    keeps_linear_inputs: bool = False
    adapter_dropout: bool = False
    accumulates: bool = False
    untied: bool = False
    kbit_upcast: bool = False
    fused_kernels: bool = False
    fused_activation: bool = False
    keeps_unpacked: bool = False


PLAIN = _Framework()
# LitGPT: bf16-true, own modules, lora_dropout 0.05; logits in chunks but all of them alive: bf16 logits, their
# log-softmax and gradient. Frozen layers keep their inputs: the slopes over the length say so for three families.
LITGPT = _Framework(
    6,
    Precision.BF16,
    autocast=False,
    keeps_linear_inputs=True,
    adapter_dropout=True,
    accumulates=True,
    untied=True,
    fused_activation=True,
)
# fms-acceleration's fused kernels: 16-bit logits, an fp32 copy and its gradient in 16 bit; slope over the length 8 B.
FOAK = _Framework(8)
# DeepSpeed in fp16 without autocast, on GPTQ weights: 16-bit logits, log-softmax and gradient.
DEEPSPEED_FP16 = _Framework(6, autocast=False, adapter_dropout=True, keeps_unpacked=True)
QWEN = _Framework(adapter_dropout=True)
# Unsloth: its own autograd for adapters works on 16-bit inputs without copies; fused norms and gated activations.
UNSLOTH = _Framework(adapter_dtype=Precision.BF16, autocast=False, fused_kernels=True)
# PEFT's preparation for k-bit training; it is left out when weights are sharded.
BASELINE_BNB = _Framework(kbit_upcast=True)


def setup_of(row: MeasuredRow, models: EvidenceModels) -> TrainingSetup:
    """The run of a record; UnmappableError with the reason when something decisive is missing."""
    if row.kind == "component":
        raise UnmappableError("One layer only, no whole run.")
    method = _method(row)
    if row.sequence_length is None or row.micro_batch is None:
        raise UnmappableError("Sequence length or micro-batch is not stated.")
    framework = _framework(row)
    model = models.find(
        row.model, row.config, untied=framework.untied, separate_experts=_has_separate_experts(row, method)
    )
    layout = Layout(row.gpus, _sharding(row))
    return TrainingSetup(model, _recipe(row, method, framework), row.sequence_length, row.micro_batch, layout)


def outcome_of(row: MeasuredRow) -> Outcome:
    """What a record says."""
    return {"peak": Outcome.PEAK, "limit": Outcome.RAN, "oom": Outcome.OUT_OF_MEMORY}[row.kind]


def reading_of(row: MeasuredRow) -> Reading:
    """Which of the three figures a record gives; not stated means the driver's."""
    if "max_allocated" in row.measured_what or "max_active" in row.measured_what:
        return Reading.ALLOCATED
    return Reading.RESERVED if "reserved" in row.measured_what else Reading.DRIVER


def measured_bytes(row: MeasuredRow) -> int:
    """The figure in bytes, or the driver's total of the card a yes-no record names."""
    if row.kind != "peak":
        nominal = row.oom_at_gb if row.kind == "oom" else row.fits_in_gb
        if nominal is None:
            raise UnmappableError("The card's memory is not stated.")
        total = CARD_TOTALS_MIB.get(round(nominal))
        return total * 2**20 if total is not None else int(nominal * GIB)
    if row.measured_gib is not None:
        return int(row.measured_gib * GIB)
    if row.measured_gb_per_gpu is None:
        raise UnmappableError("No figure is stated.")
    binary = "GiB" in row.unit or "not stated" in row.unit or row.source_id in GIB_PRINTED_AS_GB
    return int(row.measured_gb_per_gpu * (GIB if binary else 10**9))


def _method(row: MeasuredRow) -> Method:
    try:
        return Method(row.method)
    except ValueError as error:
        raise UnmappableError("The method {method} is none of full, lora, qlora.", method=row.method) from error


def _framework(row: MeasuredRow) -> _Framework:
    if row.framework.startswith("LitGPT"):
        return LITGPT
    if "Qwen finetune" in row.framework and row.method != "full":
        return DEEPSPEED_FP16 if row.method == "qlora" else QWEN
    if row.framework.startswith("Unsloth"):
        return UNSLOTH
    if "fused CE" in row.loss:
        return FOAK
    if "baseline-peft-bnb" in row.framework and row.gpus == 1:
        return BASELINE_BNB
    return PLAIN


def _recipe(row: MeasuredRow, method: Method, framework: _Framework) -> Recipe:
    full = method is Method.FULL
    trains_ends = "plus trainable" in row.lora_targets
    plain_loss = row.loss == "" or row.loss.startswith("plain")
    return Recipe(
        method,
        states=_states(row),
        optimizer=_optimizer(row.optimizer),
        rank=row.lora_rank or 16,
        targets=Recipe(method).targets if full else _targets(row.lora_targets),
        adapter_dtype=framework.adapter_dtype,
        adapter_dropout=framework.adapter_dropout and not full,
        trains_embeddings=trains_ends,
        trains_head=trains_ends,
        double_quantisation=_double_quantisation(row),
        kbit_upcast=framework.kbit_upcast,
        checkpointing=_checkpointing(row.gradient_checkpointing),
        attention=Attention.EAGER if row.attention == "eager" else Attention.FLASH,
        loss=Loss.PLAIN if plain_loss else Loss.FUSED,
        gradient_accumulation=row.gradient_accumulation or (2 if framework.accumulates else 1),
        autocast=framework.autocast,
        fused_kernels=framework.fused_kernels,
        fused_activation=framework.fused_activation,
        keeps_unpacked=framework.keeps_unpacked,
        keeps_linear_inputs=framework.keeps_linear_inputs,
        logit_bytes=framework.logit_bytes,
    )


def _targets(words: str) -> tuple[str, ...]:
    if words == "" or words.startswith(("all", "c_attn")):
        return ("all-linear",)
    names = [name for word in words.split(",") for name in TARGETS.get(word.strip(), ())]
    if not names:
        raise UnmappableError("The adapters' targets ({targets}) are not understood.", targets=words)
    return tuple(sorted(set(names)))


def _double_quantisation(row: MeasuredRow) -> bool:
    """GPTQ has an fp16 scale and zero per 128 weights; LitGPT calls the doubled form "nf4-dq", others always use it."""
    if "GPTQ" in row.quant or "no double" in row.quant:
        return False
    return not (row.framework.startswith("LitGPT") and row.quant == "bnb nf4")


def _states(row: MeasuredRow) -> StateRecipe:
    if row.method != "full":
        return StateRecipe.BF16_MASTER
    if "fp32 shards" in row.weight_dtype:
        return StateRecipe.FSDP_MIXED
    return StateRecipe.BF16_MASTER if "master" in row.weight_dtype else StateRecipe.BF16


def _optimizer(words: str) -> Optimizer:
    if "8bit" in words or "8-bit" in words:
        return Optimizer.ADAMW_8BIT
    if "fused" in words or "DeepSpeed" in words:
        return Optimizer.ADAMW_FUSED
    return Optimizer.ADAMW_FOREACH  # PyTorch's choice on a card when neither is asked for


def _checkpointing(words: str) -> Checkpointing:
    if words == "no":
        return Checkpointing.OFF
    return Checkpointing.OFFLOADED if "offload" in words else Checkpointing.ON


def _sharding(row: MeasuredRow) -> Sharding:
    words = row.sharding
    if row.gpus == 1:
        # Qwen's script for one card starts QLoRA under DeepSpeed's stage 2.
        staged = "ZeRO-2" in words or (row.method == "qlora" and "Qwen finetune" in row.framework)
        return Sharding.ZERO2 if staged else Sharding.NONE
    if "fsdp" in words or "zero3" in words or "ZeRO-3" in words:
        return Sharding.FSDP
    return Sharding.ZERO2 if "zero2" in words else Sharding.DDP


def _has_separate_experts(row: MeasuredRow, method: Method) -> bool:
    """LitGPT knows plain linear layers only; before the library's fifth major version every expert was one as well."""
    return method is Method.QLORA and ("fms-hf-tuning" in row.framework or row.framework.startswith("LitGPT"))

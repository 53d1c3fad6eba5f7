"""Training settings that match the sizing: one file per framework, every memory-relevant switch as it was counted.

Keys follow the published settings of TRL 1.16 with Transformers 5.24, Accelerate 1.15, Axolotl 0.19, LLaMA-Factory
0.9.5 and DeepSpeed 0.19; a test holds them against those releases. Data set and learning rate are the user's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from unicodedata import combining, normalize

from engine.memory.optimisers import GALORE_RANK
from engine.methods import (
    Attention,
    Checkpointing,
    Loss,
    Method,
    Objective,
    Offload,
    Optimizer,
    Precision,
    Recipe,
    Sharding,
    StateRecipe,
)
from engine.plan.types import Placement
from engine.training_limits import (
    FULLY_SHARDED,
    HOST_OPTIMIZERS,
    Framework,
    Missing,
    lack_of,
    missing,
    needs_deepspeed,
    optimiser_on_host,
)
from engine.units import GB

Setting = str | int | float | bool | list["Setting"] | dict[str, "Setting"]
TO_FILL = "CHANGE_ME"
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe", "æ": "ae"})
MAX_STEM = 40


@dataclass(frozen=True, slots=True)
class TrainingFile:
    """One settings file. `content` is YAML, or JSON for DeepSpeed."""

    name: str
    framework: Framework
    content: str


_OPTIMIZERS: Mapping[Optimizer, str] = {
    Optimizer.ADAMW: "adamw_torch_fused",
    Optimizer.ADAMW_FUSED: "adamw_torch_fused",
    Optimizer.ADAMW_FOREACH: "adamw_torch",
    Optimizer.ADAMW_8BIT: "adamw_bnb_8bit",
    Optimizer.PAGED_ADAMW_8BIT: "paged_adamw_8bit",
    Optimizer.ADAFACTOR: "adafactor",
    Optimizer.LION: "lion_32bit",
    Optimizer.SGD: "sgd",
    Optimizer.GALORE: "galore_adamw",
}
_ATTENTION = {Attention.FLASH: "flash_attention_2", Attention.SDPA: "sdpa", Attention.EAGER: "eager"}
_LLAMA_ATTENTION = {Attention.FLASH: "fa2", Attention.SDPA: "sdpa", Attention.EAGER: "disabled"}
_ZERO_STAGES = {Sharding.ZERO1: 1, Sharding.ZERO2: 2, Sharding.FSDP: 3}
_FP32_WEIGHTS = {StateRecipe.AMP, StateRecipe.FSDP_MIXED}


def training_files(placement: Placement, position: int = 1) -> tuple[TrainingFile, ...]:
    """The files for one placed run; fewer where a framework has no such optimiser or layout, see `missing_files`.

    `position` numbers the run among its neighbours and opens the file names.
    """
    run = _Run(placement, position)
    return tuple(run.files())


def missing_files(placement: Placement) -> tuple[Missing, ...]:
    """The frameworks that cannot run the placed run as it was sized."""
    return missing(placement.estimate.setup.recipe, placement.layout)


class _Run:
    """One run and what its files share."""

    def __init__(self, placement: Placement, position: int) -> None:
        self._placement = placement
        self._recipe: Recipe = placement.estimate.setup.recipe
        self._stem = f"{position}-{_stem(placement.workload.name)}"
        self._model = placement.workload.model.hf_id or TO_FILL
        self._cards = placement.layout.cards
        self._sharding = placement.layout.sharding

    def files(self) -> Iterator[TrainingFile]:
        makers = {
            Framework.TRL: self._trl,
            Framework.LLAMA_FACTORY: self._llama_factory,
            Framework.AXOLOTL: self._axolotl,
        }
        layout = self._placement.layout
        wanted = [framework for framework in makers if lack_of(framework, self._recipe, layout) is None]
        if not wanted:
            return
        if self._deepspeed:
            yield self._file(Framework.DEEPSPEED, "json", json.dumps(self._deepspeed_settings(), indent=2) + "\n")
        elif self._cards > 1:
            yield self._yaml(Framework.ACCELERATE, self._accelerate())
        for framework in wanted:
            yield self._yaml(framework, makers[framework]())

    @property
    def _deepspeed(self) -> bool:
        return needs_deepspeed(self._recipe, self._placement.layout)

    @property
    def _fully_sharded(self) -> bool:
        return self._sharding in FULLY_SHARDED

    @property
    def _groups(self) -> int:
        """Replicas of the groups over which the states are divided."""
        return self._cards // self._placement.layout.shard_cards

    @property
    def _quantised(self) -> bool:
        return self._recipe.method is Method.QLORA

    @property
    def _checkpointed(self) -> bool:
        return self._recipe.checkpointing is not Checkpointing.OFF

    def _trl(self) -> dict[str, Setting]:
        recipe = self._recipe
        settings: dict[str, Setting] = {
            "model_name_or_path": self._model,
            "dtype": "float32" if self._fp32_weights else "bfloat16",
            "attn_implementation": _ATTENTION[recipe.attention],
            "dataset_name": TO_FILL,
            "output_dir": f"out/{self._stem}",
            "max_length": self._placement.workload.sequence_length,
        }
        if recipe.objective is not Objective.DPO:
            settings["packing"] = recipe.packing
        settings |= self._trainer()
        settings |= _galore(recipe, "all-linear")
        settings["activation_offloading"] = recipe.checkpointing is Checkpointing.OFFLOADED
        settings["use_liger_kernel"] = recipe.loss is Loss.FUSED
        if recipe.method is not Method.FULL:
            settings |= {
                "use_peft": True,
                "lora_r": recipe.rank,
                "lora_alpha": 2 * recipe.rank,
                "lora_target_modules": ["all-linear"] if self._targets() == "all-linear" else self._targets(),
                "use_dora": recipe.dora,
            }
        if self._quantised:
            settings |= {
                "load_in_4bit": True,
                "bnb_4bit_quant_type": "nf4",
                "use_bnb_nested_quant": recipe.double_quantisation,
                "bnb_4bit_quant_storage": "bfloat16" if self._cards > 1 else "uint8",
            }
        return settings

    def _trainer(self) -> dict[str, Setting]:
        """What TRL and LLaMA-Factory share: the arguments of Transformers' trainer."""
        settings: dict[str, Setting] = {
            "per_device_train_batch_size": self._placement.micro_batch,
            "gradient_accumulation_steps": self._recipe.gradient_accumulation,
            "bf16": True,
            "learning_rate": TO_FILL,
            "optim": _OPTIMIZERS.get(self._recipe.optimizer, ""),
            "gradient_checkpointing": self._checkpointed,
        }
        if self._deepspeed:
            settings["deepspeed"] = self._name(Framework.DEEPSPEED, "json")
        return settings

    def _llama_factory(self) -> dict[str, Setting]:
        recipe = self._recipe
        stages = {Objective.SFT: "sft", Objective.CONTINUED_PRETRAINING: "pt", Objective.DPO: "dpo"}
        settings: dict[str, Setting] = {
            "model_name_or_path": self._model,
            "stage": stages[recipe.objective],
            "do_train": True,
            "finetuning_type": "full" if recipe.method is Method.FULL else "lora",
            "flash_attn": _LLAMA_ATTENTION[recipe.attention],
            "dataset": TO_FILL,
            "template": TO_FILL,
            "output_dir": f"out/{self._stem}",
            "cutoff_len": self._placement.workload.sequence_length,
            "packing": recipe.packing,
            "enable_liger_kernel": recipe.loss is Loss.FUSED,
        }
        settings |= self._trainer()
        # LLaMA-Factory switches checkpointing by its own argument.
        settings.pop("gradient_checkpointing")
        if recipe.optimizer is Optimizer.GALORE:
            settings |= {"optim": "adamw_torch", "use_galore": True, "galore_target": "all", "galore_rank": GALORE_RANK}
        settings["disable_gradient_checkpointing"] = not self._checkpointed
        if recipe.method is Method.FULL:
            settings["pure_bf16"] = recipe.states is StateRecipe.BF16
        else:
            targets = self._targets()
            settings |= {
                "lora_rank": recipe.rank,
                "lora_alpha": 2 * recipe.rank,
                "lora_target": "all" if targets == "all-linear" else ",".join(self._module_names()),
                "use_dora": recipe.dora,
            }
        if self._quantised:
            settings |= {
                "quantization_bit": 4,
                "quantization_method": "bnb",
                "double_quantization": recipe.double_quantisation,
            }
        return settings

    def _axolotl(self) -> dict[str, Setting]:
        recipe = self._recipe
        settings: dict[str, Setting] = {
            "base_model": self._model,
            "attn_implementation": _ATTENTION[recipe.attention],
            "datasets": [{"path": TO_FILL, "type": self._axolotl_type()}],
            "output_dir": f"out/{self._stem}",
            "learning_rate": TO_FILL,
            "sequence_len": self._placement.workload.sequence_length,
            "micro_batch_size": self._placement.micro_batch,
            "gradient_accumulation_steps": recipe.gradient_accumulation,
            "bf16": True,
            "optimizer": _OPTIMIZERS.get(recipe.optimizer, "muon"),
            "gradient_checkpointing": self._checkpointed,
            **_galore(recipe, "all_linear"),
        }
        if recipe.objective is Objective.DPO:
            settings["rl"] = "dpo"
        else:
            settings["sample_packing"] = recipe.packing
        if recipe.method is not Method.FULL:
            settings |= {
                "adapter": "qlora" if self._quantised else "lora",
                "lora_r": recipe.rank,
                "lora_alpha": 2 * recipe.rank,
                "peft_use_dora": recipe.dora,
            }
            if self._targets() == "all-linear":
                settings["lora_target_linear"] = True
            else:
                settings["lora_target_modules"] = list(self._module_names())
        if self._quantised:
            settings["load_in_4bit"] = True
        if recipe.loss is Loss.FUSED:
            settings["plugins"] = ["axolotl.integrations.liger.LigerPlugin"]
            settings["liger_fused_linear_cross_entropy"] = True
        if recipe.loss is Loss.CHUNKED:
            settings["chunked_cross_entropy"] = True
        if self._deepspeed:
            settings["deepspeed"] = self._name(Framework.DEEPSPEED, "json")
        if self._sharding is Sharding.TENSOR:
            settings["tensor_parallel_size"] = self._cards
        if self._sharding is Sharding.HYBRID:
            settings |= {"dp_shard_size": self._placement.layout.shard_cards, "dp_replicate_size": self._groups}
        if self._fully_sharded and not self._deepspeed:
            settings["fsdp_version"] = 2
            settings["fsdp_config"] = {
                "auto_wrap_policy": "TRANSFORMER_BASED_WRAP",
                "reshard_after_forward": True,
                "offload_params": recipe.offload is Offload.ALL,
                "cpu_ram_efficient_loading": not self._quantised,
                "state_dict_type": "SHARDED_STATE_DICT",
            }
        return settings

    def _accelerate(self) -> dict[str, Setting]:
        settings: dict[str, Setting] = {
            "compute_environment": "LOCAL_MACHINE",
            "distributed_type": "FSDP" if self._fully_sharded else "MULTI_GPU",
            "num_machines": 1,
            "num_processes": self._cards,
            "mixed_precision": "bf16",
        }
        if self._sharding is Sharding.HYBRID:
            settings["parallelism_config"] = {
                "parallelism_config_dp_replicate_size": self._groups,
                "parallelism_config_dp_shard_size": self._placement.layout.shard_cards,
                "parallelism_config_tp_size": 1,
                "parallelism_config_cp_size": 1,
            }
        if self._fully_sharded:
            settings["fsdp_config"] = {
                "fsdp_version": 2,
                "fsdp_auto_wrap_policy": "TRANSFORMER_BASED_WRAP",
                "fsdp_reshard_after_forward": True,
                "fsdp_offload_params": self._recipe.offload is Offload.ALL,
                "fsdp_cpu_ram_efficient_loading": not self._quantised,
                "fsdp_activation_checkpointing": False,
                "fsdp_state_dict_type": "SHARDED_STATE_DICT",
            }
        return settings

    def _deepspeed_settings(self) -> dict[str, Setting]:
        stage = _ZERO_STAGES.get(self._sharding, 0)
        zero: dict[str, Setting] = {"stage": stage or 1}
        if self._recipe.offload in {Offload.OPTIMIZER, Offload.ALL}:
            zero["offload_optimizer"] = {"device": "cpu", "pin_memory": True}
        if self._recipe.offload is Offload.NVME:
            zero["offload_optimizer"] = {"device": "nvme", "nvme_path": TO_FILL}
        settings: dict[str, Setting] = {
            "bf16": {"enabled": True},
            "zero_optimization": zero,
            "train_micro_batch_size_per_gpu": self._placement.micro_batch,
            "gradient_accumulation_steps": self._recipe.gradient_accumulation,
        }
        if optimiser_on_host(self._recipe):
            # Without a section of its own DeepSpeed refuses any optimiser but its own on the processor. "auto" takes
            # the trainer's values.
            kind = HOST_OPTIMIZERS[self._recipe.optimizer]
            names = ("lr", "betas", "eps", "weight_decay") if kind == "AdamW" else ("lr", "betas", "weight_decay")
            settings["optimizer"] = {"type": kind, "params": dict.fromkeys(names, "auto")}
        if self._sharding is Sharding.TENSOR:
            zero["gather_16bit_weights_on_model_save"] = True
            settings["tensor_parallel"] = {"autotp_size": self._cards}
        return settings

    @property
    def _fp32_weights(self) -> bool:
        return self._recipe.method is Method.FULL and self._recipe.states in _FP32_WEIGHTS

    def _targets(self) -> Setting:
        if self._recipe.targets == ("all-linear",):
            return "all-linear"
        return list(self._module_names())

    def _module_names(self) -> tuple[str, ...]:
        """Module names; "attention" means the attention matrices of this model."""
        if self._recipe.targets != ("attention",):
            return self._recipe.targets
        blocks = self._placement.workload.model.blocks
        names = [linear.name for block in blocks for linear in block.linears if linear.role.value == "attention"]
        return tuple(dict.fromkeys(name.rsplit(".", 1)[-1] for name in names))

    def _axolotl_type(self) -> str:
        types = {
            Objective.SFT: "chat_template",
            Objective.CONTINUED_PRETRAINING: "completion",
            Objective.DPO: "chat_template.default",
        }
        return types[self._recipe.objective]

    def _yaml(self, framework: Framework, settings: dict[str, Setting]) -> TrainingFile:
        return self._file(framework, "yaml", self._comment() + to_yaml(settings))

    def _file(self, framework: Framework, ending: str, content: str) -> TrainingFile:
        return TrainingFile(self._name(framework, ending), framework, content)

    def _name(self, framework: Framework, ending: str) -> str:
        return f"{self._stem}.{framework.value}.{ending}"

    def _comment(self) -> str:
        required = self._placement.estimate.required
        adapters = "" if self._recipe.method is Method.FULL else f", adapters {self._recipe.adapter_dtype.value}"
        base = "NF4 base" if self._quantised else f"{Precision.BF16.value} base"
        recipe = self._recipe.states.value if self._recipe.method is Method.FULL else base + adapters
        return (
            f"# {self._cards} card(s), {self._sharding.value}, recipe: {recipe}\n"
            f"# Peak per card: {required.expected / GB:.1f} GB expected, "
            f"{required.low / GB:.1f} to {required.high / GB:.1f} GB\n"
        )


def _galore(recipe: Recipe, targets: str) -> dict[str, Setting]:
    """GaLore alone is told which layers it works on, and the rank the sizing counts with."""
    if recipe.optimizer is not Optimizer.GALORE:
        return {}
    return {"optim_target_modules": targets, "optim_args": f"rank={GALORE_RANK}"}


def to_yaml(settings: Mapping[str, Setting], indent: int = 0) -> str:
    """Plain YAML of nested settings; every text is quoted as in JSON, which YAML reads alike."""
    lines = []
    pad = " " * indent
    for key, value in settings.items():
        if isinstance(value, dict):
            lines.append(f"{pad}{key}:\n{to_yaml(value, indent + 2)}")
        elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
            lines.append(f"{pad}{key}:\n" + "".join(_item(item, indent + 2) for item in value))
        else:
            lines.append(f"{pad}{key}: {_scalar(value)}\n")
    return "".join(lines)


def _item(item: Setting, indent: int) -> str:
    if not isinstance(item, dict):
        return f"{' ' * indent}- {_scalar(item)}\n"
    text = to_yaml(item, indent + 2)
    return " " * indent + "- " + text[indent + 2 :]


def _scalar(value: Setting) -> str:
    return json.dumps(value, ensure_ascii=False)


def _stem(name: str) -> str:
    """A file name of plain characters: `Verträge` becomes `vertraege`, `Café` becomes `cafe`."""
    spelt = normalize("NFKD", normalize("NFC", name.lower()).translate(_SPELT_OUT))
    plain = "".join(
        character if character.isascii() and character.isalnum() else "-"
        for character in spelt
        if not combining(character)
    )
    parts = [part for part in plain.split("-") if part]
    return "-".join(parts)[:MAX_STEM].strip("-") or "run"

"""Count a model as the libraries themselves do, for an entry of `catalog/data/models.yaml`.

    python -m venv build/count-venv
    build/count-venv/bin/python -m pip install torch transformers==5.24.0 peft==0.21.2
    build/count-venv/bin/python scripts/count_model.py config.json

Not part of the project's own environment: torch alone is larger than all of it. The versions are those that
`counted_with` names in the file. The weights are never created, so any size is counted in a minute.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoConfig, AutoModelForCausalLM, PretrainedConfig, PreTrainedModel

RANK = 16


def bare(config: PretrainedConfig) -> PreTrainedModel:
    """The model with the shapes of its weights and without the weights."""
    with torch.device("meta"):
        return AutoModelForCausalLM.from_config(config)


def adapter_parameters(config: PretrainedConfig, targets: str | list[str]) -> int:
    """What PEFT trains at rank 16 on these targets."""
    with torch.device("meta"):
        adapted = get_peft_model(bare(config), LoraConfig(r=RANK, target_modules=targets, task_type="CAUSAL_LM"))
    return sum(weight.numel() for weight in adapted.parameters() if weight.requires_grad)


def main(path: Path) -> None:
    """Print the counted fields of one `config.json` in the form of the catalogue."""
    config = AutoConfig.for_model(**json.loads(path.read_text(encoding="utf-8")))
    model = bare(config)
    head = model.get_output_embeddings()
    linear = [part.weight.numel() for part in model.modules() if type(part) is torch.nn.Linear and part is not head]
    counts = {"all_linear": adapter_parameters(config, "all-linear")}
    if any(name.endswith(".q_proj") for name, _ in model.named_modules()):
        counts["q_v"] = adapter_parameters(config, ["q_proj", "v_proj"])
    lines = (
        f"  exact_parameters: {model.num_parameters()}",
        f"  linear_weights: {sum(linear)}",
        f"  lora_r16: {{{', '.join(f'{name}: {count}' for name, count in counts.items())}}}",
    )
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

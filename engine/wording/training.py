"""Why a training framework gets no settings file, in words."""

from __future__ import annotations

from engine.training_limits import Framework, Lack, Missing
from engine.wording.translator import Translator, mark

NAMES = {
    Framework.TRL: "TRL",
    Framework.ACCELERATE: "Accelerate",
    Framework.AXOLOTL: "Axolotl",
    Framework.LLAMA_FACTORY: "LLaMA-Factory",
    Framework.DEEPSPEED: "DeepSpeed",
}
_LACKS = {
    Lack.OPTIMISER: mark("{framework}: no file, it does not know this optimiser"),
    Lack.OPTIMISER_ON_HOST: mark("{framework}: no file, DeepSpeed cannot run this optimiser on the processor"),
    Lack.TENSOR_PARALLEL: mark("{framework}: no file, its settings know no tensor parallelism"),
    Lack.ADAPTERS_DIVIDED: mark("{framework}: no file, it has no settings for adapters on divided layers"),
    Lack.REFUSED: mark("{framework}: no file, its own check refuses this combination"),
}


def missing_text(missing: Missing, tr: Translator) -> str:
    """One line for a framework without a file."""
    return tr.gettext(_LACKS[missing.lack]).format(framework=NAMES[missing.framework])

"""Words for the speed model's evidence: why a record was not scored."""

from __future__ import annotations

from collections.abc import Mapping

from engine.wording.translator import Translator, mark

_UNSCORED: Mapping[str, str] = {
    "impossible-rate": mark("the published rate is more than the card can do"),
    "unknown-card": mark("the card is not known"),
    "unknown-model": mark("the model is not known"),
    "unknown-stack": mark("the software stack is not known"),
    "incomplete": mark("rate, sequence length or micro-batch is missing"),
    "offloaded": mark("states in host memory are not scored"),
    "no-card-rate": mark("the card has no matrix rate at this number format"),
}


def unscored_text(reason: str, tr: Translator) -> str:
    """Why a record could not be timed."""
    return tr.gettext(_UNSCORED[reason])

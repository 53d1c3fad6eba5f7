"""The shape of a file of published measurements. Fields left out were not stated by the source."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else str(value))]
Count = Annotated[int, Field(ge=1, le=2**31)]
Size = Annotated[float, Field(gt=0, lt=1e9, allow_inf_nan=False)]


class _Lenient(BaseModel):
    """Files of others may carry more than is read here."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)


class ModelRow(_Lenient):
    """How a published model name is resolved: a catalogue id or a Hugging Face configuration."""

    id: str | None = None
    config: dict[str, object] | None = None


class MeasuredRow(_Lenient):
    """One published figure with what is known of its run."""

    id: Text
    kind: Literal["peak", "limit", "oom", "component"]
    source_id: Text = ""
    confidence: Literal["high", "medium", "low"] = "low"
    model: Text = ""
    config: dict[str, object] | None = None
    framework: Text = ""
    method: Text = ""
    quant: Text = ""
    optimizer: Text = ""
    weight_dtype: Text = ""
    adapter_dtype: Text = ""
    lora_rank: int | None = None
    lora_targets: Text = ""
    sequence_length: int | None = None
    packing: Text = ""
    micro_batch: int | None = None
    gradient_accumulation: int | None = None
    gradient_checkpointing: Text = ""
    attention: Text = ""
    loss: Text = ""
    gpus: Count = 1
    sharding: Text = ""
    offload: Text = ""
    card: Text = ""
    measured_gb_per_gpu: Size | None = None
    measured_gib: Size | None = None
    measured_what: Text = ""
    unit: Text = ""
    fits_in_gb: Size | None = None
    oom_at_gb: Size | None = None

    @property
    def is_offloaded(self) -> bool:
        """Whether parts lived in host memory."""
        return self.offload not in ("", "none", "no")


class MeasuredFile(_Lenient):
    """A whole file."""

    models: dict[str, ModelRow] = {}
    records: tuple[MeasuredRow, ...]

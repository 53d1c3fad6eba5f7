"""A customer's own `config.json` as a model: named after its folder or file, since a configuration has no name."""

from __future__ import annotations

from pathlib import Path

from catalog.huggingface.convert import model_from_config
from catalog.huggingface.files import read_config
from engine.models import ModelSpec


def model_from_file(path: Path) -> ModelSpec:
    """Read a Hugging Face configuration. Raises `ConfigError` naming the file or the fields that are missing."""
    config = read_config(path)
    folder = path.absolute().parent.name
    name = folder if path.stem == "config" and folder else path.stem
    return model_from_config(config, id=name, name=name, hf_id=str(config.get("_name_or_path", "")))

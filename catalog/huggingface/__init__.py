"""Model architectures from Hugging Face configurations: any decoder's `config.json` to an exact `ModelSpec`."""

from catalog.huggingface.convert import model_from_config
from catalog.huggingface.errors import ConfigError, MissingFieldsError
from catalog.huggingface.files import parse_config, read_config

__all__ = ["ConfigError", "MissingFieldsError", "model_from_config", "parse_config", "read_config"]

"""Model architectures from Hugging Face configurations: any decoder's `config.json` to an exact `ModelSpec`."""

from catalog.huggingface.convert import model_from_config
from catalog.huggingface.errors import ConfigError, MissingFieldsError

__all__ = ["ConfigError", "MissingFieldsError", "model_from_config"]

"""What can be wrong with a model configuration."""

from __future__ import annotations

from engine.errors import InvalidInputError

SHOWN_CHARACTERS = 40


class ConfigError(InvalidInputError):
    """A model configuration that cannot be turned into an architecture; the message names the field."""


class MissingFieldsError(ConfigError):
    """A configuration lacks fields without which its parameters cannot be counted.

    `fields` holds all of them, in the order the architecture asks for them.
    """

    def __init__(self, fields: tuple[str, ...]) -> None:
        super().__init__("The model configuration lacks: {fields}.", fields=", ".join(fields))
        self.fields = fields


def shown(value: object) -> str:
    """A value as it may stand in a message: cut to one short line, whatever a file contained."""
    try:
        text = repr(value) if not isinstance(value, dict | list | tuple) else f"<{type(value).__name__}>"
    except ValueError:
        # an int of more than 4,300 digits has no text form in Python
        text = f"<{type(value).__name__}>"
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"

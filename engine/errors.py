"""The exceptions the engine raises; each message is meant for the person at the screen."""


class PassformError(Exception):
    """Base of every error Passform raises on purpose."""


class InvalidInputError(PassformError):
    """An input is outside what can be computed; the message names the field and the allowed values."""


class CancelledError(PassformError):
    """The user cancelled a long calculation."""

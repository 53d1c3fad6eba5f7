"""The exceptions Passform raises; each message is meant for the person at the screen.

A message is an English template with named placeholders, so that it can be shown in any language:
`InvalidInputError("{field} must be at least {low}.", field="rank", low=1)`.
"""

from __future__ import annotations

from collections.abc import Callable


class PassformError(Exception):
    """Base of every error Passform raises on purpose."""

    def __init__(self, template: str, /, **values: object) -> None:
        super().__init__(template)
        self.template = template
        self.values = values

    def __str__(self) -> str:
        return self.text()

    def text(self, translate: Callable[[str], str] = str) -> str:
        """The message, its template passed through `translate` (a catalogue's `gettext`) first."""
        wording = translate(self.template)
        return wording.format(**self.values) if self.values else wording


class InvalidInputError(PassformError):
    """An input is outside what can be computed; the message names the field and the allowed values."""


class CancelledError(PassformError):
    """The user cancelled a long calculation."""

    def __init__(self) -> None:
        super().__init__("The calculation was cancelled.")

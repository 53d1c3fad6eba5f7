"""Words for the register's closed sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from catalog.register.checking import Flaw, FlawKind
from catalog.register.types import EventKind, RegisterError, Revision, State
from engine.units import Money
from engine.wording import numbers
from engine.wording.translator import Language, Translator, mark

_WORDS: Mapping[StrEnum, str] = {
    State.DRAFT: mark("not sent"),
    State.SENT: mark("sent"),
    State.ACCEPTED: mark("accepted"),
    State.DECLINED: mark("declined"),
    State.EXPIRED: mark("expired"),
    State.SUPERSEDED: mark("superseded"),
    EventKind.ISSUED: mark("issued"),
    EventKind.ERASED: mark("customer data erased"),
}
_FLAWS: Mapping[FlawKind, str] = {
    FlawKind.GAP: mark("{where}: this number has no document."),
    FlawKind.COUNTER: mark("{where}: the counter and the last document disagree."),
    FlawKind.REVISIONS: mark("{where}: its revisions are not in order."),
    FlawKind.CHANGED: mark("{where}: a stored PDF was changed after it was issued."),
    FlawKind.LOST: mark("{where}: a stored PDF is missing."),
}


def state_word(state: State | EventKind, tr: Translator) -> str:
    """The word for a state or an event."""
    return tr.gettext(_WORDS[state])


def flaw_sentence(flaw: Flaw, tr: Translator) -> str:
    """What is wrong with the register."""
    return tr.gettext(_FLAWS[flaw.kind]).format(where=flaw.where)


def sum_text(amount: Money | None, revision: Revision, tr: Translator, language: Language) -> str:
    """A sum of a revision, which never looks whole while positions are missing in it."""
    if amount is None:
        return tr.gettext("on request") if revision.net is None else tr.gettext("not clarified yet")
    shown = numbers.money(amount, language)
    if revision.on_request is None:
        return tr.gettext("{amount}, perhaps incomplete").format(amount=shown)
    if revision.complete:
        return shown
    text = tr.ngettext("{amount} + {count} on request", "{amount} + {count} on request", revision.on_request)
    return text.format(amount=shown, count=numbers.integer(revision.on_request, language))


class StateError(RegisterError):
    """A state does not allow what was asked; the states in the message are in the reader's words."""

    def text(self, translate: Callable[[str], str] = str) -> str:
        """The message with every state as a word."""
        shown = {
            name: translate(_WORDS[value]) if isinstance(value, State) else value for name, value in self.values.items()
        }
        return translate(self.template).format(**shown)

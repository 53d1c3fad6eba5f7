"""Files embedded in a PDF that anybody may have written. Import it only when a PDF is opened: pypdf costs 100 ms."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from pypdf import PdfReader
from pypdf.errors import PyPdfError
from pypdf.generic import ArrayObject, DictionaryObject, PdfObject, StreamObject

from engine.errors import PassformError

MAX_TREE_NODES = 1_500
ACCEPTED_FILTERS: tuple[list[str], ...] = ([], ["/FlateDecode"])
"""pypdf inflates at most 75 MB; further filters, and filters of filters, no Passform writes."""

# What pypdf is known to raise on damaged files, beside its own errors.
DAMAGED = (
    *(PyPdfError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError),
    *(AssertionError, NotImplementedError, OSError, MemoryError),
)


class PdfFileError(PassformError):
    """A PDF cannot be read; the message says why."""


def embedded_files(content: bytes, name: str, wanted: frozenset[str], limit: int) -> dict[str, bytes]:
    """The embedded files called as in `wanted`, each of at most `limit` bytes; `name` stands in messages.

    Raises `PdfFileError` for what is encrypted, damaged, or packed in a way that only an attacker would use.
    """
    try:
        reader = PdfReader(BytesIO(content))
        if reader.is_encrypted:
            raise PdfFileError("{file} is encrypted. Save it without a password and try again.", file=name)
        found: dict[str, bytes] = {}
        for title, stream in _entries(reader, name):
            if title in wanted and title not in found:
                found[title] = _decoded(stream, name, limit)
    except DAMAGED as error:
        raise PdfFileError("{file} is damaged, or no PDF that Passform can read.", file=name) from error
    return found


def _entries(reader: PdfReader, name: str) -> Iterator[tuple[str, StreamObject]]:
    """Name and stream of each entry in the catalogue's tree, at most so many nodes of it."""
    names = _dictionary(reader.root_object.get("/Names"))
    waiting, seen = [_dictionary(names.get("/EmbeddedFiles"))], 0
    while waiting:
        node = waiting.pop()
        waiting += [_dictionary(kid) for kid in _array(node.get("/Kids"))[:MAX_TREE_NODES]]
        for entry in [None, *_array(node.get("/Names"))[1 : 2 * MAX_TREE_NODES : 2]]:
            seen += 1
            if seen > MAX_TREE_NODES:
                raise PdfFileError("{file} carries more attachments than any proposal.", file=name)
            specification = _dictionary(entry)
            stream = _resolved(_dictionary(specification.get("/EF")).get("/F"))
            if isinstance(stream, StreamObject):
                yield str(_resolved(specification.get("/UF", specification.get("/F")))), stream


def _decoded(stream: StreamObject, name: str, limit: int) -> bytes:
    filters = _resolved(stream.get("/Filter"))
    if filters is None:
        listed = []
    elif isinstance(filters, ArrayObject):
        listed = [str(_resolved(item)) for item in filters[:9]]
    else:
        listed = [str(filters)]
    if listed not in ACCEPTED_FILTERS:
        raise PdfFileError("{file}: the consultation in it is packed in a way Passform never uses.", file=name)
    content = stream.get_data()
    if len(content) > limit:
        raise PdfFileError("{file}: the consultation in it is larger than any real one.", file=name)
    return content


def _resolved(value: PdfObject | None) -> PdfObject | None:
    return None if value is None else value.get_object()


def _dictionary(value: PdfObject | None) -> DictionaryObject:
    found = _resolved(value)
    return found if isinstance(found, DictionaryObject) else DictionaryObject()


def _array(value: PdfObject | None) -> ArrayObject:
    found = _resolved(value)
    return found if isinstance(found, ArrayObject) else ArrayObject()

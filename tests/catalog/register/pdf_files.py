"""PDFs nobody should trust, made with pypdf."""

from __future__ import annotations

from io import BytesIO

from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    StreamObject,
    TextStringObject,
)


def pdf_with(files: dict[str, bytes], *, password: str = "", filters: tuple[str, ...] = ()) -> bytes:
    """A one-page PDF that carries files; `filters` are claimed of them, whatever the bytes are."""
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    names = ArrayObject()
    for name, content in files.items():
        stream = DecodedStreamObject()
        stream.set_data(content)
        made: StreamObject = stream
        if filters:
            made[NameObject("/Filter")] = ArrayObject(NameObject(item) for item in filters)
        specification = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Filespec"),
                NameObject("/UF"): TextStringObject(name),
                NameObject("/EF"): DictionaryObject({NameObject("/F"): writer._add_object(made)}),
            }
        )
        names += [TextStringObject(name), writer._add_object(specification)]
    _plant(writer, DictionaryObject({NameObject("/Names"): names}))
    return _written(writer, password)


def pdf_with_endless_tree(*, wide: bool) -> bytes:
    """The tree of embedded files is its own child, once or a thousand times over."""
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    node = DictionaryObject()
    reference = writer._add_object(node)
    node[NameObject("/Kids")] = ArrayObject([reference] * (1_000 if wide else 1))
    _plant(writer, node)
    return _written(writer, "")


def _plant(writer: PdfWriter, tree: DictionaryObject) -> None:
    writer._root_object[NameObject("/Names")] = DictionaryObject({NameObject("/EmbeddedFiles"): tree})
    writer._root_object[NameObject("/Version")] = NumberObject(17)


def _written(writer: PdfWriter, password: str) -> bytes:
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    stream = BytesIO()
    writer.write(stream)
    return stream.getvalue()


def everything_in(pdf: bytes) -> list[bytes]:
    """Raw bytes, every object's text and every stream decoded: all that a curious reader could find."""
    reader = PdfReader(BytesIO(pdf))
    found = [pdf]
    for number in range(1, len(reader.xref_objStm) + sum(len(part) for part in reader.xref.values()) + 1):
        made = reader.get_object(number)
        found.append(repr(made).encode())
        if isinstance(made, StreamObject):
            found.append(made.get_data())
    found.append(repr(reader.metadata).encode())
    found += [(page.extract_text() or "").encode() for page in reader.pages]
    return found

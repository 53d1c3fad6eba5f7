"""CSV files as resellers send them: any delimiter, any usual encoding."""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from collections.abc import Iterator

from catalog.prices_import.cells import EMPTY, Cell, Line, Sheet
from catalog.prices_import.limits import MAX_CELL, MAX_COLUMNS, MAX_LINE, MAX_ROWS, CellBudget, PriceListError

DELIMITERS = ";\t|,"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_EIGHT_BIT = ("cp1252", "mac_roman", "cp850", "cp1250")
_USUAL = set("äöüÄÖÜß€éèàçñ°®™–—„“”‘’…×½²³±µ·\u00a0«»áíóúôêâåøæ£§")
_SAMPLE_LINES = 60


def decode(content: bytes) -> tuple[str, str]:
    """Text and the name of its encoding. Raises `PriceListError` for binary content."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _strict(content, encoding), encoding.removesuffix("-sig")
    nulls = content[:4096].count(0)
    if nulls:
        even = content[:4096:2].count(0)
        encoding = "utf-16-be" if even > nulls / 2 else "utf-16-le"
        if nulls < len(content[:4096]) / 4:
            raise PriceListError("The file is not text: it contains zero bytes.")
        return _strict(content, encoding), encoding
    try:
        return content.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return _eight_bit(content)


def _strict(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except (UnicodeDecodeError, UnicodeError) as error:
        raise PriceListError("The file says it is {encoding} and is not.", encoding=encoding.upper()) from error


def _eight_bit(content: bytes) -> tuple[str, str]:
    """Of the usual eight-bit encodings the one that gives the most usual signs; some of them read every byte."""
    read = [(text, encoding) for encoding in _EIGHT_BIT if (text := _decoded(content, encoding)) is not None]
    return max(read, key=lambda found: _usual_signs(found[0]))


def _decoded(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _usual_signs(text: str) -> int:
    """Signs beyond ASCII that lists hold; one that they do not hold outweighs two."""
    signs = Counter(sign for sign in text if sign > "\x7f")
    return sum(count if sign in _USUAL else -2 * count for sign, count in signs.items())


def delimiter_of(text: str) -> str:
    """The sign between the columns: the one that cuts most lines into the same number of parts."""
    first, _, _ = text.partition("\n")
    if first.lower().startswith("sep=") and len(first.strip()) == 5:
        return first.strip()[4]
    sample = "\n".join(line for line in text.splitlines()[: _SAMPLE_LINES * 2] if line.strip())
    best, best_score = ";", 0.0
    for delimiter in DELIMITERS:
        widths = [len(row) for row in _rows(sample, delimiter)][:_SAMPLE_LINES]
        counted = Counter(width for width in widths if width > 1)
        if not counted:
            continue
        width, lines = counted.most_common(1)[0]
        score = lines / len(widths) * min(width, 12) ** 0.5
        if score > best_score:
            best, best_score = delimiter, score
    return best


def read_text_table(content: bytes, name: str) -> Sheet:
    """Rows of a CSV file. Raises `PriceListError`."""
    text, encoding = decode(content)
    delimiter = delimiter_of(text)
    if text.lower().startswith("sep="):
        text = "\n" + text.partition("\n")[2]
    lines = []
    budget = CellBudget()
    for number, row in enumerate(_rows(text, delimiter), start=1):
        if number > MAX_ROWS:
            raise PriceListError("The list has more than {limit} rows; please split it.", limit=MAX_ROWS)
        cells = tuple(Cell(_cell(value)) if value else EMPTY for value in row[:MAX_COLUMNS])
        budget.spend(sum(cell is not EMPTY for cell in cells))
        lines.append(Line(number, cells))
    shown = {"\t": "TAB"}.get(delimiter, delimiter)
    return Sheet(name, tuple(lines), notes=(f"{encoding}, {shown}",))


def _cell(value: str) -> str:
    if len(value) > MAX_CELL:
        raise PriceListError("A cell has more than {limit} characters; this is no price list.", limit=MAX_CELL)
    return value.replace("\x00", "")


def _lines(text: str) -> Iterator[str]:
    """The lines, none longer than a row of full cells: one of millions of cells would be taken apart whole."""
    for line in io.StringIO(text, newline=""):
        if len(line) > MAX_LINE:
            raise PriceListError("A line has more than {limit} characters; this is no price list.", limit=MAX_LINE)
        yield line


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    reader = csv.reader(_lines(text), delimiter=delimiter, strict=False)
    try:
        yield from reader
    except csv.Error as error:
        raise PriceListError("The rows cannot be taken apart: {problem}.", problem=str(error)) from error

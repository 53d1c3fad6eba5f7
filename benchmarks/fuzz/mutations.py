"""Mutations that keep most of a valid input, so that they get past the first check. Repeatable by seed."""

from __future__ import annotations

import random

TOKENS = (
    *(
        b"[",
        b"]",
        b"{",
        b"}",
        b"(",
        b")",
        b"<<",
        b">>",
        b"<",
        b">",
        b":",
        b"- ",
        b"\n",
        b"\r\n",
        b"\t",
        b",",
        b";",
        b'"',
    ),
    *(
        b"'",
        b"\\",
        b"/",
        b"../",
        b"\x00",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"&a ",
        b"*a",
        b"!!python/name:os.system ",
        b"<<: ",
    ),
    *(b"null", b"true", b"NaN", b"Infinity", b"-1", b"0", b"1e999", b"9" * 30, b"9" * 5000, b"1.7976931348623157e308"),
    *(
        b"2026-99-99",
        b"\xc3\xa4",
        "٣".encode(),
        "\u202e".encode(),
        b"{0.__class__}",
        b"{problem}",
        b"%s",
        b"=cmd|' /C calc'!A0",
    ),
    *(b"!!timestamp ", b"!!bool ", b"!!int ''", b"!!set ", b"<<: {a: 1}", b"1:30", b"017", b" " * 3000, b'"\\' * 3000),
    *(
        b"[" * 60,
        b'{"a":' * 60,
        b"- " * 60,
        b"a" * 5000,
        b"<!DOCTYPE x [<!ENTITY y 'z'>]>",
        b" 0 R",
        b"/Filter/FlateDecode",
    ),
)


def mutate(seed: bytes, other: bytes, chance: random.Random) -> bytes:
    """One mutated input: one to six small changes."""
    content = bytearray(seed)
    for _ in range(chance.randint(1, 6)):
        _CHANGES[chance.randrange(len(_CHANGES))](content, other, chance)
    return bytes(content[:200_000])


def _place(content: bytearray, chance: random.Random) -> int:
    return chance.randint(0, len(content))


def _flip(content: bytearray, _other: bytes, chance: random.Random) -> None:
    if content:
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def _put(content: bytearray, _other: bytes, chance: random.Random) -> None:
    place = _place(content, chance)
    content[place:place] = chance.choice(TOKENS)


def _overwrite(content: bytearray, _other: bytes, chance: random.Random) -> None:
    token = chance.choice(TOKENS)
    place = _place(content, chance)
    content[place : place + len(token)] = token


def _remove(content: bytearray, _other: bytes, chance: random.Random) -> None:
    place = _place(content, chance)
    del content[place : place + chance.choice((1, 2, 8, 64, 1000))]


def _repeat(content: bytearray, _other: bytes, chance: random.Random) -> None:
    place = _place(content, chance)
    piece = bytes(content[place : place + chance.choice((1, 8, 64, 300))])
    content[place:place] = piece * chance.choice((1, 2, 50))


def _cross(content: bytearray, other: bytes, chance: random.Random) -> None:
    place = _place(content, chance)
    start = chance.randint(0, len(other))
    content[place:place] = other[start : start + chance.choice((4, 40, 400))]


def _replace_word(content: bytearray, _other: bytes, chance: random.Random) -> None:
    """Put another value where a word or number stood: keys stay, values change."""
    place = _place(content, chance)
    end = place
    while end < len(content) and bytes(content[end : end + 1]).isalnum():
        end += 1
    content[place:end] = chance.choice(TOKENS)


def _swap_lines(content: bytearray, _other: bytes, chance: random.Random) -> None:
    lines = bytes(content).split(b"\n")
    if len(lines) > 1:
        first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[first], lines[second] = lines[second], lines[first]
        content[:] = b"\n".join(lines)


_CHANGES = (_flip, _put, _overwrite, _remove, _repeat, _cross, _replace_word, _swap_lines)

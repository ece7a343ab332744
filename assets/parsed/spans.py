r"""White space and spans: what counts as blank, and how a span is trimmed.

A span is a pair (start, end) of character positions in the decoded text. The set of blank characters is Unicode's
White_Space property, the same that Polars' `\s` uses, so that counts made here and in the checks agree. Python's own
`str.isspace` differs from it (U+001C to U+001F).
"""

from __future__ import annotations

import re

import polars as pl

WHITE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""The characters with Unicode's White_Space property."""

_SLICE = 1 << 20
_ASCII_WHITE = b"\t\n\x0b\x0c\r "
_RARE_WHITE = re.compile(f"[{''.join(c for c in WHITE if c > chr(127))}]")

LINE_END = re.compile("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
"""Where a line ends, as `str.splitlines` sees it but for the separators U+001C to U+001E."""

_LINE_FEED = re.compile("\n")
_OTHER_LINE_ENDS = "\r\x0b\x0c\x85\u2028\u2029"

Span = tuple[int, int]


def count_nonblank(text: str) -> int:
    """Return how many characters of the text are not white space."""
    # In slices, so that a large document is not copied whole.
    return sum(_count_nonblank(text[at : at + _SLICE]) for at in range(0, len(text), _SLICE))


def _count_nonblank(text: str) -> int:
    encoded = text.encode("utf-8", "surrogatepass")
    blanks = len(encoded) - len(encoded.translate(None, _ASCII_WHITE))
    return len(text) - blanks - (0 if len(encoded) == len(text) else len(_RARE_WHITE.findall(text)))


def nonblank(column: pl.Expr) -> pl.Expr:
    """Return the number of characters of each text that are not white space (0 for null)."""
    return (column.str.len_chars().cast(pl.Int64) - column.str.count_matches(r"\s").cast(pl.Int64)).fill_null(0)


def trim(text: str, start: int, end: int) -> Span:
    """Return the span without the white space at both its ends (empty, at its start, when all of it is blank)."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip(WHITE))
    right = len(piece.rstrip(WHITE))
    return (start + left, start + right) if right > left else (start, start)


def lines_of(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """Return the spans of the lines between two positions, without their line ends."""
    end = len(text) if end is None else end
    lines, at = [], start
    # Nearly every document ends its lines with line feeds alone, and one character is found far faster than a choice.
    plain = not any(mark in text for mark in _OTHER_LINE_ENDS)
    for match in (_LINE_FEED if plain else LINE_END).finditer(text, start, end):
        lines.append((at, match.start()))
        at = match.end()
    if at < end:
        lines.append((at, end))
    return lines

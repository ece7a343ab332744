"""Conservation by construction: whatever a format leaves over becomes a reject.

Only this module decides what happens to text between records; formats need not think of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from assets.parsed.record import Heading, Parsed, Piece, Record
from assets.parsed.spans import WHITE, trim

HEADING = "heading"


@dataclass(frozen=True)
class Covered:
    """A document cut into disjoint stretches, in order, that hold every non-blank character."""

    records: list[Record]
    pieces: list[Piece]
    heading: Heading | None


def cover(text: str, parsed: Parsed) -> Covered:
    """Return the records and pieces of a parsed document, trimmed, in order, with every gap filled.

    A stretch that overlaps the one before it is shortened to what is left of it; a record that is left without any
    text is dropped. A heading that lies in a record or a piece is none.
    """
    parts: list[Record | Piece] = [*parsed.records, *parsed.pieces]
    heading = parsed.heading
    if heading and not text[heading.start : heading.end].strip(WHITE):
        heading = None
    if heading and any(part.start < heading.end and heading.start < part.end for part in parts):
        heading = None
    if heading:
        parts.append(Piece(heading.start, heading.end, HEADING))
    stretches = sorted(parts, key=lambda part: part.start)
    records: list[Record] = []
    pieces: list[Piece] = []
    at = 0
    for stretch in stretches:
        start, end = trim(text, max(stretch.start, at), max(stretch.end, at))
        if start == end:
            continue
        _fill(text, at, start, parsed.gap_reason, pieces)
        stretch.start, stretch.end = start, end
        if isinstance(stretch, Record):
            records.append(stretch)
        elif stretch.reason != HEADING:
            pieces.append(stretch)
        at = end
    _fill(text, at, len(text), parsed.gap_reason, pieces)
    return Covered(records, pieces, heading)


def _fill(text: str, start: int, end: int, reason: str, pieces: list[Piece]) -> None:
    if start < end:
        start, end = trim(text, start, end)
        if start < end:
            pieces.append(Piece(start, end, reason))

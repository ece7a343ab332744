"""Text lists whose records are parted by a row of stars, dashes or the like."""

from __future__ import annotations

from collections import Counter

from assets.parsed.formats.fields import read_record
from assets.parsed.formats.layout import is_rule
from assets.parsed.formats.text import top_heading
from assets.parsed.furniture import is_furniture
from assets.parsed.record import Heading, Parsed, Piece
from assets.parsed.spans import Span, lines_of, trim

NAME = "text"
LEAST_WIDTH = 4


def rule_of(text: str) -> str | None:
    """Return the row that parts the records of a text, or None when no row does so."""
    rows = Counter(
        text[a:b]
        for a, b in (trim(text, *line) for line in lines_of(text))
        if LEAST_WIDTH <= b - a <= 200 and is_rule(text[a:b])
    )
    if not rows:
        return None
    row, count = max(rows.items(), key=lambda item: (item[1], len(item[0])))
    return row if count >= 2 else None


def probe(text: str) -> float:
    """Return how sure it is that rows of one kind part records of several lines."""
    sample = text[:200_000]
    row = rule_of(sample)
    if row is None:
        return 0.0
    groups = _groups(sample, row)
    usual = [lines for lines, _ in groups if 1 <= len(lines) <= 60]
    return 0.7 if len(usual) >= 2 and len(usual) >= 0.7 * len(groups) else 0.0


def _groups(text: str, row: str) -> list[tuple[list[Span], Span | None]]:
    """Return for each record its non-blank lines and the row after it."""
    groups: list[tuple[list[Span], Span | None]] = []
    run: list[Span] = []
    for line in lines_of(text):
        start, end = trim(text, *line)
        if start == end:
            continue
        if text[start:end] == row or (
            is_rule(text[start:end]) and text[start:end][:1] == row[:1] and end - start >= LEAST_WIDTH
        ):
            groups.append((run, (start, end)))
            run = []
        else:
            run.append((start, end))
    groups.append((run, None))
    return [group for group in groups if group[0] or group[1]]


def parse(text: str) -> Parsed:
    """Return the records between the rows."""
    parsed = Parsed(NAME, heading=top_heading(text))
    row = rule_of(text) or "*"
    for lines, rule in _groups(text, row):
        body = _without_surroundings(text, lines, parsed)
        if not body:
            if rule:
                parsed.pieces.append(Piece(*rule, "structure"))
            continue
        record = read_record(text, body, start=body[0][0], end=rule[1] if rule else body[-1][1])
        parsed.records.append(record)
    return parsed


def _without_surroundings(text: str, lines: list[Span], parsed: Parsed) -> list[Span]:
    """Put the heading and lines of furniture at both ends of a group aside."""
    lines = list(lines)
    while lines and _is_aside(text, lines[0], parsed):
        del lines[0]
    while lines and _is_aside(text, lines[-1], parsed):
        del lines[-1]
    return lines


def _is_aside(text: str, line: Span, parsed: Parsed) -> bool:
    heading: Heading | None = parsed.heading
    if heading is not None and line[0] <= heading.start and heading.end <= line[1]:
        return True
    if heading is not None and text[line[0] : line[1]].casefold() == text[heading.start : heading.end].casefold():
        parsed.pieces.append(Piece(*line, "heading_repeat"))
        return True
    if is_furniture(text[line[0] : line[1]]):
        parsed.pieces.append(Piece(*line, "page_furniture"))
        return True
    return False

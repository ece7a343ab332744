"""Text lists of one paper a bullet: abstracts or titles after a dash, a star or a dot."""

from __future__ import annotations

import re
from itertools import pairwise

from assets.parsed.formats.fields import is_abstract_like, read_record
from assets.parsed.formats.layout import weight
from assets.parsed.formats.numbered import read_single
from assets.parsed.formats.text import top_heading
from assets.parsed.formats.title_lists import is_title
from assets.parsed.furniture import is_furniture
from assets.parsed.heading import find_heading
from assets.parsed.record import Parsed, Piece, Record
from assets.parsed.spans import Span, lines_of, trim

NAME = "text"
_BULLET = re.compile(r"[-*+•·▪◦‣]\s+(?=\S)")


def _lines(text: str) -> tuple[list[Span], list[int]]:
    """Return the non-blank lines and the indexes of those that begin with a bullet at the left edge."""
    lines: list[Span] = []
    marks: list[int] = []
    for start, end in lines_of(text):
        a, b = trim(text, start, end)
        if a < b:
            if a == start and _BULLET.match(text, a, b):
                marks.append(len(lines))
            lines.append((a, b))
    return lines, marks


def probe(text: str) -> float:
    """Return how sure it is that nearly all of a text is bullets with whole abstracts or titles."""
    sample = text[:200_000]
    lines, marks = _lines(sample)
    if len(marks) < 3 or marks[0] > 12:
        return 0.0
    whole = sum(weight(sample[slice(*line)]) for line in lines)
    before = sum(weight(sample[slice(*line)]) for line in lines[: marks[0]])
    abstracts = sum(is_abstract_like(_BULLET.sub("", sample[slice(*lines[mark])], count=1)) for mark in marks)
    if before > 0.2 * whole or len(marks) < 0.3 * len(lines):
        return 0.0
    titles = sum(is_title(_BULLET.sub("", sample[slice(*lines[mark])], count=1)) for mark in marks)
    named = len(marks) >= 3 and find_heading(sample, lines[: marks[0]]) is not None
    whole_bullets = abstracts >= 0.8 * len(marks) and len(marks) >= 0.5 * len(lines)
    return 0.66 if whole_bullets or (named and titles >= 0.9 * len(marks)) else 0.0


def parse(text: str) -> Parsed:
    """Return one record per bullet."""
    parsed = Parsed(NAME, heading=top_heading(text))
    lines, marks = _lines(text)
    heading = parsed.heading
    for line in lines[: marks[0] if marks else len(lines)]:
        if not (heading and line[0] <= heading.start and heading.end <= line[1]):
            reason = "page_furniture" if is_furniture(text[slice(*line)]) else "fragment"
            parsed.pieces.append(Piece(*line, reason))
    for begin, stop in pairwise([*marks, len(lines)]):
        group = lines[begin:stop]
        while len(group) > 1 and is_furniture(text[slice(*group[-1])]):
            parsed.pieces.append(Piece(*group.pop(), "page_furniture"))
        bullet = _BULLET.match(text, *group[0])
        first = (bullet.end() if bullet else group[0][0], group[0][1])
        parsed.records.append(_record(text, [first, *group[1:]], group[0][0], group[-1][1]))
    return parsed


def _record(text: str, lines: list[Span], start: int, end: int) -> Record:
    whole = (lines[0][0], lines[-1][1])
    if is_abstract_like(text[slice(*lines[0])]):
        return Record(start, end, abstract=text[slice(*whole)], abstract_span=whole)
    if len(lines) == 1:
        return read_single(text, lines[0], Record(start, end))
    return read_record(text, lines, start=start, end=end)

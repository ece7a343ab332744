"""Numbered text lists: "1. title", "[2] abstract", number TAB authors. title."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from assets.parsed.formats.fields import has_number, is_abstract_like, read_record, without_number
from assets.parsed.formats.layout import ends_sentence, is_rule, weight
from assets.parsed.formats.names import looks_like_authors, split_names
from assets.parsed.formats.text import top_heading
from assets.parsed.furniture import is_furniture
from assets.parsed.heading import read_heading
from assets.parsed.record import Parsed, Piece, Record
from assets.parsed.spans import Span, lines_of, trim

NAME = "text"
LONGEST_SITE_LINE = 120
_MARK = re.compile(
    r"^(?:\[(\d{1,5})\]|\(?(\d{1,5})[.)、．:,](?=\s|[^\d\s])|#(\d{1,5})[.:]?\s|(\d{1,5})(?:\t|[ ]{2,})|(?:Paper|No\.?|"
    r"第)\s*(\d{1,5})\s*(?:[.:：]|篇[:：]?))\s*"
)
# A full stop after an initial ends no list of authors.
_AUTHORS_TITLE = re.compile(r"^(?P<authors>.+?(?:[\w)]{2}|[^\x00-\x7f])(?<![\s.][A-Z]))\.\s+(?P<title>\S.*)$")
_TITLE_AUTHORS = re.compile(r"^(?P<title>.+?)\s*(?:[—–]|\s-\s|\t|\s\|\s|\s/\s|\sby\s(?=[A-Z]))\s*(?P<authors>[^\t]+)$")
_CITED = re.compile(
    r"(?<=[\w)?!])[.?!,]\s+(?:In:?\s+(?=[A-Z])|(?:In\s+)?Proc(?:eedings|\.)|arXiv\b|Advances in|Journal of|"
    r"IEEE\b|ACM\b|CoRR\b|(?:19|20)\d\d\.?$).*$"
)
"""Where a paper appeared, behind its title in a list of references."""


def _marks(text: str) -> tuple[list[Span], list[tuple[int, int]]]:
    """Return the non-blank lines and (index, number) of those that begin an item."""
    lines = [span for line in lines_of(text) if (span := trim(text, *line))[0] < span[1]]
    marks: list[tuple[int, int]] = []
    kept: list[tuple[int, int]] = []
    for index, (start, end) in enumerate(lines):
        if match := _MARK.match(text[start : min(end, start + 40)]):
            if marks and index and read_heading(text[slice(*lines[index - 1])]):
                kept += _rising(marks)
                marks = []
            marks.append((index, int(next(g for g in match.groups() if g))))
    return lines, [*kept, *_rising(marks)]


def _rising(marks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the marks whose numbers go up: numbers inside an item that start again are its own."""
    kept: list[tuple[int, int]] = []
    for position, (index, number) in enumerate(marks):
        last = kept[-1][1] if kept else None
        following = marks[position + 1][1] if position + 1 < len(marks) else number + 1
        if last is None:
            if (number <= 10_000 and following > number) or len(marks) == 1:
                kept.append((index, number))
        elif number > last and (number <= last + 200):
            kept.append((index, number))
    return kept


def probe(text: str) -> float:
    """Return how sure it is that the text is one numbered list from top to bottom."""
    sample = text[:200_000]
    lines, marks = _marks(sample)
    if len(marks) < 2 or marks[0][0] > 40:
        return 0.0
    steps = [b[1] - a[1] for a, b in pairwise(marks)]
    small = sum(s <= 30 for s in steps)
    before = sum(weight(text[slice(*line)]) for line in lines[: marks[0][0]])
    whole = sum(weight(text[slice(*line)]) for line in lines)
    most = max(b[0] - a[0] for a, b in zip(marks, [*marks[1:], (len(lines), 0)], strict=True))
    sizes = sorted(
        sum(weight(sample[slice(*line)]) for line in lines[a:b])
        for a, b in pairwise([*(index for index, _ in marks), len(lines)])
    )
    if sizes[-1] > 12 * sizes[(len(sizes) - 1) // 2] + 600:
        return 0.0
    if small < 0.9 * len(steps) or before > 0.4 * whole or most > 60:
        return 0.0
    return 0.65 if len(marks) >= 3 or marks[0][1] <= 1 else 0.0


def parse(text: str) -> Parsed:
    """Return one record per numbered item."""
    parsed = Parsed(NAME, heading=top_heading(text))
    lines, marks = _marks(text)
    starts = [index for index, _ in marks]
    for line in lines[: starts[0] if starts else len(lines)]:
        _aside(text, line, parsed)
    site = _recurring(text, lines, len(starts))
    for begin, stop in pairwise([*starts, len(lines)]):
        group = [line for line in lines[begin:stop] if line == lines[begin] or text[slice(*line)] not in site]
        while len(group) > 1 and (is_furniture(text[slice(*group[-1])]) or _is_repeat(text, group[-1], parsed)):
            repeat = _is_repeat(text, group[-1], parsed)
            parsed.pieces.append(Piece(*group.pop(), repeat or "page_furniture"))
        parsed.records.append(_item(text, group))
    return parsed


def _recurring(text: str, lines: list[Span], items: int) -> set[str]:
    """Return the short lines of a site that come again in at least half of the items."""
    counts = Counter(text[a:b] for a, b in lines if b - a <= LONGEST_SITE_LINE)
    return {line for line, count in counts.items() if count >= max(3, 0.5 * items)}


def _is_repeat(text: str, line: Span, parsed: Parsed) -> str | None:
    """Return the reason to set a line aside that is the heading again, or the heading of a further list."""
    heading = parsed.heading
    if heading and text[slice(*line)].casefold() == text[heading.start : heading.end].casefold():
        return "heading_repeat"
    return "structure" if read_heading(text[slice(*line)]) else None


def _item(text: str, group: list[Span]) -> Record:
    start, end = group[0][0], group[-1][1]
    mark = _MARK.match(text[start : group[0][1]])
    first = trim(text, start + (mark.end() if mark else 0), group[0][1])
    lines = [first, *group[1:]] if first[0] < first[1] else group[1:]
    body = [line for line in lines if not is_rule(text[slice(*line)])]
    if len(body) == 1:
        return read_single(text, body[0], Record(start, end))
    return read_record(text, body, start=start, end=end) if body else Record(start, end)


def read_single(text: str, line: Span, record: Record) -> Record:
    """An item of one line: an abstract, or a title with or without its authors."""
    piece = text[slice(*line)]
    if is_abstract_like(piece):
        record.abstract, record.abstract_span = piece, line
        return record
    for pattern in (_AUTHORS_TITLE, _TITLE_AUTHORS):
        match = pattern.match(piece)
        if match and looks_like_authors(match["authors"]):
            record.title, record.authors = _CITED.sub("", match["title"]).strip(), split_names(match["authors"]) or None
            return record
    record.title = without_number(piece) if has_number(piece) and not ends_sentence(piece) else piece
    return record


def _aside(text: str, line: Span, parsed: Parsed) -> None:
    heading = parsed.heading
    if heading and line[0] < heading.end and heading.start < line[1]:
        return
    piece = text[slice(*line)]
    reason = "structure" if is_rule(piece) else "page_furniture" if is_furniture(piece) else "fragment"
    parsed.pieces.append(Piece(*line, reason))

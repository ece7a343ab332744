"""Text lists whose fields have labels: "Title: ...", "Authors: ...", "摘要：...", in lines or blocks of their own."""

from __future__ import annotations

import re
from itertools import pairwise

from assets.parsed.formats.fields import LABELS, label_of, read_record
from assets.parsed.formats.layout import is_rule
from assets.parsed.formats.text import parse as parse_text
from assets.parsed.formats.text import top_heading
from assets.parsed.furniture import is_furniture
from assets.parsed.record import Parsed, Piece
from assets.parsed.spans import Span, lines_of, trim

NAME = "text"
_TITLE = re.compile(
    rf"^[ \t>#*_•+\-・【\[\d.)]*(?:{LABELS['title']})\s*[】\]]?\s*[*_]*\s*[:：]", re.IGNORECASE | re.MULTILINE
)
# "3.", "[3]", "[3] arXiv:2601.00003 [pdf]", "【3】 The title in another language".
_ABOVE = re.compile(
    r"(?:Paper\s*)?[#\[(]?\d{1,5}[\].):：]?$|\[\d{1,5}\]\s+arXiv:|arXiv:\d{4}\.\d{4,5}|【\d{1,5}】", re.IGNORECASE
)


def probe(text: str) -> float:
    """Return how sure it is that records are labelled fields: titles by label, with abstracts or authors by label."""
    sample = text[:200_000].replace("\r", "\n")
    titles = len(_TITLE.findall(sample))
    if titles == 0:
        return 0.0
    others = sum(
        bool((mark := label_of(line.strip())) and mark[0] in ("abstract", "authors"))
        for line in sample.splitlines()
        if len(line) > 3
    )
    return 0.75 if others >= titles * 0.5 else 0.0


def parse(text: str) -> Parsed:
    """Return one record per labelled title; what stands before the first one is heading and furniture."""
    parsed = Parsed(NAME, heading=top_heading(text))
    lines = [span for line in lines_of(text) if (span := trim(text, *line))[0] < span[1]]
    starts = [i for i, (a, b) in enumerate(lines) if _TITLE.match(text[a:b])]
    if not starts:
        return parse_text(text)
    starts = _from_numbers(text, lines, starts)
    for line in lines[: starts[0] if starts else len(lines)]:
        _aside(text, line, parsed)
    for begin, stop in pairwise([*starts, len(lines)]):
        group = lines[begin:stop]
        while len(group) > 1 and is_furniture(text[slice(*group[-1])]) and label_of(text[slice(*group[-1])]) is None:
            parsed.pieces.append(Piece(*group.pop(), "page_furniture"))
        body = [line for line in group if not is_rule(text[slice(*line)])]
        parsed.records.append(read_record(text, body or group, start=group[0][0], end=group[-1][1]))
    return parsed


def _from_numbers(text: str, lines: list[Span], starts: list[int]) -> list[int]:
    """A line above a label that holds the record's number, alone or with an id or another title, belongs below it."""
    moved = []
    for start in starts:
        above = text[slice(*lines[start - 1])] if start else ""
        moved.append(start - 1 if start and _ABOVE.match(above) else start)
    return moved


def _aside(text: str, line: Span, parsed: Parsed) -> None:
    heading = parsed.heading
    if heading and line[0] <= heading.start and heading.end <= line[1]:
        return
    piece = text[slice(*line)]
    reason = "structure" if is_rule(piece) else "page_furniture" if is_furniture(piece) else "fragment"
    if not (heading and line[0] < heading.end and heading.start < line[1]):
        parsed.pieces.append(Piece(*line, reason))

"""ProQuest's plain-text report: a table of contents, then numbered documents between rows of underscores.

The table of contents may have been cut off: then the first numbered document begins the file.
"""

from __future__ import annotations

import re
from itertools import pairwise

from assets.parsed.formats.fields import take_addresses
from assets.parsed.formats.names import split_names
from assets.parsed.formats.values import natural_name
from assets.parsed.record import Parsed, Record, UnsupportedError
from assets.parsed.spans import Span, lines_of, trim

NAME = "proquest"
_START = re.compile(r"^Document \d{1,6} of \d{1,6}$")
_RULE = re.compile(r"^_{20,}$")
_AUTHOR = re.compile(r"^(?:Author|Creator)s?[^:]{0,20}:\s*(?P<value>.*)$")
_LABEL = re.compile(r"^(?P<label>[A-Z][A-Za-z][A-Za-z /()&-]{1,38}):\s*(?P<value>.*)$")


def probe(text: str) -> float:
    """Return how sure it is that the text is a report of ProQuest."""
    head = r"\A\s*(?:_{20,}\s+Report Information from ProQuest|(?:_{20,}\s+)?Document 1 of \d{1,6}[ \t]*[\r\n])"
    return 0.97 if re.search(head, text[:2000]) else 0.0


def parse(text: str) -> Parsed:
    """Return the numbered documents of a report.

    Raises:
        UnsupportedError: when the report has a table of contents and no document.
    """
    parsed = Parsed(NAME, gap_reason="page_furniture")
    lines = [span for line in lines_of(text) if (span := trim(text, *line))[0] < span[1]]
    starts = [i for i, line in enumerate(lines) if _START.match(text[slice(*line)])]
    surname_first = any(_is_surname_first(m["value"]) for a, b in lines if (m := _AUTHOR.match(text[a:b])))
    for begin, later in pairwise([*starts, len(lines)]):
        end = next((i for i in range(begin + 1, later) if _RULE.match(text[slice(*lines[i])])), later)
        group = lines[begin : min(end + 1, later)]
        parsed.records.append(_record(text, group, surname_first=surname_first))
    if not parsed.records:
        raise UnsupportedError("a ProQuest report without documents; export it with its documents, or as RIS")
    return parsed


def _is_surname_first(value: str) -> bool:
    """Return whether an author's line shows that the report writes surnames first, as it usually does."""
    parts = value.split(",")
    return ";" in value or (len(parts) == 2 and any(len(part.split()) == 1 for part in parts))


def _record(text: str, group: list[Span], *, surname_first: bool) -> Record:
    record = Record(group[0][0], group[-1][1])
    body = [line for line in group[1:] if not _RULE.match(text[slice(*line)])]
    labels = [(i, m) for i, line in enumerate(body) if (m := _LABEL.match(text[slice(*line)])) and i]
    head = body[: labels[0][0]] if labels else body[:1]
    if head:
        record.title = text[head[0][0] : head[-1][1]]
    for position, (index, match) in enumerate(labels):
        stop = labels[position + 1][0] if position + 1 < len(labels) else index + 1
        start, end = trim(text, body[index][0] + match.start("value"), body[max(stop - 1, index)][1])
        label = match["label"].lower()
        if label.startswith(("author", "creator")) and record.authors is None and start < end:
            record.authors = _names(text[start:end], surname_first=surname_first) or None
        elif label.startswith("abstract") and record.abstract is None and start < end:
            record.abstract, record.abstract_span = text[start:end], (start, end)
    take_addresses(text, body, record)
    return record


def _names(value: str, *, surname_first: bool) -> list[str]:
    """Return names joined by semicolons, surname first; without any, whole names joined by commas are told by words."""
    line = value.splitlines()[0]
    one = surname_first and line.count(",") == 1
    if ";" not in line and not one and all(len(name.split()) > 1 for name in line.split(",")):
        return split_names(line)
    return [name for part in line.split(";") if (name := natural_name(part))]

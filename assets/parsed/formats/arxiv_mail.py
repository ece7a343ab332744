"""arXiv's daily mailing and its .abs files: records between lines of two back slashes."""

from __future__ import annotations

import re

from assets.parsed import external_ids
from assets.parsed.formats.layout import is_rule
from assets.parsed.formats.names import split_names
from assets.parsed.record import Parsed, Piece, Record
from assets.parsed.spans import Span, lines_of, trim

NAME = "arxiv"
_SLASHES = re.compile(r"^\\\\\s*(?:\(.*)?$")
_IDENTITY = re.compile(r"^(?:arXiv|Paper):\s*\S+")
_KEY = re.compile(r"^([A-Z][A-Za-z-]{2,20}(?: \([^)]*\))?):\s*(.*)$")
_PERCENT = re.compile(r"^[%\-]{20,}$")


def probe(text: str) -> float:
    """Return how sure it is that the text is a mailing or an .abs file of arXiv."""
    sample = text[:100_000].replace("\r", "\n")
    return 0.95 if re.search(r"^\\\\\s*[\r\n]+(?:arXiv|Paper):\s*\S", sample, re.MULTILINE) else 0.0


def parse(text: str) -> Parsed:
    """Return the papers of a mailing; a replacement without its abstract is a record with a title alone."""
    parsed = Parsed(NAME, gap_reason="page_furniture")
    lines = [trim_line for line in lines_of(text) if (trim_line := trim(text, *line))[0] < trim_line[1]]
    marks = [i for i, (a, b) in enumerate(lines) if _SLASHES.match(text[a:b])]
    at = 0
    while at < len(marks):
        first = marks[at]
        if first + 1 >= len(lines) or not _IDENTITY.match(text[slice(*lines[first + 1])]):
            at += 1
            continue
        following = marks[at + 1 : at + 3]
        body_end = next(
            (i for i in range(first + 1, len(lines)) if i > first + 1 and _starts_other(text, lines, i)), len(lines)
        )
        inside = [m for m in following if m < body_end]
        last = inside[-1] if inside else body_end - 1
        parsed.records.append(_record(text, lines, first, inside, last))
        at += 1 + len(inside) if inside else 1
    for start, end in lines:
        if is_rule(text[start:end]) or _PERCENT.match(text[start:end]):
            parsed.pieces.append(Piece(start, end, "structure"))
    parsed.pieces = [p for p in parsed.pieces if not any(r.start < p.end and p.start < r.end for r in parsed.records)]
    return parsed


def _starts_other(text: str, lines: list[Span], index: int) -> bool:
    """Return whether another paper begins at this line."""
    if not _SLASHES.match(text[slice(*lines[index])]) or index + 1 >= len(lines):
        return False
    return bool(_IDENTITY.match(text[slice(*lines[index + 1])]))


def _record(text: str, lines: list[Span], first: int, inside: list[int], last: int) -> Record:
    header_end = inside[0] if inside else last + 1
    end = lines[last][1]
    if last + 1 < len(lines) and is_rule(text[slice(*lines[last + 1])]):
        end = lines[last + 1][1]
    record = Record(lines[first][0], end)
    key = None
    fields: dict[str, str] = {}
    for start, stop in lines[first + 1 : header_end]:
        line = text[start:stop]
        indented = text[start - 1 : start] in (" ", "\t")
        match = None if indented else _KEY.match(line)
        if match:
            key = match[1].lower()
            fields[key] = match[2]
        elif key in ("title", "authors", "author", "comments"):
            fields[key] += f"\n{line}"
    record.title = fields.get("title") or None
    record.authors = split_names(fields.get("authors") or fields.get("author") or "") or None
    identity = external_ids.arxiv(text[slice(*lines[first + 1])].split(":", 1)[1])
    version = re.findall(r"\(revised v(\d+)\)", text[lines[first][0] : lines[header_end - 1][1]])
    if identity:
        record.ids.append(
            external_ids.ExternalId("arxiv", identity.value, identity.version or (version[-1] if version else None))
        )
    if doi := external_ids.doi(fields.get("doi", "")):
        record.ids.append(doi)
    if link := re.search(r"https?://[^\s,)]+", text[slice(*lines[last])]):
        record.url = link[0]
    if len(inside) == 2:
        record.abstract_span = trim(text, lines[inside[0]][1], lines[inside[1]][0])
        record.abstract = text[slice(*record.abstract_span)]
    return record

"""Pipe tables of Markdown: one paper a row, columns named by the header or told by what they hold."""

from __future__ import annotations

import re

from assets.parsed.external_ids import from_text, from_url
from assets.parsed.formats.markdown_items import BOLD, LINK, is_generic
from assets.parsed.formats.names import split_names
from assets.parsed.formats.values import ABSTRACT, AUTHORS, TITLE, key_of
from assets.parsed.record import Record
from assets.parsed.spans import Span, trim

_DIVIDER = re.compile(r"^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?$")
_TITLE_TOO = frozenset(
    {"paper", "papers", "name", "论文", "论文名", "论文名称", "article", "work", "paperlink", "titlelink"}
)


def is_divider(line: str) -> bool:
    """Return whether a line is the row of dashes under the header of a pipe table."""
    return "|" in line and bool(_DIVIDER.match(line.strip()))


def cells_of(text: str, row: Span) -> list[Span]:
    """Return the spans of the cells of a row, trimmed."""
    start, end = row
    if text[start] == "|":
        start += 1
    if end > start and text[end - 1] == "|" and text[end - 2 : end - 1] != "\\":
        end -= 1
    cells, at = [], start
    for match in re.compile(r"(?<!\\)\|").finditer(text, start, end):
        cells.append(trim(text, at, match.start()))
        at = match.end()
    cells.append(trim(text, at, end))
    return cells


def read_table(text: str, rows: list[Span]) -> list[Record]:
    """Return the records of a table; rows that name no paper give none."""
    divider = next((i for i, row in enumerate(rows) if is_divider(text[slice(*row)])), None)
    header = [key_of(_plain(text[slice(*cell)])) for cell in cells_of(text, rows[divider - 1])] if divider else []
    title = _index(header, TITLE)
    if title is None:
        title = next((i for i, name in enumerate(header) if name in _TITLE_TOO), None)
    body = rows[divider + 1 :] if divider is not None else rows
    records = []
    for row in body:
        cells = cells_of(text, row)
        column = title if title is not None and title < len(cells) else _boldest(text, cells)
        if column is None:
            continue
        record = _record(text, row, cells, column, header)
        if record.title:
            records.append(record)
    return records


def _index(header: list[str], names: tuple[str, ...]) -> int | None:
    return next((i for i, name in enumerate(header) if name in names), None)


def _boldest(text: str, cells: list[Span]) -> int | None:
    """Return the column of a row that holds a title by its look: bold, or a link with more than a word in it."""
    for index, cell in enumerate(cells):
        piece = text[slice(*cell)]
        bold = BOLD.fullmatch(piece.strip())
        link = LINK.search(piece)
        if bold and not is_generic(bold[2]) and len(bold[2].split()) >= 3:
            return index
        if link and link[3].startswith("http") and not is_generic(link[2]) and len(link[2].split()) >= 3:
            return index
    return None


def _record(text: str, row: Span, cells: list[Span], column: int, header: list[str]) -> Record:
    record = Record(*row)
    piece = re.split(r"<br\s*/?>", text[slice(*cells[column])], maxsplit=1)[0]
    if first := LINK.search(piece):
        record.url = first[3] if first[3].startswith("http") else None
    record.title = _plain(piece) or None
    for names, field in ((AUTHORS, "authors"), (ABSTRACT, "abstract")):
        index = _index(header, names)
        if index is None or index >= len(cells) or cells[index][0] == cells[index][1]:
            continue
        value = text[slice(*cells[index])]
        if field == "authors":
            record.authors = split_names(_plain(value)) or None
        else:
            record.abstract, record.abstract_span = value, cells[index]
    own = " ".join(text[slice(*cell)] for cell in cells if cell != record.abstract_span)
    record.ids += from_text(own)
    for link in LINK.finditer(own):
        found = from_url(link[3])
        record.ids += found
        if found and record.url is None:
            record.url = link[3]
    if record.url is None and (match := re.search(r"https?://[^\s<>\"')\]|]+", own)):
        record.url = match[0].rstrip(".,;")
    return record


def _plain(piece: str) -> str:
    return re.sub(r"^[\s*_`~]+|[\s*_`~]+$", "", LINK.sub(r"\2", piece))

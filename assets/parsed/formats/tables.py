"""Tables with a header: CSV, TSV and other separated values of Scopus, Embase, PubMed, Zotero and conference sites.

Rows and cells are found with their spans; a quoted cell may hold separators and line ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assets.parsed.formats.values import ABSTRACT, AUTHORS, TITLE, fill, key_of
from assets.parsed.record import Parsed, Piece, Record, UnsupportedError
from assets.parsed.spans import LINE_END, Span, trim

NAMES = {",": "csv", "\t": "tsv", ";": "csv", "|": "csv"}
LONGEST_ROW = 400_000
"""A quote that opens a cell longer than this is a stray one."""
_FLAT = (("articletitle", "title"), ("abstracttext", "abstract"), ("articledoi", "doi"), ("citationpmid", "pmid"))


@dataclass(frozen=True)
class Cell:
    """A cell of a row: its span without quotes, and its value."""

    start: int
    end: int
    value: str


def probe(text: str) -> float:
    """Return how sure it is that the text is a table with a header."""
    sample = text[:200_000]
    delimiter = _delimiter(sample)
    if delimiter is None:
        return 0.0
    header = [key_of(cell.value) for cell in cells_of(sample, *_first_row(sample, delimiter), delimiter)]
    known = sum(_column(name) is not None for name in header)
    if known >= 2 or (known == 1 and len(header) >= 3):
        return 0.85
    return 0.6 if _is_regular(sample, delimiter, len(header)) else 0.0


def _first_row(text: str, delimiter: str) -> Span:
    return next(iter(rows_of(text, delimiter)), (0, 0))


def _delimiter(sample: str) -> str | None:
    """Return the character that parts the cells of the first line, or None when it reads as no header."""
    start = len(sample) - len(sample.lstrip("\r\n"))
    match = LINE_END.search(sample, start)
    first = sample[start : match.start() if match else len(sample)]
    counts = {d: first.count(d) for d in NAMES}
    best = max(counts, key=lambda d: counts[d])
    if not counts[best] or len(first) > 60_000:
        return None
    cells = [c.strip().strip('"') for c in first.split(best)]
    if (
        any(len(c) > 120 for c in cells)
        or re.search(r"[.!?]\s*$", first)
        or (best == "|" and first.lstrip().startswith("|"))
    ):
        return None
    return best


def _is_regular(sample: str, delimiter: str, columns: int) -> bool:
    """Return whether rows have as many cells as the header, as only tables do."""
    if columns < 3 and delimiter != "\t":
        return False
    widths = [len(cells_of(sample, a, b, delimiter)) for a, b in rows_of(sample, delimiter)][1:200]
    return len(widths) >= 3 and sum(w == columns for w in widths) >= 0.9 * len(widths)


def rows_of(text: str, delimiter: str) -> list[Span]:
    """Return the spans of the rows; a line end inside a quoted cell ends no row."""
    rows: list[Span] = []
    start = 0
    quoted = False
    opening = re.compile(rf'(?:^|[{re.escape(delimiter)}]|(?<=[\r\n]))\s?"')
    at = 0
    for match in [*LINE_END.finditer(text), None]:
        end = match.start() if match else len(text)
        quotes = text.count('"', at, end)
        if quotes % 2:
            quoted = not quoted if quoted or opening.search(text, max(at - 1, 0), end) else False
        after = match.end() if match else len(text)
        if quoted and end - start < LONGEST_ROW and match:
            at = after
            continue
        if quoted:
            quoted = False
        if text[start:end].strip():
            rows.append((start, end))
        start = at = after
    return rows


def cells_of(text: str, start: int, end: int, delimiter: str) -> list[Cell]:
    """Return the cells of the row between two positions."""
    d = re.escape(delimiter)
    pattern = re.compile(rf'[ ]?"((?:[^"]|"")*)"[ ]?(?={d}|$)|([^{d}]*)')
    row = text[start:end]
    cells: list[Cell] = []
    at = 0
    while at <= len(row):
        match = pattern.match(row, at)
        if match is None:
            break
        group = 1 if match[1] is not None else 2
        value = match[group].replace('""', '"') if group == 1 else match[group]
        cells.append(Cell(start + match.start(group), start + match.end(group), value))
        at = match.end() + 1
    return cells


def _column(key: str) -> str | None:
    """Return which field a column holds."""
    if key in TITLE:
        return "title"
    if key in ABSTRACT:
        return "abstract"
    if key in AUTHORS:
        return "authors"
    return next((field for suffix, field in _FLAT if key.endswith(suffix)), None)


def _rank(key: str) -> int:
    return AUTHORS.index(key) if key in AUTHORS else len(AUTHORS)


def parse(text: str) -> Parsed:
    """Return one record per row.

    Raises:
        UnsupportedError: when no column holds titles or abstracts.
    """
    delimiter = _delimiter(text[:200_000]) or ","
    parsed = Parsed(NAMES[delimiter])
    rows = rows_of(text, delimiter)
    header = [cell.value.strip() for cell in cells_of(text, *rows[0], delimiter)] if rows else []
    fields = [_column(key_of(name)) for name in header]
    if "title" not in fields and "abstract" not in fields:
        shown = ", ".join(name for name in header[:12] if name) or "none"
        raise UnsupportedError(f"a table without a column of titles or abstracts; its columns are {shown}")
    parsed.pieces.append(Piece(*rows[0], "structure", "the header of the table"))
    for start, end in rows[1:]:
        parsed.records.append(_record(text, header, fields, cells_of(text, start, end, delimiter), Record(start, end)))
    return parsed


def _record(text: str, header: list[str], fields: list[str | None], cells: list[Cell], record: Record) -> Record:
    values: dict[str, str] = {}
    abstracts: list[Cell] = []
    authors: dict[str, str] = {}
    for name, field, cell in zip(header, fields, cells, strict=False):
        if not cell.value.strip() or cell.value.strip().lower() in ("nan", "null", "none", "\\n"):
            continue
        if field == "abstract":
            abstracts.append(cell)
        elif field == "authors":
            authors.setdefault(key_of(name), cell.value)
        elif field:
            values.setdefault(field, cell.value)
        else:
            values.setdefault(key_of(name), cell.value)
    if authors:
        # Full names rather than initials, where a table has both.
        values["authors"] = min(authors.items(), key=lambda item: _rank(item[0]))[1]
    fill(record, values)
    if abstracts:
        record.abstract = "\n".join(cell.value for cell in abstracts)
        start, end = trim(text, abstracts[0].start, abstracts[-1].end)
        record.abstract_span = (start, end)
    if record.title is None and record.abstract is None:
        record.detail = "a row without title and abstract"
    return record

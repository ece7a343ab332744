"""Tables without a header: separated values whose columns are told by what they hold."""

from __future__ import annotations

from collections.abc import Callable

from assets.parsed.external_ids import arxiv, from_text, from_url
from assets.parsed.formats.fields import is_abstract_like
from assets.parsed.formats.layout import weight
from assets.parsed.formats.names import looks_like_authors
from assets.parsed.formats.tables import NAMES, Cell, cells_of, rows_of
from assets.parsed.formats.values import names_of
from assets.parsed.record import Parsed, Record, UnsupportedError

MOST_COLUMNS = 12
SHARE = 0.8
"""Share of the rows in which a column must hold what it is taken for."""
_SAMPLED = 200
DETAIL = "a table without a header: its columns are told by what they hold"


def probe(text: str) -> float:
    """Return how sure it is that the text is a table without a header that has a column of abstracts."""
    sample = text[:200_000]
    return 0.8 if _delimiter(sample) else 0.0


def parse(text: str) -> Parsed:
    """Return one record per row.

    Raises:
        UnsupportedError: when no column holds abstracts.
    """
    delimiter = _delimiter(text[:200_000])
    if delimiter is None:
        raise UnsupportedError("a table without a header and without a column of abstracts")
    parsed = Parsed(NAMES[delimiter])
    rows = rows_of(text, delimiter)
    columns = _columns([cells_of(text, *row, delimiter) for row in rows[:_SAMPLED]])
    for start, end in rows:
        parsed.records.append(_record(cells_of(text, start, end, delimiter), columns, Record(start, end)))
    return parsed


def _delimiter(sample: str) -> str | None:
    """Return the character that parts the cells of every row, when one column holds abstracts."""
    first = sample.lstrip("\r\n").split("\n", 1)[0]
    for delimiter, sign in (("\t", "\t"), (",", '","'), (";", '";"'), ("|", " | ")):
        if sign not in first:
            continue
        # The sample may cut its last row.
        rows = rows_of(sample, delimiter)[: _SAMPLED + 1]
        cells = [cells_of(sample, *row, delimiter) for row in (rows[:-1] if len(rows) > 2 else rows)]
        widths = {len(row) for row in cells}
        if len(cells) >= 2 and len(widths) == 1 and 2 <= min(widths) <= MOST_COLUMNS and "abstract" in _columns(cells):
            return delimiter
    return None


def _columns(rows: list[list[Cell]]) -> list[str | None]:
    """Return what each column holds: abstract, title, authors, or None."""
    columns = list(zip(*([cell.value.strip() for cell in row] for row in rows), strict=False))
    fields: list[str | None] = [None] * len(columns)
    abstracts = [i for i, column in enumerate(columns) if _share(column, is_abstract_like) >= SHARE]
    if not abstracts:
        return fields
    fields[max(abstracts, key=lambda i: sum(map(weight, columns[i])))] = "abstract"
    for index, column in enumerate(columns):
        if fields[index] is not None or index in abstracts:
            continue
        if "authors" not in fields and _share(column, looks_like_authors) >= SHARE:
            fields[index] = "authors"
        elif "title" not in fields and _share(column, _is_title) >= SHARE:
            fields[index] = "title"
    return fields


def _share(column: tuple[str, ...], holds: Callable[[str], bool]) -> float:
    return sum(holds(value) for value in column) / len(column)


def _is_title(value: str) -> bool:
    return 12 <= weight(value) <= 400 and (" " in value or not value.isascii()) and not value.startswith("http")


def _record(cells: list[Cell], columns: list[str | None], record: Record) -> Record:
    for cell, field in zip(cells, columns, strict=False):
        value = cell.value.strip()
        if not value:
            continue
        if field == "abstract":
            record.abstract, record.abstract_span = cell.value, (cell.start, cell.end)
        elif field == "title":
            record.title = value
        elif field == "authors":
            record.authors = names_of(value)
        elif value.startswith("http"):
            record.url = record.url or value.split()[0]
            record.ids += from_url(value)
        else:
            identity = arxiv(value) if len(value) < 40 else None
            record.ids += [identity] if identity else from_text(value)
    record.detail = DETAIL
    return record

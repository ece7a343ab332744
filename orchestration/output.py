"""How rows are shown: a table on the terminal, CSV, JSON or Parquet for other programs."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, TextIO


class Format(StrEnum):
    """Formats of a query's result."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


_CELL_CHARS = 200
_PIPED_WIDTH = 10_000
"""A line per row, so that other programs can work on it."""


def print_rows(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], format_: Format, out: TextIO | None = None
) -> None:
    """Print rows as a table, CSV or JSON (a list of objects, times in ISO 8601)."""
    out = out or sys.stdout
    if format_ is Format.JSON:
        print_json([dict(zip(columns, row, strict=True)) for row in rows], out)
    elif format_ is Format.CSV:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([_csv_cell(value) for value in row] for row in rows)
    else:
        _print_table(columns, rows, out)


def _print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], out: TextIO) -> None:
    from rich import box  # slow to load, and most commands print no table
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns, box=box.SIMPLE_HEAD)
    for row in rows:
        # Text, not str: rich would take square brackets in a cell for its own markup.
        table.add_row(*(Text(_cut("" if value is None else str(value))) for value in row))
    console = Console(file=out, highlight=False)
    if not console.is_terminal:
        console.width = _PIPED_WIDTH
    console.print(table)
    console.print(f"{len(rows):,} row{'' if len(rows) == 1 else 's'}")


def _cut(text: str) -> str:
    return text if len(text) <= _CELL_CHARS else f"{text[: _CELL_CHARS - 1]}…"


def print_json(value: Any, out: TextIO | None = None) -> None:
    """Print a value as JSON."""
    json.dump(value, out or sys.stdout, indent=2, ensure_ascii=False, default=_plain)
    print(file=out or sys.stdout)


def _csv_cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False, default=_plain) if isinstance(value, list | dict) else value


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)

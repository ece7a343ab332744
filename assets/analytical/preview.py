"""What a view returns over Parquet files, before there is a database: its columns, number of rows and first rows."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl

from assets.analytical.views import View


@dataclass(frozen=True)
class ViewPreview:
    """A view's real columns as (name, DuckDB type), how many rows it has, and the first of them."""

    view: View
    columns: tuple[tuple[str, str], ...]
    rows: int
    first: pl.DataFrame


def preview_views(
    tables: Mapping[str, Path], views: Sequence[View], wanted: set[str], shown: int
) -> Iterator[ViewPreview]:
    """Yield what each wanted view returns; `views` come in an order in which each follows those that it reads."""
    with closing(duckdb.connect(":memory:")) as connection:
        connection.execute("SET memory_limit = '2GB'")
        connection.execute("SET temp_directory = ?", [tempfile.gettempdir()])
        for name, path in tables.items():
            connection.read_parquet(str(path)).create_view(name)
        for view in views:
            connection.execute(f"CREATE VIEW {view.name} AS {view.query}")
            if view.name not in wanted:
                continue
            described = connection.execute(f"DESCRIBE {view.name}").fetchall()
            connection.execute(f"CREATE OR REPLACE TEMP TABLE shown AS FROM {view.name}")
            rows = connection.execute("SELECT count(*) FROM shown").fetchall()[0][0]
            first = connection.sql(f"FROM shown LIMIT {int(shown)}").pl()
            yield ViewPreview(view, tuple((row[0], row[1]) for row in described), rows, first)

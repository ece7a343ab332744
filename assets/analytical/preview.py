"""What a view returns over Parquet files, before there is a database: its columns, number of rows and first rows."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl

from assets.analytical.search.tables import SCHEMA
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
    """Yield what each wanted view returns, of a macro what its example returns.

    `tables` names the Parquet file of each table, those of the search index as `search_index.<table>`; `views` come in
    an order in which each follows those that it reads.
    """
    for macros in (False, True):
        kind = [view for view in views if (view.call is not None) == macros]
        if wanted.isdisjoint(view.name for view in kind):
            continue
        with closing(duckdb.connect(":memory:")) as connection:
            connection.execute("SET memory_limit = '2GB'")
            connection.execute("SET temp_directory = ?", [tempfile.gettempdir()])
            connection.execute(f"CREATE SCHEMA {SCHEMA}")
            # A macro may look rows up by their place, which a table in a database has and a Parquet file must be given.
            place = "file_row_number AS rowid, *" if macros else "*"
            for name, path in tables.items():
                file = str(path).replace("'", "''")
                source = f"read_parquet('{file}', file_row_number = {macros})"
                connection.execute(f"CREATE VIEW {name} AS SELECT {place} FROM {source}")
            for view in kind:
                for statement in view.statements:
                    connection.execute(statement)
                if view.name in wanted:
                    yield _preview(connection, view, shown)


def _preview(connection: duckdb.DuckDBPyConnection, view: View, shown: int) -> ViewPreview:
    connection.execute(f"CREATE OR REPLACE TEMP TABLE shown AS FROM {view.relation}")
    described = connection.execute("DESCRIBE shown").fetchall()
    rows = connection.execute("SELECT count(*) FROM shown").fetchall()[0][0]
    first = connection.sql(f"FROM shown LIMIT {int(shown)}").pl()
    return ViewPreview(view, tuple((row[0], row[1]) for row in described), rows, first)

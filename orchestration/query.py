"""`paperfold query`: SQL on the current release, read-only."""

from __future__ import annotations

import sys
from contextlib import closing

import duckdb

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DATABASE, DataFolder
from assets.release.store import resolve_release
from orchestration.output import Format, print_rows


def run_query(folder: DataFolder, sql: str, format_: Format) -> None:
    """Print what a query returns.

    Raises:
        PaperfoldError: when there is no release, or DuckDB refuses the query.
    """
    database = folder.release(resolve_release(folder, None).release_id) / DATABASE
    with closing(duckdb.connect(str(database), read_only=True)) as connection:
        try:
            if format_ is Format.PARQUET:
                _write_parquet(connection, sql)
                return
            result = connection.execute(sql)
            columns = [column[0] for column in result.description or []]
            rows = result.fetchall() if columns else []
        except duckdb.Error as error:
            raise PaperfoldError(f"The query can't be run: {error}") from error
    print_rows(columns, rows, format_)


def _write_parquet(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    if sys.stdout.isatty():
        raise PaperfoldError("Parquet is no text: redirect the output to a file, e.g. `> rows.parquet`.")
    connection.sql(sql).pl().write_parquet(sys.stdout.buffer)

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
    try:
        statements = duckdb.extract_statements(sql)
        if not statements or (len(statements) > 1 and format_ is not Format.TABLE):
            raise PaperfoldError(f"Expected one statement, found {len(statements)}: {sql!r}.")
        with closing(duckdb.connect(str(database), read_only=True)) as connection:
            if format_ is Format.PARQUET:
                _write_parquet(connection, sql)
                return
            for statement in statements:
                result = connection.execute(statement)
                columns = [column[0] for column in result.description or []]
                print_rows(columns, result.fetchall() if columns else [], format_)
    except duckdb.IOException as error:
        raise PaperfoldError(
            f"The query can't be run: {str(error).splitlines()[0]}\nIf another program has the release open for "
            "writing, close it there: a release is never to be written to."
        ) from error
    except duckdb.Error as error:
        raise PaperfoldError(f"The query can't be run: {error}") from error


def _write_parquet(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    if sys.stdout.isatty():
        raise PaperfoldError("Parquet is no text: redirect the output to a file, e.g. `> rows.parquet`.")
    connection.sql(sql).pl().write_parquet(sys.stdout.buffer)

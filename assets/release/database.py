"""The database of a release: one self-contained DuckDB file with tables, views, macros, search index and comments.

It is built from the Parquet files beside it and never opened for writing once it is published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import duckdb
import polars as pl

from assets.analytical.search.tables import INDEX_TABLES, SCHEMA
from assets.analytical.views import View, contract_breaches
from assets.contract.arrow import column_descriptions, duckdb_type, polars_schema, schema_of
from assets.contract.check import Verdict
from assets.contract.tables import describe

STORAGE_VERSION = "v1.4.0"
"""Files of a newer storage version can't be opened by DuckDB 1.4 clients."""
_LONG_TEXT = ("raw_text", "text")
_READ_ROW_BY_ROW = ("papers",)
"""Tables whose long text is not compressed by zstd, which makes a reader of one row unpack two thousand: a search
shows ten texts, and spent 85 % of its time on unpacking them."""


def build_database(
    path: Path, parquet: Mapping[str, Path], index: Mapping[str, Path], views: Sequence[View], memory_limit: str
) -> None:
    """Write a new database file with a table for each Parquet file, the search index and every view, commented.

    `index` names the Parquet file of each table of the search index; `views` come in an order in which each follows
    those that it reads.

    Raises:
        OSError: when the file can't be written, as on a full disk.
    """
    try:
        _build(path, parquet, index, views, memory_limit)
    except duckdb.IOException as error:
        raise OSError(f"The database could not be written: {str(error).splitlines()[0]}") from error


def _build(
    path: Path, parquet: Mapping[str, Path], index: Mapping[str, Path], views: Sequence[View], memory_limit: str
) -> None:
    with closing(duckdb.connect(":memory:")) as connection:
        connection.execute("SET memory_limit = ?", [memory_limit])
        connection.execute("SET temp_directory = ?", [str(path.parent / ".duckdb-temp")])
        connection.execute(f"ATTACH {quote(str(path))} AS release (STORAGE_VERSION '{STORAGE_VERSION}')")
        connection.execute("USE release")
        for table, file in parquet.items():
            connection.execute(table_ddl(table))
            connection.execute(f"INSERT INTO {table} SELECT * FROM read_parquet({quote(str(file))})")
            _comment(connection, "TABLE", table, describe(table), column_descriptions(table))
        _load_index(connection, index)
        for view in views:
            kind = "TABLE" if view.stored else "VIEW"
            for statement in (f"CREATE TABLE {view.name} AS {view.query}",) if view.stored else view.statements:
                connection.execute(statement)
            if view.call is None:
                _comment(connection, kind, view.name, view.description, {c.name: c.description for c in view.columns})
            else:
                connection.execute(f"COMMENT ON MACRO TABLE {view.name} IS {quote(view.description)}")
        connection.execute("CHECKPOINT release")
        connection.execute("USE memory")
        connection.execute("DETACH release")


def _load_index(connection: duckdb.DuckDBPyConnection, index: Mapping[str, Path]) -> None:
    connection.execute(f"CREATE SCHEMA {SCHEMA}")
    for table in INDEX_TABLES:
        name = f"{SCHEMA}.{table.name}"
        described = ", ".join(f"{column} {type_} NOT NULL" for column, (type_, _) in table.columns.items())
        connection.execute(f"CREATE TABLE {name} ({described})")
        connection.execute(f"INSERT INTO {name} BY NAME SELECT * FROM read_parquet({quote(str(index[table.name]))})")
        _comment(connection, "TABLE", name, table.description, {c: words for c, (_, words) in table.columns.items()})


def table_ddl(table: str) -> str:
    """Return the CREATE TABLE statement of a contract table."""
    columns = []
    for name, column in schema_of(table).columns().items():
        parts = [f'"{name}"', duckdb_type(polars_schema(table)[name])]
        parts += [] if column.nullable else ["NOT NULL"]
        parts += ["USING COMPRESSION zstd"] if name in _LONG_TEXT and table not in _READ_ROW_BY_ROW else []
        columns.append(" ".join(parts))
    return f"CREATE TABLE {table} ({', '.join(columns)})"


def compare_with_parquet(database: Path, parquet: Mapping[str, Path]) -> Verdict:
    """Judge whether each table equals its Parquet file in schema, number of rows and content."""
    failing, rows = [], 0
    with closing(duckdb.connect(str(database), read_only=True)) as connection:
        for table, file in parquet.items():
            source = f"read_parquet({quote(str(file))})"
            found = [_fingerprint(connection, relation) for relation in (table, source)]
            rows += found[0][1]
            failing += [
                {"table": table, "what": what, "database": str(ours), "parquet": str(theirs)}
                for what, ours, theirs in zip(("columns", "rows", "content"), *found, strict=True)
                if ours != theirs
            ]
    frame = pl.DataFrame(failing, schema={"table": str, "what": str, "database": str, "parquet": str})
    return Verdict(not failing, {"tables": len(parquet), "rows": rows, "differences": len(failing)}, frame)


def check_views(database: Path, views: Sequence[View]) -> Verdict:
    """Judge whether each view returns without an error and has the columns that its contract says."""
    failing = []
    with closing(duckdb.connect(str(database), read_only=True)) as connection:
        for view in views:
            try:
                connection.execute(f"SELECT * FROM {view.relation}").fetchone()
                failing += [
                    {"view": view.name, "what": breach}
                    for breach in contract_breaches(view, columns(connection, view.relation))
                ]
            except duckdb.Error as error:
                failing.append({"view": view.name, "what": str(error).splitlines()[0]})
    frame = pl.DataFrame(failing, schema={"view": str, "what": str})
    return Verdict(not failing, {"views": len(views), "breaches": len(failing)}, frame)


def columns(connection: duckdb.DuckDBPyConnection, relation: str) -> list[tuple[str, str]]:
    """Return the (name, DuckDB type) of each column of a table, view or table function."""
    return [(name, type_) for name, type_, *_ in connection.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()]


def quote(text: str) -> str:
    """Return a SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def _fingerprint(connection: duckdb.DuckDBPyConnection, relation: str) -> tuple[str, int, str]:
    """Return columns with types, number of rows and an order-free hash of the content."""
    described = ", ".join(f"{name} {type_}" for name, type_ in columns(connection, relation))
    query = f"SELECT count(*), coalesce(sum(hash(whole)::HUGEINT), 0)::VARCHAR FROM {relation} AS whole"
    rows, content = connection.execute(query).fetchall()[0]
    return described, rows, content


def _comment(
    connection: duckdb.DuckDBPyConnection, kind: str, name: str, description: str, described: Mapping[str, str]
) -> None:
    connection.execute(f"COMMENT ON {kind} {name} IS {quote(description)}")
    for column, words in described.items():
        connection.execute(f'COMMENT ON COLUMN {name}."{column}" IS {quote(words)}')

"""From which columns each column of a view comes, traced through its SQL, and the version of what a view returns.

Nothing here runs a query. What a count of rows comes from is no column, so it has no source.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.lineage import Node, lineage
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import build_scope

from assets.analytical.search.tables import INDEX_TABLES
from assets.analytical.search.tables import SCHEMA as INDEX
from assets.analytical.views import View

_DIALECT = "duckdb"
_MAIN = "main"
_ROW = {"rowid": "BIGINT"}

Schema = Mapping[str, Mapping[str, str]]
"""Table or view -> column -> DuckDB type."""


def trace_views(views: Sequence[View], tables: Schema) -> dict[str, dict[str, list[tuple[str, str]]]]:
    """Return view -> column -> the (table or view, column) pairs that it is computed from, sorted.

    A column whose way can't be traced has no sources; a view of which that is true of the whole is empty.

    Args:
        views: all views, since they read each other.
        tables: the columns of all tables.
    """
    schema = {**tables, **{view.name: {column.name: column.type for column in view.columns} for view in views}}
    return {view.name: trace_columns(view, schema) for view in views}


def trace_columns(view: View, schema: Schema) -> dict[str, list[tuple[str, str]]]:
    """Return column -> the (table or view, column) pairs that it is computed from, sorted."""
    nested = {
        _MAIN: {table: dict(columns) | _ROW for table, columns in schema.items()},
        INDEX: {
            table.name: {name: type_ for name, (type_, _) in table.columns.items()} | _ROW for table in INDEX_TABLES
        },
    }
    try:
        query = qualify(
            sqlglot.parse_one(view.selects, dialect=_DIALECT),
            schema=nested,  # type: ignore[arg-type]
            db=_MAIN,
            dialect=_DIALECT,
            validate_qualify_columns=False,
        )
        nodes = lineage(None, query, schema=nested, dialect=_DIALECT, scope=build_scope(query), trim_selects=False)
    except SqlglotError:
        return {}
    assert isinstance(nodes, dict)
    by_name = {name.lower(): node for name, node in nodes.items()}
    return {
        column.name: sorted({pair for leaf in by_name[column.name.lower()].walk() for pair in _source(leaf, schema)})
        for column in view.columns
        if column.name.lower() in by_name
    }


def _source(node: Node, schema: Schema) -> list[tuple[str, str]]:
    """Return the column that a node of the graph stands for, if it is one of a table or view."""
    if node.downstream or not isinstance(node.expression, exp.Table) or node.expression.db != _MAIN:
        return []
    table, column = node.expression.name, node.name.rpartition(".")[2].strip('"')
    return [(table, column)] if column in schema.get(table, {}) else []


def view_versions(views: Sequence[View], tables: Mapping[str, str]) -> dict[str, str]:
    """Return view -> a version that changes with its SQL or with what it reads.

    Args:
        views: all views, each after those that it reads.
        tables: table -> its version.
    """
    versions = dict(tables)
    for view in views:
        parts = [view.query, *(f"{name} {versions.get(name, '')}" for name in view.depends_on)]
        versions[view.name] = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]
    return {view.name: versions[view.name] for view in views}

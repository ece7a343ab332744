"""Column lineage of the views, traced through their SQL, and the versions of what they return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from assets.analytical.asset import TABLE_COLUMNS
from assets.analytical.column_lineage import trace_columns, trace_views, view_versions
from assets.analytical.views import View, load_views, parse_view

VIEWS = load_views()
TRACED = trace_views(VIEWS, TABLE_COLUMNS)


def view(query: str, *columns: str) -> View:
    lines = ["-- A view.", "--", *(f"-- {column} VARCHAR: A column." for column in columns)]
    return parse_view("shown", "\n".join([*lines, query]))


@pytest.mark.parametrize("shown", [view for view in VIEWS if view.call is None], ids=lambda view: view.name)
def test_each_column_of_each_view_is_traced_to_what_the_view_reads(shown: View) -> None:
    traced = TRACED[shown.name]
    assert list(traced) == [column.name for column in shown.columns]
    assert any(traced.values())
    assert {table for pairs in traced.values() for table, _ in pairs} <= set(shown.depends_on)


def test_a_renamed_a_computed_and_a_nested_column_are_traced() -> None:
    assert TRACED["document_overlap"]["file_name_a"] == [("documents", "file_name")]
    assert TRACED["quality_summary"]["rejected_share"] == [
        ("documents", "chars_nonblank"),
        ("rejects", "chars_nonblank"),
    ]
    assert TRACED["duplicate_clusters"]["occurrences"] == [
        ("documents", "file_name"),
        ("occurrences", "document_id"),
        ("occurrences", "match_kind"),
        ("occurrences", "occurrence_id"),
        ("occurrences", "position"),
        ("occurrences", "similarity"),
    ]


@pytest.mark.parametrize(
    ("query", "sources"),
    [
        ("SELECT upper(title) AS a FROM papers", [("papers", "title")]),
        ("WITH few AS (SELECT title AS t FROM papers) SELECT t AS a FROM few", [("papers", "title")]),
        ("FROM papers SELECT title AS a", [("papers", "title")]),
        ("SELECT count(*) AS a FROM papers", []),
        (
            "SELECT title AS a FROM papers UNION ALL SELECT heading FROM documents",
            [("documents", "heading"), ("papers", "title")],
        ),
        ("SELECT unnest(authors) AS a FROM papers", [("papers", "authors")]),
        ("SELECT papers.title AS a FROM papers JOIN hidden.papers AS h ON h.doc = papers.rowid", [("papers", "title")]),
        ("SELECT h.doc AS a FROM papers JOIN hidden.papers AS h ON h.doc = papers.rowid", []),
    ],
)
def test_ways_through_sql(query: str, sources: Sequence[tuple[str, str]]) -> None:
    assert trace_columns(view(query, "a"), TABLE_COLUMNS) == {"a": list(sources)}


def test_a_view_over_a_view_ends_at_the_view() -> None:
    first = replace(view("SELECT title AS a FROM papers", "a"), name="first")
    second = view("SELECT a AS b FROM first", "b")
    assert trace_views([first, second], TABLE_COLUMNS)["shown"] == {"b": [("first", "a")]}


def test_a_version_follows_the_sql_and_what_is_read() -> None:
    first = replace(view("SELECT title AS a FROM papers", "a"), name="first")
    views = [first, view("SELECT a AS b FROM first", "b"), replace(view("SELECT 1 AS c FROM folds", "c"), name="third")]
    tables = {"papers": "v1", "folds": "v1"}
    before = view_versions(views, tables)
    assert before == view_versions(views, tables)
    assert changed(before, view_versions(views, {**tables, "papers": "v2"})) == {"first", "shown"}
    other = [replace(first, query="SELECT upper(title) AS a FROM papers"), *views[1:]]
    assert changed(before, view_versions(other, tables)) == {"first", "shown"}


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in before if before[name] != after[name]}

"""A view that is dear to ask is computed once: the database holds its rows, under the same contract and comments."""

from __future__ import annotations

from assets.analytical.views import load_views, parse_view
from assets.contract.folder import DataFolder
from tests.building import build, rows, write_list


def test_a_line_of_the_header_says_that_a_view_is_stored() -> None:
    view = parse_view("v", "-- Says.\n-- (stored)\n--\n-- a BIGINT: A.\nSELECT 1::BIGINT AS a")
    assert (view.stored, view.description) == (True, "Says.")
    assert not parse_view("v", "-- Says.\n--\n-- a BIGINT: A.\nSELECT 1::BIGINT AS a").stored


def test_the_database_holds_the_rows_of_stored_views_and_computes_the_others(folder: DataFolder, tmp_path) -> None:
    write_list(tmp_path / "lists" / "demo-2026-06-01.txt", "robot", "bread")
    write_list(tmp_path / "lists" / "demo-2026-06-02.txt", "bread", "tide")
    build(folder, tmp_path / "lists")
    views = [view for view in load_views() if view.call is None]
    kinds = dict(rows(folder, "SELECT table_name, table_type FROM information_schema.tables"))
    assert {view.name: kinds[view.name] for view in views} == {
        view.name: "BASE TABLE" if view.stored else "VIEW" for view in views
    }
    comments = dict(rows(folder, "SELECT table_name, comment FROM duckdb_tables()"))
    for view in views:
        if view.stored:
            assert comments[view.name] == view.description
            # Rows in another order than the query's would be another answer to LIMIT.
            assert rows(folder, f"FROM {view.name}") == rows(folder, view.query)

"""Column lineage of the tables: what the contract says fits the tables, the assets and what the steps do."""

from __future__ import annotations

import pytest

from assets.contract.arrow import polars_schema
from assets.contract.lineage import READS, table_lineage
from assets.contract.tables import TABLES, WORK_TABLES
from orchestration.definitions import build_defs

ALL = [*WORK_TABLES, *TABLES]
SPECS = {spec.key.to_user_string(): spec for spec in build_defs().resolve_all_asset_specs()}


@pytest.mark.parametrize("table", ALL)
def test_a_column_comes_from_columns_of_the_tables_that_its_asset_reads(table: str) -> None:
    deps = {dep.asset_key.to_user_string() for dep in SPECS[table].deps}
    for column, sources in table_lineage(table).items():
        assert column in polars_schema(table)
        assert {read for read, _ in sources} <= deps, column
        assert all(source in polars_schema(read) for read, source in sources), column


@pytest.mark.parametrize("table", sorted(READS))
def test_what_a_table_is_made_from_is_what_its_asset_depends_on(table: str) -> None:
    assert set(READS[table]) == {dep.asset_key.to_user_string() for dep in SPECS[table].deps}


def test_columns_keep_their_name_or_are_named() -> None:
    assert table_lineage("documents")["source"] == (("files", "source"),)
    assert table_lineage("documents")["venue"] == (("files", "content_sha256"),)
    assert table_lineage("papers")["venues"] == (("documents", "venue"),)
    assert table_lineage("facts")["paper_id"] == (("papers", "paper_id"),)
    assert table_lineage("facts")["char_start"] == (("papers", "text"),)
    assert table_lineage("files") == {}

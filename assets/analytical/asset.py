"""The analytical assets: the tables of each analysis, and each view over all tables."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import dagster as dg
import polars as pl

from assets.analytical.analyses import ANALYSES, TABLES
from assets.analytical.analyses import checks as analytical_checks
from assets.analytical.analysis import Given
from assets.analytical.column_lineage import trace_views, view_versions
from assets.analytical.preview import preview_views
from assets.analytical.search.tables import SCHEMA, index_files
from assets.analytical.views import View, contract_breaches
from assets.contract.arrow import duckdb_type, polars_schema
from assets.contract.asset import (
    PREVIEW_ROWS,
    build_checks,
    failing_clearly,
    lineage_metadata,
    materialized,
    preview,
    table_spec,
)
from assets.contract.base import base_tables, conformed_tables
from assets.contract.folder import DATABASE, DataFolder
from assets.contract.parquet import write_table
from assets.contract.refresh import Refresh
from assets.contract.vocabulary import TABLE_LAYERS
from assets.contract.work import layer_staging, read_note, scan_work

LAYER = "analytical"
CONTRACT_CHECK = "keeps_contract"
TABLE_COLUMNS = {
    table: {name: duckdb_type(type_) for name, type_ in polars_schema(table).items()} for table in TABLE_LAYERS
}


@dg.multi_asset(name="analyse_papers", specs=[table_spec(table, LAYER, deps=["papers"]) for table in TABLES])
@failing_clearly
def analyses(
    refresh: dg.ResourceParam[Refresh],
    base_release: dg.ResourceParam[str],
    full: dg.ResourceParam[bool],
) -> Iterator[dg.MaterializeResult]:
    """Read out of the papers what they say, what they are about, and what is like what."""
    folder = refresh.folder
    base = folder.release(base_release) if base_release and not full else None
    tables = _tables_before(folder)
    with layer_staging(folder, LAYER, read_note(folder, "folded").token, base_release or None) as staging:
        given = Given(tables, conformed_tables(base) if base else None, base, staging)
        for analysis in ANALYSES:
            for table, frame in analysis.run(given).items():
                write_table(frame, table, staging / f"{table}.parquet")
    for table in TABLES:
        yield materialized(folder, LAYER, table)


def _tables_before(folder: DataFolder) -> dict[str, pl.LazyFrame]:
    return {table: scan_work(folder, layer, table) for table, layer in TABLE_LAYERS.items() if layer != LAYER}


def tables_to_judge(folder: DataFolder, base_release: str) -> dict[str, pl.LazyFrame]:
    """Return the tables that the checks of this layer read."""
    own = {table: scan_work(folder, LAYER, table) for table in TABLES}
    return _tables_before(folder) | own | base_tables(folder.release(base_release) if base_release else None)


checks = build_checks("check_analytical", TABLES, lambda _: analytical_checks(), tables_to_judge)


def build_views(views: Sequence[View]) -> dg.AssetsDefinition:
    """Return the subsettable asset of all views, each with its lineage, contract and a check that it keeps it."""
    by_name = {view.name: view for view in views}

    @dg.multi_asset(
        name="views",
        specs=[_view_spec(view) for view in views],
        check_specs=[
            dg.AssetCheckSpec(
                CONTRACT_CHECK,
                asset=view.name,
                description=f"{view.name} has the columns and types that the header of sql/{view.name}.sql names.",
                blocking=True,
            )
            for view in views
        ],
        can_subset=True,
    )
    @failing_clearly
    def view_assets(context: dg.AssetExecutionContext, refresh: dg.ResourceParam[Refresh]) -> Iterator[object]:
        wanted = {key.to_user_string() for key in context.selected_asset_keys}
        sources = trace_views(views, TABLE_COLUMNS)
        versions = view_versions(views, table_versions(refresh.folder))
        for shown in preview_views(work_tables(refresh.folder), views, wanted, PREVIEW_ROWS):
            name = shown.view.name
            yield dg.MaterializeResult(
                asset_key=name,
                data_version=dg.DataVersion(versions[name]),
                metadata={
                    "dagster/row_count": shown.rows,
                    "preview": preview(shown.first),
                    **lineage_metadata(sources[name]),
                    "database": dg.MetadataValue.path(refresh.folder.current / DATABASE),
                    "command": f'paperfold query "FROM {shown.view.relation}"',
                },
            )
            breaches = contract_breaches(by_name[name], shown.columns)
            failing = pl.DataFrame({"what": breaches}, schema={"what": pl.String})
            yield dg.AssetCheckResult(
                passed=not breaches,
                asset_key=name,
                check_name=CONTRACT_CHECK,
                metadata={
                    "breaches": len(breaches),
                    "columns": len(shown.columns),
                    "failing_rows_shown": preview(failing),
                },
            )

    return view_assets


def work_tables(folder: DataFolder) -> dict[str, Path]:
    """Return the Parquet file of each published table and of each table of the search index under work/."""
    index = index_files(folder.work(LAYER))
    tables = {table: folder.work(layer) / f"{table}.parquet" for table, layer in TABLE_LAYERS.items()}
    return tables | {f"{SCHEMA}.{name}": path for name, path in index.items()}


def table_versions(folder: DataFolder) -> dict[str, str]:
    """Return the version of each published table under work/: the beginning of its file's SHA-256."""
    return {table: read_note(folder, layer).files[f"{table}.parquet"][:20] for table, layer in TABLE_LAYERS.items()}


def _view_spec(view: View) -> dg.AssetSpec:
    columns = [dg.TableColumn(column.name, column.type, column.description) for column in view.columns]
    return dg.AssetSpec(
        view.name,
        group_name=LAYER,
        deps=list(view.depends_on),
        description=view.description,
        kinds={"duckdb", "sql"},
        metadata={
            "dagster/column_schema": dg.TableSchema(columns=columns),
            "query": dg.MetadataValue.md(f"```sql\n{view.query}\n```"),
        },
    )

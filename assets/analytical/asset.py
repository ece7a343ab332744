"""The analytical assets: the tables of each analysis, and each view over all tables."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import dagster as dg
import polars as pl

from assets.analytical.analyses import ANALYSES, TABLES
from assets.analytical.analyses import checks as analytical_checks
from assets.analytical.analysis import Given
from assets.analytical.preview import preview_views
from assets.analytical.search.tables import SCHEMA, index_files
from assets.analytical.views import View, contract_breaches
from assets.contract.asset import PREVIEW_ROWS, build_checks, failing_clearly, materialized, preview, table_spec
from assets.contract.base import base_tables, conformed_tables
from assets.contract.folder import DataFolder
from assets.contract.parquet import write_table
from assets.contract.refresh import Refresh
from assets.contract.vocabulary import TABLE_LAYERS
from assets.contract.work import layer_staging, read_note, scan_work

LAYER = "analytical"
CONTRACT_CHECK = "keeps_contract"


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
        yield materialized(table, folder.work(LAYER) / f"{table}.parquet")


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
        for shown in preview_views(work_tables(refresh.folder), views, wanted, PREVIEW_ROWS):
            name = shown.view.name
            yield dg.MaterializeResult(
                asset_key=name,
                metadata={"dagster/row_count": shown.rows, "preview": preview(shown.first)},
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

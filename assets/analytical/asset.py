"""The analytical assets: facts, and each view over the folded tables."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import dagster as dg
import polars as pl

from assets.analytical.preview import preview_views
from assets.analytical.views import View, contract_breaches
from assets.contract.arrow import empty
from assets.contract.asset import PREVIEW_ROWS, build_checks, failing_clearly, materialized, preview, table_spec
from assets.contract.folder import DataFolder
from assets.contract.parquet import write_table
from assets.contract.refresh import Refresh
from assets.contract.schema import schema_checks
from assets.contract.vocabulary import TABLE_LAYERS
from assets.contract.work import layer_staging, read_note, scan_work

LAYER = "analytical"
CHECKS = schema_checks(("facts",))
CONTRACT_CHECK = "keeps_contract"


@dg.multi_asset(name="read_facts", specs=[table_spec("facts", LAYER, deps=["papers"])])
@failing_clearly
def facts(refresh: dg.ResourceParam[Refresh]) -> dg.MaterializeResult:
    """Write the facts of the papers; no kind of fact is read yet, so the table has its schema and no row."""
    folder = refresh.folder
    with layer_staging(folder, LAYER, read_note(folder, "folded").token) as staging:
        write_table(empty("facts"), "facts", staging / "facts.parquet")
    return materialized("facts", folder.work(LAYER) / "facts.parquet")


checks = build_checks(
    "check_analytical", ("facts",), lambda _: CHECKS, lambda folder, _: {"facts": scan_work(folder, LAYER, "facts")}
)


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
    """Return the Parquet file of each published table under work/."""
    return {table: folder.work(layer) / f"{table}.parquet" for table, layer in TABLE_LAYERS.items()}


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

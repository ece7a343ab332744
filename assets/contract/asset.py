"""How a table and a check show in the Dagster UI: description, column schema, row count, preview, figures.

The one module of the contract that knows Dagster; the `asset.py` of each layer builds on it.
"""

import functools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ParamSpec

import dagster as dg
import polars as pl

from assets.contract.arrow import duckdb_type, polars_schema, schema_of
from assets.contract.check import Check, Tables, Verdict
from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.contract.lineage import table_lineage
from assets.contract.parquet import row_count
from assets.contract.refresh import Refresh
from assets.contract.tables import describe
from assets.contract.work import read_note

PREVIEW_ROWS = 5
_CELL_CHARS = 80

Inputs = ParamSpec("Inputs")


def failing_clearly(compute: Callable[Inputs, Any]) -> Callable[Inputs, Iterator[Any]]:
    """Return a step that fails with a message alone where the error is one for people, or the file system's."""

    @functools.wraps(compute)
    def step(*args: Inputs.args, **kwargs: Inputs.kwargs) -> Iterator[Any]:
        refresh = kwargs.get("refresh")
        try:
            made = compute(*args, **kwargs)
            yield from made if isinstance(made, Iterator) else (made,)
        except (PaperfoldError, OSError) as error:
            unforeseen = "" if isinstance(error, PaperfoldError) else ". The current release stays as it was."
            words = f"{error}{unforeseen}"
            if isinstance(refresh, Refresh):
                refresh.fail(words)
            raise dg.Failure(words, allow_retries=False) from error
        except Exception as error:
            if isinstance(refresh, Refresh):
                refresh.fail(f"The step {compute.__name__!r} failed: {type(error).__name__}: {error}")
            raise

    return step


def table_spec(table: str, group: str, deps: Sequence[str] = ()) -> dg.AssetSpec:
    """Return the spec of a contract table's asset."""
    return dg.AssetSpec(
        table,
        group_name=group,
        deps=list(deps),
        description=describe(table),
        kinds={"polars", "parquet"},
        metadata={"dagster/column_schema": column_schema(table)},
    )


def column_schema(table: str) -> dg.TableSchema:
    """Return a contract table's columns with their types in the database, descriptions and constraints."""
    types, columns = polars_schema(table), schema_of(table).columns()
    # A column of a key of several is not unique by itself.
    key = [name for name, column in columns.items() if column.primary_key]
    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                name,
                type=duckdb_type(types[name]),
                description=column.description,
                constraints=dg.TableColumnConstraints(nullable=column.nullable, unique=key == [name]),
            )
            for name, column in columns.items()
        ]
    )


def lineage_metadata(sources: Mapping[str, Sequence[tuple[str, str]]]) -> dict[str, Any]:
    """Return column -> (table, column) pairs as Dagster's column lineage, and as a table that its free UI shows."""
    shown = [(name, f"{table}.{column}") for name, pairs in sources.items() for table, column in pairs]
    table = pl.DataFrame(shown, schema={"column": pl.String, "comes_from": pl.String}, orient="row")
    return {"dagster/column_lineage": column_lineage(sources), "column_sources": preview(table)}


def column_lineage(sources: Mapping[str, Sequence[tuple[str, str]]]) -> dg.TableColumnLineage:
    """Return column -> (table, column) pairs as Dagster's column lineage."""
    return dg.TableColumnLineage(
        deps_by_column={
            name: [dg.TableColumnDep(asset_key=table, column_name=column) for table, column in pairs]
            for name, pairs in sources.items()
        }
    )


def materialized(folder: DataFolder, layer: str, table: str, **figures: Any) -> dg.MaterializeResult:
    """Return the result of writing a contract table: rows, first rows, where it is; its hash is the data version."""
    path = folder.work(layer) / f"{table}.parquet"
    return dg.MaterializeResult(
        asset_key=table,
        data_version=dg.DataVersion(read_note(folder, layer).files[path.name][:20]),
        metadata={
            "dagster/row_count": row_count(path),
            "dagster/column_schema": column_schema(table),
            **figures,
            "preview": preview(pl.scan_parquet(path).head(PREVIEW_ROWS).collect()),
            **lineage_metadata(table_lineage(table)),
            "path": dg.MetadataValue.path(path),
        },
    )


def preview(rows: pl.DataFrame) -> dg.TableMetadataValue:
    """Return rows as a table of short plain text; the UI shows cells as they are, so nothing in them is markup."""
    if not rows.columns:
        rows = pl.DataFrame(schema={"": pl.String})
    return dg.MetadataValue.table(
        records=[dg.TableRecord({k: _cell(v) for k, v in row.items()}) for row in rows.iter_rows(named=True)],
        schema=dg.TableSchema(columns=[dg.TableColumn(name, str(dtype)) for name, dtype in rows.schema.items()]),
    )


def check_specs(checks: Sequence[Check], assets: Sequence[str]) -> list[dg.AssetCheckSpec]:
    """Return a spec for each check, blocking unless it only warns, on the first of its tables that is among `assets`.

    With one asset, all checks are on that one.
    """
    return [
        dg.AssetCheckSpec(
            check.name,
            asset=_asset_of(check, assets),
            description=check.description,
            blocking=check.severity == "ERROR",
        )
        for check in checks
    ]


def build_checks(
    name: str,
    assets: Sequence[str],
    checks_of: Callable[[DataFolder], Sequence[Check]],
    read: Callable[[DataFolder, str], Tables],
) -> dg.AssetChecksDefinition:
    """Return the grouped checks of a layer.

    Args:
        name: of the step that runs them.
        assets: those that the layer makes; each check is on the first of its tables that is among them.
        checks_of: gives the checks of a data folder; their names are the same for every folder.
        read: gives the tables of a data folder and its base release (an id, or empty).
    """
    specs = check_specs(checks_of(DataFolder(Path())), assets)

    @dg.multi_asset_check(name=name, specs=specs, can_subset=True)
    @failing_clearly
    def judge(
        context: dg.AssetCheckExecutionContext,
        refresh: dg.ResourceParam[Refresh],
        base_release: dg.ResourceParam[str],
    ) -> Iterator[dg.AssetCheckResult]:
        wanted = {key.name for key in context.selected_asset_check_keys}
        tables = read(refresh.folder, base_release)
        for check in checks_of(refresh.folder):
            if check.name in wanted:
                check, verdict = check.judged(tables)
                refresh.judge(check, verdict)
                yield check_result(check, verdict, _asset_of(check, assets))

    return judge


def check_result(check: Check, verdict: Verdict, asset: str) -> dg.AssetCheckResult:
    """Return a verdict as Dagster's, with its figures and failing rows."""
    metadata: dict[str, Any] = dict(verdict.figures)
    if verdict.failing is not None and not verdict.failing.is_empty():
        metadata["failing_rows_shown"] = preview(verdict.failing)
    return dg.AssetCheckResult(
        passed=verdict.passed,
        asset_key=asset,
        check_name=check.name,
        severity=dg.AssetCheckSeverity[check.severity],
        metadata=metadata,
    )


def _asset_of(check: Check, assets: Sequence[str]) -> str:
    return next((table for table in check.tables if table in assets), assets[0])


def _cell(value: Any) -> str | int | float | bool | None:
    if value is None or isinstance(value, bool | int | float):
        return value
    text = _in_words(value)
    return text if len(text) <= _CELL_CHARS else text[: _CELL_CHARS - 1] + "…"


def _in_words(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return ", ".join(_in_words(item) for item in value)
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)

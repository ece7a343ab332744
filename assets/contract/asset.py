"""How a table and a check show in the Dagster UI: description, column schema, row count, preview, figures.

The one module of the contract that knows Dagster; the `asset.py` of each layer builds on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl

from assets.contract.arrow import schema_of
from assets.contract.check import Check, Tables, Verdict
from assets.contract.parquet import file_sha256, row_count
from assets.contract.refresh import Refresh
from assets.contract.tables import describe

PREVIEW_ROWS = 5
_CELL_CHARS = 160


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
    """Return a contract table's columns with types, descriptions and constraints."""
    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                name,
                type=str(column.dtype),
                description=column.description,
                constraints=dg.TableColumnConstraints(nullable=column.nullable, unique=column.primary_key),
            )
            for name, column in schema_of(table).columns().items()
        ]
    )


def materialized(table: str, path: Path, **figures: Any) -> dg.MaterializeResult:
    """Return the result of writing a contract table: rows, first rows, where it is; its hash is the data version."""
    return dg.MaterializeResult(
        asset_key=table,
        data_version=dg.DataVersion(file_sha256(path)[:20]),
        metadata={
            "dagster/row_count": row_count(path),
            "dagster/column_schema": column_schema(table),
            "preview": preview(pl.scan_parquet(path).head(PREVIEW_ROWS).collect()),
            "path": dg.MetadataValue.path(path),
            **figures,
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


def check_specs(checks: Sequence[Check], asset: str | None = None) -> list[dg.AssetCheckSpec]:
    """Return a blocking spec for each check, on the given asset or on the first table that the check reads."""
    return [
        dg.AssetCheckSpec(
            check.name,
            asset=asset or check.tables[0],
            description=check.description,
            blocking=check.severity == "ERROR",
        )
        for check in checks
    ]


def run_checks(
    checks: Sequence[Check], tables: Tables, refresh: Refresh, asset: str | None = None
) -> Iterator[dg.AssetCheckResult]:
    """Judge the tables by each check and yield the result for the UI."""
    for check in checks:
        verdict = check.judge(tables)
        refresh.judge(check, verdict)
        yield check_result(check, verdict, asset or check.tables[0])


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


def _cell(value: Any) -> str | int | float | bool | None:
    if value is None or isinstance(value, bool | int | float):
        return value
    text = str(value)
    return text if len(text) <= _CELL_CHARS else text[: _CELL_CHARS - 1] + "…"


def table_counts(counts: Mapping[str, int]) -> dict[str, dg.MetadataValue]:
    """Return counts as numbers that the UI plots over time."""
    return {name: dg.MetadataValue.int(count) for name, count in counts.items()}

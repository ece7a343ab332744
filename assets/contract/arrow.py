"""What is derived from the tables' description: Arrow schemas with descriptions, DuckDB types, conforming frames."""

from __future__ import annotations

from typing import Any

import dataframely as dy
import polars as pl
import pyarrow as pa

from assets.contract.tables import TABLES, WORK_TABLES

_ALL = {**TABLES, **WORK_TABLES}


def polars_schema(table: str) -> dict[str, pl.DataType]:
    """Return column name -> Polars type of a table, in the contract's order."""
    return {name: column.dtype for name, column in _ALL[table].columns().items()}


def empty(table: str) -> pl.DataFrame:
    """Return the table with its full schema and no row."""
    return pl.DataFrame(schema=polars_schema(table))


def conform(frame: pl.LazyFrame, table: str) -> pl.LazyFrame:
    """Return the frame with exactly the contract's columns, in order and type.

    Raises:
        ValueError: when a column is missing or is not in the contract.
    """
    wanted, found = polars_schema(table), set(frame.collect_schema().names())
    if missing := [name for name in wanted if name not in found]:
        raise ValueError(f"{table}: missing column(s) {', '.join(missing)}; the contract names {', '.join(wanted)}")
    if extra := sorted(found - set(wanted)):
        raise ValueError(f"{table}: column(s) {', '.join(extra)} are not in the contract")
    return frame.select(pl.col(name).cast(dtype) for name, dtype in wanted.items())


def column_descriptions(table: str) -> dict[str, str]:
    """Return column name -> description."""
    return {name: column.description or "" for name, column in _ALL[table].columns().items()}


def _arrow_type(dtype: Any) -> pa.DataType:
    if isinstance(dtype, pl.List):
        return pa.large_list(pa.field("item", _arrow_type(dtype.inner)))
    if isinstance(dtype, pl.Struct):
        return pa.struct([pa.field(f.name, _arrow_type(f.dtype)) for f in dtype.fields])
    if isinstance(dtype, pl.Datetime):
        return pa.timestamp("us")
    return {pl.String: pa.large_string(), pl.Int64: pa.int64(), pl.Float64: pa.float64(), pl.Boolean: pa.bool_()}[
        dtype.base_type()
    ]


def duckdb_type(dtype: pl.DataType) -> str:
    """Return the DuckDB type of a Polars type that the contract uses."""
    if isinstance(dtype, pl.List):
        return f"{duckdb_type(dtype.inner)}[]"  # type: ignore[arg-type]
    if isinstance(dtype, pl.Struct):
        return f"STRUCT({', '.join(f'{field.name} {duckdb_type(field.dtype)}' for field in dtype.fields)})"  # type: ignore[arg-type]
    names = {pl.String: "VARCHAR", pl.Int64: "BIGINT", pl.Float64: "DOUBLE", pl.Boolean: "BOOLEAN"}
    return "TIMESTAMP" if isinstance(dtype, pl.Datetime) else names[dtype.base_type()]


def arrow_schema(table: str) -> pa.Schema:
    """Return the Arrow schema of a table; each field carries nullability and its description as metadata."""
    return pa.schema(
        [
            pa.field(
                name,
                _arrow_type(column.dtype),
                nullable=column.nullable,
                metadata={"description": column.description or ""},
            )
            for name, column in _ALL[table].columns().items()
        ]
    )


def schema_of(table: str) -> type[dy.Schema]:
    """Return the dataframely schema of a published or work table."""
    return _ALL[table]

"""The tables of a release, and those of the release before as a check sees them."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from assets.contract.arrow import empty, polars_schema
from assets.contract.tables import TABLES

BASE_PREFIX = "base_"
"""In a check, `base_papers` is the table `papers` of the release before; without rows in a first build."""


def release_tables(release: Path) -> dict[str, pl.LazyFrame]:
    """Return the tables of a release folder."""
    return {name: pl.scan_parquet(release / f"{name}.parquet") for name in TABLES}


def conformed_tables(release: Path) -> dict[str, pl.LazyFrame]:
    """Return the tables of a release of any contract version as today's; one that it lacks has no row."""
    paths = {name: release / f"{name}.parquet" for name in TABLES}
    return {
        name: conform_older(pl.scan_parquet(path), name) if path.exists() else empty(name).lazy()
        for name, path in paths.items()
    }


def conform_older(frame: pl.LazyFrame, table: str) -> pl.LazyFrame:
    """Return a table of a release of any contract version with today's columns, those it lacks filled with nulls."""
    found = frame.collect_schema().names()
    return frame.select(
        (pl.col(name) if name in found else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in polars_schema(table).items()
    )


def base_tables(base: Path | None) -> dict[str, pl.LazyFrame]:
    """Return the tables of the release before under their `base_` names."""
    if base is None:
        return {f"{BASE_PREFIX}{name}": empty(name).lazy() for name in TABLES}
    return {f"{BASE_PREFIX}{name}": frame for name, frame in conformed_tables(base).items()}

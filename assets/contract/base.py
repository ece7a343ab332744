"""The tables of a release, and those of the release before as a check sees them."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from assets.contract.arrow import empty
from assets.contract.tables import TABLES

BASE_PREFIX = "base_"
"""In a check, `base_papers` is the table `papers` of the release before; without rows in a first build."""


def release_tables(release: Path) -> dict[str, pl.LazyFrame]:
    """Return the tables of a release folder."""
    return {name: pl.scan_parquet(release / f"{name}.parquet") for name in TABLES}


def base_tables(base: Path | None) -> dict[str, pl.LazyFrame]:
    """Return the tables of the release before under their `base_` names."""
    frames = release_tables(base) if base else {name: empty(name).lazy() for name in TABLES}
    return {f"{BASE_PREFIX}{name}": frame for name, frame in frames.items()}

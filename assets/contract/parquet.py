"""How a table is written to and read from Parquet: the contract's schema, descriptions in the fields, stable bytes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from assets.contract.arrow import arrow_schema, conform, empty

ROWS_PER_GROUP = 50_000
"""Rows per row group, fixed so that equal rows give equal bytes however they were batched."""


def write_table(frame: pl.LazyFrame | pl.DataFrame, table: str, path: Path) -> None:
    """Write a table's rows in their order, flushed to disk; equal rows give equal bytes.

    Raises:
        ValueError: when the frame has other columns than the contract.
    """
    conform(frame.lazy(), table).sink_parquet(
        path,
        compression="zstd",
        row_group_size=ROWS_PER_GROUP,
        arrow_schema=arrow_schema(table),
        sync_on_close="all",
    )


def write_batches(frames: Iterable[pl.DataFrame], table: str, path: Path) -> None:
    """Write a table from batches without holding them all; the bytes are those of `write_table` on their whole."""
    parts = path.parent / f".{path.stem}-parts"
    parts.mkdir()
    written = []
    try:
        for number, frame in enumerate(frames):
            part = parts / f"{number:06}.parquet"
            conform(frame.lazy(), table).sink_parquet(part, compression="lz4")
            written.append(part)
        write_table(pl.scan_parquet(written) if written else empty(table), table, path)
    finally:
        for part in parts.iterdir():
            part.unlink()
        parts.rmdir()


def row_count(path: Path) -> int:
    """Return the number of rows of a Parquet file from its footer."""
    return int(pq.read_metadata(path).num_rows)

"""Documents that stay though nothing brings them now: past contents of a source, and those of one that failed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from pathlib import Path
from typing import Any

import polars as pl

from assets.contract.arrow import polars_schema
from assets.contract.base import conformed_tables
from assets.contract.folder import DataFolder
from assets.contract.ids import document_id
from assets.raw.history import Snapshot

_COLUMNS = ("document_id", "source", "file_name", "content_sha256", "bytes", "snapshot_at", "encoding")


def documents_before(base: Path | None) -> pl.DataFrame:
    """Return the documents of a release, and why those were not stored that were not.

    Columns: document_id, source, file_name, content_sha256, bytes, snapshot_at, encoding, problem, problem_detail.
    """
    schema = polars_schema("files")
    columns = [*_COLUMNS, "problem", "problem_detail"]
    if base is None:
        return pl.DataFrame(schema={name: schema[name] for name in columns})
    tables = conformed_tables(base)
    unstored = tables["documents"].filter(pl.col("content_sha256").is_null())
    reasons = (
        tables["rejects"]
        .join(unstored, on="document_id", how="semi")
        .group_by("document_id")
        .agg(problem=pl.col("reason").first(), problem_detail=pl.col("detail").first())
    )
    return tables["documents"].select(_COLUMNS).join(reasons, on="document_id", how="left").select(columns).collect()


def snapshots_before(documents: pl.DataFrame) -> tuple[Snapshot, ...]:
    """Return the contents that the release before has of a source, in the order of their times."""
    ordered = documents.drop_nulls("content_sha256").sort("snapshot_at", "file_name", nulls_last=False)
    return tuple(
        Snapshot(
            file_name=row["file_name"],
            content_sha256=row["content_sha256"],
            bytes=row["bytes"],
            snapshot_at=row["snapshot_at"].replace(tzinfo=UTC) if row["snapshot_at"] else None,
            encoding=row["encoding"],
        )
        for row in ordered.iter_rows(named=True)
    )


def snapshot_rows(source: str, snapshots: Sequence[Snapshot], folder: DataFolder) -> pl.DataFrame:
    """Return contents of a source as rows of the table `files`; one that is not stored any more has a problem."""
    rows = []
    for entry in snapshots:
        stored = folder.content(entry.content_sha256).exists()
        row: dict[str, Any] = {
            "source": source,
            "file_name": entry.file_name,
            "content_sha256": entry.content_sha256 if stored else None,
            "bytes": entry.bytes,
            "snapshot_at": entry.snapshot_at.replace(tzinfo=None) if entry.snapshot_at else None,
            "encoding": entry.encoding,
            "problem": None if stored else "unreadable_file",
            "problem_detail": None if stored else f"its stored content {entry.content_sha256} is not there any more",
        }
        rows.append(row | {"document_id": document_id(source, entry.file_name, row["content_sha256"])})
    return pl.DataFrame(rows, schema=polars_schema("files"))


def rows_before(source: str, documents: pl.DataFrame, folder: DataFolder) -> pl.DataFrame:
    """Return the documents that the release before has of a folder as rows of the table `files`."""
    rows = snapshot_rows(source, snapshots_before(documents), folder)
    unstored = documents.filter(pl.col("content_sha256").is_null())
    # A folder states no encoding: what its files were found to have is found again.
    return pl.concat([rows, unstored], how="diagonal").with_columns(encoding=pl.lit(None, dtype=pl.String))

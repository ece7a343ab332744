"""Standing: which papers a list shows, where, and with which text, as of its last snapshot.

The order of snapshots is that of the times that file names or sources state. Documents without a time come first and
stand beside each other: nobody knows which is the later one, so none takes the place of another.
"""

from __future__ import annotations

import polars as pl

from assets.contract.check import Tables

STANDING: dict[str, pl.DataType | type[pl.DataType]] = {
    "list_key": pl.String,
    "paper_id": pl.String,
    "listed": pl.Boolean,
    "position": pl.Int64,
    "occurrence_id": pl.String,
    "snapshot_at": pl.Datetime("us"),
}
"""A row per list and paper. listed: it stands in the last snapshot; position: there, else null.

occurrence_id: its latest occurrence in the list that has a text, else its latest; snapshot_at: the time of that one.
"""


def snapshots(documents: pl.LazyFrame) -> pl.DataFrame:
    """Return document_id, list_key, file_name, snapshot_at, `step` and `last` of the documents that hold papers.

    `step` numbers the snapshots of a list from 1; documents of one time share it, and those without a time have 0.
    `last` marks those of a list's last step.
    """
    return (
        documents.filter(pl.col("occurrences") > 0)
        .select("document_id", "list_key", "source", "file_name", "snapshot_at", "venue", "year")
        .with_columns(
            step=pl.when(pl.col("snapshot_at").is_null())
            .then(0)
            .otherwise(pl.col("snapshot_at").rank("dense").over("list_key"))
            .cast(pl.Int64)
        )
        .with_columns(last=pl.col("step") == pl.col("step").max().over("list_key"))
        .sort("list_key", "step", "file_name", "source", "document_id")
        .collect()
    )


def earlier_than(documents: pl.DataFrame, snapshot: pl.DataFrame) -> pl.DataFrame:
    """Return the documents (as `snapshots` gives them) that are known to come before a snapshot of one of the lists."""
    moment, key = snapshot["snapshot_at"].min(), snapshot["list_key"][0]
    others = pl.col("document_id").is_in(snapshot["document_id"].implode()).not_()
    if moment is None:
        first = snapshot["file_name"].min()
        return documents.filter(others, list_key=key).filter(pl.col("file_name") <= first)
    undated_here = pl.col("snapshot_at").is_null() & (pl.col("list_key") == key)
    return documents.filter(others & ((pl.col("snapshot_at") < moment) | undated_here))


def unordered_lists(now: pl.DataFrame, before: pl.DataFrame) -> set[str]:
    """Return the lists of which it is not known that what they show now is later than what they showed before.

    Args:
        now: Documents as `snapshots` gives them.
        before: Those of the earlier state.
    """
    last = [
        side.filter("last").group_by("list_key").agg(pl.col("snapshot_at").max(), ids=pl.col("document_id").sort())
        for side in (now, before)
    ]
    both = last[0].join(last[1], on="list_key", suffix="_before")
    unknown = both.filter(
        (pl.col("ids") != pl.col("ids_before"))
        & ~(pl.col("snapshot_at_before") <= pl.col("snapshot_at")).fill_null(False)
    )
    return set(unknown["list_key"])


def standing(tables: Tables, documents: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return what each list shows (columns STANDING).

    Args:
        tables: documents, occurrences.
        documents: Snapshots to look at, as `snapshots` gives them (default: all).
    """
    looked_at = snapshots(tables["documents"]) if documents is None else documents
    latest_first = looked_at.with_row_index("order").select(
        "document_id", "list_key", "snapshot_at", last="last", order=pl.col("order").cast(pl.Int64)
    )
    return (
        tables["occurrences"]
        .select("document_id", "paper_id", "position", "occurrence_id", has_text=pl.col("words") > 0)
        .join(latest_first.lazy(), on="document_id")
        .sort("has_text", "order", "position", descending=[True, True, False])
        .group_by("list_key", "paper_id", maintain_order=True)
        .agg(
            listed=pl.col("last").any(),
            position=pl.col("position").filter(pl.col("last")).min(),
            occurrence_id=pl.col("occurrence_id").first(),
            snapshot_at=pl.col("snapshot_at").first(),
        )
        .select(pl.col(name).cast(dtype) for name, dtype in STANDING.items())
        .collect()
    )

"""What need not be read again: documents of the base release whose content and read key are unchanged.

Their occurrences stay in the base release's Parquet; only new documents are read. The two halves are merged in the
order of documents, without holding either.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from assets.contract.arrow import empty

DOCUMENT_ORDER = ("source", "file_name", "document_id")


def unchanged_documents(files: pl.DataFrame, base: pl.LazyFrame | None, read_keys: Mapping[str, str]) -> pl.DataFrame:
    """Return the base release's documents that stand for one of the files as it would be read now.

    Args:
        files: the table `files`.
        base: the base release's `documents`, if there is one.
        read_keys: source label -> read key of now. A file that could not be read is always tried again.
    """
    if base is None:
        return empty("documents")
    keys = files.filter(pl.col("content_sha256").is_not_null(), pl.col("problem").is_null()).select(
        "document_id", pl.col("source").replace_strict(read_keys, return_dtype=pl.String).alias("read_key")
    )
    return base.join(keys.lazy(), on=["document_id", "read_key"], how="semi").collect()


def order_documents(documents: pl.DataFrame) -> pl.DataFrame:
    """Return the documents in the order in which every table keeps them."""
    return documents.sort(DOCUMENT_ORDER)


def order_rejects(rejects: pl.DataFrame, documents: pl.DataFrame) -> pl.DataFrame:
    """Return the rejects in the order of documents, then of their place in the document."""
    ranks = documents.select("document_id").with_row_index("rank")
    return rejects.join(ranks, on="document_id").sort("rank", "char_start", "char_end", "reason").drop("rank")


def merge_occurrences(
    documents: pl.LazyFrame, read: pl.LazyFrame, base: pl.LazyFrame | None, carried: pl.LazyFrame
) -> pl.LazyFrame:
    """Return the occurrences of all documents in the order of documents and positions.

    Args:
        documents: the table `documents`, in order.
        read: occurrences of the documents that were read now, in order.
        base: occurrences of the base release, in order, if there is one.
        carried: the `document_id`s whose occurrences are taken from the base release.
    """
    if base is None:
        return read
    ranks = documents.select("document_id").with_row_index("rank")
    columns = read.collect_schema().names()
    kept = base.select(columns).join(carried, on="document_id", how="semi", maintain_order="left")
    ordered = [
        frame.join(ranks, on="document_id", how="inner", maintain_order="left").set_sorted("rank")
        for frame in (kept, read)
    ]
    return ordered[0].merge_sorted(ordered[1], key="rank").select(columns)

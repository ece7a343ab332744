"""Variants: occurrences that are one paper without a question, because all that identifies them is equal.

A variant has one word sequence, one title, one list of authors, one set of ids. A record without a text and without
authors says so little that its list counts too.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import polars_hash  # noqa: F401  (registers the chash namespace)

from assets.folded.words import hexadecimal, stable_hash


def variant_keys(read: pl.DataFrame) -> pl.DataFrame:
    """Return the entries with title_key and variant_key (64 bits, equal on every machine)."""
    listed = pl.when(pl.col("text_key").is_null() & pl.col("authors").is_null()).then("list_key")
    plain = (
        pl.col("title_form").is_null()
        & pl.col("authors").is_null()
        & pl.col("ids").is_null()
        & pl.col("pin").is_null()
        & pl.col("text_key").is_not_null()
    )
    filled = pl.concat_str(
        [
            pl.coalesce(part, pl.lit("\x00"))
            for part in (
                pl.col("text_key").cast(pl.String),
                pl.col("title_form"),
                pl.col("authors").list.join("\x1f"),
                pl.col("ids").list.join("\x1f"),
                listed,
                pl.col("pin"),
            )
        ],
        separator="\x1e",
    )
    return read.with_columns(
        title_key=stable_hash(pl.col("title_form")),
        variant_key=pl.when(plain).then("text_key").otherwise(stable_hash(filled)),
    )


def variants_of(read: pl.DataFrame) -> tuple[pl.DataFrame, np.ndarray]:
    """Return the variants, sorted by variant_key, and for each entry the row of its variant.

    The variants' columns: row, variant_key, text_key, title_form, title_key, authors, ids, words, flaws,
    lead_occurrence_id and lead_raw_key (the best formed, then first, occurrence), rank (0 for the best copy of all:
    not shouting, not cut, most words, no markup left, with a title).
    """
    keys, counts = _distinct_counts(read.get_column("variant_key"))
    member_of = np.searchsorted(keys, read.get_column("variant_key").to_numpy())
    lead = np.empty(len(keys), dtype=np.int64)
    lead[member_of] = np.arange(read.height)
    # Most variants have one occurrence; only of the others one must be chosen.
    several = np.flatnonzero(counts[member_of] > 1)
    best = (
        read[several]
        .select(pl.arg_sort_by("flaws", "document_order", "position", "occurrence_id", nulls_last=True))
        .to_series()
        .to_numpy()[::-1]
    )
    lead[member_of[several[best]]] = several[best]
    found = (
        read[lead]
        .select(
            "variant_key",
            "text_key",
            "title_form",
            "title_key",
            "authors",
            "ids",
            "words",
            "flaws",
            lead_occurrence_id="occurrence_id",
            lead_raw_key="raw_key",
        )
        .with_row_index("row")
        .with_columns(pl.col("row").cast(pl.Int64))
    )
    flaws, words = pl.col("flaws").fill_null(0).cast(pl.UInt64), pl.col("words").fill_null(0).cast(pl.UInt64)
    # From best to worst, as one number; what is equal in it is told apart by the keys.
    standing = (
        pl.col("text_key").is_null().cast(pl.UInt64) * (1 << 60)
        + (flaws & 6) * (1 << 54)
        + ((1 << 48) - words) * 16
        + (flaws & 1) * 4
        + pl.col("title_form").is_null().cast(pl.UInt64) * 2
        + pl.col("authors").is_null().cast(pl.UInt64)
    )
    best_first = found.select(pl.arg_sort_by(standing, "text_key", "variant_key")).to_series().to_numpy()
    rank = np.empty(found.height, dtype=np.int64)
    rank[best_first] = np.arange(found.height)
    return found.with_columns(rank=pl.Series(rank)), member_of


def _distinct_counts(keys: pl.Series) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct keys in order, and how often each stands there."""
    values = keys.sort().to_numpy()
    starts = np.flatnonzero(np.concatenate(([True], values[1:] != values[:-1]))) if len(values) else np.empty(0, int)
    return values[starts], np.diff(starts, append=len(values))


def natural_ids(centres: pl.DataFrame) -> pl.DataFrame:
    """Return cluster, paper_id: the id that the content of each centre gives (as `contract.ids.paper_id` makes it)."""
    # The framing of ids.make_id for one part of 16 characters, so that a million ids need no Python loop.
    framed = pl.concat_str(pl.lit("\x00" * 7 + "\x10"), hexadecimal(centres.get_column("variant_key")))
    digest = framed.chash.sha2_256()  # type: ignore[attr-defined]
    return centres.select(cluster="row", paper_id=pl.concat_str(pl.lit("pap_"), digest.str.slice(0, 20)))

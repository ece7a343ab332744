"""Named: what the occurrences stood for that a person's decisions name, so that a decision outlives their ids.

An occurrence id names a position of one content of one file, and is gone when the file changes. What stood there is
remembered with the release, in the table `decisions`: the content, and where to find its like in the file's next
content.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from assets.folded.entries import ENTRY_SCHEMA
from assets.folded.settings import Decision
from assets.folded.variants import variant_keys

NAMED: dict[str, pl.DataType | type[pl.DataType]] = {
    "id": pl.String,
    "text_key": pl.UInt64,
    "title_key": pl.UInt64,
    "variant_key": pl.UInt64,
    "source": pl.String,
    "file_name": pl.String,
    "nth": pl.Int64,
    "paper_id": pl.String,
}
"""A row per named occurrence that is known. variant_key: all that identifies the record; nth: the how manieth of such
records of its file it is; paper_id: the paper that it was in last, null when it is in this build."""

PLACED = {"document_id": pl.String, "source": pl.String, "file_name": pl.String, "list_key": pl.String}
"""What is asked of documents here."""

_KEYS = ("text_key", "title_key", "variant_key")


def named_occurrences(decisions: Sequence[Decision]) -> list[str]:
    """Return the occurrence ids that decisions name."""
    return sorted({i for d in decisions for i in (d.first, d.second) if i.startswith("occ_")})


def stood_for(wanted: Sequence[str], entries: pl.DataFrame, documents: pl.DataFrame) -> pl.DataFrame:
    """Return what those of the wanted occurrences stand for (columns NAMED) that are among the entries.

    Args:
        wanted: Occurrence ids.
        entries: Columns ENTRY_SCHEMA.
        documents: Columns PLACED.
    """
    held = entries.filter(pl.col("occurrence_id").is_in(list(wanted))).select("document_id").unique()
    found = _records(entries.join(held, on="document_id", how="semi"), documents)
    return (
        found.filter(pl.col("occurrence_id").is_in(list(wanted)))
        .with_columns(id="occurrence_id", paper_id=pl.lit(None, pl.String))
        .select(pl.col(name).cast(dtype) for name, dtype in NAMED.items())
    )


def remembered(wanted: Sequence[str], decisions: pl.DataFrame) -> pl.DataFrame:
    """Return what the table `decisions` of the release before knows of the wanted occurrences (columns NAMED)."""
    rows: dict[str, dict[str, Any]] = {}
    for row in decisions.iter_rows(named=True):
        for side in ("a", "b"):
            stood = row[f"stood_for_{side}"]
            if stood is not None and row[f"id_{side}"] in wanted:
                keys = {key: None if stood[key] is None else int(stood[key], 16) for key in _KEYS}
                rows[row[f"id_{side}"]] = {
                    **stood,
                    **keys,
                    "id": row[f"id_{side}"],
                    "paper_id": row[f"paper_id_{side}"],
                }
    return pl.DataFrame([{name: row[name] for name in NAMED} for row in rows.values()], schema=NAMED)


def as_remembered(named: pl.DataFrame) -> dict[str, dict[str, Any]]:
    """Return id -> what the table `decisions` keeps of it."""
    kept = {}
    for row in named.iter_rows(named=True):
        keys = {key: None if row[key] is None else f"{row[key]:016x}" for key in _KEYS}
        kept[row["id"]] = {**keys, "source": row["source"], "file_name": row["file_name"], "nth": row["nth"]}
    return kept


def pins(
    decisions: Sequence[Decision], named: pl.DataFrame, entries: pl.DataFrame, documents: pl.DataFrame
) -> pl.DataFrame:
    """Return occurrence_id, pin: the occurrences that a person sets apart though nothing else tells them apart.

    Such an occurrence is a variant of its own. In another content of its file, the record that stood for the same
    and was the same in number takes its place; its pin is the id that the person named.
    """
    what = dict(named.select("id", "variant_key").iter_rows())
    apart = {
        i
        for d in decisions
        if d.verdict == "different" and d.first in what and what[d.first] == what.get(d.second)
        for i in (d.first, d.second)
    }
    wanted = named.filter(pl.col("id").is_in(list(apart))).select("id", "variant_key", "source", "file_name", "nth")
    if wanted.is_empty():
        return pl.DataFrame(schema={"occurrence_id": pl.String, "pin": pl.String})
    contents = documents.join(wanted, on=["source", "file_name"], how="semi").select("document_id")
    records = _records(entries.join(contents, on="document_id", how="semi"), documents)
    found = records.join(wanted, on=["source", "file_name", "variant_key", "nth"])
    return found.select("occurrence_id", pin="id").unique("occurrence_id", keep="first").sort("occurrence_id")


def with_pins(read: pl.DataFrame, pinned: pl.DataFrame) -> pl.DataFrame:
    """Return entries with list_key, title_key and variant_key, those that are pinned as variants of their own."""
    if pinned.is_empty():
        return read
    apart = variant_keys(read.join(pinned, on="occurrence_id").drop("title_key", "variant_key"))
    return (
        read.join(
            apart.select("occurrence_id", own="variant_key"), on="occurrence_id", how="left", maintain_order="left"
        )
        .with_columns(variant_key=pl.coalesce("own", "variant_key"))
        .drop("own")
    )


def _records(entries: pl.DataFrame, documents: pl.DataFrame) -> pl.DataFrame:
    """Return the entries with what identifies each, unpinned, and the how manieth of such in its document it is."""
    placed = entries.select(list(ENTRY_SCHEMA)).join(documents.select(list(PLACED)), on="document_id", how="left")
    return variant_keys(placed.with_columns(pin=pl.lit(None, pl.String))).with_columns(
        nth=pl.col("position").rank("ordinal").over("document_id", "variant_key").cast(pl.Int64)
    )

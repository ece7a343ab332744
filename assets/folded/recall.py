"""Recall: the entries of a build, read now or remembered, and what the release before held.

What is looked up in the fold index or in the tables of the release before belongs here. What follows from it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

from assets.folded.entries import ENTRY_SCHEMA, entries
from assets.folded.index import FoldIndex
from assets.folded.lineage import HELD
from assets.folded.named import PLACED, named_occurrences, pins, stood_for, with_pins
from assets.folded.named import remembered as remembered_names
from assets.folded.results import Base
from assets.folded.settings import Decision
from assets.folded.texts import TextsPart, part_of
from assets.folded.variants import variant_keys

KEPT = [name for name in ENTRY_SCHEMA if name != "document_id"]
KEPT += ["title_key", "variant_key", "document_order", "match_kind", "similarity", "version"]
"""What is remembered of an entry."""


BATCH_ROWS = 50_000
"""Occurrences whose texts are in memory at a time while their words are hashed."""

Progress = Callable[[str, int, int], None]
"""Called with a step's name, how much is done and how much there is."""


def entries_now(
    occurrences: pl.LazyFrame,
    order: pl.DataFrame,
    remembered: FoldIndex | None,
    told: Progress,
) -> tuple[pl.DataFrame, list[TextsPart]]:
    """Return the entries of all occurrences, and the texts of those that were not remembered."""
    kept = None
    if remembered is not None:
        place = remembered.documents.select("document_key").with_row_index("before").join(order, on="document_key")
        now = np.full(remembered.documents.height, -1, dtype=np.int64)
        now[place.get_column("before").to_numpy()] = place.get_column("document_order").to_numpy()
        entries_order = now[remembered.entries.get_column("document_order").to_numpy()]
        kept = remembered.entries.select(KEPT).with_columns(document_order=pl.Series(entries_order))
        if (now < 0).any():
            kept = kept.filter(pl.col("document_order") >= 0)
        new = order.join(place, on="document_key", how="anti").get_column("document_id")
        occurrences = occurrences.filter(pl.col("document_id").is_in(new.implode()))
    fresh, parts = _entries_of(occurrences, told)
    keyed = variant_keys(
        fresh.join(
            order.select("document_id", "list_key", pl.col("document_order").cast(pl.Int64)),
            on="document_id",
            how="left",
        ).with_columns(pin=pl.lit(None, pl.String))
    )
    read = keyed.with_columns(
        match_kind=pl.lit(None, pl.String),
        similarity=pl.lit(None, pl.Float64),
        version=pl.lit(None, pl.Int64),
    ).select(KEPT)
    return (read if kept is None else pl.concat([kept, read])), parts


def _entries_of(occurrences: pl.LazyFrame, told: Progress) -> tuple[pl.DataFrame, list[TextsPart]]:
    read, parts = [], []
    wanted = ("occurrence_id", "document_id", "position", "raw_text", "text", "title", "authors", "external_ids")
    done = 0
    for batch in occurrences.select(wanted).collect_batches(chunk_size=BATCH_ROWS, maintain_order=True):
        rows, keys, words = entries(batch)
        read.append(rows)
        parts.append(part_of(keys, words))
        done += batch.height
        told("words", done, 0)
    told("words", done, done)
    return (pl.concat(read) if read else pl.DataFrame(schema=ENTRY_SCHEMA)), parts


def held_before(
    base: Base | None,
    remembered: FoldIndex | None,
    decisions: Sequence[Decision],
    named: pl.DataFrame,
    told: Progress,
) -> pl.DataFrame:
    """Return what the occurrences of the release before held: occurrence_id, paper_id, HELD.

    From an index there is `paper` too, the row of the paper among those that it remembers.
    """
    if base is None:
        return pl.DataFrame(schema={"occurrence_id": pl.String, "paper_id": pl.String, **HELD})
    if remembered is not None:
        ids = remembered.papers.get_column("paper_id").gather(remembered.entries.get_column("paper"))
        return remembered.entries.select("occurrence_id", "paper", *HELD).with_columns(paper_id=ids)
    read, _ = _entries_of(base.table("occurrences"), told)
    papers = base.table("occurrences").select("occurrence_id", "paper_id").collect()
    keyed = variant_keys(read.with_columns(list_key=pl.lit(None, pl.String), pin=pl.lit(None, pl.String)))
    if not named.is_empty():
        keyed = with_pins(keyed.drop("pin"), pins(decisions, named, read, _placed(base.table("documents"))))
    return keyed.join(papers, on="occurrence_id", how="left").select("occurrence_id", "paper_id", *HELD)


def _placed(documents: pl.LazyFrame) -> pl.DataFrame:
    return documents.select(list(PLACED)).collect()


def placed_in(documents: pl.DataFrame, entries: pl.DataFrame) -> pl.DataFrame:
    """Return the entries with what is known of their documents, which they name by row."""
    names = [name for name in ("document_id", "list_key") if name in documents.columns]
    return entries.with_columns(documents.select(pl.col(names).gather(entries.get_column("document_order"))))


def named_now(
    decisions: Sequence[Decision],
    read: pl.DataFrame,
    order: pl.DataFrame,
    documents: pl.LazyFrame,
    base: Base | None,
    remembered: FoldIndex | None,
    told: Progress,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return what the occurrences stand for that decisions name, and the occurrences that are set apart for them.

    What is not in this build is looked up in what the release before remembered, then in its occurrences.
    """
    wanted = named_occurrences(decisions)
    if not wanted:
        nothing = stood_for(wanted, pl.DataFrame(schema=ENTRY_SCHEMA), pl.DataFrame(schema=PLACED))
        return nothing, pins(decisions, nothing, pl.DataFrame(schema=ENTRY_SCHEMA), pl.DataFrame(schema=PLACED))
    placed, read = _placed(documents), placed_in(order, read)
    found = stood_for(wanted, read, placed)

    def missing() -> list[str]:
        return sorted(set(wanted) - set(found.get_column("id")))

    if base is not None and missing():
        found = pl.concat([found, remembered_names(missing(), base.table("decisions").collect())])
    if base is not None and missing():
        lost = base.table("occurrences").filter(pl.col("occurrence_id").is_in(missing()))
        around = base.table("occurrences").join(lost.select("document_id").unique(), on="document_id", how="semi")
        entries = (
            placed_in(remembered.documents, remembered.entries)
            if remembered is not None
            else _entries_of(around, told)[0]
        )
        papers = lost.select(id="occurrence_id", paper="paper_id").collect()
        stood = stood_for(missing(), entries, _placed(base.table("documents"))).join(papers, on="id", how="left")
        found = pl.concat([found, stood.with_columns(paper_id="paper").select(found.columns)])
    return found, pins(decisions, found, read, placed)

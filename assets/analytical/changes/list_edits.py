"""Edits of a list: which papers a snapshot shows with another text, or elsewhere, than the snapshot before.

Made once with the release: both need what SQL does at great cost, a longest run in order and the texts themselves.
A paper that jumps to the top passes all others, yet it alone moved. So the papers that moved are those outside a
longest run of papers that kept their order: the fewest that one would have to take out and put elsewhere.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

import polars as pl

from assets.analytical.analysis import Analysis, Given
from assets.contract.arrow import conform, empty
from assets.contract.check import Tables

TABLE = "list_edits"


def edited_papers(tables: Tables) -> pl.DataFrame:
    """Return the table `list_edits`: document_id, paper_id and change, `revised` or `moved`.

    The snapshot before is that of the view list_changes: by snapshot time (unknown first), file name, document. A
    paper that was revised and moved is revised.
    """
    kept = _kept(tables)
    if kept.is_empty():
        return empty(TABLE)
    moved = [
        moved
        for (_,), rows in kept.group_by("document_id", maintain_order=True)
        for moved in out_of_order(rows["previous_position"].to_list())
    ]
    revised = _revised(kept, tables).with_columns(revised=True)
    found = kept.with_columns(moved=pl.Series(moved, dtype=pl.Boolean)).join(
        revised, on=["document_id", "paper_id"], how="left", maintain_order="left"
    )
    change = pl.when("revised").then(pl.lit("revised")).when("moved").then(pl.lit("moved"))
    edits = found.with_columns(change=change).filter(pl.col("change").is_not_null())
    return (
        conform(edits.select("document_id", "paper_id", "change").lazy(), TABLE)
        .sort("document_id", "paper_id")
        .collect()
    )


def _kept(tables: Tables) -> pl.DataFrame:
    """Return the papers that a snapshot and the one before it show, by their first places, in the snapshot's order."""
    ordered = (
        tables["documents"]
        .filter(pl.col("occurrences") > 0)
        .sort("list_key", "snapshot_at", "file_name", "document_id", nulls_last=False)
        .select("document_id", before=pl.col("document_id").shift(1).over("list_key"))
        .filter(pl.col("before").is_not_null())
        .collect()
    )
    looked_at = pl.concat([ordered["document_id"], ordered["before"]]).unique()
    places = (
        tables["occurrences"]
        .select("document_id", "paper_id", "position", "occurrence_id", "version")
        .filter(pl.col("document_id").is_in(looked_at.implode()))
        .collect()
        .sort("document_id", "position")
        .unique(["document_id", "paper_id"], keep="first", maintain_order=True)
    )
    then = places.select(
        "paper_id",
        before="document_id",
        previous_position="position",
        previous_occurrence_id="occurrence_id",
        previous_version="version",
    )
    return places.join(ordered, on="document_id").join(then, on=["before", "paper_id"]).sort("document_id", "position")


def _revised(kept: pl.DataFrame, tables: Tables) -> pl.DataFrame:
    """Return document_id, paper_id of those whose text differs in letters or digits; few texts are read."""
    unlike = kept.filter(pl.col("version") != pl.col("previous_version"))
    wanted = pl.concat([unlike["occurrence_id"], unlike["previous_occurrence_id"]]).unique()
    if wanted.is_empty():
        return unlike.select("document_id", "paper_id")
    letters = pl.col("text").str.to_lowercase().str.replace_all(r"[^\pL\pN]+", "")
    texts = (
        tables["occurrences"]
        .select("occurrence_id", "text")
        .join(wanted.to_frame("occurrence_id").lazy(), on="occurrence_id", how="semi")
        .select("occurrence_id", letters=letters)
        .collect()
    )
    return (
        unlike.join(texts, on="occurrence_id")
        .join(texts, left_on="previous_occurrence_id", right_on="occurrence_id", suffix="_before")
        .filter(pl.col("letters") != pl.col("letters_before"))
        .select("document_id", "paper_id")
    )


def out_of_order(places: Sequence[int]) -> list[bool]:
    """Return for each of some distinct numbers whether it is outside a longest increasing run of them.

    Of several longest runs it is the one that patience sorting finds (Schensted 1961), in n log n steps.
    """
    tops: list[int] = []
    holders: list[int] = []
    below: list[int] = []
    for number, place in enumerate(places):
        pile = bisect_left(tops, place)
        # The slice replaces the pile's top card, or begins a new pile after the last.
        tops[pile : pile + 1], holders[pile : pile + 1] = [place], [number]
        below.append(holders[pile - 1] if pile else -1)
    outside = [True] * len(places)
    number = holders[-1] if holders else -1
    while number >= 0:
        outside[number] = False
        number = below[number]
    return outside


def find_edits(given: Given) -> Mapping[str, pl.DataFrame]:
    """Return the table of edits."""
    return {TABLE: edited_papers(given.tables)}


ANALYSIS = Analysis("list_edits", "1", (TABLE,), find_edits)

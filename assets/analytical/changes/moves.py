"""Moves: which papers a list shows elsewhere than before, as seen against the others that it still shows.

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

TABLE = "list_moves"


def moved_papers(tables: Tables) -> pl.DataFrame:
    """Return the table `list_moves`: document_id and paper_id of each paper that moved since the snapshot before.

    The snapshot before is that of the view list_changes: by snapshot time (unknown first), file name, document.
    """
    ordered = (
        tables["documents"]
        .filter(pl.col("occurrences") > 0)
        .sort("list_key", "snapshot_at", "file_name", "document_id", nulls_last=False)
        .select("document_id", before=pl.col("document_id").shift(1).over("list_key"))
        .filter(pl.col("before").is_not_null())
        .collect()
    )
    if ordered.is_empty():
        return empty(TABLE)
    looked_at = pl.concat([ordered["document_id"], ordered["before"]]).unique()
    places = (
        tables["occurrences"]
        .select("document_id", "paper_id", "position")
        .filter(pl.col("document_id").is_in(looked_at.implode()))
        .group_by("document_id", "paper_id")
        .agg(pl.col("position").min())
        .collect()
    )
    here = places.join(ordered, on="document_id")
    kept = here.join(
        places.rename({"position": "previous_position"}),
        left_on=["before", "paper_id"],
        right_on=["document_id", "paper_id"],
    ).sort("document_id", "position")
    moved = [
        moved
        for (_,), rows in kept.group_by("document_id", maintain_order=True)
        for moved in out_of_order(rows["previous_position"].to_list())
    ]
    found = kept.filter(pl.Series(moved, dtype=pl.Boolean)).select("document_id", "paper_id")
    return conform(found.lazy(), TABLE).sort("document_id", "paper_id").collect()


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


def find_moves(given: Given) -> Mapping[str, pl.DataFrame]:
    """Return the table of moves."""
    return {TABLE: moved_papers(given.tables)}


ANALYSIS = Analysis("moves", "1", (TABLE,), find_moves)

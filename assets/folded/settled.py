"""Settled papers: those that are made of exactly what they were made of in the release before.

Their rows are taken from that release as they stand. Everything in a row follows from the paper's occurrences, their
documents and the copy in its middle, so a fingerprint over these tells whether a row can differ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from assets.folded.index import FoldIndex
from assets.folded.results import ASSIGNMENT, Base, Folded
from assets.folded.words import Keys, Rows, mix, stable_hash

_IDS = {"cluster": pl.Int64, "paper_id": pl.String}


@dataclass(frozen=True)
class Settled:
    """The clusters that are as they were.

    Attributes:
        ids: cluster, paper_id.
        paper_of: For each variant as a cluster, the row of the paper that it was (see `FoldIndex.papers`), else -1.
        papers: paper_id of all papers of the release before.
    """

    ids: pl.DataFrame
    paper_of: Rows
    papers: pl.Series

    @property
    def paper_ids(self) -> pl.Series:
        """Return the ids of the settled papers."""
        return self.ids.get_column("paper_id")

    def split(self, members: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Return the members (with cluster) of settled clusters, and the others."""
        if self.ids.is_empty():
            return members.clear(), members
        settled = pl.Series(self.paper_of[members.get_column("cluster").to_numpy()] >= 0)
        return members.filter(settled), members.filter(~settled)

    def unsettled(self, held: pl.DataFrame) -> pl.DataFrame:
        """Return the rows of what papers held (with paper) that are of other papers."""
        if self.ids.is_empty():
            return held
        return held.filter(pl.Series(~self._is_settled()[held.get_column("paper").to_numpy()]))

    @property
    def gone(self) -> pl.Series:
        """Return the ids of the papers before that are not as they were."""
        return self.papers.filter(pl.Series(~self._is_settled()))

    def _is_settled(self) -> np.ndarray:
        settled = np.zeros(len(self.papers), dtype=bool)
        settled[self.paper_of[self.paper_of >= 0]] = True
        return settled


def fingerprints(members: pl.DataFrame, document_keys: Keys, variants: pl.DataFrame) -> pl.DataFrame:
    """Return cluster, fingerprint.

    Args:
        members: One row per occurrence: occurrence_id, variant_key, document_order, cluster.
        document_keys: Key of each document, in their order.
        variants: row, variant_key; a cluster is named by the row of the variant in its middle.
    """
    if members.is_empty():
        return pl.DataFrame(schema={"cluster": pl.Int64, "fingerprint": pl.UInt64})
    occurrence = members.select(stable_hash(pl.col("occurrence_id"))).to_series().to_numpy()
    document = document_keys[members.get_column("document_order").to_numpy()]
    cluster = members.get_column("cluster").to_numpy()
    middle = variants.get_column("variant_key").to_numpy()
    with np.errstate(over="ignore"):
        of_member = mix(occurrence + mix(members.get_column("variant_key").to_numpy() + mix(document)))
        sums = np.zeros(len(middle), dtype=np.uint64)
        np.add.at(sums, cluster, of_member)
        there = np.zeros(len(middle), dtype=bool)
        there[cluster] = True
        named = np.flatnonzero(there)
        return pl.DataFrame({"cluster": named, "fingerprint": mix(sums[named] + mix(middle[named]))})


def settled_papers(prints: pl.DataFrame, remembered: FoldIndex | None, size: int) -> Settled:
    """Return the clusters (cluster, fingerprint) that are as they were; size: how many variants there are."""
    paper_of = np.full(size, -1, dtype=np.int64)
    if remembered is None:
        return Settled(pl.DataFrame(schema=_IDS), paper_of, pl.Series(dtype=pl.String))
    found = prints.join(remembered.papers.with_row_index("paper"), on="fingerprint")
    paper_of[found.get_column("cluster").to_numpy()] = found.get_column("paper").to_numpy()
    return Settled(found.select(_IDS.keys()), paper_of, remembered.papers.get_column("paper_id"))


def with_settled(new: Folded, base: Base | None, settled: Settled, members: pl.DataFrame) -> Folded:
    """Return what was folded anew together with the rows of settled papers, each table in its order.

    Args:
        new: The tables of papers that changed; conflicts, paper_aliases and decisions are whole.
        base: The release before.
        settled: The papers that did not change.
        members: Their occurrences: occurrence_id, cluster, match_kind, similarity, version.
    """
    if base is None or settled.ids.is_empty():
        return new
    other = ~pl.col("paper_id").is_in(settled.gone.implode())
    names = settled.papers.gather(settled.paper_of[members.get_column("cluster").to_numpy()])
    folds = base.table("folds").filter(other).select(new.folds.columns).collect()
    return Folded(
        assignments=pl.concat([members.with_columns(paper_id=names).select(ASSIGNMENT), new.assignments]),
        papers=base.table("papers").filter(other).merge_sorted(new.papers, key="paper_id"),
        folds=pl.concat([folds, new.folds]).sort("occurrence_id"),
        conflicts=new.conflicts,
        paper_aliases=new.paper_aliases,
        decisions=new.decisions,
        unresolved=new.unresolved,
    )

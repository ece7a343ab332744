"""Settled papers: those that are made of exactly what they were made of in the release before.

Their rows are taken from that release as they stand. Everything in a row follows from the paper's occurrences, their
documents and the copy in its middle, so a fingerprint over these tells whether a row can differ.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from assets.folded.index import FoldIndex
from assets.folded.results import ASSIGNMENT, Base, Folded
from assets.folded.words import mix, stable_hash

_SETTLED = {"cluster": pl.Int64, "paper_id": pl.String}


def with_fingerprints(members: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    """Return cluster, fingerprint.

    Args:
        members: One row per occurrence: occurrence_id, variant_key, document_key, cluster.
        variants: row, variant_key; a cluster is named by the row of the variant in its middle.
    """
    if members.is_empty():
        return pl.DataFrame(schema={"cluster": pl.Int64, "fingerprint": pl.UInt64})
    keys = members.select(
        occurrence=stable_hash(pl.col("occurrence_id")), variant="variant_key", document="document_key"
    ).to_dict()
    with np.errstate(over="ignore"):
        of_member = mix(
            keys["occurrence"].to_numpy() + mix(keys["variant"].to_numpy() + mix(keys["document"].to_numpy()))
        )
        cluster = members.get_column("cluster").to_numpy()
        order = np.argsort(cluster, kind="stable")
        starts = np.flatnonzero(np.diff(cluster[order], prepend=-1))
        sums = np.add.reduceat(of_member[order], starts)
        named = cluster[order][starts]
        middle = variants.get_column("variant_key").to_numpy()[named]
        fingerprint = mix(sums + mix(middle))
    return pl.DataFrame({"cluster": named, "fingerprint": fingerprint})


def settled_papers(papers: pl.DataFrame, remembered: FoldIndex | None) -> pl.DataFrame:
    """Return cluster, paper_id of the clusters (cluster, fingerprint) that are as they were."""
    if remembered is None:
        return pl.DataFrame(schema=_SETTLED)
    return papers.join(remembered.papers, on="fingerprint").select(_SETTLED.keys())


def with_settled(new: Folded, base: Base | None, settled: pl.DataFrame, order: pl.DataFrame) -> Folded:
    """Return what was folded anew together with the rows of settled papers, each table in its order.

    Args:
        new: The tables of papers that changed; conflicts, paper_aliases and decisions are whole.
        base: The release before.
        settled: cluster, paper_id of papers that did not change.
        order: occurrence_id, in the order of the assignments.
    """
    if base is None or settled.is_empty():
        return new
    unchanged = settled.select("paper_id")
    of_settled = (
        base.table("occurrences").select(ASSIGNMENT).join(unchanged.lazy(), on="paper_id", how="semi").collect()
    )
    folds = base.table("folds").join(unchanged.lazy(), on="paper_id", how="semi").collect()
    papers = base.table("papers").join(unchanged.lazy(), on="paper_id", how="semi", maintain_order="left")
    return Folded(
        assignments=order.join(
            pl.concat([of_settled, new.assignments]), on="occurrence_id", how="left", maintain_order="left"
        ),
        papers=papers.merge_sorted(new.papers, key="paper_id"),
        folds=pl.concat([folds.select(new.folds.columns), new.folds]).sort("occurrence_id"),
        conflicts=new.conflicts,
        paper_aliases=new.paper_aliases,
        decisions=new.decisions,
        unresolved=new.unresolved,
    )

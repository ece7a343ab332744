"""How much each term sets a list apart from all others, and the table of the most distinctive ones.

The measure is the log-odds ratio with an informative Dirichlet prior, over its standard deviation: Monroe, Colaresi and
Quinn (2008), Fightin' Words, section 3.5.1. What is counted is papers that hold the term, not places where it stands,
so that one paper cannot carry a term, and each term has odds of its own: papers with it against papers without.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl
import scipy.sparse as sp

from assets.analytical.analysis import Given
from assets.analytical.terms.phrases import find_terms
from assets.contract.arrow import polars_schema
from assets.contract.check import Check, Tables, Verdict, verdict_from_failing

TOP = 100
"""Distinctive terms of each list and year."""
_PRIOR = 10.0
"""Weight of the prior, in papers."""
_DECIMALS = 4


def make_terms(given: Given) -> Mapping[str, pl.DataFrame]:
    """Return the table of terms."""
    return {"terms": list_terms(*(given.tables[name] for name in ("papers", "occurrences", "documents")))}


def list_terms(papers: pl.LazyFrame, occurrences: pl.LazyFrame, documents: pl.LazyFrame) -> pl.DataFrame:
    """Return the table `terms`: the most distinctive of each list and year, and these in its venue's other years."""
    rows = papers.select("paper_id", "title", "text").collect()
    groups, member = _groups(rows, occurrences, documents)
    holdings = find_terms(rows)
    if groups.is_empty() or not holdings.terms:
        return pl.DataFrame(schema=polars_schema("terms"))
    counts = np.asarray((member @ holdings.held).todense())
    sizes = np.asarray(member.sum(axis=1)).ravel()
    total = np.asarray(holdings.held.sum(axis=0)).ravel()
    parts = []
    for number in range(groups.height):
        held = np.flatnonzero(counts[number])
        parts.append(
            pl.DataFrame(
                {
                    "term": [holdings.terms[at] for at in held],
                    "words": holdings.words[held],
                    "papers": counts[number][held],
                    "share": np.round(counts[number][held] / sizes[number], _DECIMALS),
                    "distinctiveness": distinctiveness(counts[number][held], sizes[number], total[held], rows.height),
                }
            )
            .with_columns(group=pl.lit(number, pl.UInt32))
            .sort(["distinctiveness", "papers", "words", "term"], descending=[True, True, True, False])
            .with_columns(rank=pl.int_range(1, pl.len() + 1))
            .with_columns(
                rank=pl.when((pl.col("rank") <= TOP) & (pl.col("distinctiveness") >= 0) & (pl.col("papers") > 1)).then(
                    "rank"
                )
            )
        )
    ranked = pl.concat(parts).join(groups, on="group", maintain_order="left")
    series = pl.coalesce("venue", "list_key")
    chosen = ranked.filter(pl.col("rank").is_not_null()).select(series.alias("series"), "term").unique()
    return (
        ranked.with_columns(series=series)
        .join(chosen, on=["series", "term"], how="semi")
        .sort("list_key", "year", "rank", "term", nulls_last=True)
        .select(pl.col(name).cast(kind) for name, kind in polars_schema("terms").items())
    )


def distinctiveness(here: np.ndarray, size: int, everywhere: np.ndarray, papers: int) -> np.ndarray:
    """Return the z-score of the log-odds of each term in a list against all papers outside it; 0 if there are none.

    Args:
        here: Papers of the list that hold each term.
        size: Papers of the list.
        everywhere: Papers of the corpus that hold each term, those of the list included.
        papers: Papers of the corpus.
    """
    if size == papers:
        return np.zeros(len(here))
    share = (everywhere + 0.5) / (papers + 1)
    prior, against = _PRIOR * share, _PRIOR * (1 - share)
    there, rest = everywhere - here, papers - size
    inside = np.log((here + prior) / (size - here + against))
    outside = np.log((there + prior) / (rest - there + against))
    return np.asarray(np.round((inside - outside) / np.sqrt(1 / (here + prior) + 1 / (there + prior)), _DECIMALS) + 0.0)


def _groups(
    papers: pl.DataFrame, occurrences: pl.LazyFrame, documents: pl.LazyFrame
) -> tuple[pl.DataFrame, sp.csr_matrix]:
    """Return the lists by year, and the matrix lists by papers of which paper stands in which."""
    listed = occurrences.select("document_id", "paper_id").join(
        documents.select("document_id", "list_key", "year", "venue"), on="document_id"
    )
    groups = (
        listed.group_by("list_key", "year")
        .agg(pl.col("venue").min())
        .sort("list_key", "year", nulls_last=True)
        .collect()
        .with_row_index("group")
    )
    numbered = papers.select("paper_id").with_row_index("doc").lazy()
    members = (
        listed.join(groups.lazy(), on=["list_key", "year"], nulls_equal=True)
        .join(numbered, on="paper_id")
        .select("group", "doc")
        .unique()
        .collect()
    )
    ones = np.ones(members.height, dtype=np.int32)
    places = (members["group"].to_numpy(), members["doc"].to_numpy())
    return groups, sp.csr_matrix((ones, places), shape=(groups.height, papers.height))


def judge_repeats(tables: Tables) -> Verdict:
    """Judge whether each list and year has a term once."""
    repeated = tables["terms"].group_by("list_key", "year", "term").len().filter(pl.col("len") > 1)
    return verdict_from_failing(repeated)


CHECKS = (Check("terms_once", "A term stands once in each list and year.", ("terms",), judge_repeats),)

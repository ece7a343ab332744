"""What the index of the release before already knows of papers that did not change."""

from __future__ import annotations

import hashlib
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import scipy.sparse as sp

from assets.analytical.views import load_macro


@dataclass(frozen=True)
class Carried:
    """Counts of words taken over: of which papers (their places now), which terms, the matrix of these by those."""

    places: np.ndarray
    terms: pl.Series
    counts: sp.csr_matrix


def words_key(title_weight: int) -> str:
    """Return a fingerprint of how words are counted; counts of another way can't be taken over."""
    return hashlib.sha256("\n".join([*load_macro("search").helpers, str(title_weight)]).encode()).hexdigest()[:20]


def read_carried(database: Path, papers: pl.DataFrame, key: str) -> Carried | None:
    """Return the counts of those papers that a release has with the same title and text.

    None where the release has no index, or one that counted in another way.
    """
    if not database.exists():
        return None
    with closing(duckdb.connect(str(database), read_only=True)) as connection:
        try:
            if connection.execute("SELECT words_key FROM search_index.corpus").fetchall() != [(key,)]:
                return None
            known = connection.sql("SELECT rowid AS base_doc, paper_id, title, text FROM papers").pl()
            terms = connection.sql("SELECT term FROM search_index.terms ORDER BY term_id").pl()["term"]
            postings = connection.sql("SELECT term_id, doc, frequency FROM search_index.postings").pl()
        except duckdb.CatalogException:
            return None
        except duckdb.BinderException:
            return None
    same = (
        papers.with_row_index("place")
        .join(known, on="paper_id", suffix="_before", maintain_order="left")
        .filter(pl.col("title").eq_missing(pl.col("title_before")) & pl.col("text").eq_missing(pl.col("text_before")))
    )
    held = (postings["frequency"].to_numpy(), (postings["doc"].to_numpy(), postings["term_id"].to_numpy()))
    counts = sp.coo_matrix(held, shape=(known.height, terms.len())).tocsr()
    return Carried(same["place"].to_numpy().astype(np.int64), terms, counts[same["base_doc"].to_numpy()])

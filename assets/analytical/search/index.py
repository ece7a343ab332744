"""The index of all papers: terms, in which papers each stands and how often, and what BM25 needs of each paper.

The expensive part, bringing words to one form, is done once for each distinct word and not for each place where it
stands; turning papers by words into words by papers is a transposition of a sparse matrix.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from pathlib import Path

import numpy as np
import polars as pl
import scipy.sparse as sp

from assets.analytical.analysis import Given
from assets.analytical.search.carried import read_carried, words_key
from assets.analytical.search.tables import index_files
from assets.analytical.search.words import one_form
from assets.contract.folder import DATABASE

TITLE_WEIGHT = 3
"""How many words of the text one of the title counts for, summed before saturation as in BM25F."""
K1, B = 1.2, 0.75
"""BM25's saturation and normalisation by length: Robertson and Zaragoza (2009), The Probabilistic Relevance Framework.
The macro of sql/search.sql scores with the same k1."""
_BATCH = 100_000
"""Papers whose words are held as text at one time."""


def write_index(given: Given) -> Mapping[str, pl.LazyFrame]:
    """Write the index of the papers into the layer's folder; it has no table of the contract."""
    before = given.base_release / DATABASE if given.base_release else None
    frames, files = build_index(given.tables["papers"], before), index_files(given.out)
    for name, frame in frames.items():
        frame.write_parquet(files[name], compression="lz4")
    return {}


def build_index(papers: pl.LazyFrame, before: Path | None = None) -> dict[str, pl.DataFrame]:
    """Return the tables of the index by name; `papers` needs paper_id, title and text.

    A paper's number is its place in `papers`. Equal papers in equal order give equal tables, whatever was taken over.

    Args:
        papers: The papers.
        before: Database of the release before: what it has counted of an equal paper is taken over.
    """
    rows, key = papers.select("paper_id", "title", "text").collect(), words_key(TITLE_WEIGHT)
    carried = read_carried(before, rows, key) if before else None
    fresh = np.setdiff1d(np.arange(rows.height), carried.places if carried else np.array([], dtype=np.int64))
    batches = [_count_words(batch) for batch in rows[fresh].iter_slices(_BATCH) if batch.height]
    if carried:
        batches.insert(0, (carried.terms, carried.counts))
    terms = pl.concat([_still_held(*batch) for batch in batches] or [pl.Series("term", [], pl.String)])
    terms = terms.unique().sort()
    order = np.argsort(np.concatenate([carried.places, fresh]) if carried else fresh)
    counts = _join_batches(batches, terms)[order]
    lengths = np.asarray(counts.sum(axis=1)).ravel()
    mean = float(lengths.mean()) if rows.height else 0.0
    by_term = counts.tocsc()
    by_term.sort_indices()
    in_papers = np.diff(by_term.indptr)
    return {
        "corpus": pl.DataFrame({"papers": [rows.height], "mean_length": [mean], "words_key": [key]}),
        "papers": pl.DataFrame(
            {
                "doc": np.arange(rows.height, dtype=np.int32),
                "paper_id": rows["paper_id"],
                "damping": (K1 * (1 - B + B * lengths / (mean or 1.0))).astype(np.float32),
            }
        ),
        "terms": pl.DataFrame(
            {"term": terms, "term_id": np.arange(terms.len(), dtype=np.int32), "papers": in_papers.astype(np.int32)}
        ),
        "postings": pl.DataFrame(
            {
                "term_id": np.repeat(np.arange(terms.len(), dtype=np.int32), in_papers),
                "doc": by_term.indices.astype(np.int32),
                "frequency": by_term.data.astype(np.uint16),
            }
        ),
    }


def _count_words(papers: pl.DataFrame) -> tuple[pl.Series, sp.csr_matrix]:
    """Return the distinct terms of a batch, sorted, and the matrix papers by terms of their weighted counts."""
    numbered = papers.lazy().with_row_index("doc")
    places = pl.concat(
        [
            numbered.select(
                "doc", pl.lit(weight, pl.UInt16).alias("weight"), pl.col(field).str.split(" ").alias("word")
            )
            .filter(pl.col("word").is_not_null())
            .explode("word")
            for field, weight in (("text", 1), ("title", TITLE_WEIGHT))
        ]
    ).collect()
    words, codes = _distinct(places["word"])
    formed = one_form(words["word"]).join(words, on="word").sort("code", "term")
    terms = formed["term"].unique().sort()
    numbers = formed.join(terms.to_frame().with_row_index("number"), on="term", maintain_order="left")["number"]
    docs, columns, weights = _spread(places, codes, formed["code"].to_numpy(), numbers.to_numpy(), words.height)
    counts = sp.coo_matrix((weights, (docs, columns)), shape=(papers.height, terms.len())).tocsr()
    return terms, counts


def _distinct(words: pl.Series) -> tuple[pl.DataFrame, np.ndarray]:
    """Return the distinct words with a code from 0 each, and the code at each place."""
    coded = words.cast(pl.Categorical)
    distinct = coded.unique()
    # Categories outlive a batch: number those of this one alone.
    known = distinct.to_physical().to_numpy()
    codes = np.zeros(int(known.max(initial=0)) + 1, dtype=np.int32)
    codes[known] = np.arange(len(known), dtype=np.int32)
    numbered = pl.DataFrame({"word": distinct.cast(pl.String)}).with_row_index("code")
    return numbered, codes[coded.to_physical().to_numpy()]


def _spread(
    places: pl.DataFrame, codes: np.ndarray, formed: np.ndarray, numbers: np.ndarray, words: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return paper, term and weight at each place of a term; a word may hold none, one or several."""
    per_word = np.bincount(formed, minlength=words).astype(np.int32)
    first = np.cumsum(per_word) - per_word
    repeats = per_word[codes]
    begun = np.cumsum(repeats) - repeats
    at = np.arange(repeats.sum()) + np.repeat(first[codes] - begun, repeats)
    docs = np.repeat(places["doc"].to_numpy(), repeats)
    return docs, numbers[at], np.repeat(places["weight"].to_numpy(), repeats)


def _still_held(terms: pl.Series, counts: sp.csr_matrix) -> pl.Series:
    """Return the terms that a paper holds."""
    return terms.filter(pl.Series(np.bincount(counts.indices, minlength=terms.len()) > 0))


def _join_batches(batches: list[tuple[pl.Series, sp.csr_matrix]], terms: pl.Series) -> sp.csr_matrix:
    """Return the matrix of all papers by all terms."""
    numbered = terms.to_frame("term").with_row_index("number")
    parts = []
    for own, counts in batches:
        found = own.to_frame("term").join(numbered, on="term", how="left", maintain_order="left")["number"]
        numbers = found.fill_null(0).to_numpy()  # a term that no paper holds any more has no count either
        parts.append(
            sp.csr_matrix((counts.data, numbers[counts.indices], counts.indptr), shape=(counts.shape[0], terms.len()))
        )
    if not parts:
        return sp.csr_matrix((0, terms.len()), dtype=np.uint16)
    return reduce(lambda above, below: sp.vstack([above, below], format="csr"), parts)

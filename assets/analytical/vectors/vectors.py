"""Vectors of all papers, made whole or carried on from the release before, and the files that they are kept in.

The vocabulary of the release before stays in use, so that a refresh weighs new papers only, until the papers that it
was made from have become too small a part of all. Until then similarities and topics depend on that release.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy import sparse

from assets.analytical.vectors.tokens import tokens_of
from assets.analytical.vectors.vocabulary import SCHEMA, Vocabulary, extended, vocabulary_of
from assets.analytical.vectors.weights import weights_of

METHOD = "1"
"""Changes when equal papers come to have other vectors: what an earlier method left is then not carried on."""

DRIFT = 0.2
"""Papers that came, or went, since the vocabulary was made, as a share of those it was made from: above it, anew."""

ALWAYS_WHOLE = 2_000
"""Up to so many papers everything is made anew whenever one of them changes: it costs less than a second."""

TERMS, ROWS, NOTE = "vocabulary.index", "vectors.index", "vectors.json"
"""Parquet, whose bytes are equal for equal rows, under names that no reader takes for a table of the contract."""


class Vectors(NamedTuple):
    """The papers that have terms to speak of, or might have: those with a text or a title.

    Attributes:
        papers: paper_id, founding (whether the vocabulary was made from it too), sorted by paper_id.
        matrix: Their weights, see `weights.py`; a row per paper.
        vocabulary: What its columns are.
    """

    papers: pl.DataFrame
    matrix: Any
    vocabulary: Vocabulary

    @property
    def surfaces(self) -> pl.Series:
        """The written form of each column."""
        return self.vocabulary.terms.get_column("surface")


class Change(NamedTuple):
    """What a refresh did to the vectors.

    Attributes:
        vectors: As they are now.
        whole: Whether they were made anew, and nothing can be carried on that was computed from those before.
        fresh: The rows that are new or whose paper changed.
        gone: paper_ids that are no more, or changed.
    """

    vectors: Vectors
    whole: bool
    fresh: npt.NDArray[np.int64]
    gone: pl.Series


def readable(papers: pl.LazyFrame) -> pl.DataFrame:
    """Return paper_id, text (title and abstract) and language of the papers that have any, sorted by paper_id."""
    text = pl.concat_str(["title", "text"], separator="\n", ignore_nulls=True)
    return (
        papers.select("paper_id", text=text, language="language")
        .filter(pl.col("text").str.strip_chars() != "")
        .sort("paper_id")
        .collect()
    )


def vectors_of(papers: pl.DataFrame) -> Vectors:
    """Return the vectors of papers as `readable` gives them, with a vocabulary made from them."""
    tokens = tokens_of(papers)
    vocabulary = vocabulary_of(tokens, papers.height)
    return Vectors(
        papers.select("paper_id", founding=pl.lit(True)),
        weights_of(tokens.counts, vocabulary, papers.height),
        vocabulary,
    )


def refreshed(papers: pl.DataFrame, base_papers: pl.DataFrame, base: Vectors | None) -> Change:
    """Return the vectors of `papers`, carried on from `base` where that may be.

    Args:
        papers: As `readable` gives them.
        base_papers: Those of the release before, likewise.
        base: The vectors of the release before; None where there are none.
    """
    if base is None or not base.papers.get_column("paper_id").equals(base_papers.get_column("paper_id")):
        return _whole(papers)
    same = papers.select("paper_id", "text", "language").join(
        base_papers, on=["paper_id", "text", "language"], how="semi", nulls_equal=True
    )
    gone = base_papers.join(same, on="paper_id", how="anti").get_column("paper_id")
    fresh = papers.with_row_index("row").join(same, on="paper_id", how="anti")
    changed = gone.len() + fresh.height > 0
    kept = base.papers.with_row_index("row").join(same, on="paper_id", how="semi", maintain_order="left")
    founding, founders = int(kept.get_column("founding").sum()), base.vocabulary.papers
    drifted = max(papers.height - founding, founders - founding) > DRIFT * founders
    if changed and (drifted or papers.height <= ALWAYS_WHOLE):
        return _whole(papers)
    return Change(
        _carried_on(base, kept, papers, fresh), False, fresh.get_column("row").to_numpy().astype(np.int64), gone
    )


def _whole(papers: pl.DataFrame) -> Change:
    return Change(vectors_of(papers), True, np.arange(papers.height), pl.Series([], dtype=pl.String))


def _carried_on(base: Vectors, kept: pl.DataFrame, papers: pl.DataFrame, fresh: pl.DataFrame) -> Vectors:
    if fresh.is_empty():
        vocabulary, new = base.vocabulary, base.matrix[:0]
    else:
        tokens = tokens_of(fresh)
        vocabulary = extended(base.vocabulary, tokens, papers.height)
        new = weights_of(tokens.counts, vocabulary, fresh.height)
    old = base.matrix[kept.get_column("row").to_numpy()]
    old = sparse.csr_array((old.data, old.indices, old.indptr), shape=(old.shape[0], vocabulary.terms.height))
    both = pl.concat([kept.select("paper_id", "founding"), fresh.select("paper_id", founding=pl.lit(False))])
    order = both.get_column("paper_id").arg_sort().to_numpy()
    return Vectors(both[order], sparse.vstack([old, new], format="csr")[order], vocabulary)


def save(vectors: Vectors, folder: Path) -> None:
    """Leave the vectors in a release's folder for the next refresh."""
    matrix = vectors.matrix
    rows = vectors.papers.with_columns(
        terms=_lists(matrix.indptr, pl.Series(matrix.indices, dtype=pl.UInt32)),
        weights=_lists(matrix.indptr, pl.Series(matrix.data, dtype=pl.UInt16)),
    )
    rows.write_parquet(folder / ROWS, compression="zstd")
    vectors.vocabulary.terms.write_parquet(folder / TERMS, compression="zstd")
    note = {"method": METHOD, "papers": vectors.vocabulary.papers}
    (folder / NOTE).write_text(json.dumps(note) + "\n", encoding="utf-8")


def load(folder: Path) -> Vectors | None:
    """Return the vectors that a release keeps; None where there are none, or they are damaged or of another method."""
    try:
        note = json.loads((folder / NOTE).read_text(encoding="utf-8"))
        if note["method"] != METHOD:
            return None
        terms = pl.read_parquet(folder / TERMS).select(*SCHEMA)
        rows = pl.read_parquet(folder / ROWS)
        pointers = np.concatenate(([0], np.cumsum(rows.get_column("terms").list.len().to_numpy()))).astype(np.int32)
        columns = rows.get_column("terms").explode().drop_nulls().to_numpy().astype(np.int32)
        weights = rows.get_column("weights").explode().drop_nulls().to_numpy().astype(np.int32)
        matrix = sparse.csr_array((weights, columns, pointers), shape=(rows.height, terms.height))
        return Vectors(rows.select("paper_id", "founding"), matrix, Vocabulary(terms, int(note["papers"])))
    except (OSError, ValueError, KeyError, pl.exceptions.PolarsError):
        return None


def _lists(pointers: npt.NDArray[np.int32], values: pl.Series) -> pl.Series:
    """Return a list column from the pointers of a CSR matrix."""
    return listed(np.diff(pointers), values)


def listed(sizes: npt.NDArray[Any], values: pl.Series) -> pl.Series:
    """Return a column of lists that hold the values in order, each as many as `sizes` says."""
    import pyarrow as pa

    offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    lists = pl.from_arrow(pa.LargeListArray.from_arrays(offsets, values.to_arrow()))
    return lists if isinstance(lists, pl.Series) else pl.Series(lists)

"""Neighbours: for rows of a weight matrix, the rows nearest by cosine, and the columns that they share.

Candidates come from a product of the strongest terms alone, which leaves out the frequent terms that cost most and
say least; they are then measured exactly, on all terms. Plain functions on matrices: which papers the rows are, and
what a release before knew of them, is for `table.py`.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy import sparse
from sparse_dot_topn import sp_matmul_topn

from assets.analytical.vectors.weights import UNIT

NEAREST = 10
"""Neighbours of a row."""

FLOOR = 0.06
"""Below this similarity two papers share a word or two by chance and are not shown."""

DIGITS = 4
"""Decimals of a similarity."""

CANDIDATES = 40
"""Rows that are measured exactly for each row."""

EXACT_UP_TO = 5_000
"""Up to so many rows all terms propose candidates; above, a row's strongest ask and a row's strongest answer."""

ASKING, ANSWERING = 24, 40
"""Terms by which a row asks for candidates, and by which a row is found, in a large matrix."""

BLOCK = 50_000
"""Pairs that are measured at a time."""

SHARED = 5
"""Shared columns that are named for a pair."""

Rows = npt.NDArray[np.int64]

PAIRS = {"row": pl.Int64, "other": pl.Int64, "similarity": pl.Float64}


def nearest(matrix: Any, rows: Rows, among: Rows, keep: int = CANDIDATES) -> pl.DataFrame:
    """Return for each of `rows` the rows of `among` that are nearest to it.

    Args:
        matrix: Weights in units of `UNIT`, rows of length one.
        rows: Which rows ask.
        among: Which rows answer; a row is never its own neighbour.
        keep: How many candidates are measured for each row.

    Returns:
        row, other, similarity (from `FLOOR` to 1), sorted by row, similarity falling, then other; at most `keep`
        pairs of a row.
    """
    if not len(rows) or not len(among) or not matrix.nnz:
        return pl.DataFrame(schema=PAIRS)
    asking, answering = matrix[rows], matrix[among]
    if matrix.shape[0] > EXACT_UP_TO:
        asking, answering = strongest(asking, ASKING), strongest(answering, ANSWERING)
    found = sp_matmul_topn(
        sparse.csr_matrix(asking),
        sparse.csr_matrix(answering.T.tocsr()),
        keep + 1,
        threshold=1,
        n_threads=os.cpu_count() or 1,
    )
    row = rows[np.repeat(np.arange(len(rows)), np.diff(found.indptr))]
    other = among[found.indices]
    unlike = row != other
    return measured(matrix, row[unlike], other[unlike])


def measured(matrix: Any, row: Rows, other: Rows) -> pl.DataFrame:
    """Return the pairs with their exact similarity, those below `FLOOR` left out, nearest first."""
    sums = [
        (matrix[row[start : start + BLOCK]] * matrix[other[start : start + BLOCK]]).sum(axis=1, dtype=np.int64)
        for start in range(0, len(row), BLOCK)
    ]
    similarity = np.minimum(np.concatenate([np.zeros(0, np.int64), *sums]) / UNIT**2, 1.0)
    pairs = pl.DataFrame({"row": row, "other": other, "similarity": similarity.round(DIGITS)}, schema=PAIRS)
    return in_order(pairs.filter(pl.col("similarity") >= FLOOR))


def in_order(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return pairs by row, the nearest first, equally near ones by the number of the other row."""
    return pairs.sort("row", pl.col("similarity"), "other", descending=[False, True, False])


def first_of_each(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return the first `NEAREST` pairs of each row of pairs in order, with their rank from 1."""
    return pairs.with_columns(rank=pl.int_range(1, pl.len() + 1).over("row")).filter(pl.col("rank") <= NEAREST)


def shared_columns(matrix: Any, row: Rows, other: Rows) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Return the columns that add most to the similarity of each pair, at most `SHARED`, best first.

    Returns:
        How many columns each pair has, and all columns, pair by pair.
    """
    sizes, columns = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
    for start in range(0, len(row), BLOCK):
        product = sparse.csr_array(matrix[row[start : start + BLOCK]] * matrix[other[start : start + BLOCK]])
        best = strongest(product, SHARED, by_strength=True)
        sizes.append(np.diff(best.indptr).astype(np.int64))
        columns.append(best.indices.astype(np.int32))
    return np.concatenate(sizes), np.concatenate(columns)


def strongest(matrix: Any, size: int, by_strength: bool = False) -> Any:
    """Return the matrix with the largest values of each row alone, equal ones by column; sorted by column or value."""
    row = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    order = np.lexsort((matrix.indices, -matrix.data.astype(np.int64), row))
    place = np.arange(len(order)) - matrix.indptr[row]
    kept = order[place < size]
    if not by_strength:
        kept = np.sort(kept)
    pointers = np.concatenate(([0], np.cumsum(np.minimum(np.diff(matrix.indptr), size)))).astype(np.int32)
    return sparse.csr_array((matrix.data[kept], matrix.indices[kept], pointers), shape=matrix.shape)

"""Weights: each paper as a row of a sparse matrix of whole numbers, its strongest terms alone.

Term weights are (1 + ln tf) · √idf, rows of length one (Salton and Buckley, "Term-weighting approaches in automatic
text retrieval", 1988), in units of 2**-15. Sums of products of whole numbers are exact, so a similarity does not
depend on the order in which it is summed, on threads or on the machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from scipy import sparse

from assets.analytical.vectors.vocabulary import Vocabulary

UNIT = 1 << 15
"""What a weight of one is in the matrix; squares of it fit a signed 32-bit number."""

STRONGEST = 64
"""Terms that are kept of each paper."""


def weights_of(counts: pl.DataFrame, vocabulary: Vocabulary, rows: int) -> Any:
    """Return a scipy CSR matrix (rows x terms, int32, columns of each row sorted) in units of `UNIT`.

    Args:
        counts: row, key, count of each term in each paper.
        vocabulary: Which terms count, and how much.
        rows: How many papers there are; one without terms is an empty row.
    """
    found = counts.join(vocabulary.keys, on="key").select(
        "row", "id", weight=(1 + pl.col("count").cast(pl.Float64).log()) * pl.col("weight")
    )
    strongest = (
        found.sort("row", pl.col("weight").round(9), "id", descending=[False, True, False])
        .filter(pl.int_range(pl.len()).over("row") < STRONGEST)
        .sort("row", "id")
    )
    row = strongest.get_column("row").to_numpy()
    weight = strongest.get_column("weight").to_numpy()
    pointers = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=rows)))).astype(np.int32)
    length = np.sqrt(np.bincount(row, weight * weight, minlength=rows))
    whole = np.rint(weight / length[row] * UNIT).astype(np.int32)
    columns = strongest.get_column("id").to_numpy().astype(np.int32)
    return sparse.csr_array((whole, columns, pointers), shape=(rows, vocabulary.terms.height))

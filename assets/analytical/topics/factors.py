"""Factors: a matrix of papers and terms as the product of papers by topics and topics by terms, nothing negative.

Non-negative matrix factorization by hierarchical alternating least squares (Cichocki and Phan, "Fast local algorithms
for large scale nonnegative matrix and tensor factorizations", 2009), begun from exemplars: papers that together are
near to as many others as may be, chosen greedily. No random number and no call into a BLAS: sums are in a fixed
order, so the factors are the same whatever the number of threads. Which papers and topics they are is for `model.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]

ROUNDS = 60
"""Alternations of a fit; the error hardly falls after some forty."""

PROJECTION_ROUNDS = 30
"""Sweeps by which papers find their topics when the topics are fixed."""

EXEMPLARS_AMONG = 2_000
"""Papers from which exemplars are chosen."""

_LEAST = 1e-12


def fitted(papers: Any, topics: Matrix) -> tuple[Matrix, Matrix]:
    """Return (topics x papers, topics x terms), both non-negative, the rows of the second of length one.

    Args:
        papers: Papers x terms, a scipy CSR array.
        topics: Topics x terms to begin with.
    """
    topics = _unit(topics)
    shares = projected(papers, topics)
    transposed = papers.T.tocsr()
    for _ in range(ROUNDS):
        _improve(topics, (transposed @ np.ascontiguousarray(shares.T)).T, np.einsum("in,jn->ij", shares, shares))
        topics = _unit(topics)
        _improve(shares, (papers @ np.ascontiguousarray(topics.T)).T, np.einsum("iv,jv->ij", topics, topics))
    return shares, topics


def projected(papers: Any, topics: Matrix) -> Matrix:
    """Return topics x papers for fixed topics; a paper's shares do not depend on the other papers."""
    products = (papers @ np.ascontiguousarray(topics.T)).T
    shares = np.maximum(products, 0.0)
    gram = np.einsum("iv,jv->ij", topics, topics)
    for _ in range(PROJECTION_ROUNDS):
        _improve(shares, products, gram)
    return shares


def exemplars(papers: Any, size: int, present: Matrix) -> Matrix:
    """Return `size` rows of terms to begin further topics with, beside those that are present.

    Each exemplar is the paper that adds most to how near every paper is to its nearest topic (greedy facility
    location; Nemhauser, Wolsey and Fisher, 1978); its row is the mean of the papers that are nearest to it.
    """
    if size <= 0:
        return np.zeros((0, papers.shape[1]))
    rows = papers[:EXEMPLARS_AMONG]
    alike = (rows @ rows.T).toarray()
    # An exemplar stands for others, not for itself: else papers that are like none would be chosen.
    np.fill_diagonal(alike, 0.0)
    reach = (rows @ np.ascontiguousarray(present.T)).max(axis=1, initial=0.0)
    chosen: list[int] = []
    for _ in range(min(size, rows.shape[0])):
        gain = np.maximum(alike - reach[:, None], 0.0).sum(axis=0)
        gain[chosen] = -1.0
        chosen.append(int(np.argmax(gain.round(9))))
        reach = np.maximum(reach, alike[:, chosen[-1]])
    nearness = alike[:, chosen]
    nearness[chosen, np.arange(len(chosen))] = 1.0
    nearest = nearness.argmax(axis=1)
    member = (nearness.max(axis=1) > 0)[:, None] & (nearest[:, None] == np.arange(len(chosen)))
    return _unit((rows.T @ member.astype(np.float64)).T)


def _improve(factors: Matrix, products: Matrix, gram: Matrix) -> None:
    """Improve each row of `factors` in turn, the others fixed."""
    for i in range(len(factors)):
        if gram[i, i] > _LEAST:
            step = (products[i] - np.einsum("j,jn->n", gram[i], factors)) / gram[i, i]
            np.maximum(factors[i] + step, 0.0, out=factors[i])


def _unit(rows: Matrix) -> Matrix:
    rows = np.ascontiguousarray(rows, dtype=np.float64)
    return rows / np.maximum(np.sqrt(np.einsum("iv,iv->i", rows, rows)), _LEAST)[:, None]

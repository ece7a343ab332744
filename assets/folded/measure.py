"""Measures: what two texts share, computed for many pairs at once from their word codes.

Set measures (how many words, how many of them shared, which recur on one side only) belong here, and the order in
which shared words stand. What the measures mean is decided in `subject.py` and `rule.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from assets.folded.subject import TELLING_CODES
from assets.folded.texts import Codes, Texts
from assets.folded.words import Rows

CHUNK_WORDS = 8_000_000
"""Words of both sides that are in memory at a time while pairs are measured."""


@dataclass(frozen=True)
class Measures:
    """What the word sets of pairs share; arrays parallel to the pairs.

    Attributes:
        size_a: Distinct words of a.
        size_b: Distinct words of b.
        shared: Distinct words of both.
        recurring_a: Words that stand at least twice in a and nowhere in b.
        recurring_b: Words that stand at least twice in b and nowhere in a.
        telling_a: Numbers, letters and notices of a that are not in b.
        telling_b: The same of b.
    """

    size_a: Rows
    size_b: Rows
    shared: Rows
    recurring_a: Rows
    recurring_b: Rows
    telling_a: Rows
    telling_b: Rows

    @property
    def jaccard(self) -> np.ndarray:
        """Shared words as a share of all words of both."""
        return self.shared / np.maximum(self.size_a + self.size_b - self.shared, 1)

    @property
    def containment(self) -> np.ndarray:
        """Shared words as a share of the smaller side's words."""
        return self.shared / np.maximum(np.minimum(self.size_a, self.size_b), 1)


def measure(texts: Texts, a: Rows, b: Rows) -> Measures:
    """Return the set measures of pairs of texts (rows)."""
    words = texts.counts[a] + texts.counts[b]
    ends = np.cumsum(words)
    cuts = np.searchsorted(ends, np.arange(CHUNK_WORDS, int(ends[-1]) if len(ends) else 0, CHUNK_WORDS), side="right")
    chunks = [
        _measure(texts, a[start:end], b[start:end])
        for start, end in zip([0, *cuts], [*cuts, len(a)], strict=True)
        if end > start
    ]
    if not chunks:
        none = np.empty(0, np.int64)
        return Measures(*[none] * 7)
    return Measures(*(np.concatenate(columns) for columns in zip(*chunks, strict=True)))


def _measure(texts: Texts, a: Rows, b: Rows) -> tuple[Rows, ...]:
    """Sort (pair, code, side) of every word of both sides; runs of equal pair and code then tell everything."""
    size = len(a)
    sides = [_expanded(texts, rows, side) for side, rows in ((0, a), (1, b))]
    keys = np.concatenate(sides)
    keys.sort()
    new = np.concatenate(([True], keys[1:] != keys[:-1]))
    heads = np.flatnonzero(new)
    recurs = np.diff(np.append(heads, len(keys))) >= 2
    distinct = keys[heads]
    side = (distinct & np.uint64(1)).astype(bool)
    pair = (distinct >> np.uint64(33)).astype(np.int64)
    word = distinct >> np.uint64(1)
    with_next = np.concatenate((word[1:] == word[:-1], [False]))
    alone = ~(with_next | np.concatenate(([False], with_next[:-1])))

    telling = np.zeros(len(word), dtype=bool)
    lonely = np.flatnonzero(alone)
    codes = word[lonely].astype(np.uint32)
    places = np.minimum(np.searchsorted(TELLING_CODES, codes), len(TELLING_CODES) - 1)
    telling[lonely] = TELLING_CODES[places] == codes

    def count(which: np.ndarray) -> Rows:
        return np.bincount(pair[which], minlength=size)

    return (
        count(~side),
        count(side),
        count(with_next),
        count(alone & recurs & ~side),
        count(alone & recurs & side),
        count(telling & ~side),
        count(telling & side),
    )


def _expanded(texts: Texts, rows: Rows, side: int) -> np.ndarray:
    counts = texts.counts[rows]
    ends = np.cumsum(counts)
    places = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts)
    codes: Codes = texts.codes[np.repeat(texts.offsets[rows], counts) + places]
    pair = np.repeat(np.arange(len(rows), dtype=np.uint64), counts)
    return (pair << np.uint64(33)) | (codes.astype(np.uint64) << np.uint64(1)) | np.uint64(side)


WIDE = 2_048
"""Up to so many texts of one paper every pair is compared; beyond it the lowest similarity is a bound."""


def lowest_similarity(texts: Texts, rows: Rows) -> float:
    """Return the lowest similarity of any two of many texts (see `verify.similarity`).

    One sparse product gives the shared words of every pair. Of more than WIDE texts the first WIDE in order of their
    keys are compared, so that a paper with very many versions costs no quadratic time.
    """
    rows = rows[np.argsort(texts.keys[rows])][:WIDE]
    counts = texts.counts[rows]
    ends = np.cumsum(counts)
    places = np.arange(int(ends[-1])) - np.repeat(ends - counts, counts)
    codes = texts.codes[np.repeat(texts.offsets[rows], counts) + places]
    _, columns = np.unique(codes, return_inverse=True)
    cells = np.unique(np.repeat(np.arange(len(rows)), counts) * (int(columns.max()) + 1) + columns)
    row, column = np.divmod(cells, int(columns.max()) + 1)
    has = csr_array((np.ones(len(row), dtype=np.int32), (row, column)))
    shared = (has @ has.T).toarray()
    sizes = np.diagonal(shared)
    smaller, larger = np.minimum.outer(sizes, sizes), np.maximum.outer(sizes, sizes)
    jaccard = shared / np.maximum(smaller + larger - shared, 1)
    return float(np.where(smaller < 0.7 * larger, shared / np.maximum(smaller, 1), jaccard).min())

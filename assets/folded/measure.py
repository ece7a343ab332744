"""Measures: what two texts share, computed for many pairs at once from their word codes.

Set measures (how many words, how many of them shared, which recur on one side only) belong here, and the order in
which shared words stand. What the measures mean is decided in `subject.py` and `rule.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from assets.folded.subject import TELLING_CODES
from assets.folded.texts import Texts
from assets.folded.words import Rows, numbered, ordered

CHUNK_PAIRS = 50_000
"""Pairs whose words are in memory at a time."""

FIELD_BITS = 15
"""Bits of a field of a sum: a text may have 32,767 distinct words."""

_MAYBE_TELLING = np.zeros(1 << 20, dtype=bool)
_MAYBE_TELLING[TELLING_CODES >> np.uint32(12)] = True


@dataclass(frozen=True)
class Measures:
    """What the word sets of pairs share; arrays parallel to the pairs.

    Attributes:
        size_a: Distinct words of a.
        size_b: Distinct words of b.
        shared: Distinct words of both.
        recurring_a: Words that stand at least twice in a and nowhere in b.
        recurring_b: Words that stand at least twice in b and nowhere in a.
        thrice_a: Words that stand at least three times in a and nowhere in b.
        thrice_b: Words that stand at least three times in b and nowhere in a.
        telling_a: Numbers, letters and notices of a that are not in b.
        telling_b: The same of b.
    """

    size_a: Rows
    size_b: Rows
    shared: Rows
    recurring_a: Rows
    recurring_b: Rows
    thrice_a: Rows
    thrice_b: Rows
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
    columns = []
    # Pairs come in order of a, so a chunk of them needs few texts, and only those are in memory.
    for start in range(0, len(a), CHUNK_PAIRS):
        here, there = a[start : start + CHUNK_PAIRS], b[start : start + CHUNK_PAIRS]
        rows, place = numbered(np.concatenate((here, there)), len(texts))
        columns.append(_measure(word_sets(texts, rows), place[: len(here)], place[len(here) :]))
    if not columns:
        return Measures(*[np.empty(0, np.int64)] * 9)
    return Measures(*np.concatenate(columns, axis=1))


def _measure(sets: csr_array, a: Rows, b: Rows) -> np.ndarray:
    """Multiply the rows of both sides: what is left are the shared words, with the marks of one side."""
    whole = sets.sum(axis=1)
    marked_a, marked_b = sets[a], sets[b]
    plain_a, plain_b = marked_a.copy(), marked_b.copy()
    plain_a.data = np.ones_like(plain_a.data)
    plain_b.data = np.ones_like(plain_b.data)
    shared_a = marked_a.multiply(plain_b).sum(axis=1)
    shared_b = plain_a.multiply(marked_b).sum(axis=1)

    def field(sums: np.ndarray, place: int) -> Rows:
        return (sums >> (place * FIELD_BITS)) & ((1 << FIELD_BITS) - 1)

    lost_a, lost_b = whole[a] - shared_a, whole[b] - shared_b
    return np.stack(
        [
            field(whole[a], 0),
            field(whole[b], 0),
            field(shared_a, 0),
            field(lost_a, 1),
            field(lost_b, 1),
            field(lost_a, 2),
            field(lost_b, 2),
            field(lost_a, 3),
            field(lost_b, 3),
        ]
    )


def word_sets(texts: Texts, rows: Rows) -> csr_array:
    """Return the texts' word sets as a sparse matrix, texts x codes.

    A value has four fields of FIELD_BITS: 1 for the word, 1 when it stands twice, 1 when thrice, 1 when it is telling.
    Sums of values then count all four at once.
    """
    counts = texts.counts[rows]
    ends = np.cumsum(counts)
    places = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(texts.offsets[rows] - (ends - counts), counts)
    keys = texts.codes[places].astype(np.uint64) | (
        np.repeat(np.arange(len(rows), dtype=np.uint64), counts) << np.uint64(32)
    )
    keys = ordered(keys)
    heads = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))) if len(keys) else np.empty(0, np.int64)
    distinct = keys[heads]
    codes = (distinct & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    values = np.ones(len(heads), dtype=np.int64)
    times = np.diff(np.append(heads, len(keys)))
    values[times >= 2] += 1 << FIELD_BITS
    values[times >= 3] += 1 << (2 * FIELD_BITS)
    maybe = np.flatnonzero(_MAYBE_TELLING[codes >> np.uint32(12)])
    places_in = np.minimum(np.searchsorted(TELLING_CODES, codes[maybe]), len(TELLING_CODES) - 1)
    values[maybe[TELLING_CODES[places_in] == codes[maybe]]] += 1 << (3 * FIELD_BITS)
    starts = np.searchsorted(distinct, np.arange(len(rows) + 1, dtype=np.uint64) << np.uint64(32))
    return csr_array((values, codes.astype(np.int64), starts.astype(np.int64)), shape=(len(rows), 1 << 32))


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

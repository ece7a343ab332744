"""Measures: what two texts share, computed for many pairs at once from their word codes.

Set measures (how many words, how many of them shared, which recur on one side only) belong here, and the order in
which shared words stand. What the measures mean is decided in `subject.py` and `rule.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from scipy.sparse import csr_array

from assets.folded.subject import PLAIN, TELLING
from assets.folded.texts import Texts
from assets.folded.words import Keys, Rows, stretches

CHUNK_WORDS = 1 << 17
"""Words of pairs that are in memory at a time."""


@dataclass(frozen=True)
class Measures:
    """What the word sets of pairs share; arrays parallel to the pairs.

    Attributes:
        size_a: Distinct words of a.
        size_b: Distinct words of b.
        shared: Distinct words of both.
        recurring_a: Words (no function words, no figures) that stand at least twice in a and nowhere in b.
        recurring_b: The same of b.
        thrice_a: Those of them that stand at least three times.
        thrice_b: The same of b.
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

    def of(self, pairs: Rows) -> Measures:
        """Return the measures of some of the pairs."""
        return Measures(*(getattr(self, field.name)[pairs] for field in fields(self)))

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
    columns = np.zeros((len(fields(Measures)), len(a)), dtype=np.int64)
    counts_a, counts_b = texts.counts_of(a), texts.counts_of(b)
    # Pairs of about one length stand in one table, so that little of it is empty.
    order = np.argsort(counts_a + counts_b, kind="stable")
    for begin, end in stretches((counts_a + counts_b)[order], CHUNK_WORDS):
        pairs = order[begin:end]
        columns[:, pairs] = _measure(_table(texts, a[pairs], b[pairs]))
    return Measures(*columns)


_NOTHING = np.uint64(0xFFFFFFFFFFFFFFFF)


def _table(texts: Texts, a: Rows, b: Rows) -> Keys:
    """Return a row per pair: the codes of both sides, each with its side (0 or 1) as lowest bit, sorted."""
    counts = texts.counts_of(a), texts.counts_of(b)
    place = np.arange(int((counts[0] + counts[1]).max(initial=0)) + 2)
    table = np.full((len(a), len(place)), _NOTHING)
    of_a = place < counts[0][:, None]
    table[of_a] = texts.words_in(a).astype(np.uint64) << np.uint64(1)
    of_b = (place < (counts[0] + counts[1])[:, None]) & ~of_a
    table[of_b] = (texts.words_in(b).astype(np.uint64) << np.uint64(1)) | np.uint64(1)
    table.sort(axis=1)
    return table


def _measure(table: Keys) -> np.ndarray:
    """Count in the sorted rows: equal neighbours are a word that recurs, neighbours of two sides a shared word."""
    codes = table >> np.uint64(1)
    side_b = (table & np.uint64(1)).astype(bool)
    there = table != _NOTHING
    first, first_of_code = np.ones((2, *table.shape), dtype=bool)
    first[:, 1:] = table[:, 1:] != table[:, :-1]
    first_of_code[:, 1:] = codes[:, 1:] != codes[:, :-1]
    words = first & there
    own_b = words & first_of_code & side_b
    # Of a, the last of equal keys shows whether the same word of b follows.
    own_a = there & ~side_b
    own_a[:, :-1] &= first_of_code[:, 1:]
    size_b, size = (words & side_b).sum(axis=1), words.sum(axis=1)
    counted = [size - size_b, size_b, (words & ~first_of_code).sum(axis=1)]
    recurring: list[Rows] = []
    thrice: list[Rows] = []
    telling: list[Rows] = []
    for own, step in ((own_a, -1), (own_b, 1)):
        row, place = np.nonzero(own)
        code = codes[row, place].astype(np.uint32)
        # Two empty places end each row, so a step back from its beginning meets nothing.
        twice = np.flatnonzero((table[row, place] == table[row, place + step]) & ~PLAIN.holds(code))
        often = twice[table[row[twice], place[twice]] == table[row[twice], place[twice] + 2 * step]]
        tells = np.flatnonzero(TELLING.holds(code))
        for found, which in ((recurring, twice), (thrice, often), (telling, tells)):
            found.append(np.bincount(row[which], minlength=len(table)))
    return np.stack([*counted, *recurring, *thrice, *telling])


WIDE = 2_048
"""Up to so many texts of one paper every pair is compared."""


def lowest_similarity(texts: Texts, rows: Rows) -> float:
    """Return the lowest similarity of any two of many texts (see `verify.similarity`).

    One sparse product gives the shared words of every pair. Of more than WIDE texts those are compared that are least
    like the one with the smallest key, so that a paper with very many versions costs no quadratic time; the lowest is
    then that of the texts that lie farthest out.
    """
    rows = rows[np.argsort(texts.keys[rows])]
    if len(rows) > WIDE:
        from_first = measure(texts, np.full(len(rows), rows[0]), rows).jaccard
        rows = rows[np.argsort(from_first, kind="stable")[:WIDE]]
    counts = texts.counts_of(rows)
    _, columns = np.unique(texts.words_in(rows), return_inverse=True)
    cells = np.unique(np.repeat(np.arange(len(rows)), counts) * (int(columns.max()) + 1) + columns)
    row, column = np.divmod(cells, int(columns.max()) + 1)
    has = csr_array((np.ones(len(row), dtype=np.int32), (row, column)))
    shared = (has @ has.T).toarray()
    sizes = np.diagonal(shared)
    smaller, larger = np.minimum.outer(sizes, sizes), np.maximum.outer(sizes, sizes)
    jaccard = shared / np.maximum(smaller + larger - shared, 1)
    return float(np.where(smaller < 0.7 * larger, shared / np.maximum(smaller, 1), jaccard).min())

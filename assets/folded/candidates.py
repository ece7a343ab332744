"""Candidate pairs: texts that share enough shingles to be worth a measurement.

A rare shingle pairs all texts that have it. A common one (boilerplate, a template, a paper with a thousand versions)
pairs each text with its neighbours only, in an order in which similar texts stand side by side, so that no list costs
quadratic time. Candidates decide nothing: every pair is measured and judged afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from assets.folded.settings import FoldingSettings
from assets.folded.texts import CHUNK_POSTINGS, NO_SHINGLE, ROW_BITS, SKETCH_BINS, Texts, Updated, rows_of
from assets.folded.words import Keys, Rows, distinct, numbered, ordered

SIGNATURE_BITS = 1024
"""Bits of a text's signature."""

CHUNK_PAIRS = 200_000
CHUNK_TEXTS = 1_000
"""Pairs and texts worked on at a time."""

SLICE = 10_000_000
"""Proposals that are sorted at a time."""

PAIR_BITS = np.uint64(32)
_ROW_MASK = np.uint64((1 << ROW_BITS) - 1)


@dataclass(frozen=True)
class Proposed:
    """Pairs of texts that are alike enough to be looked at, as packed rows, sorted.

    Attributes:
        rare: Those that rare shingles propose and whose words overlap enough to be measured.
        near: Those that common shingles propose.
        near_passed: Which of `near` overlap enough to be measured.
        common: The postings of common shingles.
    """

    rare: Keys
    near: Keys
    near_passed: np.ndarray
    common: Keys

    @property
    def candidates(self) -> tuple[Rows, Rows]:
        """The pairs to measure, as two arrays of rows (a < b)."""
        return unpacked(distinct(np.concatenate((self.rare, self.near[self.near_passed]))))


def propose(texts: Texts, settings: FoldingSettings) -> Proposed:
    """Return the proposed pairs of all texts."""
    postings = texts.postings
    if len(texts.more_postings):
        postings = ordered(np.concatenate((postings, texts.more_postings)))
    if not texts.keys.all():
        postings = postings[texts.keys[rows_of(postings)] != 0]
    starts, lengths = runs(postings)
    shared = counted_proposals(postings, starts, lengths, settings.common_shingle)
    rare = enough_shared(texts, *shared, settings)
    del shared
    is_common = lengths > settings.common_shingle
    starts, lengths = starts[is_common], lengths[is_common]
    common = postings[np.repeat(starts, lengths) + _within(lengths)]
    near = neighbour_pairs(texts, common, settings)
    return Proposed(
        rare=rare[enough_words(texts, rare, settings)],
        near=near,
        near_passed=enough_words(texts, near, settings),
        common=common,
    )


def propose_again(update: Updated, before: Proposed, settings: FoldingSettings) -> Proposed:
    """Return what `propose` returns for the updated texts, at the cost of what was touched.

    A pair of untouched texts shares the same rare lists as before, so only lists of touched texts are read again.
    Neighbours on common lists are found anew, which is cheap; only pairs never seen are compared.
    """
    texts, touched = update.texts, update.touched
    a, b = unpacked(before.rare)
    kept = before.rare[~(touched[a] | touched[b])]
    lists = texts.lists_of(distinct(texts.postings_of(touched) >> np.uint64(ROW_BITS)))
    several, times = counted_proposals(lists, *runs(lists), settings.common_shingle)
    a, b = unpacked(several)
    met = touched[a] | touched[b]
    again = enough_shared(texts, several[met], times[met], settings)
    rare = distinct(np.concatenate((kept, again[enough_words(texts, again, settings)])))

    unchanged = ~_among(before.common >> np.uint64(ROW_BITS), update.changed)
    changed = texts.lists_of(update.changed)
    _, lengths = runs(changed)
    is_common = np.repeat(lengths > settings.common_shingle, lengths)
    common = ordered(np.concatenate((before.common[unchanged], changed[is_common])))
    near = neighbour_pairs(texts, common, settings)
    place = np.minimum(np.searchsorted(before.near, near), max(len(before.near) - 1, 0))
    known = before.near[place] == near if len(before.near) else np.zeros(len(near), dtype=bool)
    passed = np.zeros(len(near), dtype=bool)
    passed[known] = before.near_passed[place[known]]
    passed[~known] = enough_words(texts, near[~known], settings)
    return Proposed(rare, near, passed, common)


def packed(a: Rows, b: Rows) -> Keys:
    """Return pairs of rows as one 64-bit key each, the smaller row in the high half."""
    low, high = np.minimum(a, b).astype(np.uint64), np.maximum(a, b).astype(np.uint64)
    return (low << PAIR_BITS) | high


def unpacked(keys: Keys) -> tuple[Rows, Rows]:
    """Return the two rows of packed pairs."""
    return (keys >> PAIR_BITS).astype(np.int64), (keys & np.uint64(0xFFFFFFFF)).astype(np.int64)


def runs(postings: Keys) -> tuple[Rows, Rows]:
    """Return where each shingle's list begins and how long it is."""
    if not len(postings):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    begins = np.empty(len(postings), dtype=bool)
    begins[0] = True
    # Two postings are of one list when they differ in the bits of the row alone.
    for start in range(1, len(postings), CHUNK_POSTINGS):
        end = min(start + CHUNK_POSTINGS, len(postings))
        begins[start:end] = (postings[start:end] ^ postings[start - 1 : end - 1]) > _ROW_MASK
    starts = np.flatnonzero(begins)
    return starts, np.diff(starts, append=len(postings))


def counted_proposals(postings: Keys, starts: Rows, lengths: Rows, common: int) -> tuple[Keys, Rows]:
    """Return the pairs of texts that stand together on two lists or more of 2 to `common` texts, and on how many.

    They are made and counted in slices of the smaller row: all at once they would be the peak of the whole fold.
    """
    total = 0
    columns: list[list[Keys]] = []
    for length in range(2, common + 1):
        heads = starts[lengths == length]
        if len(heads):
            columns.append([postings[heads + place] & _ROW_MASK for place in range(length)])
            total += len(heads) * length * (length - 1) // 2
    highest = max((int(rows[-2].max()) for rows in columns), default=0) + 1
    bounds = np.linspace(0, highest, total // SLICE + 2).astype(np.uint64)
    pairs, times = [], []
    for low, high in pairwise(bounds):
        found: list[Keys] = []
        for rows in columns:
            for one, smaller in enumerate(rows[:-1]):
                here = np.flatnonzero((smaller >= low) & (smaller < high)) if len(bounds) > 2 else slice(None)
                packed_smaller = smaller[here] << PAIR_BITS
                found.extend(packed_smaller | larger[here] for larger in rows[one + 1 :])
        if found:
            several, number = _repeated(ordered(np.concatenate(found)))
            pairs.append(several)
            times.append(number)
    if not pairs:
        return np.empty(0, np.uint64), np.empty(0, np.int64)
    return np.concatenate(pairs), np.concatenate(times)


def _repeated(keys: Keys) -> tuple[Keys, Rows]:
    """Return which of the sorted keys stand there at least twice, and how often."""
    again = keys[1:][keys[1:] == keys[:-1]]
    if not len(again):
        return again, np.empty(0, np.int64)
    firsts = np.flatnonzero(np.concatenate(([True], again[1:] != again[:-1])))
    return again[firsts], np.diff(firsts, append=len(again)) + 1


def enough_shared(texts: Texts, pairs: Keys, shared: Rows, settings: FoldingSettings) -> Keys:
    """Return the pairs that share at least two lists and `shared_shingles` of the smaller side's kept shingles."""
    a, b = unpacked(pairs)
    smaller = np.minimum(texts.kept[a], texts.kept[b])
    return pairs[(shared >= 2) & (shared >= settings.shared_shingles * smaller)]


def neighbour_pairs(texts: Texts, common: Keys, settings: FoldingSettings) -> Keys:
    """Return pairs of neighbours, packed, on the lists that common shingles make of the sketches.

    Only texts of which common shingles are a good part need it (the others are found by their rare ones). A text stands
    on the lists of those common shingles that are in its sketch. A list is ordered by the next two values of the
    sketch, then by the text's key, so that copies stand side by side whatever else the list holds. Pairs whose sketches
    agree in too few bins are dropped.
    """
    # The sketch holds the high 32 bits of a shingle, the postings 38 of them.
    cells = distinct((common >> np.uint64(32)).astype(np.uint32))
    of_text = np.bincount(rows_of(common), minlength=len(texts))
    rows = np.flatnonzero((of_text >= 2) & (of_text >= settings.shared_shingles * texts.kept))
    if not len(rows):
        return np.empty(0, np.uint64)
    found = []
    for bin_ in range(SKETCH_BINS):
        cell = texts.sketch[rows, bin_]
        listed = np.flatnonzero(_among(cell, cells) & (cell != NO_SHINGLE))
        here = rows[listed]
        after, then = (texts.sketch[here, (bin_ + step) % SKETCH_BINS] for step in (1, 2))
        order = np.lexsort((texts.keys[here], then, after, cell[listed]))
        row, cell = here[order], cell[listed][order]
        for distance in range(1, settings.neighbours + 1):
            same = cell[distance:] == cell[:-distance]
            found.append(packed(row[:-distance][same], row[distance:][same]))
    pairs = distinct(np.concatenate(found))
    a, b = unpacked(pairs)
    one, other = texts.sketch[a], texts.sketch[b]
    agree = ((one == other) & (one != NO_SHINGLE)).sum(axis=1)
    return pairs[agree >= settings.sketch_bins]


def _among(values: np.ndarray, listed: np.ndarray) -> np.ndarray:
    """Return which values are among the listed ones, which are sorted."""
    place = np.minimum(np.searchsorted(listed, values), max(len(listed) - 1, 0))
    return listed[place] == values if len(listed) else np.zeros(len(values), dtype=bool)


def _within(lengths: Rows) -> Rows:
    """Return 0, 1, 2 ... within each of consecutive stretches of these lengths."""
    ends = np.cumsum(lengths)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def enough_words(texts: Texts, pairs: Keys, settings: FoldingSettings) -> np.ndarray:
    """Return which pairs' words, as bits of a signature, overlap enough to be worth an exact measurement.

    The overlap of two signatures is at least that of the words, but for words that fall on one bit, so no pair of
    interest is lost and four in five of the others go at the cost of sixteen machine words.
    """
    return enough_overlap(texts, pairs, settings.overlapping_bits)


def enough_overlap(texts: Texts, pairs: Keys, share: float) -> np.ndarray:
    """Return which pairs (packed) share this part of the smaller signature or more."""
    a, b = unpacked(pairs)
    rows, place = numbered(np.concatenate((a, b)), len(texts))
    signs = signatures(texts, rows)
    sizes = np.zeros(len(rows), dtype=np.uint16)
    for column in signs:
        sizes += np.bitwise_count(column)
    enough = np.zeros(len(pairs), dtype=bool)
    for start in range(0, len(pairs), CHUNK_PAIRS):
        end = min(start + CHUNK_PAIRS, len(pairs))
        one, other = place[start:end], place[len(pairs) + start : len(pairs) + end]
        shared = np.zeros(end - start, dtype=np.uint16)
        for column in signs:
            shared += np.bitwise_count(column[one] & column[other])
        enough[start:end] = shared >= share * np.minimum(sizes[one], sizes[other])
    return enough


def signatures(texts: Texts, rows: Rows) -> Keys:
    """Return SIGNATURE_BITS bits per text, one set for each of its words: (SIGNATURE_BITS / 64) x texts."""
    signs = np.empty((SIGNATURE_BITS // 64, len(rows)), dtype=np.uint64)
    for start in range(0, len(rows), CHUNK_TEXTS):
        here = rows[start : start + CHUNK_TEXTS]
        counts = texts.counts_of(here)
        bits = np.zeros((len(here), SIGNATURE_BITS), dtype=bool)
        bits[np.repeat(np.arange(len(here)), counts), texts.words_in(here) & np.uint32(SIGNATURE_BITS - 1)] = True
        signs[:, start : start + CHUNK_TEXTS] = np.packbits(bits, axis=1).view(np.uint64).T
    return signs

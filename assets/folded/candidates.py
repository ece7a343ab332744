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
from assets.folded.texts import NO_SHINGLE, ROW_BITS, SKETCH_BINS, Codes, Texts, Updated, lists_of
from assets.folded.words import Keys, Rows, distinct, numbered, ordered

SIGNATURE_BITS = 1024
"""Bits of a text's signature."""

CHUNK_PAIRS = 200_000
CHUNK_TEXTS = 20_000
"""Pairs and texts whose signatures are in memory at a time."""

SLICE = 10_000_000
"""Proposals that are sorted at a time."""

PAIR_BITS = np.uint64(32)
_ROW_MASK = np.uint64((1 << ROW_BITS) - 1)


@dataclass(frozen=True)
class Proposed:
    """Pairs of texts that are alike enough to be looked at, as packed rows, sorted.

    Attributes:
        rare: Those that rare shingles propose.
        pairs: Those that anything proposes.
        passed: Which of `pairs` overlap enough to be measured.
    """

    rare: Keys
    pairs: Keys
    passed: np.ndarray

    @property
    def candidates(self) -> tuple[Rows, Rows]:
        """The pairs to measure, as two arrays of rows (a < b)."""
        return unpacked(self.pairs[self.passed])


def propose(texts: Texts, settings: FoldingSettings) -> Proposed:
    """Return the proposed pairs of all texts."""
    starts, lengths = runs(texts.postings)
    shared = counted(rare_proposals(texts.postings, starts, lengths, settings.common_shingle))
    rare = enough_shared(texts, *shared, settings)
    pairs = distinct(np.concatenate((rare, neighbour_pairs(texts, starts, lengths, settings))))
    return Proposed(rare, pairs, enough_words(texts, pairs, settings))


def propose_again(update: Updated, before: Proposed, settings: FoldingSettings) -> Proposed:
    """Return what `propose` returns for the updated texts, at the cost of what was touched.

    A pair of untouched texts shares the same rare lists as before, so only lists of touched texts are read again.
    Neighbours on common lists are found anew, which is cheap; only pairs never seen are compared.
    """
    texts, touched = update.texts, update.touched
    a, b = unpacked(before.rare)
    kept = before.rare[~(touched[a] | touched[b])]
    of_touched = touched[(texts.postings & _ROW_MASK).astype(np.int64)]
    near = lists_of(texts.postings, distinct(texts.postings[of_touched] >> np.uint64(ROW_BITS)))
    proposals = rare_proposals(near, *runs(near), settings.common_shingle)
    a, b = unpacked(proposals)
    again = enough_shared(texts, *counted(proposals[touched[a] | touched[b]]), settings)
    rare = distinct(np.concatenate((kept, again)))
    pairs = distinct(np.concatenate((rare, neighbour_pairs(texts, *runs(texts.postings), settings))))
    place = np.minimum(np.searchsorted(before.pairs, pairs), max(len(before.pairs) - 1, 0))
    known = before.pairs[place] == pairs if len(before.pairs) else np.zeros(len(pairs), dtype=bool)
    passed = np.zeros(len(pairs), dtype=bool)
    passed[known] = before.passed[place[known]]
    passed[~known] = enough_words(texts, pairs[~known], settings)
    return Proposed(rare, pairs, passed)


def packed(a: Rows, b: Rows) -> Keys:
    """Return pairs of rows as one 64-bit key each, the smaller row in the high half."""
    low, high = np.minimum(a, b).astype(np.uint64), np.maximum(a, b).astype(np.uint64)
    return (low << PAIR_BITS) | high


def unpacked(keys: Keys) -> tuple[Rows, Rows]:
    """Return the two rows of packed pairs."""
    return (keys >> PAIR_BITS).astype(np.int64), (keys & np.uint64(0xFFFFFFFF)).astype(np.int64)


def runs(postings: Keys) -> tuple[Rows, Rows]:
    """Return where each shingle's list begins and how long it is."""
    shingles = postings >> np.uint64(ROW_BITS)
    starts = (
        np.flatnonzero(np.concatenate(([True], shingles[1:] != shingles[:-1])))
        if len(shingles)
        else np.empty(0, np.int64)
    )
    return starts, np.diff(np.append(starts, len(postings)))


def rare_proposals(postings: Keys, starts: Rows, lengths: Rows, common: int) -> Keys:
    """Return all pairs of texts on the lists of 2 to `common` texts, packed, a pair as often as it shares a list."""
    sizes = np.bincount(lengths[(lengths >= 2) & (lengths <= common)], minlength=common + 1)
    total = sum(int(sizes[n]) * n * (n - 1) // 2 for n in range(2, common + 1))
    proposals = np.empty(total, dtype=np.uint64)
    filled = 0
    for length in range(2, common + 1):
        heads = starts[lengths == length]
        for one in range(length):
            for other in range(one + 1, length):
                low = postings[heads + one] & _ROW_MASK
                high = postings[heads + other] & _ROW_MASK
                proposals[filled : filled + len(heads)] = (low << PAIR_BITS) | high
                filled += len(heads)
    return proposals


def counted(proposals: Keys) -> tuple[Keys, Rows]:
    """Return each proposed pair once, and how many lists propose it; pairs with a single one are dropped."""
    pairs, times = [], []
    # Sorted in slices of the smaller row, since a sorted copy of all proposals would be the peak of the whole fold.
    highest = int(proposals.max()) + 1 if len(proposals) else 0
    bounds = np.linspace(0, highest, max(len(proposals) // SLICE, 1) + 1).astype(np.uint64)
    for low, high in pairwise(bounds):
        slice_ = proposals if len(bounds) == 2 else proposals[(proposals >= low) & (proposals < high)]
        keys = ordered(slice_)
        repeated = keys[1:][keys[1:] == keys[:-1]]
        if not len(repeated):
            continue
        firsts = np.flatnonzero(np.concatenate(([True], repeated[1:] != repeated[:-1])))
        pairs.append(repeated[firsts])
        times.append(np.diff(np.append(firsts, len(repeated))) + 1)
    if not pairs:
        return np.empty(0, np.uint64), np.empty(0, np.int64)
    return np.concatenate(pairs), np.concatenate(times)


def enough_shared(texts: Texts, pairs: Keys, shared: Rows, settings: FoldingSettings) -> Keys:
    """Return the pairs that share at least two lists and `shared_shingles` of the smaller side's kept shingles."""
    a, b = unpacked(pairs)
    smaller = np.minimum(texts.kept[a], texts.kept[b])
    return pairs[(shared >= 2) & (shared >= settings.shared_shingles * smaller)]


def neighbour_pairs(texts: Texts, starts: Rows, lengths: Rows, settings: FoldingSettings) -> Keys:
    """Return pairs of neighbours, packed, on the lists that common shingles make of the sketches.

    Only texts of which common shingles are a good part need it (the others are found by their rare ones). A text stands
    on the lists of those common shingles that are in its sketch. A list is ordered by the next two values of the
    sketch, then by the text's key, so that copies stand side by side whatever else the list holds. Pairs whose sketches
    agree in too few bins are dropped.
    """
    is_common = lengths > settings.common_shingle
    heads = texts.postings[starts[is_common]]
    # The sketch holds the high 32 bits of a shingle, the postings 38 of them.
    cells = distinct((heads >> np.uint64(32)).astype(np.uint32))
    common = np.zeros(len(texts.postings), dtype=bool)
    common[np.repeat(starts[is_common], lengths[is_common]) + _within(lengths[is_common])] = True
    of_text = np.bincount((texts.postings[common] & _ROW_MASK).astype(np.int64), minlength=len(texts))
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


def _among(values: Codes, ordered: Codes) -> np.ndarray:
    """Return which values are among the ordered ones."""
    place = np.minimum(np.searchsorted(ordered, values), max(len(ordered) - 1, 0))
    return ordered[place] == values if len(ordered) else np.zeros(len(values), dtype=bool)


def _within(lengths: Rows) -> Rows:
    """Return 0, 1, 2 ... within each of consecutive stretches of these lengths."""
    ends = np.cumsum(lengths)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def enough_words(texts: Texts, pairs: Keys, settings: FoldingSettings) -> np.ndarray:
    """Return which pairs' words, as bits of a signature, overlap enough to be worth an exact measurement.

    The overlap of two signatures is at least that of the words, but for words that fall on one bit, so no pair of
    interest is lost and four in five of the others go at the cost of sixteen machine words.
    """
    a, b = unpacked(pairs)
    rows, place = numbered(np.concatenate((a, b)), len(texts))
    signs = signatures(texts, rows)
    sizes = np.bitwise_count(signs).sum(axis=1, dtype=np.int32)
    enough = np.zeros(len(pairs), dtype=bool)
    for start in range(0, len(pairs), CHUNK_PAIRS):
        end = min(start + CHUNK_PAIRS, len(pairs))
        one, other = place[start:end], place[len(pairs) + start : len(pairs) + end]
        shared = np.bitwise_count(signs[one] & signs[other]).sum(axis=1, dtype=np.int32)
        enough[start:end] = shared >= settings.overlapping_bits * np.minimum(sizes[one], sizes[other])
    return enough


def signatures(texts: Texts, rows: Rows) -> Keys:
    """Return SIGNATURE_BITS bits per text, one set for each of its words."""
    signs = np.empty((len(rows), SIGNATURE_BITS // 64), dtype=np.uint64)
    for start in range(0, len(rows), CHUNK_TEXTS):
        here = rows[start : start + CHUNK_TEXTS]
        counts = texts.counts[here]
        places = np.repeat(texts.offsets[here], counts) + _within(counts)
        bits = np.zeros((len(here), SIGNATURE_BITS), dtype=bool)
        bits[np.repeat(np.arange(len(here)), counts), texts.codes[places] & np.uint32(SIGNATURE_BITS - 1)] = True
        signs[start : start + CHUNK_TEXTS] = np.packbits(bits, axis=1).view(np.uint64)
    return signs

"""Candidate pairs: texts that share enough shingles to be worth a measurement.

A rare shingle pairs all texts that have it. A common one (boilerplate, a template, a paper with a thousand versions)
pairs each text with its neighbours only, in an order in which similar texts stand side by side, so that no list costs
quadratic time. Candidates decide nothing: every pair is measured and judged afterwards.
"""

from __future__ import annotations

import numpy as np

from assets.folded.settings import FoldingSettings
from assets.folded.texts import NO_SHINGLE, ROW_BITS, SKETCH_BINS, Texts
from assets.folded.words import Keys, Rows

PAIR_BITS = np.uint64(32)
_ROW_MASK = np.uint64((1 << ROW_BITS) - 1)


def candidate_pairs(texts: Texts, settings: FoldingSettings) -> tuple[Rows, Rows]:
    """Return the candidate pairs of all texts as two arrays of rows (a < b), each pair once, in order."""
    starts, lengths = _runs(texts.postings)
    proposed = _counted(rare_proposals(texts.postings, starts, lengths, settings.common_shingle))
    pairs = enough_shared(texts, *proposed, settings)
    common = neighbour_pairs(texts, np.arange(len(texts)), common_cells(texts, starts, lengths, settings), settings)
    keys = np.unique(np.concatenate((pairs, common)))
    return unpacked(keys)


def packed(a: Rows, b: Rows) -> Keys:
    """Return pairs of rows as one 64-bit key each, the smaller row in the high half."""
    low, high = np.minimum(a, b).astype(np.uint64), np.maximum(a, b).astype(np.uint64)
    return (low << PAIR_BITS) | high


def unpacked(keys: Keys) -> tuple[Rows, Rows]:
    """Return the two rows of packed pairs."""
    return (keys >> PAIR_BITS).astype(np.int64), (keys & np.uint64(0xFFFFFFFF)).astype(np.int64)


def _runs(postings: Keys) -> tuple[Rows, Rows]:
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


def _counted(proposals: Keys) -> tuple[Keys, Rows]:
    """Return each proposed pair once, and how many lists propose it; pairs with a single one are dropped."""
    proposals.sort()
    if not len(proposals):
        return proposals, np.empty(0, np.int64)
    twice = np.flatnonzero(proposals[1:] == proposals[:-1])
    repeated = proposals[twice]
    firsts = (
        np.flatnonzero(np.concatenate(([True], repeated[1:] != repeated[:-1])))
        if len(repeated)
        else np.empty(0, np.int64)
    )
    return repeated[firsts], np.diff(np.append(firsts, len(repeated))) + 1


def enough_shared(texts: Texts, pairs: Keys, shared: Rows, settings: FoldingSettings) -> Keys:
    """Return the pairs that share at least two lists and `shared_shingles` of the smaller side's kept shingles."""
    a, b = unpacked(pairs)
    smaller = np.minimum(texts.kept[a], texts.kept[b])
    return pairs[(shared >= 2) & (shared >= settings.shared_shingles * smaller)]


def common_cells(texts: Texts, starts: Rows, lengths: Rows, settings: FoldingSettings) -> Keys:
    """Return the shingles (as a sketch holds them: 32 bits) that stand in more texts than a rare one may."""
    heads = texts.postings[starts[lengths > settings.common_shingle]]
    return np.unique((heads >> np.uint64(32)).astype(np.uint32)).astype(np.uint64)


def neighbour_pairs(texts: Texts, rows: Rows, common: Keys, settings: FoldingSettings) -> Keys:
    """Return pairs of neighbours, packed, on the lists that common shingles make of the sketches.

    A text stands on the lists of those common shingles that are in its sketch. A list is ordered by the next two values
    of the sketch, then by the text's key, so that copies stand side by side whatever else the list holds. Pairs whose
    sketches agree in fewer than two bins are dropped.
    """
    sketch = texts.sketch[rows]
    listed = np.isin(sketch, common.astype(np.uint32)) & (sketch != NO_SHINGLE)
    place, bins = np.nonzero(listed)
    if not len(place):
        return np.empty(0, np.uint64)
    shingle = sketch[place, bins]
    after = sketch[place, (bins + 1) % SKETCH_BINS]
    then = sketch[place, (bins + 2) % SKETCH_BINS]
    order = np.lexsort((texts.keys[rows[place]], then, after, shingle))
    row, cell = rows[place[order]], shingle[order]
    found = []
    for distance in range(1, settings.neighbours + 1):
        same = cell[distance:] == cell[:-distance]
        found.append(packed(row[:-distance][same], row[distance:][same]))
    pairs = np.unique(np.concatenate(found))
    a, b = unpacked(pairs)
    agree = np.zeros(len(pairs), dtype=np.int8)
    for bin_ in range(SKETCH_BINS):
        one, other = texts.sketch[a, bin_], texts.sketch[b, bin_]
        agree += (one == other) & (one != NO_SHINGLE)
    return pairs[(agree >= 2) & (a != b)]

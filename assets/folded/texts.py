"""Texts: every distinct word sequence of a corpus once, as arrays that can be mapped from disk.

The arrays, how a batch of words becomes part of them, and the shingles that stand for a text belong here. Which texts
are alike is found in `candidates.py` and measured in `measure.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assets.folded.words import Keys, Rows, Words, distinct, ordered, sampled_shingles

Codes = npt.NDArray[np.uint32]

ROW_BITS = 26
"""Bits of a posting that name the text's row; the other 38 name the shingle. Room for 67 million texts."""

SHORT_WORDS = 64
"""Up to so many words a text keeps all its shingles; a longer one keeps one in four, chosen by their hash."""

SKETCH_BINS = 16
"""Values of a text's sketch: the least kept shingle in each sixteenth of the hash space."""

_ROW_MASK = np.uint64((1 << ROW_BITS) - 1)
NO_SHINGLE = np.uint32(0xFFFFFFFF)


@dataclass(frozen=True)
class Texts:
    """Distinct texts in rows.

    Attributes:
        keys: Key of the word sequence, per text.
        offsets: Where each text's codes begin; one more than texts.
        codes: 32 bits of each word's hash, in order.
        kept: Kept shingles, per text.
        sketch: texts x SKETCH_BINS: the least sampled shingle of each bin (NO_SHINGLE where there is none).
        postings: Kept shingles with the row that has them, packed (shingle in the high bits) and sorted.
    """

    keys: Keys
    offsets: Rows
    codes: Codes
    kept: npt.NDArray[np.int32]
    sketch: Codes
    postings: Keys

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def counts(self) -> Rows:
        """Words per text."""
        return np.diff(self.offsets)

    def counts_of(self, rows: Rows) -> Rows:
        """Return the words of these texts."""
        return self.offsets[rows + 1] - self.offsets[rows]

    def words_in(self, rows: Rows) -> Codes:
        """Return the codes of these texts, one text after the other."""
        counts = self.counts_of(rows)
        ends = np.cumsum(counts)
        return self.codes[
            np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(self.offsets[rows] - ends + counts, counts)
        ]

    def words_of(self, row: int) -> Codes:
        """Return the codes of one text, in order."""
        return self.codes[self.offsets[row] : self.offsets[row + 1]]


@dataclass(frozen=True)
class TextsPart:
    """What one batch adds to the texts; postings name the row within the batch, are not sorted, and may repeat."""

    keys: Keys
    counts: Rows
    codes: Codes
    sketch: Codes
    postings: Keys


def part_of(keys: Keys, words: Words) -> TextsPart:
    """Return a batch of distinct texts as a part."""
    hashes, rows = sampled_shingles(words, every_below=SHORT_WORDS)
    return TextsPart(
        keys=keys,
        counts=words.counts,
        codes=(words.hashes >> np.uint64(32)).astype(np.uint32),
        sketch=_sketch(hashes, rows, len(keys)),
        postings=(hashes & ~_ROW_MASK) | rows.astype(np.uint64),
    )


def _sketch(hashes: Keys, rows: Rows, size: int) -> Codes:
    sketch = np.full((size, SKETCH_BINS), NO_SHINGLE, dtype=np.uint32)
    sampled = np.flatnonzero(hashes & np.uint64(1))
    hashes = hashes[sampled]
    bins = ((hashes >> np.uint64(4)) & np.uint64(SKETCH_BINS - 1)).astype(np.int64)
    np.minimum.at(sketch.reshape(-1), rows[sampled] * SKETCH_BINS + bins, (hashes >> np.uint64(32)).astype(np.uint32))
    return sketch


def texts_of(parts: list[TextsPart]) -> Texts:
    """Return the parts as one, and empty the list; a text that several parts have is kept once, from the first.

    Raises:
        ValueError: when there are more texts than a posting can name.
    """
    if not parts:
        return empty_texts()
    keys = np.concatenate([part.keys for part in parts])
    _, first = np.unique(keys, return_index=True)
    if len(first) >= 1 << ROW_BITS:
        raise ValueError(f"{len(first):,} distinct texts; the fold index has room for {(1 << ROW_BITS) - 1:,}")
    new = np.zeros(len(keys), dtype=bool)
    new[first] = True
    rows = np.cumsum(new) - 1
    postings, codes, counts, sketch = [], [], [], []
    start = 0
    while parts:
        # Parts are dropped as they are taken, or the peak would be twice the size of the whole.
        part = parts.pop(0)
        here = new[start : start + len(part.keys)]
        row_of = rows[start : start + len(part.keys)].astype(np.uint64)
        start += len(part.keys)
        of_part = (part.postings & _ROW_MASK).astype(np.int64)
        if here.all():
            postings.append(part.postings + row_of[0] if len(row_of) else part.postings)
            codes.append(part.codes)
        else:
            of_new = here[of_part]
            postings.append((part.postings[of_new] & ~_ROW_MASK) | row_of[of_part[of_new]])
            codes.append(part.codes[np.repeat(here, part.counts)])
        counts.append(part.counts[here])
        sketch.append(part.sketch[here])
    packed = distinct(_joined(postings))
    return Texts(
        keys=keys[new],
        offsets=np.concatenate(([0], np.cumsum(_joined(counts)))).astype(np.int64),
        codes=_joined(codes),
        kept=np.bincount((packed & _ROW_MASK).view(np.int64), minlength=len(first)).astype(np.int32),
        sketch=_joined(sketch),
        postings=packed,
    )


@dataclass(frozen=True)
class Updated:
    """Texts after a change.

    Attributes:
        texts: The texts; rows of before keep their place, new ones follow.
        touched: Per row: new, gone, or on the list of a shingle that became common or rare.
        gone: Per row: no longer there.
    """

    texts: Texts
    touched: np.ndarray
    gone: np.ndarray


def updated_texts(before: Texts, new: Texts, wanted: Keys, common: int) -> Updated:
    """Return the texts with new ones added and those that are not wanted any more left without key and postings.

    Args:
        before: The texts so far.
        new: Texts to add; those that are there already are passed over.
        wanted: Keys of all texts that there shall be, sorted.
        common: A shingle in more texts than this is common.
    """
    place = np.minimum(np.searchsorted(wanted, before.keys), max(len(wanted) - 1, 0))
    gone = (before.keys != 0) & ((wanted[place] != before.keys) if len(wanted) else True)
    held = ordered(np.asarray(before.keys))
    place = np.minimum(np.searchsorted(held, new.keys), max(len(held) - 1, 0))
    fresh = np.flatnonzero((held[place] != new.keys) if len(held) else np.ones(len(new), dtype=bool))
    row_of = np.full(len(new), -1, dtype=np.int64)
    row_of[fresh] = len(before) + np.arange(len(fresh))

    new_rows = row_of[(new.postings & _ROW_MASK).astype(np.int64)]
    added = ordered((new.postings[new_rows >= 0] & ~_ROW_MASK) | new_rows[new_rows >= 0].astype(np.uint64))
    old = before.postings
    lost = np.empty(0, np.uint64)
    if gone.any():
        leaving = gone[(old & _ROW_MASK).astype(np.int64)]
        lost, old = old[leaving], old[~leaving]
    postings = np.insert(old, np.searchsorted(old, added), added) if len(added) else np.asarray(old)

    moved = distinct(np.concatenate((added, lost)) >> np.uint64(ROW_BITS))
    then, now = (list_lengths(p, moved) for p in (before.postings, postings))
    turned = moved[(then > common) != (now > common)]
    counts = before.counts
    words = new.counts[fresh]
    texts = Texts(
        keys=np.concatenate((np.where(gone, np.uint64(0), before.keys), new.keys[fresh])),
        offsets=np.concatenate(([0], np.cumsum(np.concatenate((counts, words))))).astype(np.int64),
        codes=np.concatenate((before.codes, *(new.words_of(row) for row in fresh.tolist()))),
        kept=np.concatenate((before.kept, new.kept[fresh])),
        sketch=np.concatenate((before.sketch, new.sketch[fresh])),
        postings=postings,
    )
    touched = np.zeros(len(texts), dtype=bool)
    touched[: len(before)] = gone
    touched[len(before) :] = True
    touched[(lists_of(postings, turned) & _ROW_MASK).astype(np.int64)] = True
    touched[(lists_of(before.postings, turned) & _ROW_MASK).astype(np.int64)] = True
    return Updated(texts, touched, np.concatenate((gone, np.zeros(len(fresh), dtype=bool))))


def list_lengths(postings: Keys, shingles: Keys) -> Rows:
    """Return how many texts each shingle (sorted, as numbers of 38 bits) stands in."""
    starts = np.searchsorted(postings, shingles << np.uint64(ROW_BITS))
    ends = np.searchsorted(postings, (shingles << np.uint64(ROW_BITS)) | _ROW_MASK, side="right")
    return ends - starts


def lists_of(postings: Keys, shingles: Keys) -> Keys:
    """Return the postings of these shingles (sorted), in order."""
    starts = np.searchsorted(postings, shingles << np.uint64(ROW_BITS))
    lengths = list_lengths(postings, shingles)
    ends = np.cumsum(lengths)
    within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - lengths, lengths)
    return postings[np.repeat(starts, lengths) + within]


def _joined(arrays: list[np.ndarray]) -> np.ndarray:
    """Return the arrays as one, and let go of them."""
    whole = np.concatenate(arrays)
    arrays.clear()
    return whole


def empty_texts() -> Texts:
    """Return no texts."""
    return Texts(
        keys=np.empty(0, np.uint64),
        offsets=np.zeros(1, np.int64),
        codes=np.empty(0, np.uint32),
        kept=np.empty(0, np.int32),
        sketch=np.empty((0, SKETCH_BINS), np.uint32),
        postings=np.empty(0, np.uint64),
    )

"""Texts: every distinct word sequence of a corpus once, as arrays that can be mapped from disk.

The arrays, how a batch of words becomes part of them, and the shingles that stand for a text belong here. Which texts
are alike is found in `candidates.py` and measured in `measure.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from assets.folded.words import Keys, Rows, Words, distinct, ordered, sampled_shingles

Codes = npt.NDArray[np.uint32]

ROW_BITS = 26
"""Bits of a posting that name the text's row; the other 38 name the shingle. Room for 67 million texts."""

SHORT_WORDS = 64
"""Up to so many words a text keeps all its shingles; a longer one keeps one in four, chosen by their hash."""

HEAD_SHINGLES = 8
"""So many first shingles are kept of any text, so that a cut copy of a dozen words is found."""

SKETCH_BINS = 16
"""Values of a text's sketch: the least kept shingle in each sixteenth of the hash space."""

CHUNK_POSTINGS = 1 << 17
"""Postings worked on at a time, so that they stay in the processor's cache."""

_ROW_MASK = np.uint64((1 << ROW_BITS) - 1)
NO_SHINGLE = np.uint32(0xFFFFFFFF)


@dataclass(frozen=True)
class Texts:
    """Distinct texts in rows.

    Codes and postings are in two arrays each: a large one, which a refresh leaves as it lies on disk, and what was
    added since. Postings of rows that are gone stay where they are and are passed over.

    Attributes:
        keys: Key of the word sequence, per text; 0 for a text that is gone.
        offsets: Where each text's codes begin; one more than texts.
        codes: 32 bits of each word's hash, in order.
        more_codes: Those that follow.
        kept: Kept shingles, per text.
        sketch: texts x SKETCH_BINS: the least sampled shingle of each bin (NO_SHINGLE where there is none).
        postings: Kept shingles with the row that has them, packed (shingle in the high bits) and sorted.
        more_postings: Those that were added, sorted.
    """

    keys: Keys
    offsets: Rows
    codes: Codes
    more_codes: Codes
    kept: npt.NDArray[np.int32]
    sketch: Codes
    postings: Keys
    more_postings: Keys

    def __len__(self) -> int:
        return len(self.keys)

    def counts_of(self, rows: Rows) -> Rows:
        """Return the words of these texts."""
        return self.offsets[rows + 1] - self.offsets[rows]

    def codes_at(self, places: Rows) -> Codes:
        """Return the codes at these places (see `offsets`)."""
        later = np.flatnonzero(places >= len(self.codes))
        if not len(later):
            return self.codes[places]
        earlier = places.copy()
        earlier[later] = 0
        found = self.codes[earlier] if len(self.codes) else np.zeros(len(places), np.uint32)
        found[later] = self.more_codes[places[later] - len(self.codes)]
        return found

    def words_in(self, rows: Rows) -> Codes:
        """Return the codes of these texts, one text after the other."""
        counts = self.counts_of(rows)
        ends = np.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        return self.codes_at(np.arange(total) + np.repeat(self.offsets[rows] - ends + counts, counts))

    def words_of(self, row: int) -> Codes:
        """Return the codes of one text, in order."""
        begin, end, size = int(self.offsets[row]), int(self.offsets[row + 1]), len(self.codes)
        return self.codes[begin:end] if end <= size else self.more_codes[begin - size : end - size]

    def lists_of(self, shingles: Keys) -> Keys:
        """Return the postings of these shingles (sorted, as numbers of 38 bits), in order."""
        found = _lists_of(self.postings, shingles)
        if len(self.more_postings):
            found = ordered(np.concatenate((found, _lists_of(self.more_postings, shingles))))
        there = self.keys[rows_of(found)] != 0
        return found if there.all() else found[there]

    def postings_of(self, which: np.ndarray) -> Keys:
        """Return the postings of some rows (a bool per row), in order."""
        found = []
        for postings in (self.postings, self.more_postings):
            for start in range(0, len(postings), CHUNK_POSTINGS):
                chunk = postings[start : start + CHUNK_POSTINGS]
                found.append(chunk[which[rows_of(chunk)]])
        return ordered(np.concatenate(found)) if found else np.empty(0, np.uint64)


def rows_of(postings: Keys) -> Rows:
    """Return the rows of postings."""
    return (postings & _ROW_MASK).view(np.int64)


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
    hashes, rows = sampled_shingles(words, every_below=SHORT_WORDS, at_head=HEAD_SHINGLES)
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
        of_part = rows_of(part.postings)
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
        more_codes=np.empty(0, np.uint32),
        kept=np.bincount(rows_of(packed), minlength=len(first)).astype(np.int32),
        sketch=_joined(sketch),
        postings=packed,
        more_postings=np.empty(0, np.uint64),
    )


@dataclass(frozen=True)
class Updated:
    """Texts after a change.

    Attributes:
        texts: The texts; rows of before keep their place, new ones follow.
        touched: Per row: new, gone, or on the list of a shingle that became common or rare.
        changed: Shingles whose lists are longer or shorter than before, sorted.
    """

    texts: Texts
    touched: np.ndarray
    changed: Keys


def updated_texts(before: Texts, new: Texts, wanted: Keys, common: int) -> Updated:
    """Return the texts with new ones added and those that are not wanted any more left without a key.

    Args:
        before: The texts so far.
        new: Texts to add; those that are there already are passed over.
        wanted: Keys of all texts that there shall be, sorted.
        common: A shingle in more texts than this is common.
    """
    place = np.minimum(np.searchsorted(wanted, before.keys), max(len(wanted) - 1, 0))
    gone = (before.keys != 0) & ((wanted[place] != before.keys) if len(wanted) else True)
    listed = ordered(new.keys)
    place = np.minimum(np.searchsorted(listed, before.keys), max(len(listed) - 1, 0))
    known = before.keys[listed[place] == before.keys] if len(listed) else listed
    fresh = np.flatnonzero(~np.isin(new.keys, known))
    row_of = np.full(len(new), -1, dtype=np.int64)
    row_of[fresh] = len(before) + np.arange(len(fresh))

    new_postings = np.concatenate((new.postings, new.more_postings))
    new_rows = row_of[rows_of(new_postings)]
    added = ordered((new_postings[new_rows >= 0] & ~_ROW_MASK) | new_rows[new_rows >= 0].astype(np.uint64))
    lost = before.postings_of(gone) if gone.any() else np.empty(0, np.uint64)
    texts = _settled(
        Texts(
            keys=np.concatenate((np.where(gone, np.uint64(0), before.keys), new.keys[fresh])),
            offsets=np.concatenate((before.offsets, before.offsets[-1] + np.cumsum(new.counts_of(fresh)))),
            codes=before.codes,
            more_codes=np.concatenate((before.more_codes, new.words_in(fresh))),
            kept=np.concatenate((before.kept, new.kept[fresh])),
            sketch=np.concatenate((before.sketch, new.sketch[fresh])),
            postings=before.postings,
            more_postings=ordered(np.concatenate((before.more_postings, added))),
        )
    )
    changed = distinct(np.concatenate((added, lost)) >> np.uint64(ROW_BITS))
    lists = before.lists_of(changed), texts.lists_of(changed)
    was_common, is_common = (_lengths(found, changed) > common for found in lists)
    turned = was_common != is_common
    touched = np.zeros(len(texts), dtype=bool)
    touched[: len(before)] = gone
    touched[len(before) :] = True
    for found in lists:
        of_turned = turned[np.searchsorted(changed, found >> np.uint64(ROW_BITS))]
        touched[rows_of(found[of_turned])] = True
    return Updated(texts, touched, changed)


ADDED_SHARE = 8
"""When what was added is more than this part of what lies on disk, the two become one again."""


def _settled(texts: Texts) -> Texts:
    """Return the texts with one array of codes and one of postings, if what was added has grown too large."""
    codes, postings = len(texts.more_codes) * ADDED_SHARE, len(texts.more_postings) * ADDED_SHARE
    if codes <= len(texts.codes) and postings <= len(texts.postings):
        return texts
    whole = ordered(np.concatenate((texts.postings, texts.more_postings)))
    return replace(
        texts,
        codes=np.concatenate((texts.codes, texts.more_codes)),
        more_codes=np.empty(0, np.uint32),
        postings=whole[texts.keys[rows_of(whole)] != 0],
        more_postings=np.empty(0, np.uint64),
    )


def _lengths(lists: Keys, shingles: Keys) -> Rows:
    """Return how many of the postings are of each shingle (sorted)."""
    return np.bincount(np.searchsorted(shingles, lists >> np.uint64(ROW_BITS)), minlength=len(shingles))


def _lists_of(postings: Keys, shingles: Keys) -> Keys:
    starts = np.searchsorted(postings, shingles << np.uint64(ROW_BITS))
    lengths = np.searchsorted(postings, (shingles << np.uint64(ROW_BITS)) | _ROW_MASK, side="right") - starts
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
        more_codes=np.empty(0, np.uint32),
        kept=np.empty(0, np.int32),
        sketch=np.empty((0, SKETCH_BINS), np.uint32),
        postings=np.empty(0, np.uint64),
        more_postings=np.empty(0, np.uint64),
    )

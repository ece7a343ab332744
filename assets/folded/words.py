"""Words: texts as sequences of hashed words, and what is computed from the sequences.

Everything here is a pure function from a batch of texts to NumPy arrays. A text is never built again from its words:
a word is a few bytes of a buffer, a shingle a linear combination of neighbouring word hashes. Whole strings are hashed
with wyhash (a fixed algorithm), because hashes are saved; Polars' own hash changes between versions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import polars_hash  # noqa: F401  (registers the nchash namespace)

from assets.folded.canonical import INVISIBLE, changed, is_ascii

Keys = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.int64]

_ASCII_PUNCTUATION = r"[\x00-\x1F!-/:-@\[-`{-~\x7F]"
_WRITTEN_WITHOUT_SPACES = r"([\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}])"
_GREEK_LETTERS = {
    letter: name
    for name, letters in {
        "alpha": "αΑ", "beta": "βΒϐ", "gamma": "γΓ", "delta": "δΔ∆", "epsilon": "εϵΕ", "zeta": "ζΖ", "eta": "ηΗ",
        "theta": "θϑΘ", "iota": "ιΙ", "kappa": "κϰΚ", "lambda": "λΛ", "mu": "μµΜ", "nu": "νΝ", "xi": "ξΞ", "pi": "πΠ",
        "rho": "ρϱΡ", "sigma": "σςΣ", "tau": "τΤ", "upsilon": "υΥ", "phi": "φϕΦ", "chi": "χΧ", "psi": "ψΨ",
        "omega": "ωΩΩ",
    }.items()
    for letter in letters
}  # fmt: skip
"""Letters of formulas by their name in TeX, so that both spellings are one word. Greek prose is left alone."""
_PRINT = {
    **dict.fromkeys("“”„‟«»‘’‚‛′″–—‒―‐‑−…•·×÷±≤≥≠≈→←↔⇒∈∑∏√∇∂∀∃∪∩⊂⊆°§©®™\u00a0\u2002\u2003\u2009\u202f\u3000", " "),
    **dict.fromkeys(("\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"), ""),
    "ﬀ": "ff",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "∞": " infty ",
    "ℓ": " ell ",
    **{raised: f" {plain}" for raised, plain in zip("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ", "0123456789n", strict=True)},
}
"""Signs that carry no word, marks that are not seen, ligatures, exponents."""
_ODD = np.uint64(0x9E3779B97F4A7C15)
_BASES = (0xDB4F0B9175AE2165, pow(0xDB4F0B9175AE2165, -1, 1 << 64))
"""Base of the polynomial of a word sequence, and its inverse."""
_EIGHT = 8
_FIRST_BYTES = np.array([(1 << 8 * count) - 1 for count in range(_EIGHT + 1)], dtype=np.uint64)
"""Masks of the first 0 to 8 bytes."""
_IN_WORDS = bytes(
    ord(chr(byte).lower()) if byte < 0x80 and chr(byte).isalnum() else byte if byte >= 0x80 else 0
    for byte in range(256)
)
"""Each byte as it stands in a word: lower-case, or 0 where it is in none."""
_SHINGLE_ODDS = np.array(
    [0xD6E8FEB86659FD93, 0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3, 0x589965CC75374CC3],
    dtype=np.uint64,
)
SHINGLE_WORDS = len(_SHINGLE_ODDS)
"""Words per shingle."""

STRETCH_BYTES = 1 << 28
"""Bytes of text joined into one buffer."""

BLOCK_BYTES = 1 << 18
BLOCK_WORDS = 1 << 16
"""Bytes and words worked on at a time, so that they stay in the processor's cache."""

SMALL_ARRAY = 10_000
"""Up to so many values NumPy sorts faster than Polars takes to begin."""


@dataclass(frozen=True)
class Words:
    """The words of a batch of texts: text i has `hashes[offsets[i]:offsets[i + 1]]`, in order."""

    offsets: Rows
    hashes: Keys

    @property
    def counts(self) -> Rows:
        """Words per text."""
        return np.diff(self.offsets)


def stable_hash(column: pl.Expr) -> pl.Expr:
    """Return the 64-bit wyhash of a text column; null stays null."""
    return column.nchash.wyhash()  # type: ignore[attr-defined]


def hexadecimal(keys: pl.Series) -> pl.Series:
    """Return 64-bit keys as 16 hexadecimal digits; null stays null."""
    return pl.Series(keys.name, [None if key is None else f"{key:016x}" for key in keys.to_list()], dtype=pl.String)


def ordered(keys: Any) -> Any:
    """Return an integer array sorted, by Polars, which does it at half the cost of NumPy."""
    return pl.Series(keys).sort().to_numpy() if len(keys) > SMALL_ARRAY else np.sort(keys)


def distinct(keys: Any) -> Any:
    """Return an integer array sorted, each value once, without NumPy's hashing, which costs five times as much."""
    values = ordered(keys)
    if len(values) < 2:
        return values
    first = np.empty(len(values), dtype=bool)
    first[0] = True
    np.not_equal(values[1:], values[:-1], out=first[1:])
    return values if first.all() else values[first]


def numbered(rows: Rows, size: int) -> tuple[Rows, Rows]:
    """Return the distinct rows (below size) in order, and the place of each given row among them."""
    present = np.zeros(size, dtype=bool)
    present[rows] = True
    listed = np.flatnonzero(present)
    place = np.empty(size, dtype=np.int64)
    place[listed] = np.arange(len(listed))
    return listed, place[rows]


def mix(values: Keys) -> Keys:
    """Return the values with their bits mixed (the finaliser of splitmix64), so that any bits of them can be used."""
    with np.errstate(over="ignore"):
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def spaced_words(text: pl.Series) -> pl.Series:
    """Return the texts as lower-case words between spaces; accents, signs and punctuation are gone."""
    return printed_words(text).str.to_lowercase().str.replace_all(_ASCII_PUNCTUATION, " ")


def printed_words(text: pl.Series) -> pl.Series:
    """Return the texts with print resolved, so that words are the runs of ASCII letters, digits and other bytes.

    A word hyphenated at the end of a line is one word. Characters of scripts that put no space between words are words
    of their own.
    """
    broken = text.str.contains("-\n", literal=True) | text.str.contains("-\r\n", literal=True)
    text = changed(text, broken, lambda t: t.str.replace_all(r"(\pL)-\r?\n[ \t]*(\p{Ll})", "$1$2"))
    # Each step is dearer than the one before, and has fewer texts to do.
    text = changed(text, ~is_ascii(text), lambda t: t.str.replace_many(list(_PRINT), list(_PRINT.values())))
    text = changed(text, ~is_ascii(text) & ~text.str.contains(r"\p{Greek}{3}"), _greek_named)
    return changed(text, ~is_ascii(text), _other_words)


def _greek_named(text: pl.Series) -> pl.Series:
    return text.str.replace_many(list(_GREEK_LETTERS), [f" {name} " for name in _GREEK_LETTERS.values()])


def _other_words(text: pl.Series) -> pl.Series:
    words = text.str.replace_all(INVISIBLE, "").str.normalize("NFKD").str.replace_all(r"\pM+", "").str.to_lowercase()
    # Only Korean has letters that the decomposition took apart; for all else this is the identity, and dear.
    if words.str.contains(r"[\x{1100}-\x{11FF}]").any():
        words = words.str.normalize("NFC")
    words = words.str.replace_all(r"[^\pL\pN]+", " ")
    return words.str.replace_all(_WRITTEN_WITHOUT_SPACES, " $1 ")


def hash_words(text: pl.Series) -> Words:
    """Return the hashed words of a batch of texts (no nulls), in order.

    A word is at most eight bytes long, or is taken in eights: each is mixed into what came before. So no two words of
    up to eight bytes share a hash.
    """
    if text.is_empty():
        return Words(np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.uint64))
    printed = printed_words(text)
    sizes = printed.str.len_bytes().to_numpy().astype(np.int64)
    counts = np.zeros(len(text), dtype=np.int64)
    # A word and what parts it from the next are two bytes at least; memory that is never written to costs nothing.
    hashes = np.empty(int(sizes.sum() + len(sizes)) // 2 + 1, dtype=np.uint64)
    filled = 0
    for begin, end in stretches(sizes, STRETCH_BYTES):
        # One string of all texts lies in one buffer, with a byte between texts that is in no word.
        joined = printed[begin:end].str.join("\x00").to_arrow(compat_level=pl.CompatLevel.oldest())
        content = memoryview(joined.buffers()[2])
        ends = np.cumsum(sizes[begin:end] + 1)
        for first, last in stretches(sizes[begin:end] + 1, BLOCK_BYTES):
            start = int(ends[first - 1]) if first else 0
            found, places = _hashed(content[start : ends[last - 1]])
            hashes[filled : filled + len(found)] = found
            filled += len(found)
            counts[begin + first : begin + last] = np.diff(np.searchsorted(places, ends[first:last] - start), prepend=0)
    return Words(np.concatenate(([0], np.cumsum(counts))), hashes[:filled])


def _hashed(content: memoryview) -> tuple[Keys, Rows]:
    """Return the hash of each word in the bytes, and where it begins."""
    plain = b"".join((b"\x00", content, bytes(_EIGHT))).translate(_IN_WORDS)
    letters = np.frombuffer(plain, dtype=np.uint8)
    in_word = letters != 0
    edges = np.flatnonzero(in_word[1:] != in_word[:-1]) + 1
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    # Eight bytes from every place on, without a copy.
    eights = np.ndarray(len(letters) - _EIGHT + 1, dtype="<u8", buffer=plain, strides=(1,))
    hashes = mix(eights[starts] & _FIRST_BYTES[np.minimum(lengths, _EIGHT)])
    longer = np.flatnonzero(lengths > _EIGHT)
    done = _EIGHT
    while len(longer):
        rest = lengths[longer] - done
        more = eights[starts[longer] + done] & _FIRST_BYTES[np.minimum(rest, _EIGHT)]
        with np.errstate(over="ignore"):
            hashes[longer] = mix(hashes[longer] * _ODD + more)
        longer = longer[rest > _EIGHT]
        done += _EIGHT
    return hashes, starts - 1


def stretches(sizes: Rows, limit: int) -> Iterator[tuple[int, int]]:
    """Yield consecutive stretches (from, to) of items whose sizes add up to about a limit, at least one item each."""
    if not len(sizes):
        return
    number = np.cumsum(sizes) // limit
    cuts = np.flatnonzero(number[1:] != number[:-1]) + 1
    yield from pairwise([0, *cuts.tolist(), len(sizes)])


def sequence_keys(words: Words) -> Keys:
    """Return one 64-bit key per text for its word sequence; 0 for a text without a word.

    The key is a polynomial in the word hashes, mixed with their count: two texts share it when they have the same words
    in the same order. At a million texts the chance that any two others share a key is about 3e-8.
    """
    keys = np.zeros(len(words.counts), dtype=np.uint64)
    counts, offsets = words.counts, words.offsets
    blocks = list(stretches(counts, BLOCK_WORDS))
    powers, inverses = (
        _powers(base, max((int(offsets[e] - offsets[b]) for b, e in blocks), default=0)) for base in _BASES
    )
    for begin, end in blocks:
        filled = begin + np.flatnonzero(counts[begin:end])
        if not len(filled):
            continue
        at = offsets[filled] - offsets[begin]
        terms = words.hashes[offsets[begin] : offsets[end]] * powers[: offsets[end] - offsets[begin]]
        with np.errstate(over="ignore"):
            sums = np.add.reduceat(terms, at) * inverses[at]
            keys[filled] = mix(sums + counts[filled].astype(np.uint64) * _ODD)
    return keys


def _powers(base: int, count: int) -> Keys:
    """Return the powers of an odd base from the zeroth on, modulo 2**64."""
    with np.errstate(over="ignore"):
        powers = np.full(max(count, 1), base, dtype=np.uint64)
        powers[0] = 1
        return np.multiply.accumulate(powers)


def sampled_shingles(words: Words, *, every_below: int, at_head: int) -> tuple[Keys, Rows]:
    """Return the hashes of sampled runs of five neighbouring words, and the text that each stands in.

    One run in four is sampled, chosen by the hashes of its first and third word; of texts with at most `every_below`
    words every run is, and of any text the first `at_head` are: a short beginning of it has no others. The lowest bit
    of a hash tells whether its run was chosen by hash.
    """
    found = [
        _sampled(
            words.hashes[words.offsets[begin] : words.offsets[end]],
            words.counts[begin:end],
            begin,
            every_below,
            at_head,
        )
        for begin, end in stretches(words.counts, BLOCK_WORDS)
    ]
    if not found:
        return np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64)
    return np.concatenate([hashes for hashes, _ in found]), np.concatenate([rows for _, rows in found])


def _sampled(hashes: Keys, counts: Rows, first_row: int, every_below: int, at_head: int) -> tuple[Keys, Rows]:
    size = SHINGLE_WORDS
    total = len(hashes) - size + 1
    if total <= 0:
        return np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64)
    with np.errstate(over="ignore"):
        by_hash = ((hashes[:total] + hashes[2 : total + 2]) & np.uint64(3)) == 0
    rows = np.repeat(np.arange(first_row, first_row + len(counts)), counts)
    wanted = by_hash | (counts <= every_below)[rows[:total] - first_row]
    heads = ((np.cumsum(counts) - counts)[:, None] + np.arange(at_head)).ravel()
    wanted[heads[heads < total]] = True
    wanted &= rows[:total] == rows[size - 1 :]
    places = np.flatnonzero(wanted)
    with np.errstate(over="ignore"):
        shingles = hashes[places] * _SHINGLE_ODDS[0]
        for place in range(1, size):
            shingles += hashes[places + place] * _SHINGLE_ODDS[place]
    return (shingles & ~np.uint64(1)) | by_hash[places], rows[places]

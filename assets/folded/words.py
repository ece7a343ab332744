"""Words: texts as sequences of hashed words, and what is computed from the sequences.

Everything here is a pure function from a batch of texts to NumPy arrays. A text is never built again from its words:
shingles are linear combinations of neighbouring word hashes. Hashes are wyhash (a fixed algorithm), because they are
saved; Polars' own hash changes between versions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import polars_hash  # noqa: F401  (registers the nchash namespace)

from assets.folded.canonical import INVISIBLE

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
_SHINGLE_ODDS = np.array(
    [0xD6E8FEB86659FD93, 0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3, 0x589965CC75374CC3],
    dtype=np.uint64,
)
SHINGLE_WORDS = len(_SHINGLE_ODDS)
"""Words per shingle."""

SMALL_ARRAY = 10_000
"""Up to so many values NumPy sorts faster than Polars takes to begin."""


_BLANK = np.uint64(pl.select(pl.lit("").nchash.wyhash()).item())  # type: ignore[attr-defined]


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
    return values[np.concatenate(([True], values[1:] != values[:-1]))] if len(values) else values


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
    """Return the texts as lower-case words between spaces; accents, signs and punctuation are gone.

    A word hyphenated at the end of a line is one word. Characters of scripts that put no space between words are words
    of their own.
    """
    broken = text.str.contains("-\n", literal=True) | text.str.contains("-\r\n", literal=True)
    plain = _is_ascii(text) & ~broken
    if plain.all():
        return _plain_words(text)
    printed = _in_plain_print(text.filter(~plain))
    now_plain = _is_ascii(printed)
    parts = [
        _plain_words(text.filter(plain)),
        _plain_words(printed.filter(now_plain)),
        _other_words(printed.filter(~now_plain)),
    ]
    others = (~plain).arg_true()
    order = pl.concat([plain.arg_true(), others.filter(now_plain), others.filter(~now_plain)]).arg_sort()
    return pl.concat(parts).gather(order)


def _is_ascii(text: pl.Series) -> pl.Series:
    return text.str.len_bytes() == text.str.len_chars()


def _plain_words(text: pl.Series) -> pl.Series:
    """ASCII is done with in two passes, which is ten times cheaper than the rest."""
    return text.str.to_lowercase().str.replace_all(_ASCII_PUNCTUATION, " ")


def _in_plain_print(text: pl.Series) -> pl.Series:
    """Return the texts with print resolved: hyphenated lines, typographic signs, ligatures, letters of formulas."""
    column = pl.col("text")
    joined = column.str.replace_all(r"(\pL)-\r?\n[ \t]*(\p{Ll})", "$1$2").str.replace_many(
        list(_PRINT), list(_PRINT.values())
    )
    named = joined.str.replace_many(list(_GREEK_LETTERS), [f" {name} " for name in _GREEK_LETTERS.values()])
    in_greek = column.str.contains(r"\p{Greek}{3}")
    return text.rename("text").to_frame().select(pl.when(in_greek).then(joined).otherwise(named)).to_series()


def _other_words(text: pl.Series) -> pl.Series:
    words = text.str.replace_all(INVISIBLE, "").str.normalize("NFKD").str.replace_all(r"\pM+", "").str.to_lowercase()
    # Only Korean has letters that the decomposition took apart; for all else this is the identity, and dear.
    if words.str.contains(r"[\x{1100}-\x{11FF}]").any():
        words = words.str.normalize("NFC")
    words = words.str.replace_all(r"[^\pL\pN]+", " ")
    return words.str.replace_all(_WRITTEN_WITHOUT_SPACES, " $1 ")


def hash_words(text: pl.Series) -> Words:
    """Return the hashed words of a batch of texts (no nulls), in order."""
    lists = spaced_words(text).str.split(" ")
    flat = lists.explode().rename("word").to_frame()
    hashes = flat.select(stable_hash(pl.col("word"))).to_series().to_numpy()
    ends = np.cumsum(lists.list.len().to_numpy(), dtype=np.int64)
    blank = np.flatnonzero(hashes == _BLANK)
    offsets = np.concatenate(([0], ends))
    offsets -= np.searchsorted(blank, offsets)
    return Words(offsets, np.delete(hashes, blank))


def sequence_keys(words: Words) -> Keys:
    """Return one 64-bit key per text for its word sequence; 0 for a text without a word.

    The key sums a hash of every two neighbouring words, with the first word and the count: two texts share it when they
    have the same words in the same order (or the same neighbours throughout, which no two texts that matter have). At
    a million texts the chance that any two others share a key is about 3e-8.
    """
    hashes, counts = words.hashes, words.counts
    if not len(hashes):
        return np.zeros(len(counts), dtype=np.uint64)
    with np.errstate(over="ignore"):
        neighbours = hashes * _ODD
        neighbours[:-1] *= (hashes[1:] >> np.uint64(1)) | np.uint64(1)
        running = np.zeros(len(hashes) + 1, dtype=np.uint64)
        np.cumsum(neighbours, out=running[1:])
        filled = counts > 0
        first = np.minimum(words.offsets[:-1], len(hashes) - 1)
        last = np.maximum(words.offsets[1:] - 1, 0)
        sums = running[np.maximum(last, first)] - running[first]
        keys = mix(mix(sums + hashes[first]) + counts.astype(np.uint64) * _ODD)
    return np.where(filled, keys, np.uint64(0))


def sampled_shingles(words: Words, *, every_below: int) -> tuple[Keys, Rows]:
    """Return the hashes of sampled runs of five neighbouring words, and the text that each stands in.

    One run in four is sampled, chosen by the hashes of its first and third word; of texts with at most `every_below`
    words every run is. The lowest bit of a hash tells whether its run was sampled whatever the length of its text.
    """
    size = SHINGLE_WORDS
    hashes = words.hashes
    total = len(hashes) - size + 1
    if total <= 0:
        return np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64)
    with np.errstate(over="ignore"):
        by_hash = ((hashes[:total] + hashes[2 : total + 2]) & np.uint64(3)) == 0
    short = words.counts <= every_below
    wanted = by_hash | np.repeat(short, words.counts)[:total]
    last = words.offsets[1:, None] - np.arange(1, size)
    crossing = last[(last >= words.offsets[:-1, None]) & (last < total)]
    wanted[crossing] = False
    places = np.flatnonzero(wanted)
    with np.errstate(over="ignore"):
        shingles = hashes[places] * _SHINGLE_ODDS[0]
        for place in range(1, size):
            shingles += hashes[places + place] * _SHINGLE_ODDS[place]
    shingles = (shingles & ~np.uint64(1)) | by_hash[places]
    return shingles, np.repeat(np.arange(len(words.counts)), words.counts)[places]

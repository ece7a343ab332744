"""Words: texts as sequences of hashed words, and what is computed from the sequences.

Everything here is a pure function from a batch of texts to NumPy arrays. A text is never built again from its words:
shingles are linear combinations of neighbouring word hashes. Hashes are wyhash (a fixed algorithm), because they are
saved; Polars' own hash changes between versions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl
import polars_hash  # noqa: F401  (registers the nchash namespace)

from assets.folded.canonical import INVISIBLE, raised_to_caret

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
        "omega": "ωΩΩ", "ell": "ℓ", "infty": "∞",
    }.items()
    for letter in letters
}  # fmt: skip
"""Letters of formulas by their name in TeX, so that both spellings are one word. Greek prose is left alone."""
_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHINGLE_ODDS = np.array(
    [0xD6E8FEB86659FD93, 0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3, 0x589965CC75374CC3],
    dtype=np.uint64,
)
SHINGLE_WORDS = len(_SHINGLE_ODDS)
"""Words per shingle."""


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


def mix(values: Keys) -> Keys:
    """Return the values with their bits mixed (the finaliser of splitmix64), so that any bits of them can be used."""
    with np.errstate(over="ignore"):
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def spaced_words(text: pl.Series) -> pl.Series:
    """Return the texts as lower-case words between spaces; accents, signs and punctuation are gone.

    Characters of scripts that put no space between words are words of their own.
    """
    plain = text.str.len_bytes() == text.str.len_chars()
    frame = pl.DataFrame({"text": text, "plain": plain})
    ascii_words = pl.col("text").str.to_lowercase().str.replace_all(_ASCII_PUNCTUATION, " ")
    if plain.all():
        return frame.select(ascii_words).to_series()
    greek = pl.col("text").str.contains(r"\p{Greek}{3}")
    named = pl.col("text").str.replace_many(list(_GREEK_LETTERS), [f" {name} " for name in _GREEK_LETTERS.values()])
    other_words = (
        raised_to_caret(pl.when(greek).then("text").otherwise(named))
        .str.replace_all(INVISIBLE, "")
        .str.normalize("NFKD")
        .str.replace_all(r"\pM+", "")
        .str.normalize("NFC")
        .str.to_lowercase()
        .str.replace_all(r"[^\pL\pN]+", " ")
        .str.replace_all(_WRITTEN_WITHOUT_SPACES, " $1 ")
    )
    frame = frame.with_row_index("row")
    return (
        pl.concat(
            [
                frame.filter("plain").select("row", ascii_words),
                frame.filter(~pl.col("plain")).select("row", other_words),
            ]
        )
        .sort("row")
        .get_column("text")
    )


def hash_words(text: pl.Series) -> Words:
    """Return the hashed words of a batch of texts (no nulls), in order."""
    lists = spaced_words(text).str.split(" ")
    lengths = lists.list.len().to_numpy().astype(np.int64)
    flat = lists.explode().rename("word").to_frame()
    hashes = flat.select(stable_hash(pl.col("word"))).to_series().to_numpy()
    kept = flat.get_column("word").str.len_bytes().to_numpy() > 0
    ends = np.concatenate(([0], np.cumsum(kept)))
    offsets = ends[np.concatenate(([0], np.cumsum(lengths)))].astype(np.int64)
    return Words(offsets, hashes[kept].astype(np.uint64))


def _sums(values: Keys, offsets: Rows) -> Keys:
    """Return the sum (modulo 2**64) of each text's stretch of values."""
    with np.errstate(over="ignore"):
        running = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(values, dtype=np.uint64)))
        return running[offsets[1:]] - running[offsets[:-1]]


def sequence_keys(words: Words) -> Keys:
    """Return one 64-bit key per text for its whole word sequence; 0 for a text without a word.

    The key is a polynomial in an odd constant over the word hashes: at a million texts the chance that any two
    different sequences share a key is about 3e-8.
    """
    counts = words.counts
    longest = int(counts.max(initial=0))
    with np.errstate(over="ignore"):
        powers = np.cumprod(np.full(longest + 1, _ODD, dtype=np.uint64), dtype=np.uint64)
        places = np.arange(len(words.hashes)) - np.repeat(words.offsets[:-1], counts)
        keys = mix(_sums(words.hashes * powers[places], words.offsets) + counts.astype(np.uint64) * _ODD)
    return np.where(counts > 0, keys, np.uint64(0))


def shingle_hashes(words: Words) -> tuple[Keys, Rows]:
    """Return the hash of every run of five neighbouring words and the text that it stands in."""
    size = SHINGLE_WORDS
    total = len(words.hashes) - size + 1
    if total <= 0:
        return np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64)
    text_of_word = np.repeat(np.arange(len(words.offsets) - 1), words.counts)
    with np.errstate(over="ignore"):
        hashes = words.hashes[:total] * _SHINGLE_ODDS[0]
        for place in range(1, size):
            hashes += words.hashes[place : place + total] * _SHINGLE_ODDS[place]
    inside = text_of_word[:total] == text_of_word[size - 1 :]
    return mix(hashes[inside]), text_of_word[:total][inside]

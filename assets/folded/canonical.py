"""Canonical text: what is left of a text when spelling in print no longer counts.

Functions and Polars expressions over text and title columns belong here. Words and shingles are in `words.py`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

INVISIBLE = (
    r"[\x{00AD}\x{034F}\x{061C}\x{180E}\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}-\x{2064}\x{FE00}-\x{FE0F}\x{FEFF}]"
)
"""Soft hyphens, zero-width marks, directional marks, variation selectors."""

_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ", "0123456789+-ni", strict=True))
_DASHES = r"[\x{2010}-\x{2015}\x{2212}\x{FE58}\x{FE63}\x{FF0D}-]+"
_DOUBLE_QUOTES = (
    r"[\x{201C}-\x{201F}\x{00AB}\x{00BB}\x{2033}\x{2036}\x{300C}-\x{300F}]|``|''|\x{2019}\x{2019}|\x{2018}\x{2018}"
)
_SINGLE_QUOTES = r"[\x{2018}-\x{201B}\x{2032}\x{2035}\x{2039}\x{203A}\x{00B4}`]"


def raised_to_caret(text: pl.Expr) -> pl.Expr:
    """Return the text with n² written n^2, so that Unicode compatibility forms do not turn it into n2."""
    return text.str.replace_many(list(_RAISED), [f"^{plain}" for plain in _RAISED.values()])


def canonical_text(text: pl.Expr) -> pl.Expr:
    """Return the canonical form of plain text: two texts with equal form differ in print only.

    Case, Unicode form (NFKC), invisible characters, kinds of dashes and quotes, white space, and white space beside
    punctuation no longer count: `18 %` is `18%` and `ε > 0` is `ε>0`. Letters, digits, signs and exponents do:
    `Ω(n²)` differs from `Ω(n³)`.
    """
    return text.map_batches(_canonical, return_dtype=pl.String, is_elementwise=True)


def _canonical(text: pl.Series) -> pl.Series:
    text = changed(text, ~is_ascii(text), _compatible)
    text = text.str.replace_all("``|''", '"').str.to_lowercase().str.replace_all(_DASHES, "-")
    text = text.str.replace_all(_SINGLE_QUOTES, "'")
    text = changed(text, text.str.contains(r"[^\S ]|  "), lambda t: t.str.replace_all(r"\s+", " "))
    return text.str.replace_all(r" ?([^\pL\pN\pM\s]) ?", "$1").str.strip_chars()


def _compatible(text: pl.Series) -> pl.Series:
    column = raised_to_caret(pl.col("text")).str.replace_all(INVISIBLE, "").str.replace_all(_DOUBLE_QUOTES, '"')
    return text.rename("text").to_frame().select(column.str.normalize("NFKC")).to_series()


def is_ascii(text: pl.Series) -> pl.Series:
    """Return which texts are ASCII; null stays null."""
    return text.str.len_bytes() == text.str.len_chars()


def changed(text: pl.Series, which: pl.Series, change: Callable[[pl.Series], pl.Series]) -> pl.Series:
    """Return the texts with some of them changed."""
    places = which.arg_true()
    if places.is_empty():
        return text
    taken = np.arange(len(text))
    taken[places.to_numpy()] = len(text) + np.arange(len(places))
    return pl.concat([text, change(text.gather(places)).alias(text.name)]).gather(taken)


def title_form(title: pl.Expr) -> pl.Expr:
    """Return the words of a title in lower case without accents and punctuation; null when no word is left."""
    words = (
        raised_to_caret(title)
        .str.replace_all(INVISIBLE, "")
        .str.normalize("NFKD")
        .str.replace_all(r"\pM", "")
        .str.to_lowercase()
        .str.replace_all(r"['’‘`]", "")
        .str.replace_all(r"[^\pL\pN]+", " ")
        .str.strip_chars()
    )
    return pl.when(words.str.len_chars() > 0).then(words)

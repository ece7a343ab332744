"""Tokens: the words of texts as they are written, the stems that stand for them, and how often each occurs.

Words are runs of letters and digits with at least one letter. Scripts written without spaces give overlapping pairs
of characters instead. Which terms count, and how much, is decided in `vocabulary.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl
import Stemmer

from assets.analytical.vectors.stop_words import BOILERPLATE, FUNCTION_WORDS

BATCH_ROWS = 10_000
"""Texts whose words are in memory at a time."""

SOLID_SCRIPTS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
"""Scripts without spaces between words, and Korean, whose words carry their particles."""

_LETTER = rf"[\p{{L}}\p{{M}}&&[^{SOLID_SCRIPTS}]]"
_LETTER_OR_DIGIT = rf"[\p{{L}}\p{{M}}\p{{N}}&&[^{SOLID_SCRIPTS}]]"
WORD = rf"{_LETTER}{_LETTER_OR_DIGIT}+|\p{{N}}+{_LETTER}{_LETTER_OR_DIGIT}*"
_SOLID_RUN = rf"[{SOLID_SCRIPTS}]{{2,}}"
_SOLID_FUNCTION = r"[的了和是在与與对對及等之其为為这這个個]|^\p{Hiragana}+$"
"""Pairs with characters that are function words in Chinese, and pairs of Hiragana, mostly Japanese particles."""

_ALGORITHMS = {
    "ar": "arabic", "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish", "fr": "french",
    "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sv": "swedish", "tr": "turkish",
}  # fmt: skip


_COUNTS = {"row": pl.UInt32, "key": pl.UInt64, "count": pl.UInt32}
_SURFACES = {"key": pl.UInt64, "term": pl.String, "surface": pl.String, "count": pl.UInt32}


@dataclass(frozen=True)
class Tokens:
    """The terms of a batch of texts, in no particular order; keys are hashes of terms, good within one process.

    Attributes:
        counts: row (place of the text), key, count: how often each term occurs in each text.
        surfaces: key, term, surface, count: the written forms of each term over all texts.
    """

    counts: pl.DataFrame
    surfaces: pl.DataFrame


def term_keys(terms: pl.Series) -> pl.Series:
    """Return the keys of terms; equal within one process, and not to be stored."""
    return terms.hash()


def stems(words: list[str], language: str | None) -> list[str]:
    """Return the Snowball stem of each lower-case word; without a language or a stemmer for it, the English one."""
    return list(Stemmer.Stemmer(_ALGORITHMS.get(language or "en", "english"), 0).stemWords(words))


def is_content(word: pl.Expr, term: pl.Expr) -> pl.Expr:
    """Return whether lower-case words with these stems say something about a subject."""
    empty = [*BOILERPLATE, *FUNCTION_WORDS]
    return ~(word.is_in(empty) | term.is_in(sorted(set(stems(sorted(BOILERPLATE), "en")))))


def tokens_of(texts: pl.DataFrame) -> Tokens:
    """Return the terms of texts by stem; function words and boilerplate are left out.

    Args:
        texts: text and language (ISO 639-1 or null), both strings; a null text has no terms.
    """
    counts, surfaces = [pl.DataFrame(schema=_COUNTS)], [pl.DataFrame(schema=_SURFACES)]
    numbered = texts.select("text", pl.col("language").fill_null("en")).with_row_index("row")
    for (language,), group in numbered.partition_by("language", as_dict=True).items():
        batches = [_written(batch) for batch in group.iter_slices(BATCH_ROWS)]
        written = (
            pl.concat([surface for _, surface in batches])
            .group_by("written")
            .agg(pl.col("surface").first(), pl.col("count").sum())
        )
        lower = written.get_column("surface").str.to_lowercase()
        terms = pl.Series(stems(lower.to_list(), str(language)), dtype=pl.String)
        kept = written.with_columns(lower=lower, term=terms, key=term_keys(terms)).filter(
            is_content(pl.col("lower"), pl.col("term"))
        )
        keys = kept.select("written", "key")
        counts += [count.join(keys, on="written").select(*_COUNTS) for count, _ in batches]
        surfaces.append(kept.select(*_SURFACES))
    return Tokens(
        pl.concat(counts).group_by("row", "key").agg(pl.col("count").sum()),
        pl.concat(surfaces).group_by("key", "term", "surface").agg(pl.col("count").sum()),
    )


def _written(batch: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return (row, written, count) and (written, surface, count) of texts; `written` is the hash of a surface."""
    words = _exploded(batch.select("row", surface=pl.col("text").str.extract_all(WORD)))
    solid = batch.filter(pl.col("text").str.contains(_SOLID_RUN))
    if solid.height:
        run = pl.col("run")
        runs = _exploded(solid.select("row", surface=pl.col("text").str.extract_all(_SOLID_RUN))).rename(
            {"surface": "run"}
        )
        pairs = runs.select(
            "row", surface=pl.concat_list(run.str.extract_all("(?s).."), run.str.slice(1).str.extract_all("(?s).."))
        )
        words = pl.concat([words, _exploded(pairs).filter(~pl.col("surface").str.contains(_SOLID_FUNCTION))])
    words = words.with_columns(written=pl.col("surface").hash())
    return (
        words.group_by("row", "written").agg(count=pl.len().cast(pl.UInt32)),
        words.group_by("written").agg(pl.col("surface").first(), count=pl.len().cast(pl.UInt32)),
    )


def _exploded(lists: pl.DataFrame) -> pl.DataFrame:
    return lists.explode("surface").drop_nulls("surface")

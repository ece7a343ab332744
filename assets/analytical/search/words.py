"""Words in their one form, by the very macro that reads a query: index and query can't disagree on a word."""

from __future__ import annotations

from contextlib import closing

import duckdb
import polars as pl

from assets.analytical.views import load_macro

_CJK = r"[\x{3005}-\x{3007}\x{3041}-\x{30FF}\x{3400}-\x{9FFF}\x{AC00}-\x{D7AF}\x{F900}-\x{FAFF}\x{20000}-\x{3FFFF}]"


def one_form(words: pl.Series) -> pl.DataFrame:
    """Return (word, term): the terms of each word as it stands in a text, one row each, a repeated one repeated.

    A run of Chinese, Japanese or Korean gives its pairs of characters, as in a query, and its single characters too,
    so that one character finds the paper as well.
    """
    asked = pl.DataFrame({"word": words})
    with closing(duckdb.connect(":memory:")) as connection:
        for statement in load_macro("search").helpers:
            connection.execute(statement)
        connection.register("asked", asked.to_arrow())
        return connection.sql(
            f"""
            SELECT word, unnest(search_words(word)) AS term FROM asked
            UNION ALL
            SELECT word, unnest(flatten([string_split(run, '')
                FOR run IN regexp_extract_all(search_plain(word), '{_CJK}{{2,}}')])) AS term
            FROM asked WHERE regexp_matches(word, '{_CJK}{{2}}')
            """
        ).pl()

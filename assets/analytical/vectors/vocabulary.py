"""The vocabulary: which terms count, how much each weighs, and how it is written for people.

A vocabulary is made from all papers at once and kept from release to release; terms that only new papers have are
added to its end. Which words are terms at all is decided in `tokens.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from assets.analytical.vectors.tokens import Tokens, term_keys

FEWEST_PAPERS = 2
"""A term of one paper makes no two papers alike."""

MOST_SHARE, MOST_ALWAYS = 0.2, 15
"""A term that stands in more than a fifth of the papers, and in more than 15, tells none from the others."""

SCHEMA = {"term": pl.String, "surface": pl.String, "weight": pl.Float64}


class Vocabulary(NamedTuple):
    """Terms in fixed order.

    Attributes:
        terms: term (stem), surface (its commonest written form), weight (square root of the inverse document
            frequency, so that a shared term counts it once; 0 for a term that is too frequent to count).
        papers: How many papers it was made from.
    """

    terms: pl.DataFrame
    papers: int

    @property
    def keys(self) -> pl.DataFrame:
        """Return key and id (row number) of the terms that count."""
        return (
            self.terms.select(key=term_keys(self.terms.get_column("term")), weight="weight")
            .with_row_index("id")
            .filter(pl.col("weight") > 0)
        )


def vocabulary_of(tokens: Tokens, papers: int) -> Vocabulary:
    """Return the vocabulary of a set of papers with text, terms in alphabetical order."""
    return Vocabulary(_weighed(tokens, papers).sort("term").select(*SCHEMA), papers)


def extended(vocabulary: Vocabulary, tokens: Tokens, papers: int) -> Vocabulary:
    """Return the vocabulary with the terms that only new papers have; those it has already stay as they are.

    Args:
        vocabulary: The vocabulary so far.
        tokens: Of the new papers.
        papers: How many papers there are now.
    """
    new = _weighed(tokens, papers).join(vocabulary.terms, on="term", how="anti").sort("term")
    return Vocabulary(pl.concat([vocabulary.terms, new.select(*SCHEMA)]), vocabulary.papers)


def _weighed(tokens: Tokens, papers: int) -> pl.DataFrame:
    found = (
        tokens.counts.group_by("key")
        .agg(found=pl.len())
        .filter(pl.col("found") >= FEWEST_PAPERS)
        .with_columns(too_many=pl.col("found") > max(MOST_ALWAYS, MOST_SHARE * papers))
    )
    # The commonest written form; among equals the one that comes first, so that the order of papers does not matter.
    written = (
        tokens.surfaces.join(found, on="key", how="semi")
        .group_by("key", "term", lower=pl.col("surface").str.to_lowercase())
        .agg(
            total=pl.col("count").sum(),
            surface=pl.col("surface").sort_by(-pl.col("count").cast(pl.Int64), "surface").first(),
        )
        .sort("key", -pl.col("total").cast(pl.Int64), "lower")
        .unique("key", keep="first", maintain_order=True)
    )
    weight = np.sqrt(np.log((papers + 1) / found.get_column("found").to_numpy()))
    return written.join(found.with_columns(weight=pl.Series(weight)), on="key").with_columns(
        weight=pl.when("too_many").then(0.0).otherwise(pl.col("weight").round(6))
    )

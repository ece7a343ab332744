"""Links: pairs of variants that ids and titles propose, whatever their texts say.

A shared id or an equal title only proposes a pair; the rule decides. Texts propose theirs in `candidates.py`.
"""

from __future__ import annotations

import numpy as np
import polars as pl

ALL_PAIRS = 16
"""Up to so many variants on one list all pairs are proposed; beyond it each with the first and with its neighbour."""

LINKS = {"a": pl.Int64, "b": pl.Int64, "same_list": pl.Boolean}
"""Pairs of variants (a < b); same_list: a record of each stands in lists of one list_key."""


def same_text_links(variants: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs of variants with one word sequence."""
    return _listed(variants.filter(pl.col("text_key").is_not_null()), "text_key")


def shared_id_links(variants: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs of variants that share an id."""
    named = variants.filter(pl.col("ids").is_not_null()).select("row", "rank", "ids").explode("ids")
    return _listed(named, "ids")


def equal_title_links(variants: pl.DataFrame, lists: pl.LazyFrame) -> pl.DataFrame:
    """Return the pairs of variants with equal titles of which at least one has no text.

    Args:
        variants: The variants.
        lists: row, list_key: the lists that each variant's records stand in.
    """
    titled = variants.filter(pl.col("title_key").is_not_null())
    textless = titled.filter(pl.col("text_key").is_null()).get_column("title_key").unique()
    titled = titled.filter(pl.col("title_key").is_in(textless.to_list()))
    pairs = _listed(titled, "title_key")
    has_text = variants.select(pl.col("text_key").is_not_null()).to_series()
    both = has_text.gather(pairs.get_column("a")) & has_text.gather(pairs.get_column("b"))
    pairs = pairs.filter(~both)
    if pairs.is_empty():
        return pairs.select(LINKS.keys())
    held = lists.join(titled.lazy().select("row"), on="row", how="semi").unique().collect()
    beside = (
        pairs.join(held, left_on="a", right_on="row")
        .join(held, left_on=["b", "list_key"], right_on=["row", "list_key"])
        .select("a", "b", found=pl.lit(True))
        .unique()
    )
    return (
        pairs.join(beside, on=["a", "b"], how="left", maintain_order="left")
        .with_columns(same_list=pl.col("found").fill_null(False))
        .select(LINKS.keys())
    )


def _listed(variants: pl.DataFrame, key: str) -> pl.DataFrame:
    """Return the pairs of variants that stand on one list of equal keys."""
    shared = variants.filter(pl.col(key).is_duplicated()).sort(key, "rank")
    a, b = [], []
    for rows in shared.group_by(key, maintain_order=True).agg("row").get_column("row").to_list():
        group = np.array(rows)
        if len(group) <= ALL_PAIRS:
            one, other = np.triu_indices(len(group), 1)
        else:
            one = np.concatenate([np.arange(len(group) - 1), np.zeros(len(group) - 2, dtype=np.int64)])
            other = np.concatenate([np.arange(1, len(group)), np.arange(2, len(group))])
        a.append(np.minimum(group[one], group[other]))
        b.append(np.maximum(group[one], group[other]))
    frame = pl.DataFrame(
        {"a": np.concatenate(a) if a else [], "b": np.concatenate(b) if b else []},
        schema={"a": pl.Int64, "b": pl.Int64},
    )
    return frame.unique().sort("a", "b").with_columns(same_list=pl.lit(False))

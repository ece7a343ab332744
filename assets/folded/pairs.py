"""Judged pairs: pairs of variants with what their texts say and the rule's word on them.

The bridge between texts (rows of `texts.Texts`) and variants: a pair of texts stands for all pairs of variants that
have them. Nothing here decides; `verify.py` measures and `rule.py` judges.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from assets.folded.clusters import WORD, Word
from assets.folded.links import LINKS
from assets.folded.rule import FACTS, VERDICT, judge
from assets.folded.settings import FoldingSettings
from assets.folded.subject import OPEN_UNLIKE
from assets.folded.texts import Texts
from assets.folded.verify import verify
from assets.folded.words import Rows, distinct

OPPOSING = ("same_text_other_title", "shared_id", "template")
"""Conflicts that keep two variants out of one paper even where a third accepts both."""


def links_of_texts(variants: pl.DataFrame, a: Rows, b: Rows) -> pl.DataFrame:
    """Return the pairs of variants (columns LINKS) of pairs of texts (rows)."""
    text_row = variants.get_column("text_row").to_numpy()
    holders = np.argsort(text_row, kind="stable")[np.count_nonzero(text_row < 0) :]
    counts = np.bincount(text_row[holders], minlength=int(max(a.max(initial=-1), b.max(initial=-1))) + 1)
    begins = np.cumsum(counts) - counts
    # Each holder of a text meets each holder of the other.
    crossings = counts[a] * counts[b]
    pair = np.repeat(np.arange(len(a)), crossings)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(crossings) - crossings, crossings)
    of_b = counts[b][pair]
    one = holders[begins[a][pair] + within // of_b]
    other = holders[begins[b][pair] + within % of_b]
    return pl.DataFrame({"a": np.minimum(one, other), "b": np.maximum(one, other), "same_list": False}, schema=LINKS)


JUDGED = {"key_a": pl.UInt64, "key_b": pl.UInt64, **VERDICT}
"""Judged pairs: rule.VERDICT with the keys of the two variants, by which the word on a pair is remembered."""


def judged(
    links: pl.DataFrame, variants: pl.DataFrame, texts: Texts, settings: FoldingSettings, known: pl.DataFrame | None
) -> pl.DataFrame:
    """Return the linked pairs with the rule's word on each, sorted (columns JUDGED).

    Args:
        links: Columns LINKS.
        variants: The variants.
        texts: Their texts.
        settings: The thresholds.
        known: Pairs that were judged before (columns JUDGED); they are not judged again.
    """
    key = pl.lit(variants.get_column("variant_key"))
    linked = (
        links.group_by("a", "b")
        .agg(pl.col("same_list").any())
        .with_columns(key_a=key.gather(pl.col("a")), key_b=key.gather(pl.col("b")))
    )
    if known is None:
        return _judge_new(linked, variants, texts, settings).sort("a", "b")
    by = ["key_a", "key_b", "same_list"]
    looked_up = linked.join(known.drop("a", "b").with_columns(found=True), on=by, how="left", maintain_order="left")
    found = looked_up.filter(pl.col("found")).select(JUDGED.keys())
    new = linked.filter(looked_up.get_column("found").is_null())
    return pl.concat([found, _judge_new(new, variants, texts, settings)]).sort("a", "b")


def _judge_new(linked: pl.DataFrame, variants: pl.DataFrame, texts: Texts, settings: FoldingSettings) -> pl.DataFrame:
    facts = _facts(linked.select(LINKS.keys()), variants, texts, settings)
    title = variants.get_column("title_key")
    equal = (title.gather(facts.get_column("a")) == title.gather(facts.get_column("b"))).fill_null(False)
    ids = variants.get_column("ids").is_not_null()
    named = ids.gather(facts.get_column("a")) & ids.gather(facts.get_column("b"))
    # Most candidates turn out unlike; nothing but an equal title or a shared id could still join them.
    plainly_unlike = (facts.get_column("text_verdict") == "unlike") & ~equal & ~named
    said = judge(facts.filter(~plainly_unlike), variants, settings)
    nothing = facts.filter(plainly_unlike).with_columns(
        pl.lit(None, pl.String).alias(name) for name in VERDICT if name not in facts.columns
    )
    return (
        pl.concat([said, nothing.select(VERDICT.keys())])
        .join(linked.select("a", "b", "key_a", "key_b"), on=["a", "b"])
        .select(JUDGED.keys())
    )


def _facts(links: pl.DataFrame, variants: pl.DataFrame, texts: Texts, settings: FoldingSettings) -> pl.DataFrame:
    text_row = variants.get_column("text_row").to_numpy()
    one = text_row[links.get_column("a").to_numpy()]
    other = text_row[links.get_column("b").to_numpy()]
    low, high = np.minimum(one, other), np.maximum(one, other)
    keyed = links.with_columns(
        pair=pl.Series(np.where(low >= 0, low * len(texts) + high, -1)), same=pl.Series((one == other) & (one >= 0))
    )
    wanted = distinct(keyed.filter((pl.col("pair") >= 0) & ~pl.col("same")).get_column("pair").to_numpy())
    first, second = wanted // max(len(texts), 1), wanted % max(len(texts), 1)
    # The order of the two is that of their keys, so that nothing depends on the rows that they happen to have.
    turned = texts.keys[first] > texts.keys[second]
    first, second = np.where(turned, second, first), np.where(turned, first, second)
    measured = verify(texts, first, second, settings).with_columns(pair=pl.Series(wanted, dtype=pl.Int64))
    found = keyed.join(measured.drop("a", "b"), on="pair", how="left", maintain_order="left")
    is_same = pl.col("same")
    return found.with_columns(
        *(
            pl.when(is_same).then(1.0).otherwise(pl.col(name)).alias(name)
            for name in ("jaccard", "containment", "similarity")
        ),
        text_verdict=pl.when(is_same).then(pl.lit("same")).otherwise(pl.col("text_verdict").fill_null("none")),
    ).select(FACTS.keys())


def with_words(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return judged pairs with `accepted` and `opposed`, as the clusters read them."""
    return pairs.with_columns(
        accepted=pl.col("kind").is_not_null(),
        # Two versions that each got another first sentence open unlike; a third that goes with both outweighs it.
        opposed=pl.col("conflict").is_in(OPPOSING).fill_null(False)
        & (pl.col("evidence") != OPEN_UNLIKE).fill_null(True),
        cut=(pl.col("text_verdict") == "truncated").fill_null(False),
    )


def words_on(pairs: pl.DataFrame) -> Sequence[Word]:
    """Return the words on judged pairs, in their order."""
    return [Word(*row) for row in with_words(pairs).select(WORD).iter_rows()]

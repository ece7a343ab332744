"""Exact comparison: every pair of a few thousand texts, without the candidates that folding relies on.

It guards the candidates: what they miss, this finds. Too dear for a corpus, cheap for a sample.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from scipy.sparse import csr_array

from assets.folded.canonical import title_form
from assets.folded.entries import normal_ids, text_keys
from assets.folded.measure import word_sets
from assets.folded.pairs import judged, links_of_texts
from assets.folded.settings import FoldingSettings
from assets.folded.texts import Texts, part_of, texts_of
from assets.folded.words import Rows, stable_hash


def accepted_pairs(papers: pl.DataFrame, settings: FoldingSettings) -> pl.DataFrame:
    """Return paper_id, paper_id_b (the smaller first), kind, jaccard of the pairs of papers that the rule accepts.

    Args:
        papers: paper_id, text (no nulls), title, authors, external_ids.
        settings: The thresholds. Pairs below `revised_jaccard` (cut copies, mostly) are not looked for.
    """
    keys, words = text_keys(papers.get_column("text"))
    texts = texts_of([part_of(keys, words)])
    row_of = {key: row for row, key in enumerate(texts.keys.tolist())}
    variants = papers.select(
        "paper_id",
        "authors",
        title_form=title_form(pl.col("title")),
        ids=normal_ids(pl.col("external_ids")),
        text_row=pl.Series([row_of[key] for key in keys.tolist()], dtype=pl.Int64),
    ).with_columns(
        title_key=stable_hash(pl.col("title_form")),
        variant_key=stable_hash(pl.col("paper_id")),
        row=pl.int_range(pl.len()),
    )
    a, b = similar_pairs(texts, settings.revised_jaccard)
    same = np.flatnonzero(np.bincount(variants.get_column("text_row").to_numpy(), minlength=len(texts)) > 1)
    links = links_of_texts(variants, np.concatenate((a, same)), np.concatenate((b, same))).filter(
        pl.col("a") < pl.col("b")
    )
    word = judged(links, variants, texts, settings, None).filter(pl.col("kind").is_not_null())
    ids = variants.get_column("paper_id")
    one, other = ids.gather(word.get_column("a")), ids.gather(word.get_column("b"))
    return word.select(
        paper_id=pl.min_horizontal(one, other), paper_id_b=pl.max_horizontal(one, other), kind="kind", jaccard="jaccard"
    )


def similar_pairs(texts: Texts, jaccard: float) -> tuple[Rows, Rows]:
    """Return every pair of texts (rows, a < b) whose word sets have at least this Jaccard similarity.

    Two such sets share one of their rarest words: of a set of n words, one of the n - ceil(jaccard * n) + 1 rarest
    (prefix filtering, Chaudhuri et al. 2006). A sparse product over those words gives the few pairs to compare.
    """
    if len(texts) < 2:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    sets = word_sets(texts, np.arange(len(texts)))
    sizes = np.diff(sets.indptr)
    row = np.repeat(np.arange(len(texts)), sizes)
    _, word, times = np.unique(sets.indices, return_inverse=True, return_counts=True)
    order = np.lexsort((word, times[word], row))
    place = np.arange(len(order)) - np.repeat(sets.indptr[:-1], sizes)
    rare = place < np.repeat(sizes - np.ceil(jaccard * sizes).astype(np.int64) + 1, sizes)
    row, word = row[order][rare], word[order][rare]
    has = csr_array((np.ones(len(row), dtype=np.int32), (row, word)), shape=(len(texts), len(times)))
    meeting = (has @ has.T).tocoo()
    upper = meeting.row < meeting.col
    a, b = meeting.row[upper].astype(np.int64), meeting.col[upper].astype(np.int64)
    kept_a, kept_b = [], []
    sets.data = np.ones_like(sets.data)
    for start in range(0, len(a), 200_000):
        one, other = a[start : start + 200_000], b[start : start + 200_000]
        shared = sets[one].multiply(sets[other]).sum(axis=1)
        enough = shared >= jaccard * (sizes[one] + sizes[other] - shared)
        kept_a.append(one[enough])
        kept_b.append(other[enough])
    if not kept_a:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    return np.concatenate(kept_a), np.concatenate(kept_b)

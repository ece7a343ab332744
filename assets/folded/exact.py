"""Exact comparison: every pair of a few thousand texts, without the candidates that folding relies on.

It guards the candidates: what they miss, this finds. Too dear for a corpus, cheap for a sample.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from assets.folded.candidates import signatures
from assets.folded.canonical import title_form
from assets.folded.entries import normal_ids, text_keys
from assets.folded.measure import measure
from assets.folded.pairs import judged, links_of_texts
from assets.folded.settings import FoldingSettings
from assets.folded.texts import Texts, part_of, texts_of
from assets.folded.words import Rows, stable_hash

BLOCK = 1_000
"""Texts compared with all others at a time."""

OVERLAP = 0.55
"""Share of the smaller signature in which two texts must overlap to be measured."""


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

    One product of the texts' signatures tells how far any two overlap; what overlaps by half is measured exactly. (Two
    sets of Jaccard .5 share two thirds of the smaller, and a signature shows at least what is shared.)
    """
    if len(texts) < 2:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    signs = signatures(texts, np.arange(len(texts)))
    bits = np.unpackbits(np.ascontiguousarray(signs.T).view(np.uint8), axis=1).astype(np.float32)
    sizes = bits.sum(axis=1)
    found: list[tuple[Rows, Rows]] = []
    for start in range(0, len(texts), BLOCK):
        overlap = bits[start : start + BLOCK] @ bits.T
        near = overlap >= OVERLAP * np.minimum.outer(sizes[start : start + BLOCK], sizes)
        one, other = np.nonzero(near)
        upper = one + start < other
        found.append((one[upper] + start, other[upper]))
    a, b = (np.concatenate(side) for side in zip(*found, strict=True))
    enough = measure(texts, a, b).jaccard >= jaccard
    return a[enough], b[enough]

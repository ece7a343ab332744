"""Exact comparison: every pair of a few thousand texts, without the candidates that folding relies on.

It guards the candidates: what they miss, this finds. Two texts that the rule accepts share a good part of the smaller
one's words, so they share one of its rarest words: the prefix filter of set similarity joins (Chaudhuri, Ganti,
Kaushik, *A primitive operator for similarity joins*, 2006). No shingle and no sketch plays a part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from assets.folded.candidates import packed, unpacked
from assets.folded.canonical import title_form
from assets.folded.entries import normal_ids, text_keys
from assets.folded.measure import measure
from assets.folded.pairs import judged, links_of_texts
from assets.folded.settings import FoldingSettings
from assets.folded.texts import Texts, part_of, texts_of
from assets.folded.words import Keys, Rows, distinct, stable_hash

MEETINGS = 200_000_000
"""Meetings of two texts on a word that are counted in all: about a CPU second. Text that repeats itself has more."""

MEASURED = 100_000
"""Pairs that are measured and judged in all: two or three CPU seconds. Templates have more."""

SEVERAL = 0.15
"""Part of the smaller text's words that two texts must share among its rarer ones: one alone would tell little."""


@dataclass(frozen=True)
class Compared:
    """What an exact comparison found.

    Attributes:
        accepted: paper_id, paper_id_b (the smaller first), kind, jaccard of the pairs of papers that the rule accepts.
        papers: How many papers were compared with all others.
    """

    accepted: pl.DataFrame
    papers: int


def accepted_pairs(papers: pl.DataFrame, settings: FoldingSettings) -> Compared:
    """Return the pairs of papers that the rule accepts by their texts.

    Args:
        papers: paper_id, text (no nulls), title, authors, external_ids.
        settings: The thresholds.
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
    a, b, compared = similar_pairs(texts, min(settings.cut_containment, least_shared(settings)))
    same = np.flatnonzero(np.bincount(variants.get_column("text_row").to_numpy(), minlength=len(texts)) > 1)
    links = links_of_texts(variants, np.concatenate((a, same)), np.concatenate((b, same))).filter(
        pl.col("a") < pl.col("b")
    )
    word = judged(links, variants, texts, settings, None).filter(pl.col("kind").is_not_null())
    ids = variants.get_column("paper_id")
    one, other = ids.gather(word.get_column("a")), ids.gather(word.get_column("b"))
    accepted = word.select(
        paper_id=pl.min_horizontal(one, other), paper_id_b=pl.max_horizontal(one, other), kind="kind", jaccard="jaccard"
    )
    return Compared(accepted, variants.filter(pl.col("text_row").is_in(compared.tolist())).height)


def least_shared(settings: FoldingSettings) -> float:
    """Return which share of the smaller text's words two texts of Jaccard `revised_jaccard` have in common at least."""
    return 2 * settings.revised_jaccard / (1 + settings.revised_jaccard)


def similar_pairs(
    texts: Texts, share: float, *, meetings: int = MEETINGS, measured: int = MEASURED
) -> tuple[Rows, Rows, Rows]:
    """Return the pairs of texts (rows, a < b) that share this part of the smaller one's distinct words, or more.

    Args:
        texts: The texts; each is compared with all others in turn, until that has cost enough.
        share: Part of the smaller text's words.
        meetings: After so many meetings of two texts on a word no further text is compared.
        measured: The same for pairs that are measured.

    Returns:
        The two sides, and the rows that were compared with all others as the smaller side.
    """
    rows = np.arange(len(texts))
    of_text = np.repeat(rows.astype(np.uint64), texts.counts_of(rows))
    cells = distinct((texts.words_in(rows).astype(np.uint64) << np.uint64(32)) | of_text)
    # Cells are (word, text), sorted: a word's texts stand together.
    text_of = (cells & np.uint64(0xFFFFFFFF)).astype(np.int64)
    words = cells >> np.uint64(32)
    starts = np.flatnonzero(np.concatenate(([True], words[1:] != words[:-1]))) if len(words) else np.empty(0, np.int64)
    ends = np.append(starts[1:], len(words))
    word_of = np.repeat(np.arange(len(starts)), ends - starts)
    sizes = np.bincount(text_of, minlength=len(texts))
    by_rarity = np.lexsort((word_of, (ends - starts)[word_of], text_of))
    offsets = np.concatenate(([0], np.cumsum(sizes)))

    found: list[Keys] = []
    compared = met = paired = 0
    for row, size in enumerate(sizes.tolist()):
        if met > meetings or paired > measured:
            break
        # A pair may lack so many of the text's words, whichever they are; among its rarest ones it then shares several.
        several = max(int(SEVERAL * size), 1)
        rarest = word_of[by_rarity[offsets[row] : offsets[row] + int((1 - share) * size + 1e-9) + several]]
        others = np.concatenate([text_of[starts[word] : ends[word]] for word in rarest.tolist()])
        shared = np.bincount(others, minlength=len(texts))
        larger = (sizes > size) | ((sizes == size) & (rows > row))
        found.append(packed(np.array([row]), np.flatnonzero((shared >= several) & larger)))
        met, paired, compared = met + len(others), paired + len(found[-1]), row + 1
    a, b = unpacked(distinct(np.concatenate(found))) if found else (np.empty(0, np.int64), np.empty(0, np.int64))
    enough = measure(texts, a, b).containment >= share
    return a[enough], b[enough], rows[:compared]

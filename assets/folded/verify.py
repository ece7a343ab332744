"""Verified pairs: what the texts of a pair say, from measures to a verdict.

Set measures tell most pairs apart at once. Those in doubt are looked at one by one: whether the words stand in the
same order, whether one is the beginning of the other, whether the subject changed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assets.folded.measure import Measures, measure
from assets.folded.settings import FoldingSettings
from assets.folded.subject import (
    ANNOUNCED_BY,
    ANNOUNCING_CODES,
    begins_like,
    longest_rewritten,
    other_subject,
    same_order,
)
from assets.folded.texts import Texts
from assets.folded.words import Rows

TEXT_PAIRS = {
    "a": pl.Int64,
    "b": pl.Int64,
    "jaccard": pl.Float64,
    "containment": pl.Float64,
    "similarity": pl.Float64,
    "text_verdict": pl.String,
    "evidence": pl.String,
}
"""Columns of verified pairs of texts; evidence is what speaks for two subjects, in words, else null."""

VERDICTS = ("unlike", "near", "template", "truncated", "revised")
_UNLIKE, _NEAR, _TEMPLATE, _TRUNCATED, _REVISED = range(len(VERDICTS))


def verify(texts: Texts, a: Rows, b: Rows, settings: FoldingSettings) -> pl.DataFrame:
    """Return the pairs of texts (rows) with their measures and a verdict, columns TEXT_PAIRS, in the order given."""
    found = measure(texts, a, b)
    jaccard, containment = found.jaccard, found.containment
    smaller = np.minimum(found.size_a, found.size_b)
    larger = np.maximum(found.size_a, found.size_b)
    verdict = np.where(jaccard >= settings.near_jaccard, _NEAR, _UNLIKE)

    enough = np.where(smaller < settings.short_words, settings.short_jaccard, settings.revised_jaccard)
    revised = jaccard >= enough
    in_doubt = np.flatnonzero(
        revised & (jaccard < settings.plain_jaccard) & (containment < settings.truncated_containment)
    )
    revised[in_doubt] = _orders(texts, a[in_doubt], b[in_doubt]) >= settings.revised_order
    framed = in_doubt[revised[in_doubt] & (jaccard[in_doubt] < settings.framed_jaccard)]
    revised[framed] = _longest_rewritten(texts, a[framed], b[framed]) <= settings.rewritten_words
    verdict[revised] = _REVISED

    counts_a, counts_b = texts.counts[a], texts.counts[b]
    shorter, longer = np.minimum(counts_a, counts_b), np.maximum(counts_a, counts_b)
    may_be_cut = np.flatnonzero(
        (containment >= settings.cut_containment)
        & (shorter < 0.9 * longer)
        & (shorter >= settings.truncated_words)
        & (shorter >= settings.truncated_share * longer)
    )
    beginning = _beginnings(texts, a[may_be_cut], b[may_be_cut])
    cut = may_be_cut[beginning >= settings.truncated_beginning]
    edited = cut[containment[cut] < settings.plain_containment]
    elsewhere = edited[_longest_rewritten(texts, a[edited], b[edited]) > settings.cut_rewritten_words]
    verdict[cut] = _TRUNCATED
    verdict[elsewhere] = np.where(jaccard[elsewhere] >= settings.near_jaccard, _NEAR, _UNLIKE)

    announcing = _announcing(texts, a) | _announcing(texts, b)
    looked_at = _worth_a_look(found, announcing) | _open_unlike(texts, a, b)
    evidence: list[str | None] = [None] * len(a)
    for pair in np.flatnonzero((verdict != _UNLIKE) & looked_at):
        difference = other_subject(texts.words_of(a[pair]).tolist(), texts.words_of(b[pair]).tolist())
        # Texts that are merely near are told from a paper's members by figures and series alone.
        if difference is not None and (verdict[pair] != _NEAR or difference.kind in ("figures", "series")):
            verdict[pair] = _TEMPLATE
            evidence[pair] = str(difference)
    return pl.DataFrame(
        {
            "a": a,
            "b": b,
            "jaccard": jaccard,
            "containment": containment,
            "similarity": similarity(jaccard, containment, smaller, larger),
            "text_verdict": pl.Series(np.array(VERDICTS)[verdict], dtype=pl.String),
            "evidence": pl.Series(evidence, dtype=pl.String),
        },
        schema=TEXT_PAIRS,
    )


def similarity(jaccard: Any, containment: Any, smaller: Any, larger: Any) -> Any:
    """Return the published similarity: containment where one text is cut (under .7 of the other), else Jaccard."""
    return np.where(smaller < 0.7 * larger, containment, jaccard)


def _worth_a_look(found: Measures, announcing: np.ndarray) -> np.ndarray:
    """Return which pairs differ in a way that can change the subject (see `subject.other_subject`).

    Words recur on both sides only, or often on one; numbers differ on both sides, or on one that says early that it is
    a part of a series or a notice.
    """
    own = (found.size_a > found.shared) & (found.size_b > found.shared)
    swapped = (found.recurring_a > 0) & (found.recurring_b > 0) | (found.thrice_a > 0) | (found.thrice_b > 0)
    tell_a, tell_b = found.telling_a > 0, found.telling_b > 0
    return (own & swapped) | (tell_a & tell_b) | ((tell_a | tell_b) & announcing)


def _announcing(texts: Texts, rows: Rows) -> np.ndarray:
    """Return which texts name a series or a notice among their first words."""
    found = np.zeros(len(rows), dtype=bool)
    for place in range(ANNOUNCED_BY):
        here = np.flatnonzero(texts.counts[rows] > place)
        codes = texts.codes[texts.offsets[rows[here]] + place]
        at = np.minimum(np.searchsorted(ANNOUNCING_CODES, codes), len(ANNOUNCING_CODES) - 1)
        found[here] |= ANNOUNCING_CODES[at] == codes
    return found


def _open_unlike(texts: Texts, a: Rows, b: Rows) -> np.ndarray:
    """Return which pairs differ in each of their first three words."""
    unlike = (texts.counts[a] > 3) & (texts.counts[b] > 3)
    for place in range(3):
        here = np.flatnonzero(unlike)
        unlike[here] = texts.codes[texts.offsets[a[here]] + place] != texts.codes[texts.offsets[b[here]] + place]
    return unlike


def _orders(texts: Texts, a: Rows, b: Rows) -> np.ndarray:
    return np.array(
        [same_order(texts.words_of(i).tolist(), texts.words_of(j).tolist()) for i, j in zip(a, b, strict=True)],
        dtype=float,
    )


def _longest_rewritten(texts: Texts, a: Rows, b: Rows) -> np.ndarray:
    return np.array(
        [longest_rewritten(texts.words_of(i).tolist(), texts.words_of(j).tolist()) for i, j in zip(a, b, strict=True)],
        dtype=np.int64,
    )


def _beginnings(texts: Texts, a: Rows, b: Rows) -> np.ndarray:
    return np.array(
        [begins_like(texts.words_of(i).tolist(), texts.words_of(j).tolist()) for i, j in zip(a, b, strict=True)],
        dtype=float,
    )

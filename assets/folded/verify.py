"""Verified pairs: what the texts of a pair say, from measures to a verdict.

Set measures tell most pairs apart at once. Those in doubt are looked at one by one: whether the words stand in the
same order, whether one is the beginning of the other, whether the subject changed.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import polars as pl

from assets.folded.codes import CodeSet
from assets.folded.measure import Measures, measure
from assets.folded.settings import FoldingSettings
from assets.folded.subject import (
    ANNOUNCED_BY,
    ANNOUNCING,
    FUNCTIONAL,
    MANY_FIGURES,
    NOTICED_BY,
    NOTICES,
    NUMBERS,
    OPENING_WORDS,
    SERIES,
    WHEREVER,
    begins_like,
    longest_rewritten,
    other_subject,
    same_order,
)
from assets.folded.texts import Texts
from assets.folded.words import Rows, stretches

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
COMPARED_WORDS = 1 << 18
"""Words of pairs that are compared at a time."""

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
    framed = in_doubt[revised[in_doubt]]
    shorter_text = np.minimum(texts.counts_of(a[framed]), texts.counts_of(b[framed]))
    most = np.maximum(settings.rewritten_words, settings.rewritten_share * shorter_text)
    most[jaccard[framed] < settings.framed_jaccard] = settings.rewritten_words
    revised[framed] = _longest_rewritten(texts, a[framed], b[framed]) <= most
    verdict[revised] = _REVISED

    counts_a, counts_b = texts.counts_of(a), texts.counts_of(b)
    shorter, longer = np.minimum(counts_a, counts_b), np.maximum(counts_a, counts_b)
    may_be_cut = np.flatnonzero(
        (containment >= settings.cut_containment)
        & (shorter < 0.9 * longer)
        & (shorter >= settings.truncated_words)
        & (shorter >= settings.truncated_share * longer)
    )
    cut = may_be_cut[_begin_alike(texts, a[may_be_cut], b[may_be_cut], settings.truncated_beginning)]
    edited = cut[containment[cut] < settings.plain_containment]
    elsewhere = edited[_longest_rewritten(texts, a[edited], b[edited]) > settings.cut_rewritten_words]
    verdict[cut] = _TRUNCATED
    verdict[elsewhere] = np.where(jaccard[elsewhere] >= settings.near_jaccard, _NEAR, _UNLIKE)

    evidence: list[str | None] = [None] * len(a)
    for pair in _worth_a_look(texts, a, b, found, np.flatnonzero(verdict != _UNLIKE)).tolist():
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


def _worth_a_look(texts: Texts, a: Rows, b: Rows, found: Measures, pairs: Rows) -> Rows:
    """Return which of these pairs differ in a way that can change the subject (see `subject.other_subject`).

    Words recur on both sides only, or often on one; numbers differ on both sides, or on one that says early that it is
    a part of a series or a notice; or the texts open unlike.
    """
    found, a, b = found.of(pairs), a[pairs], b[pairs]
    own_a, own_b = found.size_a - found.shared, found.size_b - found.shared
    swapped = (found.recurring_a > 0) & (found.recurring_b > 0)
    # A word that gave way wherever it stood did so to several of the other side.
    swapped |= (found.thrice_a > 0) & (own_b >= WHEREVER) | (found.thrice_b > 0) & (own_a >= WHEREVER)
    figures = np.minimum(found.telling_a, found.telling_b) >= MANY_FIGURES
    unlike = np.flatnonzero(np.minimum(own_a, own_b) >= OPENING_WORDS)
    opening = unlike[_open_unlike(texts, a[unlike], b[unlike])]
    tell_a, tell_b = found.telling_a > 0, found.telling_b > 0
    telling = np.flatnonzero(tell_a | tell_b)
    one, other = a[telling], b[telling]
    both = (tell_a & tell_b)[telling]
    both |= _begins_with(texts, one, ANNOUNCING, ANNOUNCED_BY) | _begins_with(texts, other, ANNOUNCING, ANNOUNCED_BY)
    telling, one, other = telling[both], one[both], other[both]
    notice = _begins_with(texts, one, NOTICES, NOTICED_BY) | _begins_with(texts, other, NOTICES, NOTICED_BY)
    looked_at = swapped | figures
    looked_at[opening] = True
    looked_at[telling[notice | _numbered(texts, one)]] = True
    return pairs[looked_at]


def _begins_with(texts: Texts, rows: Rows, codes: CodeSet, count: int) -> np.ndarray:
    """Return which texts have such a word among their first ones."""
    found = np.zeros(len(rows), dtype=bool)
    counts, begins = texts.counts_of(rows), texts.offsets[rows]
    for place in range(count):
        here = np.flatnonzero(~found & (counts > place))
        found[here] = codes.holds(texts.codes_at(begins[here] + place))
    return found


def _numbered(texts: Texts, rows: Rows) -> np.ndarray:
    """Return which texts have a number right after a word of a series."""
    words = texts.words_in(rows)
    of_text = np.repeat(np.arange(len(rows)), texts.counts_of(rows))
    series = np.flatnonzero(SERIES.holds(words[:-1]) & (of_text[:-1] == of_text[1:])) if len(words) else words
    found = np.zeros(len(rows), dtype=bool)
    found[of_text[series[NUMBERS.holds(words[series + 1])]]] = True
    return found


def _open_unlike(texts: Texts, a: Rows, b: Rows) -> np.ndarray:
    """Return which pairs share none of their first three words, function words aside."""
    unlike = (texts.counts_of(a) >= OPENING_WORDS) & (texts.counts_of(b) >= OPENING_WORDS)
    for place, beside in product(range(OPENING_WORDS), repeat=2):
        here = np.flatnonzero(unlike)
        word = texts.codes_at(texts.offsets[a[here]] + place)
        unlike[here] = (word != texts.codes_at(texts.offsets[b[here]] + beside)) | FUNCTIONAL.holds(word)
    return unlike


def _begin_alike(texts: Texts, a: Rows, b: Rows, share: float) -> np.ndarray:
    """Return in which pairs this share of the shorter text's words stands, in order, at the longer one's beginning."""
    counts_a, counts_b = texts.counts_of(a), texts.counts_of(b)
    counts = np.minimum(counts_a, counts_b)
    alike = np.zeros(len(a), dtype=bool)
    for begin, end in stretches(counts, COMPARED_WORDS):
        n = counts[begin:end]
        of_pair = np.repeat(np.arange(len(n)), n)
        within = np.arange(len(of_pair)) - (np.cumsum(n) - n)[of_pair]
        one, other = texts.offsets[a[begin:end]], texts.offsets[b[begin:end]]
        differing = np.flatnonzero(texts.codes_at(one[of_pair] + within) != texts.codes_at(other[of_pair] + within))
        prefix = n.copy()
        np.minimum.at(prefix, of_pair[differing], within[differing])
        # Equal first words are a sequence in order, so most pairs need no alignment.
        alike[begin:end] = prefix >= share * n
    doubtful = np.flatnonzero(~alike)
    alike[doubtful] = _beginnings(texts, a[doubtful], b[doubtful]) >= share
    return alike


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

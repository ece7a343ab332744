"""Words and phrases of the papers, and which paper holds which.

A term is a word, or two or three that follow each other in one sentence without a stop word between them, all forms of
a word taken together and shown in the commonest one. Texts in scripts without spaces have no terms of this kind.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

import duckdb
import numpy as np
import polars as pl
import scipy.sparse as sp

from assets.analytical.terms.stop_words import STOP_WORDS
from assets.analytical.views import load_macro

_BATCH = 100_000
_SUBSUMED = 0.9
"""A term that a longer one contains in this share of its papers is left out for the longer one."""
_RARE = 2_000
"""A term must stand in at least two papers, and in one of so many."""


@dataclass(frozen=True)
class Holdings:
    """Terms, how many words each has, and the matrix papers by terms of who holds what."""

    terms: list[str]
    words: np.ndarray
    held: sp.csr_matrix


def find_terms(papers: pl.DataFrame) -> Holdings:
    """Return the terms of papers with title and text; row i of the matrix is paper i."""
    docs, words = _split(papers)
    names, keys, begins, ends = _one_form(words)
    fewest = max(2, papers.height // _RARE)
    word_docs = _Grams.of(keys, docs, papers.height, fewest)
    same = docs[1:] == docs[:-1]
    follows = np.append(same & ~ends[:-1] & ~begins[1:], False)
    size = len(names)
    single = word_docs.number_of(keys)
    pairs = np.where(
        follows & (single >= 0) & (np.append(single[1:], -1) >= 0), keys * size + np.append(keys[1:], 0), -1
    )
    pair_docs = _Grams.of(pairs, docs, papers.height, fewest)
    pair = pair_docs.number_of(pairs)
    next_pair = np.append(pair[1:], -1)
    triples = np.where((pair >= 0) & (next_pair >= 0), pair * size + np.append(keys[2:], [0, 0])[: len(keys)], -1)
    triple_docs = _Grams.of(triples, docs, papers.height, fewest)

    pair_first, pair_second = pair_docs.grams // size, pair_docs.grams % size
    triple_pair, triple_last = triple_docs.grams // size, triple_docs.grams % size
    spelt_pairs = [(a, b) for a, b in zip(pair_first, pair_second, strict=True)]
    spelt_triples = [(*spelt_pairs[p], c) for p, c in zip(triple_pair, triple_last, strict=True)]
    parts = [(int(gram),) for gram in word_docs.grams] + spelt_pairs + spelt_triples
    held = sp.hstack([word_docs.held, pair_docs.held, triple_docs.held], format="csr")
    in_papers = np.asarray(held.sum(axis=0)).ravel()
    kept = ~_subsumed(parts, in_papers)
    terms = [" ".join(names[part] for part in spelt) for spelt in parts]
    lengths = np.array([len(spelt) for spelt in parts], dtype=np.int64)
    return Holdings([term for term, keep in zip(terms, kept, strict=True) if keep], lengths[kept], held[:, kept])


def _subsumed(parts: list[tuple[int, ...]], in_papers: np.ndarray) -> np.ndarray:
    """Return which terms stand almost only inside one longer term."""
    place = {spelt: number for number, spelt in enumerate(parts)}
    gone = np.zeros(len(parts), dtype=bool)
    for spelt, number in place.items():
        for size in range(1, len(spelt)):
            for at in range(len(spelt) - size + 1):
                shorter = place.get(spelt[at : at + size])
                if shorter is not None and in_papers[number] >= _SUBSUMED * in_papers[shorter]:
                    gone[shorter] = True
    return gone


@dataclass(frozen=True)
class _Grams:
    """Numbers of grams that stand in enough papers, ascending, and the matrix papers by grams."""

    grams: np.ndarray
    held: sp.csr_matrix

    @classmethod
    def of(cls, grams: np.ndarray, docs: np.ndarray, papers: int, fewest: int) -> _Grams:
        """Count grams by paper; -1 is none."""
        there = grams >= 0
        known, numbers, counts = np.unique(grams[there], return_inverse=True, return_counts=True)
        likely = counts >= fewest
        renumbered = np.where(likely, np.cumsum(likely) - 1, -1)[numbers]
        held = sp.csr_matrix(
            (
                np.ones(int((renumbered >= 0).sum()), dtype=np.int32),
                (docs[there][renumbered >= 0], renumbered[renumbered >= 0]),
            ),
            shape=(papers, int(likely.sum())),
        )
        held.sum_duplicates()
        held.data[:] = 1
        enough = np.asarray(held.sum(axis=0)).ravel() >= fewest
        return cls(known[likely][enough], held[:, enough])

    def number_of(self, grams: np.ndarray) -> np.ndarray:
        """Return the place of each gram among those kept, -1 where it is not."""
        if not len(self.grams):
            return np.full(len(grams), -1)
        at = np.minimum(np.searchsorted(self.grams, grams), len(self.grams) - 1)
        return np.where(self.grams[at] == grams, at, -1)


def _split(papers: pl.DataFrame) -> tuple[np.ndarray, pl.Series]:
    """Return the paper and the word at each place, titles before texts."""
    # A line break after the title ends its last phrase: see `ends`.
    whole = pl.concat_str(pl.col("title") + ".", "text", separator=" ", ignore_nulls=True).str.split(" ")
    parts = [
        batch.lazy().select("doc", word=whole).explode("word").collect()
        for batch in papers.select("title", "text").with_row_index("doc").iter_slices(_BATCH)
    ]
    empty = pl.DataFrame(schema={"doc": pl.UInt32, "word": pl.String})
    frames = [part.with_columns(pl.col("word").fill_null("").cast(pl.Categorical)) for part in parts or [empty]]
    places = pl.concat(frames)
    return places["doc"].to_numpy().astype(np.int64), places["word"]


def _one_form(words: pl.Series) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Return the names of the words, and at each place its number (-1: none), whether it begins or ends a phrase."""
    physical = words.to_physical()
    counted = pl.DataFrame({"physical": physical}).group_by("physical").len("places")
    spelt = pl.DataFrame({"physical": words.unique().to_physical(), "word": words.unique().cast(pl.String)})
    distinct = spelt.join(counted, on="physical")
    with closing(duckdb.connect(":memory:")) as connection:
        for statement in load_macro("search").helpers:
            connection.execute(statement)
        connection.register("asked", distinct.to_arrow())
        formed = connection.sql("SELECT *, array_to_string(search_words(word), '-') AS form FROM asked").pl()
    formed = formed.with_columns(
        shown=pl.col("word").str.to_lowercase().str.strip_chars("()[]{}<>.,;:!?\"'“”‘’*…$–—-"),
    ).with_columns(
        begins=pl.col("word").str.contains(r"^[(\[{“‘\"]"),
        ends=pl.col("word").str.contains(r"[.,;:!?)\]}”\"]$"),
        usable=pl.col("form").str.contains(r"^[\p{Latin}\p{Greek}\p{Cyrillic}\d-]{2,40}$")
        & pl.col("form").str.contains(r"\p{L}.*\p{L}")
        & ~pl.col("shown").str.contains(r"[/@\\{}$=]|^http|^www")
        & ~pl.col("shown").is_in(list(STOP_WORDS))
        & ~pl.col("form").is_in(list(STOP_WORDS)),
    )
    names = (
        formed.filter("usable")
        .group_by("form", "shown")
        .agg(pl.col("places").sum())
        .sort(["form", "places", "shown"], descending=[False, True, False])
        .group_by("form", maintain_order=True)
        .agg(pl.col("shown").first())
        .with_row_index("number")
    )
    numbered = formed.join(names.select("form", "number"), on="form", how="left")
    usable, size = numbered["usable"].to_numpy(), int(physical.max() or 0) + 1  # type: ignore[arg-type]
    at = numbered["physical"].to_numpy()
    keys, begins, ends = np.full(size, -1, dtype=np.int64), np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
    keys[at] = np.where(usable, numbered["number"].fill_null(0).to_numpy().astype(np.int64), -1)
    begins[at], ends[at] = numbered["begins"].to_numpy(), numbered["ends"].to_numpy()
    places = physical.to_numpy()
    return names["shown"].to_list(), keys[places], begins[places], ends[places]

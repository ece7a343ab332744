"""The topics of all papers: fitted to them, or carried on from the release before; their ids, names and papers.

The arithmetic is in `factors.py`, the words of the names come from `phrases.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from assets.analytical.topics.factors import Matrix, exemplars, fitted, projected
from assets.analytical.topics.phrases import distinctive_terms
from assets.analytical.vectors.vectors import Change, Vectors
from assets.analytical.vectors.weights import UNIT
from assets.contract.arrow import empty, polars_schema
from assets.contract.ids import make_id

FEWEST_PAPERS = 20
"""With fewer papers there are no topics: a reader sees them at a glance."""

FIT_AMONG = 10_000
"""Papers that the topics are fitted to; all papers are then projected on them."""

NAME_AMONG = 6_000
"""Papers whose texts are searched for names."""

LEAST_SHARE = 0.15
"""A topic with a smaller share of a paper is not listed for it, unless it is its main one."""

SAME_TOPIC = 0.5
"""Cosine between a topic of the release before and what became of it, from which on it keeps its id."""

NAME_TERMS = 3
STATE = "topics.index"

_ROUNDING = 6
_SEPARATOR = " · "


class Topics(NamedTuple):
    """The tables `topics` and `topic_papers`, and for each topic its terms and weights (topic_id, terms, weights)."""

    topics: pl.DataFrame
    topic_papers: pl.DataFrame
    state: pl.DataFrame


class Base(NamedTuple):
    """What the release before had."""

    topics: pl.DataFrame
    topic_papers: pl.DataFrame
    state: pl.DataFrame


_STATE = pl.Schema({"topic_id": pl.String(), "terms": pl.List(pl.String()), "weights": pl.List(pl.Float64())})


def topic_count(papers: int) -> int:
    """Return how many topics so many papers have: 3 for 20, 5 for 40, 9 for 200, 15 for 1,500, 20 from 10,000 on."""
    if papers < FEWEST_PAPERS:
        return 0
    return int(min(20, max(3, round(1.85 * np.log2(papers) - 5))))


def topics_of(change: Change, papers: pl.DataFrame, base: Base | None) -> Topics:
    """Return the topics of the papers.

    Args:
        change: Their vectors, and which of them are new.
        papers: paper_id, text, language, a row per row of the vectors.
        base: What the release before had, if anything.
    """
    if not change.whole and base is not None:
        return _carried_on(change, base)
    vectors = change.vectors
    size = topic_count(papers.height)
    if not size or not vectors.matrix.nnz:
        return Topics(empty("topics"), empty("topic_papers"), pl.DataFrame(schema=_STATE))
    weights = vectors.matrix.astype(np.float64) / UNIT
    # The ids are hashes, so their last digits give an order, and a sample, without regard to content.
    mixed = papers.get_column("paper_id").str.reverse().arg_sort().to_numpy()[:FIT_AMONG]
    known_ids, known = _known(base, vectors, size)
    begun = np.vstack([known, exemplars(weights[mixed], size - len(known), known)])
    _, terms = fitted(weights[mixed], begun)
    terms = terms.round(_ROUNDING)
    listed = _listed(projected(weights, terms), vectors.papers.get_column("paper_id"))
    ids = _ids(terms, begun, known_ids, vectors)
    alive = sorted(listed.filter(pl.col("rank") == 1).get_column("topic").unique().to_list())
    words = _terms(listed, papers, mixed, terms, vectors)
    topics = pl.DataFrame(
        {"topic": alive, "topic_id": [ids[topic] for topic in alive], "terms": [words[topic] for topic in alive]},
        schema=pl.Schema({"topic": pl.Int64(), "topic_id": pl.String(), "terms": pl.List(pl.String())}),
    ).with_columns(name=pl.col("terms").list.head(NAME_TERMS).list.join(_SEPARATOR))
    links = listed.join(topics.select("topic", "topic_id"), on="topic")
    return Topics(_counted(topics, links), _ordered(links), _state(terms, alive, ids, vectors))


def _carried_on(change: Change, base: Base) -> Topics:
    vectors = change.vectors
    if not len(change.fresh) and not change.gone.len():
        return Topics(*base)
    ids = base.state.get_column("topic_id").to_list()
    if not ids:
        return Topics(*base)
    terms = _rows(base.state, vectors)
    new = vectors.papers.get_column("paper_id").gather(change.fresh)
    listed = _listed(projected(vectors.matrix[change.fresh].astype(np.float64) / UNIT, terms), new)
    numbered = pl.DataFrame(
        {"topic": range(len(ids)), "topic_id": ids}, schema={"topic": pl.Int64, "topic_id": pl.String}
    )
    computed = listed.join(numbered, on="topic")
    kept = base.topic_papers.join(vectors.papers, on="paper_id", how="semi").join(computed, on="paper_id", how="anti")
    kept = kept.filter(~pl.col("paper_id").is_in(change.gone.implode()))
    links = _ordered(pl.concat([kept, computed.select(kept.columns)]))
    return Topics(_counted(base.topics, links), links, base.state)


def _known(base: Base | None, vectors: Vectors, size: int) -> tuple[list[str], Matrix]:
    """Return ids and term rows of the topics that a fit begins with: those of the release before, largest first."""
    if base is None or base.state.is_empty():
        return [], np.zeros((0, vectors.matrix.shape[1]))
    ordered = base.topics.sort(-pl.col("papers"), "topic_id").select("topic_id").head(size)
    state = ordered.join(base.state, on="topic_id", maintain_order="left")
    rows = _rows(state, vectors)
    speaking = rows.any(axis=1)
    return state.filter(pl.Series(speaking)).get_column("topic_id").to_list(), rows[speaking]


def _rows(state: pl.DataFrame, vectors: Vectors) -> Matrix:
    """Return the term rows of topics in the columns of a vocabulary; terms that it lacks are left out."""
    columns = vectors.vocabulary.terms.select("term").with_row_index("column")
    cells = (
        state.with_row_index("topic")
        .explode("terms", "weights")
        .join(columns, left_on="terms", right_on="term")
        .select("topic", "column", "weights")
    )
    rows = np.zeros((state.height, columns.height))
    rows[cells.get_column("topic").to_numpy(), cells.get_column("column").to_numpy()] = cells.get_column("weights")
    return rows


def _ids(terms: Matrix, begun: Matrix, known: list[str], vectors: Vectors) -> list[str]:
    """Return an id for each topic: that of the topic it began as while it is about the same, else of its terms."""
    length = np.maximum(np.sqrt(np.einsum("iv,iv->i", begun, begun)), 1e-12)
    same = np.einsum("iv,iv->i", begun, terms) / length
    ids: list[str] = []
    stems = vectors.vocabulary.terms.get_column("term")
    for topic in range(len(terms)):
        if topic < len(known) and same[topic] >= SAME_TOPIC:
            ids.append(known[topic])
            continue
        # More terms, in the unlikely case that two topics have the same strongest ones or another has had the id.
        order = np.lexsort((np.arange(terms.shape[1]), -terms[topic]))
        size = 10
        while (made := make_id("top", *stems.gather(order[:size]).to_list())) in {*ids, *known} and size < len(order):
            size += 1
        ids.append(made)
    return ids


def _listed(shares: Matrix, paper_ids: pl.Series) -> pl.DataFrame:
    """Return topic, paper_id, weight, rank of the topics with enough share of each paper."""
    total = shares.sum(axis=0)
    share = (shares / np.where(total > 0, total, 1.0)).round(3)
    topic, paper = np.nonzero(share)
    cells = pl.DataFrame(
        {"topic": topic, "paper_id": paper_ids.gather(paper), "weight": share[topic, paper]},
        schema={"topic": pl.Int64, "paper_id": pl.String, "weight": pl.Float64},
    )
    return (
        cells.sort("paper_id", -pl.col("weight"), "topic")
        .with_columns(rank=pl.int_range(1, pl.len() + 1).over("paper_id"))
        .filter((pl.col("weight") >= LEAST_SHARE) | (pl.col("rank") == 1))
    )


def _terms(
    listed: pl.DataFrame, papers: pl.DataFrame, mixed: Any, terms: Matrix, vectors: Vectors
) -> dict[int, list[str]]:
    """Return the words of each topic, from the texts of a sample of the papers."""
    sample = papers[mixed[:NAME_AMONG]].join(
        listed.filter(pl.col("rank") == 1).select("paper_id", group="topic"),
        on="paper_id",
        how="left",
        maintain_order="left",
    )
    topic, column = np.nonzero(terms)
    strongest = terms.max(axis=1)
    importance = pl.DataFrame(
        {
            "group": topic,
            "stem": vectors.vocabulary.terms.get_column("term").gather(column),
            "importance": terms[topic, column] / strongest[topic],
        },
        schema={"group": pl.Int64, "stem": pl.String, "importance": pl.Float64},
    )
    found = dict(distinctive_terms(sample, importance).iter_rows())
    # A topic that only papers outside the sample have, or whose texts share no phrase, is called by its terms.
    return {
        number: found.get(number) or vectors.surfaces.gather(np.argsort(-row, kind="stable")[:NAME_TERMS]).to_list()
        for number, row in enumerate(terms)
    }


def _counted(topics: pl.DataFrame, links: pl.DataFrame) -> pl.DataFrame:
    main = links.filter(pl.col("rank") == 1).group_by("topic_id").agg(papers=pl.len().cast(pl.Int64))
    counted = topics.select("topic_id", "name", "terms").join(main, on="topic_id", how="left")
    return (
        counted.with_columns(pl.col("papers").fill_null(0))
        .sort(-pl.col("papers"), "topic_id")
        .select(*polars_schema("topics"))
    )


def _ordered(links: pl.DataFrame) -> pl.DataFrame:
    return links.sort("paper_id", "rank").select(*polars_schema("topic_papers"))


def _state(terms: Matrix, alive: list[int], ids: list[str], vectors: Vectors) -> pl.DataFrame:
    stems = vectors.vocabulary.terms.get_column("term")
    kept = [np.flatnonzero(terms[topic]) for topic in alive]
    return pl.DataFrame(
        {
            "topic_id": [ids[topic] for topic in alive],
            "terms": [stems.gather(columns).to_list() for columns in kept],
            "weights": [terms[topic][columns].tolist() for topic, columns in zip(alive, kept, strict=True)],
        },
        schema=_STATE,
    )


def save(topics: Topics, folder: Path) -> None:
    """Leave the terms of the topics in a release's folder for the next refresh."""
    topics.state.write_parquet(folder / STATE, compression="zstd")


def load(folder: Path) -> pl.DataFrame | None:
    """Return the terms of the topics that a release keeps; None where there are none or they are damaged."""
    try:
        return pl.read_parquet(folder / STATE).select(*_STATE)
    except (OSError, pl.exceptions.PolarsError):
        return None

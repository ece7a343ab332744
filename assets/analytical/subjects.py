"""Subjects: similar papers, topics and their picture as one analysis, since all rest on the same vectors."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from assets.analytical.analysis import Given
from assets.analytical.similar.table import similar_papers
from assets.analytical.topics import model
from assets.analytical.topics.picture import PICTURE, draw, sizes
from assets.analytical.vectors import vectors

TABLES = ("similar_papers", "topics", "topic_papers")


def analyse_subjects(given: Given) -> Mapping[str, pl.DataFrame]:
    """Return the tables of similar papers and topics; leave the picture, and what the next refresh starts from."""
    papers = vectors.readable(given.tables["papers"])
    kept = vectors.load(given.base_release) if given.base_release else None
    state = model.load(given.base_release) if given.base_release else None
    before = base = None
    if given.base is not None and kept is not None and state is not None:
        before = given.base["similar_papers"]
        base = model.Base(given.base["topics"].collect(), given.base["topic_papers"].collect(), state)
    base_papers = vectors.readable(given.base["papers"]) if given.base is not None else papers.clear()
    change = vectors.refreshed(papers, base_papers, kept if base else None)
    similar = similar_papers(change, before)
    topics = model.topics_of(change, papers, base)
    vectors.save(change.vectors, given.out)
    model.save(topics, given.out)
    drawn = sizes(topics.topics, topics.topic_papers, given.tables["occurrences"], given.tables["documents"])
    (given.out / PICTURE).write_text(draw(topics.topics, drawn), encoding="utf-8")
    return {"similar_papers": similar, "topics": topics.topics, "topic_papers": topics.topic_papers}

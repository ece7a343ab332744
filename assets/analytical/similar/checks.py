"""Checks of similar papers: who is named, how often, and in which order."""

from __future__ import annotations

import polars as pl

from assets.contract.check import Check, Tables, Verdict, verdict_from_failing


def _pairs_exist(tables: Tables) -> Verdict:
    pairs, papers = tables["similar_papers"], tables["papers"].select("paper_id")
    strangers = [
        pairs.join(papers, left_on=column, right_on="paper_id", how="anti").select(
            "paper_id", "rank", problem=pl.lit(f"{column} is no paper")
        )
        for column in ("paper_id", "similar_paper_id")
    ]
    itself = pairs.filter(pl.col("paper_id") == pl.col("similar_paper_id")).select(
        "paper_id", "rank", problem=pl.lit("a paper is similar to itself")
    )
    twice = pairs.filter(pl.struct("paper_id", "similar_paper_id").is_duplicated()).select(
        "paper_id", "rank", problem=pl.lit("the same paper twice")
    )
    return verdict_from_failing(pl.concat([*strangers, itself, twice]))


def _ranks_follow_similarity(tables: Tables) -> Verdict:
    pairs = tables["similar_papers"].select("paper_id", "rank", "similarity").sort("paper_id", "rank")
    failing = pairs.with_columns(
        place=pl.int_range(1, pl.len() + 1).over("paper_id"), above=pl.col("similarity").shift(1).over("paper_id")
    ).filter((pl.col("rank") != pl.col("place")) | (pl.col("similarity") > pl.col("above")))
    return verdict_from_failing(failing)


CHECKS = (
    Check(
        "similar_papers_exist",
        "Both papers of each pair exist, they are two, and no pair stands twice.",
        ("similar_papers", "papers"),
        _pairs_exist,
    ),
    Check(
        "similar_ranks_follow_similarity",
        "The ranks of a paper's similar papers run from 1 without a gap, and similarity does not rise with them.",
        ("similar_papers",),
        _ranks_follow_similarity,
    ),
)

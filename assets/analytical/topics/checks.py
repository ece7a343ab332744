"""Checks of topics: that topics and papers exist, that each paper has one main topic, and that the counts agree."""

from __future__ import annotations

import polars as pl

from assets.contract.check import Check, Tables, Verdict, verdict_from_failing

ROUNDING = 0.02
"""How much the shares of one paper may exceed one for being rounded."""


def _links_hold(tables: Tables) -> Verdict:
    links = tables["topic_papers"]
    failing = [
        links.join(tables[table].select(key), on=key, how="anti").select(
            "topic_id", "paper_id", problem=pl.lit(f"{key} is in no row of {table}")
        )
        for key, table in (("topic_id", "topics"), ("paper_id", "papers"))
    ]
    ranked = links.sort("paper_id", "rank").with_columns(
        place=pl.int_range(1, pl.len() + 1).over("paper_id"),
        above=pl.col("weight").shift(1).over("paper_id"),
        whole=pl.col("weight").sum().over("paper_id"),
    )
    wrong = (pl.col("rank") != pl.col("place")) | (pl.col("weight") > pl.col("above"))
    failing.append(
        ranked.filter(wrong).select(
            "topic_id", "paper_id", problem=pl.lit("the paper's ranks have a gap, or weight rises with them")
        )
    )
    failing.append(
        ranked.filter(pl.col("whole") > 1 + ROUNDING).select(
            "topic_id", "paper_id", problem=pl.lit("the paper's weights are more than one together")
        )
    )
    return verdict_from_failing(pl.concat(failing))


def _counts_agree(tables: Tables) -> Verdict:
    main = tables["topic_papers"].filter(pl.col("rank") == 1).group_by("topic_id").agg(found=pl.len().cast(pl.Int64))
    counted = tables["topics"].join(main, on="topic_id", how="left").with_columns(pl.col("found").fill_null(0))
    return verdict_from_failing(
        counted.filter(
            (pl.col("papers") != pl.col("found")) | pl.col("name").is_duplicated() | (pl.col("terms").list.len() == 0)
        ).select("topic_id", "name", "papers", "found")
    )


CHECKS = (
    Check(
        "topic_papers_hold",
        "Topics and papers of each link exist; a paper's ranks run from 1, its weights fall and are one at most.",
        ("topic_papers", "topics", "papers"),
        _links_hold,
    ),
    Check(
        "topics_are_named_and_counted",
        "Each topic has terms and a name of its own, and as many papers as have it as their main topic.",
        ("topics", "topic_papers"),
        _counts_agree,
    ),
)

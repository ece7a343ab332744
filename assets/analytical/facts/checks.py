"""Rules that the facts keep beyond their schema."""

from __future__ import annotations

import polars as pl

from assets.contract.check import Check, Tables, Verdict, verdict_from_failing

_MAY_SHARE = [("acronym", "introduced"), ("acronym", "model"), ("acronym", "dataset")]
"""Kinds that may stand on the same characters: a short form that is defined may also be introduced or listed."""

_MAY_LIE_IN = ("theory", "claim")
"""Kinds that are stretches of a sentence: names may lie in them."""


def judge_slices(tables: Tables) -> Verdict:
    """Judge whether each value is what papers.text has at its span."""
    facts = tables["facts"].join(tables["papers"].select("paper_id", "text"), on="paper_id", how="inner")
    length = pl.col.char_end - pl.col.char_start
    found = pl.when(length > 0).then(pl.col.text.str.slice(pl.col.char_start, length))
    failing = facts.with_columns(found=found).filter(pl.col.found.ne_missing(pl.col.value)).drop("text")
    return verdict_from_failing(failing)


def judge_papers(tables: Tables) -> Verdict:
    """Judge whether each fact has its paper."""
    return verdict_from_failing(tables["facts"].join(tables["papers"], on="paper_id", how="anti"))


def judge_overlaps(tables: Tables) -> Verdict:
    """Judge whether facts of a paper that overlap are of kinds that may."""
    facts = tables["facts"].select("paper_id", "kind", "value", "char_start", "char_end")
    names = facts.filter(~pl.col.kind.is_in(_MAY_LIE_IN)).sort("paper_id", "char_start", "char_end", "kind")
    # Spans that do not share all their characters must follow each other, so neighbours tell of any overlap.
    distinct = names.group_by("paper_id", "char_start", "char_end", maintain_order=True).agg(
        pl.col("kind").sort(), pl.col("value").first()
    )
    before_end = pl.col.char_end.shift(1).over("paper_id")
    crossing = distinct.filter(pl.col.char_start < before_end).with_columns(kind=pl.col.kind.list.join("+"))
    allowed = ["+".join(sorted(pair)) for pair in _MAY_SHARE]
    together = (
        distinct.filter(pl.col.kind.list.len() > 1)
        .with_columns(kind=pl.col.kind.list.join("+"))
        .filter(~pl.col.kind.is_in(allowed))
    )
    claims = facts.filter(pl.col.kind == "claim").sort("paper_id", "char_start")
    crossing_claims = claims.filter(pl.col.char_start < pl.col.char_end.shift(1).over("paper_id"))
    columns = ["paper_id", "kind", "value", "char_start", "char_end"]
    return verdict_from_failing(pl.concat([frame.select(columns) for frame in (crossing, together, crossing_claims)]))


CHECKS = (
    Check(
        "facts_are_slices", "Each fact's value is exactly papers.text at its span.", ("facts", "papers"), judge_slices
    ),
    Check("facts_have_papers", "Each fact's paper is in papers.", ("facts", "papers"), judge_papers),
    Check(
        "facts_do_not_collide",
        "Facts of one paper overlap only where their kinds may: a defined short form that is also introduced or "
        "listed, and names inside claims.",
        ("facts",),
        judge_overlaps,
    ),
)

"""Checks of the raw layer."""

from __future__ import annotations

import polars as pl

from assets.contract.check import Check, Tables, Verdict, verdict_from_failing


def judge_fetched(tables: Tables) -> Verdict:
    """Judge whether every source could be fetched; the failing rows say why one could not."""
    sources = tables["sources"]
    failed = sources.filter(outcome="failed").select("source", "place", "detail", "documents")
    return verdict_from_failing(failed, sources=int(sources.select(pl.len()).collect().item()))


FETCHED = Check(
    "sources_fetched",
    "Every source was fetched; the last documents of one that was not stay in the release.",
    ("sources",),
    judge_fetched,
    severity="WARN",
)

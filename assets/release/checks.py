"""Checks of a release as a whole: its counts against those of the release before."""

from __future__ import annotations

import polars as pl

from assets.contract.check import Check, Tables, Verdict

SHRUNK = "papers_not_shrunk"
"""The one rule that a person may waive, with `--accept-drift`."""
_COUNTED = ("documents", "occurrences", "papers", "rejects")
_FLOOR = 1_000
_JUMP = 0.5
_SMALL = 20
"""Counts below this jump by nature and are not compared."""


def _rows(tables: Tables, name: str) -> int:
    return int(tables[name].select(pl.len()).collect().item())


def judge_shrinking(tables: Tables) -> Verdict:
    """Judge whether at least half of the papers are still there, where the release before had 1,000 or more."""
    before, now = _rows(tables, "base_papers"), _rows(tables, "papers")
    return Verdict(before < _FLOOR or 2 * now >= before, {"papers_before": before, "papers": now})


def judge_drift(tables: Tables) -> Verdict:
    """Judge whether documents, occurrences, papers, rejects and the fold rate changed by at most half."""
    before = {name: _rows(tables, f"base_{name}") for name in _COUNTED}
    now = {name: _rows(tables, name) for name in _COUNTED}
    jumps = {name: (before[name], now[name]) for name in _COUNTED if _jumped(before[name], now[name])}
    rates = [1 - counts["papers"] / counts["occurrences"] if counts["occurrences"] else 0.0 for counts in (before, now)]
    fold_rate_jumped = before["occurrences"] >= _SMALL and abs(rates[1] - rates[0]) > _JUMP / 2
    failing = pl.DataFrame(
        [{"figure": name, "before": float(a), "now": float(b)} for name, (a, b) in jumps.items()]
        + ([{"figure": "fold_rate", "before": rates[0], "now": rates[1]}] if fold_rate_jumped else []),
        schema={"figure": pl.String, "before": pl.Float64, "now": pl.Float64},
    )
    figures = {**now, "fold_rate": round(rates[1], 4), "fold_rate_before": round(rates[0], 4)}
    return Verdict(failing.is_empty(), figures, failing)


def _jumped(before: int, now: int) -> bool:
    return before >= _SMALL and abs(now - before) > _JUMP * before


CHECKS = (
    Check(
        SHRUNK,
        "At least half of the papers of the release before are still there (asked of 1,000 papers or more).",
        ("papers", "base_papers"),
        judge_shrinking,
    ),
    Check(
        "drift",
        "Documents, occurrences, papers and rejects changed by at most half, and the fold rate by at most 0.25.",
        tuple(f"{prefix}{name}" for name in _COUNTED for prefix in ("", "base_")),
        judge_drift,
        severity="WARN",
    ),
)

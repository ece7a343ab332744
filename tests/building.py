"""Whole builds in this process, and what a release of theirs holds."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from assets.contract.folder import DATABASE, DataFolder
from orchestration.build import run_build

TEXTS = {
    "robot": "We study how a warehouse robot plans a route while shelves move without notice. The planner keeps two "
    "maps and spends more sensing effort where they disagree, which ends the tour 18% sooner.",
    "bread": "Demand for bread changes with weather and with school holidays, so that small shops bake too much. A "
    "seasonal model that shares strength between neighbouring shops halves the loaves thrown away.",
    "spill": "Compilers for small microcontrollers choose register spills badly since they ignore what a read of flash "
    "memory costs. We add that cost to a linear-scan allocator and keep it linear in the program.",
    "tide": "Tide gauges drift when their floats grow heavy with weed. Comparing each gauge with two neighbours over a "
    "spring tide reveals the drift within a week, and corrects half a century of records.",
    "lexicon": "Field linguists collect word lists whose spelling varies between villages. We align such lists by "
    "sound rather than by letter and recover cognates that spelling alone had hidden from us.",
}


def write_list(path: Path, *names: str, heading: str = "DemoConf 2026 Papers") -> None:
    """Write a list of the named texts in the shape of the real lists."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join([heading, *(TEXTS[name] for name in names)]) + "\n", encoding="utf-8")


def build(folder: DataFolder, *raw: Path, **options: Any) -> dict[str, Any]:
    """Refresh a data folder and return the summary."""
    return run_build(folder, raw, **options)


def rows(folder: DataFolder, sql: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query on the current release."""
    with closing(duckdb.connect(str(folder.current.resolve() / DATABASE), read_only=True)) as connection:
        return connection.execute(sql).fetchall()


def partition(folder: DataFolder) -> set[frozenset[tuple[str, str, int]]]:
    """Return the papers as sets of (source, file name, position)."""
    release = folder.current
    members = (
        pl.scan_parquet(release / "occurrences.parquet")
        .join(pl.scan_parquet(release / "documents.parquet"), on="document_id")
        .group_by("paper_id")
        .agg(pl.struct("source", "file_name", "position").alias("members"))
        .collect()
    )
    return {frozenset(tuple(member.values()) for member in group) for group in members["members"]}


def ids_by_text(folder: DataFolder) -> dict[str, str]:
    """Return text -> paper_id."""
    return dict(rows(folder, "SELECT text, paper_id FROM papers"))

"""Small tables of papers, as an analysis is given them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import polars as pl

from assets.analytical.analysis import Given
from assets.analytical.facts.table import analyse_facts
from assets.contract.arrow import empty, polars_schema


def paper_id(name: str) -> str:
    return f"pap_{hashlib.sha256(name.encode()).hexdigest()[:20]}"


def papers(**texts: str | None) -> pl.DataFrame:
    """Return a table of papers, named for their ids and titles."""
    rows = [
        {"paper_id": paper_id(name), "text": text, "title": name, "venues": ["HillConf"], "years": [2026]}
        for name, text in texts.items()
    ]
    frame = pl.DataFrame(rows, schema={name: polars_schema("papers")[name] for name in rows[0]})
    return pl.concat([empty("papers"), frame], how="diagonal")


def analysed(table: pl.DataFrame, out: Path, base: pl.DataFrame | None = None, base_facts: pl.DataFrame | None = None,
             base_release: Path | None = None) -> pl.DataFrame:  # fmt: skip
    """Return the facts of a table of papers, on a base where there is one."""
    out.mkdir(parents=True, exist_ok=True)
    before = None
    if base is not None and base_facts is not None:
        before = {"papers": base.lazy(), "facts": base_facts.lazy()}
    return analyse_facts(Given({"papers": table.lazy()}, before, base_release, out))["facts"]

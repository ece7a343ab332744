"""The analysis that writes `changes.md` beside the tables of a release; it makes no table."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from assets.analytical.analysis import Analysis, Given
from assets.analytical.changes.compare import compare
from assets.analytical.changes.markdown import markdown
from assets.analytical.changes.report import report
from assets.analytical.changes.standing import snapshots, unordered_lists

FILE_NAME = "changes.md"


def write_changes(given: Given) -> Mapping[str, pl.DataFrame]:
    """Write what changed since the release that the refresh builds on."""
    now = snapshots(given.tables["documents"])
    unordered = unordered_lists(now, snapshots(given.base["documents"])) if given.base else ()
    told = report(compare(given.tables, given.base), unordered)
    since = given.base_release.name if given.base_release else None
    (given.out / FILE_NAME).write_text(markdown(told, since=since), encoding="utf-8")
    return {}


ANALYSIS = Analysis("changes", "1", (), write_changes)
